"""EnvGen: from an authentic source to an environment package.

What lives here: reading sources, the resource model, and emitters that write a package from it,
all without a language model. What may not: anything about playing or grading episodes. `build`
is the one way in.
"""

from .build import build, build_parts
from .bundled import bundled_source
from .coverage import Coverage
from .problem import BuildError

__all__ = ["BuildError", "Coverage", "build", "build_parts", "bundled_source"]
