"""Registering every known package with Gymnasium as `EnvFactory/<name>-v<major>`."""

from __future__ import annotations

import gymnasium as gym
from gymnasium.envs.registration import registry as registered

from ..environment import Package, PackageError, Registry
from ..environment.bundle import ID as MULTI_ID
from ..environment.bundle import NAME as MULTI
from ..environment.registry import bundle_folder, own_packages

ENTRY_POINT = "envfactory_gym.rl.env:EnvFactoryEnv"
VECTOR_ENTRY_POINT = "envfactory_gym.rl.vector:EnvFactoryVectorEnv"


def register() -> list[str]:
    """Register what is not registered yet; called on import, and again after adding packages.

    Returns:
        The ids of all known packages.
    """
    ids = {entry.id: entry.name for entry in Registry.installed().entries}
    if bundle_folder() is not None:
        ids[MULTI_ID] = MULTI
    for name, folder in own_packages().items():
        try:
            ids[Package(folder).id] = name
        except PackageError as error:
            gym.logger.warn(f"the package in {folder} is not registered: {error}")
    for identifier, name in ids.items():
        if identifier not in registered:
            gym.register(
                identifier,
                entry_point=ENTRY_POINT,
                kwargs={"environment": name},
                # Tests run Gymnasium's checker on each of these. At play it keeps a copy of all that each step
                # returns, and fails with an error of its own on the step after a malformed action.
                disable_env_checker=True,
                vector_entry_point=VECTOR_ENTRY_POINT,
                order_enforce=True,
            )
    return sorted(ids)
