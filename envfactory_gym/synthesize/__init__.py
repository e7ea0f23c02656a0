"""QueryGen: tool graph → sampled chains → goals and gold → wording → certified tasks.

Everything here works without a model and is seeded: the same seed gives the same bytes. It never
judges its own work: whether a task holds is decided by `verify`, which executes it.
"""
