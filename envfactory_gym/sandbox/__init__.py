"""Running code that nobody verified: a process that may do next to nothing, and says what holds it.

Here live the process and its layers (docs/sandbox.md). What runs inside is named by a higher room,
as `module:function`: this room knows packages as folders, and neither checks nor episodes.
"""

from .errors import SandboxError, SandboxStopped
from .launch import Sandbox
from .limits import Limits
from .protection import LAYERS, Layer, Protection

__all__ = ["LAYERS", "Layer", "Limits", "Protection", "Sandbox", "SandboxError", "SandboxStopped"]
