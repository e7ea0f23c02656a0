"""Rollouts: episodes played by models behind any OpenAI-compatible endpoint.

What lives here: `rollout`, the two forms in which an episode travels (`wire`), and the model that may
speak for the user. What may not: grading, and transport, which is `llm`'s.
"""

from .core import Rollout, rollout, use
from .user_model import UserFailed, UserModel
from .wire import PROBLEMS, FormName, NativeWire, TextWire, wire_of

__all__ = [
    "PROBLEMS",
    "FormName",
    "NativeWire",
    "Rollout",
    "TextWire",
    "UserFailed",
    "UserModel",
    "rollout",
    "use",
    "wire_of",
]
