"""verl itself, without vLLM: its loaders read what was exported, its tool loop plays it, masks and rewards fit."""

import json
import os

import pytest

from envfactory_gym import load_package
from envfactory_gym.agents import gold_messages
from envfactory_gym.episode import Episode
from envfactory_gym.export import export, gold_samples, prompts

pytest.importorskip("verl", reason="needs the extra `verl`: make test-integrations")
os.environ.update(HF_HUB_OFFLINE="1", VERL_LOGGING_LEVEL="ERROR", TOKENIZERS_PARALLELISM="false")

from omegaconf import OmegaConf
from verl.experimental.agent_loop.agent_loop import DictConfigWrap, ToolListWrap
from verl.tools.tool_registry import load_all_tools
from verl.utils.dataset.rl_dataset import RLHFDataset
from verl.workers.rollout.replica import TokenOutput

from envfactory_gym.integrations import verl as adapter

from .tiny import texts_of, tokenizer

TEMPLATE = """{%- if tools %}<|im_start|>system
{% if messages[0].role == 'system' %}{{ messages[0].content }}
{% endif %}# Tools
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% elif messages[0].role == 'system' %}<|im_start|>system
{{ messages[0].content }}<|im_end|>
{% endif %}{% for message in messages %}{% if message.role == 'assistant' %}<|im_start|>assistant
{{ message.content }}{% for call in message.tool_calls or [] %}
<tool_call>
{"name": "{{ call.function.name }}", "arguments": {{ call.function.arguments if call.function.arguments is string else call.function.arguments | tojson }}}
</tool_call>{% endfor %}<|im_end|>
{% elif message.role != 'system' %}<|im_start|>{{ 'user' if message.role == 'tool' else message.role }}
{{ '<tool_response>\n' + message.content + '\n</tool_response>' if message.role == 'tool' else message.content }}<|im_end|>
{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}"""
"""Tools, calls and results as Qwen writes them; every message by itself, as verl's loader needs."""


@pytest.fixture(scope="module")
def crm():
    return load_package("crm")


@pytest.fixture(scope="module")
def tokens(crm):
    rows = [{"messages": sample.messages, "tools": sample.tools} for sample in gold_samples(crm)]
    return tokenizer(texts_of(rows), TEMPLATE)


def test_sft_rows_become_the_tokens_of_the_canonical_messages(tokens, crm, tmp_path):
    samples = list(gold_samples(crm))
    made = export(samples, tmp_path / "x", "verl", plots=False)
    for name, count in made.rows.items():
        config = OmegaConf.create({"max_length": 60000, "pad_mode": "no_padding", "truncation": "error",
                                   "ignore_input_ids_mismatch": False})  # fmt: skip
        read = adapter.ExactSFTDataset(str(tmp_path / "x" / name), tokens, config)
        own = [sample for sample in samples if f"sft/{sample.split}.parquet" == name]
        assert len(read) == count == len(own)
        for row, sample in zip(read, own, strict=True):
            whole = tokens.apply_chat_template(sample.messages, tools=sample.tools, tokenize=False)
            assert tokens.decode(row["input_ids"]) == whole
            assert row["input_ids"].tolist() == tokens(whole, add_special_tokens=False)["input_ids"]
            trained = [i for i, m in zip(row["input_ids"].tolist(), row["loss_mask"].tolist(), strict=True) if m]
            said = "".join(part.partition("<|im_end|>")[0] for part in whole.split("<|im_start|>assistant\n")[1:])
            assert tokens.decode(trained).replace("<|im_end|>\n", "").replace("<|im_end|>", "") == said


class Scripted:
    """Stands in for the inference server: plays messages one after another."""

    def __init__(self, tokens, messages):
        self.tokens, self.messages = tokens, iter(messages)

    async def generate(self, request_id, *, prompt_ids, sampling_params, **more):
        message = next(self.messages, {"content": "Done."})
        calls = "".join(
            f"\n<tool_call>\n{json.dumps({'name': c['name'], 'arguments': c['arguments']})}\n</tool_call>"
            for c in message.get("tool_calls", ())
        )
        ids = self.tokens(message["content"] + calls + "<|im_end|>", add_special_tokens=False)["input_ids"]
        return TokenOutput(token_ids=ids, log_probs=[-0.1] * len(ids), num_preempted=0, extra_fields={})


async def test_rows_are_played_by_the_agent_loop_and_paid(tokens, crm, tmp_path, capsys):
    tasks = [task for task in crm.tasks if task.solo]
    export([], tmp_path / "x", "verl", prompts=prompts(crm, tasks), plots=False)
    files = sorted(map(str, (tmp_path / "x" / "rl").glob("*.parquet")))
    tools = load_all_tools(str(tmp_path / "x" / "tools.yaml"), None)
    assert {tool.name for tool in tools} == {tool.name for tool in crm.tools.values()} | {"decline_request"} & {
        tool.name for tool in tools
    }
    data = OmegaConf.create({"prompt_key": "prompt", "max_prompt_length": 60000, "filter_overlong_prompts": False,
                             "return_raw_chat": True, "tool_config_path": str(tmp_path / "x" / "tools.yaml")})  # fmt: skip
    rows = RLHFDataset(data_files=files, tokenizer=tokens, config=data)
    assert len(rows) == len(tasks)
    config = OmegaConf.create({"actor_rollout_ref": {"rollout": {
        "prompt_length": 60000, "response_length": 40000, "full_determinism": False, "name": "vllm",
        "multi_turn": {"max_user_turns": 16, "max_assistant_turns": 16, "max_parallel_calls": 4,
                       "max_tool_response_length": 100000, "tool_response_truncate_side": "middle",
                       "format": "hermes"}}}})  # fmt: skip
    paid = {}
    for good in (True, False):
        for index in range(len(tasks)):
            row = rows[index]
            row.pop("dummy_tensor", None)
            row.pop("agent_name")
            name = json.loads(row["extra_info"]["episode"])["task"]
            with Episode(crm, name, user="solo") as episode:
                script = gold_messages(episode) if good else [{"content": "Done."}]
            loop = adapter.EnvironmentLoop(
                trainer_config=DictConfigWrap(config), server_manager=Scripted(tokens, script), tokenizer=tokens,
                processor=None, hf_model_type="qwen3", dataset_cls=RLHFDataset, data_config=DictConfigWrap(data),
                tools=ToolListWrap(tools),
            )  # fmt: skip
            out = await loop.run({}, **row)
            assert len(out.response_ids) == len(out.response_mask) == len(out.response_logprobs)
            assert out.extra_fields["reward_valid"] is True
            paid[name, good] = out.reward_score
    assert {reward for (_, good), reward in paid.items() if good} == {1.0}
    assert {reward for (_, good), reward in paid.items() if not good} == {0.0}
    with capsys.disabled():
        print(f"\nverl: {len(tasks)} tasks played as gold 1.0 and as no-op 0.0 by the agent loop")
