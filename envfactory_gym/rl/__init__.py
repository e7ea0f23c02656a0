"""Gymnasium: the environment, its spaces, and registration. No transport, no trainer."""

from .registration import register

__all__ = ["register"]
