"""Layer `limits`: what setrlimit(2) bounds, for this process and all that it starts."""

from __future__ import annotations

import resource

from ..limits import Limits
from .calls import Unavailable, drop_capabilities, linux, no_new_privileges


def restrict(limits: Limits) -> None:
    """Lower this process's limits, soft and hard, and give up the privileges by which they could be raised.

    RLIMIT_NPROC counts all processes of a user, and nothing for root: the number of processes is watched instead
    (`warden`), or none are allowed (`seccomp`).

    Raises:
        Unavailable: The system does not let us.
    """
    wanted = {
        resource.RLIMIT_AS: (limits.memory, limits.memory),
        resource.RLIMIT_NOFILE: (limits.files, limits.files),
        resource.RLIMIT_FSIZE: (limits.disk, limits.disk),
        resource.RLIMIT_CORE: (0, 0),
    }
    if limits.cpu_seconds is not None:
        # The signal at the soft limit can be caught; the kill a second later cannot.
        wanted[resource.RLIMIT_CPU] = (limits.cpu_seconds, limits.cpu_seconds + 1)
    try:
        for which, (soft, hard) in wanted.items():
            _lower(which, soft, hard)
        if linux():
            no_new_privileges()
            drop_capabilities()
    except (OSError, ValueError) as error:
        raise Unavailable(f"this system does not let limits be set: {error}") from error


def _lower(which: int, soft: int, hard: int) -> None:
    _, most = resource.getrlimit(which)
    if most != resource.RLIM_INFINITY:
        soft, hard = min(soft, most), min(hard, most)
    resource.setrlimit(which, (soft, hard))
