"""Actors: whoever plays an episode from the agent's side.

What lives here: agents that need no model (gold, no-op, random; `adversaries`, who want to be paid
for nothing; `AlternativeSolver`, who does not go gold's way), and `play`, which lets one play an
episode to its end. What may not: grading. An agent sees messages and tools, as a model would;
only `GoldAgent`, `AlternativeSolver` and `StatedAgent` are given the episode, since they know what nobody may.
`rollout` plays with a model; it is imported by name, so that nobody else pays for it.
"""

from .alternative import AlternativeSolver, Way, ways
from .baselines import Agent, GoldAgent, NoOpAgent, RandomAgent, gold_message, gold_messages, play
from .stated import StatedAgent

__all__ = [
    "Agent",
    "AlternativeSolver",
    "GoldAgent",
    "NoOpAgent",
    "RandomAgent",
    "StatedAgent",
    "Way",
    "gold_message",
    "gold_messages",
    "play",
    "ways",
]
