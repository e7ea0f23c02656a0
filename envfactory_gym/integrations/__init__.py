"""Other people's interfaces: one thin file for each trainer, loaded only by whoever uses it.

What lives here: adapters between an episode and the loop of somebody else's program. What may not: rules,
rewards, prompts; they come from the episode. Every adapter has an extra of its own, since no two
trainers can be relied on to share an environment, and importing this package loads none of them.
"""
