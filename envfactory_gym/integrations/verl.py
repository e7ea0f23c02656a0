"""verl: an agent loop that owns the episode, one tool class for all tools, and an exact SFT data set.

verl creates and releases a tool around every single call, so an episode cannot live in one. The loop
opens it, lets verl's own tool loop play, scores it, and closes it; tools find it in the row's `tools_kwargs`.
Name this module where verl wants it:

    actor_rollout_ref.rollout.multi_turn.tool_config_path=DATA/tools.yaml
    actor_rollout_ref.rollout.agent.agent_loop_config_path=agent.yaml
        # - {name: envfactory, _target_: envfactory_gym.integrations.verl.EnvironmentLoop}
    data.custom_cls.path=pkg://envfactory_gym.integrations.verl data.custom_cls.name=ExactSFTDataset   # for SFT
"""

from __future__ import annotations

import json
from typing import Any

from verl.experimental.agent_loop.agent_loop import AgentLoopOutput, register
from verl.experimental.agent_loop.tool_agent_loop import AgentData, ToolAgentLoop
from verl.tools.base_tool import BaseTool
from verl.tools.schemas import ToolResponse
from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset

from ..environment import load_package
from ..episode import Episode, Outcome
from ..export.rl import AGENT_LOOP

EPISODE = "__episode__"
"""Key under which a row's tools find the episode that is being played."""


class EnvironmentTool(BaseTool):  # type: ignore[misc]
    """Any tool of any environment: hands the call to the episode of its row."""

    async def execute(
        self, instance_id: str, parameters: dict[str, Any], **kwargs: Any
    ) -> tuple[ToolResponse, float, dict[str, Any]]:
        """Call the tool in the episode; what is refused comes back as text, as it does everywhere."""
        episode: Episode = kwargs["agent_data"].tools_kwargs[EPISODE]
        if episode.over:
            return ToolResponse(text='{"error":{"code":"limit","message":"The episode is over."}}'), 0.0, {}
        step = episode.step({"tool_calls": [{"name": self.name, "arguments": parameters}]})
        return ToolResponse(text=step.messages[0]["content"]), 0.0, {}


@register(AGENT_LOOP)
class EnvironmentLoop(ToolAgentLoop):  # type: ignore[misc]
    """Plays the episode of a row of `envfactory export --to verl`, and sets the reward of its output."""

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """Play one row; the reward is the episode's, or 0.0 with `reward_valid` False where the harness failed."""
        played = json.loads(row["extra_info"]["episode"])
        package = load_package(played["environment"])
        with Episode(package, played["task"], user=played["user"], answer=played["answer"]) as episode:
            episode.reset()
            row["tools_kwargs"] = {**(row.get("tools_kwargs") or {}), EPISODE: episode}
            self._last_text = ""
            output = await super().run(sampling_params, **row)
            outcome = _ended(episode, self._last_text)
            output.reward_score = outcome.reward  # set, so that verl does not ask a reward function of its own
            output.extra_fields.update(
                reward_valid=outcome.reward_valid, outcome=outcome.kind, tool_calls=outcome.calls
            )
            return output

    def _build_assistant_message(self, content: str, agent_data: AgentData) -> dict[str, Any]:
        """Keep what the agent said last: verl tells nobody the text that ended the loop."""
        message: dict[str, Any] = super()._build_assistant_message(content, agent_data)
        self._last_text = "" if agent_data.tool_calls else message["content"]
        return message


def _ended(episode: Episode, text: str) -> Outcome:
    """The outcome after the last message; a conversation that the loop cannot go on with says nothing of the agent."""
    if episode.outcome is None:
        episode.step({"role": "assistant", "content": text})
    if episode.outcome is None:
        episode.abort("infra", "the loop ended before the conversation did; play episodes in solo form")
    assert episode.outcome is not None
    return episode.outcome


class ExactSFTDataset(MultiTurnSFTDataset):  # type: ignore[misc]
    """verl's multi-turn data set over `sft/*.parquet`, whose messages and tools are JSON text.

    As parquet structs they would hold the union of all rows' keys, and nulls that templates print.
    """

    def _read_files_and_process(self) -> None:
        super()._read_files_and_process()
        texts: tuple[list[str], list[str]] = self.messages, self.tools
        self.messages: list[Any] = list(map(json.loads, texts[0]))
        self.tools: list[Any] = list(map(json.loads, texts[1]))

    def _build_messages(self, example: dict[str, Any]) -> list[dict[str, Any]]:
        return super()._build_messages({self.messages_key: json.loads(example[self.messages_key])})  # type: ignore[no-any-return]
