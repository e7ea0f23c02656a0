"""A tiny random model of Qwen3's shape and a tokenizer trained on the spot, with TRL's own chat template or a like one."""

from __future__ import annotations

import json
from typing import Any

TAGS = ("<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>")


def tokenizer(texts: list[str], template: str, vocabulary: int = 1500) -> Any:
    """Byte-level BPE: no text is unknown to it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=vocabulary,
        special_tokens=["<|endoftext|>", "<|im_start|>", "<|im_end|>"],
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    made.train_from_iterator(texts, trainer)
    made.add_tokens(list(TAGS))
    fast = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|endoftext|>", padding_side="left"
    )
    fast.chat_template = template
    return fast


def model(tokens: Any, hidden: int = 64, layers: int = 2, length: int = 8192) -> Any:
    """Random weights."""
    from transformers import Qwen3Config, Qwen3ForCausalLM

    return Qwen3ForCausalLM(
        Qwen3Config(
            vocab_size=len(tokens),
            hidden_size=hidden,
            intermediate_size=2 * hidden,
            num_hidden_layers=layers,
            num_attention_heads=4,
            num_key_value_heads=2,
            head_dim=hidden // 4,
            max_position_embeddings=length,
            tie_word_embeddings=True,
            eos_token_id=tokens.eos_token_id,
            pad_token_id=tokens.pad_token_id,
            bos_token_id=None,
        )
    )


def texts_of(rows: list[dict[str, Any]]) -> list[str]:
    """What to train a tokenizer on: messages and tools as JSON text."""
    return [json.dumps(part) for row in rows for part in (row["messages"], row["tools"])]
