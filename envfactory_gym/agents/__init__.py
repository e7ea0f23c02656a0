"""Actors: whoever plays an episode from the agent's side.

What lives here: agents that need no model (gold, no-op, random; `adversaries`, who want to be paid
for nothing; `AlternativeSolver`, who does not go gold's way), and `play`, which lets one play an
episode to its end. What may not: grading. An agent sees messages and tools, as a model would;
only `GoldAgent` and `AlternativeSolver` are given the episode, since they know what nobody may.
"""

from .alternative import AlternativeSolver, Way, ways
from .baselines import Agent, GoldAgent, NoOpAgent, RandomAgent, gold_message, gold_messages, play

__all__ = [
    "Agent",
    "AlternativeSolver",
    "GoldAgent",
    "NoOpAgent",
    "RandomAgent",
    "Way",
    "gold_message",
    "gold_messages",
    "play",
    "ways",
]
