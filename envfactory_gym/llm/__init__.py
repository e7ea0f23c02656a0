"""Language models behind any OpenAI-compatible endpoint: one client, and a scripted server to try it on.

What lives here: requests and completions as plain data, retries, limits, cost, cassettes, and
`loopback`, a server that answers from a script and misbehaves on demand. What may not: tasks,
episodes, prompts. Whoever needs a model (rollouts, simulated users, authors of environments) goes
through this room, so that everything paid for is counted once and in one place.
"""
