"""Play tasks on a running fleet, many at a time, with an agent of your own.

    envfactory serve airline --http
    python examples/serving/rollouts.py http://127.0.0.1:8765 airline

The agent here looks at nothing and says "Done."; put your model into `act`.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections import Counter
from typing import Any

from envfactory_gym.serve.client import AsyncFleetClient, AsyncRemoteEpisode, FleetError

AT_ONCE = 16
MOST_STEPS = 30
NO_SUCH_TOOL = "-32602"


async def act(messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
    """The next message of the agent, in OpenAI form: your model goes here."""
    return {"role": "assistant", "content": "Done."}


async def called(episode: AsyncRemoteEpisode, call: dict[str, Any]) -> str:
    """What a tool call gives back. Models write arguments as JSON text, and not always well."""
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    try:
        if isinstance(arguments, str):
            arguments = json.loads(arguments)
        return (await episode.call(name, dict(arguments))).text
    except (TypeError, ValueError) as error:
        problem = f"The arguments are no JSON object: {error}"
    except FleetError as error:
        if error.code != NO_SUCH_TOOL:
            raise
        problem = error.message
    return json.dumps({"error": {"code": "invalid", "message": problem}})


async def play(episode: AsyncRemoteEpisode) -> str:
    """One conversation from the first request to its outcome; gives its kind."""
    messages = list(episode.messages)
    for _ in range(MOST_STEPS):
        said = await act(messages, episode.tools)
        messages.append(said)
        if calls := said.get("tool_calls"):
            for call in calls:
                messages.append({"role": "tool", "tool_call_id": call["id"], "content": await called(episode, call)})
            continue
        reply = await episode.user(said["content"])
        messages += reply.messages
        if reply.outcome is not None:
            return reply.outcome.kind
    return (await episode.score()).kind


async def main(url: str, environment: str) -> None:
    """Play every task of the training split once, and count how they ended."""
    room = asyncio.Semaphore(AT_ONCE)
    async with AsyncFleetClient(url, token=os.environ.get("ENVFACTORY_TOKEN")) as fleet:

        async def one(task: str) -> str:
            async with room:
                episode = await fleet.create(environment, task=task, user="scripted", answer="text")
                try:
                    return await play(episode)
                finally:
                    await episode.delete()

        tasks = await fleet.tasks(environment, split="train")
        print(Counter(await asyncio.gather(*(one(task.id) for task in tasks))))


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
