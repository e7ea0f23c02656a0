"""Authoring: briefs, sources, and the staged pipeline with an author that a script plays."""
