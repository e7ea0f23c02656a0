"""What an environment IS: package files, tools and their schemas, tasks, the registry.

Nothing here knows a live state: a package can be read, hashed and validated without a world.
"""

from .behaviour import Behaviour
from .bundle import Bundle
from .columns import Column, ColumnPolicy, Schema, Table, parse_policy, read_schema
from .environment import Environment
from .errors import (
    BudgetExceeded,
    EnvFactoryError,
    EnvironmentFault,
    PackageError,
    TaskError,
    ToolError,
    UntrustedPackageError,
)
from .language import Language, Policy
from .manifest import Manifest
from .package import Invariant, Package
from .registry import Entry, Registry, load_bundle, load_package
from .task import Goal, Setup, Slot, TaskPrivate, TaskPublic, Turn, User
from .tool import Parameter, Ref, Text, Tool, build_tool

__all__ = [
    "Behaviour",
    "BudgetExceeded",
    "Bundle",
    "Column",
    "ColumnPolicy",
    "Entry",
    "EnvFactoryError",
    "Environment",
    "EnvironmentFault",
    "Goal",
    "Invariant",
    "Language",
    "Manifest",
    "Package",
    "PackageError",
    "Parameter",
    "Policy",
    "Ref",
    "Registry",
    "Schema",
    "Setup",
    "Slot",
    "Table",
    "TaskError",
    "TaskPrivate",
    "TaskPublic",
    "Text",
    "Tool",
    "ToolError",
    "Turn",
    "UntrustedPackageError",
    "User",
    "build_tool",
    "load_bundle",
    "load_package",
    "parse_policy",
    "read_schema",
]
