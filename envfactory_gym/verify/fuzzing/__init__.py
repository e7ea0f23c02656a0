"""Fuzzing: long seeded sequences of calls, in search of what no author thought of.

`sources` draws arguments, `session` plays calls and knows what must never happen, `explore` decides
what to call, `shrinking` makes a found sequence small. `stateful` is the same as a state machine for
hypothesis; it is not imported here, because hypothesis belongs to the tests of a project: it mines
constants from whatever modules are loaded, so its figures are not those of a report, which has to
say the same on every machine.
"""

from .explore import Profile, explore
from .session import Failure, Session
from .shrinking import shrink

__all__ = ["Failure", "Profile", "Session", "explore", "shrink"]
