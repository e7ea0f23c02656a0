"""Actors: whoever plays an episode from the agent's side.

What lives here: agents that need no model (gold, no-op, random), and `play`, which lets one play an
episode to its end. What may not: grading. An agent sees messages and tools, as a model would;
only `GoldAgent` is given the episode, since it knows what nobody may.
"""

from .baselines import Agent, GoldAgent, NoOpAgent, RandomAgent, gold_message, gold_messages, play

__all__ = ["Agent", "GoldAgent", "NoOpAgent", "RandomAgent", "gold_message", "gold_messages", "play"]
