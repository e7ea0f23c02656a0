"""Actors: gold, no-op and random."""

from .baselines import Agent, GoldAgent, NoOpAgent, RandomAgent, gold_message, gold_messages, play

__all__ = ["Agent", "GoldAgent", "NoOpAgent", "RandomAgent", "gold_message", "gold_messages", "play"]
