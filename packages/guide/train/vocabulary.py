"""The tokenizer: bytes and merges, learned from our own questions and answers."""

from random import Random

from questions import Questions
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

CONTROL_TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
SIZE = 3072
DROPOUT = 0.1


def learn(questions: Questions, seed: int) -> Tokenizer:
    rng = Random(f"{seed}:vocabulary")
    asked = [questions.in_scope(rng)[0] for _ in range(60_000)] + [questions.elsewhere(rng)[0] for _ in range(25_000)]
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=SIZE,
        special_tokens=CONTROL_TOKENS,
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        min_frequency=8,
        show_progress=False,
    )
    roles = ["user\n", "assistant\n", "system\n"] * 1000
    tokenizer.train_from_iterator([*roles, *questions.answers() * 60, *asked], trainer)
    return tokenizer


def dropping(tokenizer: Tokenizer) -> Tokenizer:
    """The same, but it leaves merges out at random, so that the model knows words by their parts too."""
    copy = Tokenizer.from_str(tokenizer.to_str())
    copy.model.dropout = DROPOUT
    return copy
