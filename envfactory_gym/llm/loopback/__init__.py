"""A scripted OpenAI-compatible server on this machine: for tests, dry runs and benchmarks, faults included.

It answers chat completions with whatever a `Responder` says, over real HTTP, and knows nothing
about tasks. `Faults` makes it fail the way real endpoints fail, the same way for the same seed.
"""

from .completions import Heard, Responder
from .faults import MODEL_FAULTS, TRANSPORT_FAULTS, Faults
from .server import Loopback, Served

__all__ = ["MODEL_FAULTS", "TRANSPORT_FAULTS", "Faults", "Heard", "Loopback", "Responder", "Served"]
