"""The least that GRPO on the airline needs, for a model that can call tools already (and a GPU).

    pip install 'envfactory-gym[trl]'
    envfactory export --rl airline --split train --to trl --out DATA
    python examples/trl_airline.py Qwen/Qwen3-0.6B DATA

Prompts are long: the rules and 17 tools are about 4,000 tokens of Qwen3. A run that learns, on a CPU: train_trl.py.
"""

from __future__ import annotations

import os
import sys

os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

from datasets import load_dataset
from trl import GRPOConfig, GRPOTrainer

from envfactory_gym.integrations.trl import environment_factory, episode_reward, show_exact_schemas


def main(model: str, data: str) -> None:
    """Train a model on exported rows."""
    rows = load_dataset("json", data_files=f"{data}/rl/train.jsonl", split="train")
    trainer = GRPOTrainer(
        model=model,
        train_dataset=rows,
        reward_funcs=episode_reward,
        environment_factory={"airline": environment_factory("airline")},
        args=GRPOConfig(
            output_dir="out",
            num_generations=8,
            per_device_train_batch_size=8,
            max_completion_length=4096,  # of all messages and results together
            max_tool_calling_iterations=20,
            chat_template_kwargs={"enable_thinking": False},
        ),
    )
    show_exact_schemas(trainer)
    trainer.train()


if __name__ == "__main__":
    main(*sys.argv[1:3])
