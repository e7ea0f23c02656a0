"""What stops authoring, in one sentence that says what to do next."""

from __future__ import annotations

from ..environment import PackageError


class AuthorError(PackageError):
    """A source, an answer or a folder that authoring cannot go on with; the message names the way out."""
