"""TRL itself: what SFT and RL render is the same, rewards arrive, and its JSON loader gives back what was written."""

import json
import os
from importlib import resources

import pytest

from envfactory_gym import load_package
from envfactory_gym.export import export, gold_samples, prompts
from tests.export.trajectories import trajectory

pytest.importorskip("trl", reason="needs the extra `trl`: make test-integrations")
os.environ.update(
    HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", TRL_EXPERIMENTAL_SILENCE="1", TOKENIZERS_PARALLELISM="false"
)

from datasets import load_dataset
from transformers.utils import get_json_schema
from trl import GRPOConfig, GRPOTrainer

from envfactory_gym.export import sample_of
from envfactory_gym.integrations import trl as adapter

from .tiny import model, texts_of, tokenizer

TOOLS = ("list_notes", "create_note", "create_lead")
"""Few enough that a step takes a second."""

QUIET = {"report_to": [], "save_strategy": "no", "use_cpu": True, "bf16": False, "disable_tqdm": True,
         "gradient_checkpointing": False}  # fmt: skip


@pytest.fixture(scope="module")
def tokens():
    rows = [{"messages": sample.messages, "tools": sample.tools} for sample in gold_samples(load_package("crm"))]
    template = (resources.files("trl") / "chat_templates" / "qwen3.jinja").read_text()
    return tokenizer(texts_of(rows), template)


def rendered(tokens, messages, tools):
    return tokens.apply_chat_template(messages, tools=tools, tokenize=False)


@pytest.mark.parametrize("to", ["chat", "trl"])
def test_rows_read_by_datasets_render_the_same_text_and_tokens(tokens, tmp_path, to):
    """A thousand random trajectories, and gold: rendered from the file as from memory."""
    samples = [sample_of(trajectory(seed)) for seed in range(1000)] + list(gold_samples(load_package("airline")))
    export(samples, tmp_path / to, to, plots=False)
    for split in ("train", "dev", "test"):
        file = str(tmp_path / to / "sft" / f"{split}.jsonl")
        read = load_dataset("json", data_files=file, split="train", cache_dir=str(tmp_path / "cache"))
        own = [sample for sample in samples if sample.split == split]
        assert len(read) == len(own)
        for row, sample in zip(read, own, strict=True):
            one = rendered(tokens, row["messages"], row["tools"])
            assert one == rendered(tokens, sample.messages, sample.tools)
    assert tokens(one)["input_ids"] == tokens(rendered(tokens, sample.messages, sample.tools))["input_ids"]


@pytest.mark.parametrize("name", ["airline", "crm", "multi"])
def test_every_tool_passes_the_reader_of_signatures(name):
    environment = adapter.make_environment(name)
    for tool in adapter.tool_schemas(name):
        read = get_json_schema(getattr(environment, tool["function"]["name"]))["function"]
        assert set(read["parameters"]["properties"]) == set(tool["function"]["parameters"].get("properties", {}))


def test_sft_and_rl_show_the_same_bytes_and_the_episode_pays(tokens, tmp_path):
    """Two steps of GRPO with a random model: prompts as SFT renders them, rewards 0.0 and never missing."""
    package = load_package("crm")
    tasks = [task for task in package.tasks if task.id in ("create-notes", "create-leads")]
    gold = [sample.showing(TOOLS) for sample in gold_samples(package, tasks, user="solo")]
    export(gold, tmp_path / "x", "trl",
           prompts=prompts(package, tasks), plots=False)  # fmt: skip
    files = sorted(map(str, (tmp_path / "x" / "rl").glob("*.jsonl")))
    rows = load_dataset("json", data_files=files, split="train", cache_dir=str(tmp_path / "cache"))
    trainer = GRPOTrainer(
        model=model(tokens), processing_class=tokens, train_dataset=rows, reward_funcs=adapter.episode_reward,
        environment_factory={"crm": adapter.environment_factory("crm", tools=TOOLS)},
        args=GRPOConfig(output_dir=str(tmp_path / "out"), max_steps=2, per_device_train_batch_size=4, num_generations=4,
                        max_completion_length=24, max_tool_calling_iterations=2, logging_steps=1, beta=0.0,
                        chat_template_kwargs={"enable_thinking": False}, **QUIET),
    )  # fmt: skip
    adapter.show_exact_schemas(trainer)
    asked = []
    generate = trainer._generate_single_turn
    trainer._generate_single_turn = lambda ids, *rest, **more: asked.append(ids[0]) or generate(ids, *rest, **more)
    trainer.train()
    sft = [
        json.loads(line) for path in (tmp_path / "x" / "sft").glob("*.jsonl") for line in path.read_text().splitlines()
    ]
    shown = {tokens.apply_chat_template(row["messages"][:2], tools=row["tools"], tokenize=False) for row in sft}
    for ids in asked:
        assert any(tokens.decode(ids).startswith(text) for text in shown)
    paid = [log["reward"] for log in trainer.state.log_history if "reward" in log]
    assert paid == [0.0, 0.0]


def test_a_scripted_model_is_paid_through_the_trainer(tokens, tmp_path):
    """The trainer's own tool loop, with tokens that play gold in half of the rollouts: rewards 1.0 and 0.0."""
    package = load_package("crm")
    (sample,) = gold_samples(package, [package.task("create-notes")], user="solo")
    (row,) = prompts(package, [package.task("create-notes")])
    call = sample.messages[2]["tool_calls"][0]["function"]
    texts = [f"<tool_call>\n{json.dumps(call)}\n</tool_call><|im_end|>", "Done.<|im_end|>"]
    trainer = GRPOTrainer(
        model=model(tokens), processing_class=tokens, reward_funcs=adapter.episode_reward,
        train_dataset=load_dataset("json", data_files=str(_file(tmp_path, row)), split="train", cache_dir=str(tmp_path / "c")),
        environment_factory=adapter.environment_factory("crm", tools=TOOLS),
        args=GRPOConfig(output_dir=str(tmp_path / "out"), max_steps=1, per_device_train_batch_size=4, num_generations=4,
                        max_completion_length=512, logging_steps=1, beta=0.0,
                        chat_template_kwargs={"enable_thinking": False}, **QUIET),
    )  # fmt: skip
    adapter.show_exact_schemas(trainer)

    def scripted(ids, *rest, **more):
        first = len(ids) == 4
        said = [texts[0] if first and n % 2 else texts[1] for n in range(len(ids))]
        return [tokens(text, add_special_tokens=False)["input_ids"] for text in said], None

    trainer._generate_single_turn = scripted
    trainer.train()
    (log,) = [log for log in trainer.state.log_history if "reward" in log]
    assert log["reward"] == 0.5
    assert log["tools/failure_frequency"] == 0.0 and log["tools/call_frequency"] == 0.5


def _file(folder, row):
    from envfactory_gym.export.rl import trl_row

    path = folder / "rl.jsonl"
    path.write_text(json.dumps(trl_row(row)) + "\n")
    return path
