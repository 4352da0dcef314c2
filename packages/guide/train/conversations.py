"""Packs conversations into rows of tokens, with what is to be learned marked."""

from random import Random

import numpy as np
from questions import Questions
from tokenizers import Tokenizer

TURN_START, TURN_END = 1, 2
REFUSED = 0.58
FOLLOWED = 0.4
SYSTEM_PROMPTS = [
    "You are a helpful assistant.",
    "Answer briefly.",
    "Answer in one sentence.",
    "You are an expert.",
    "Be friendly.",
    "Reply in English.",
    "You are Feather's assistant.",
    "Keep it short and precise.",
]
# Loss of a token of a question: little, so that the model learns how questions go and spends itself on answers.
QUESTION_WEIGHT = 0.1
# The first tokens of an answer say which one it is.
DECISION, DECISION_WEIGHT = 6, 4.0


class Conversations:
    def __init__(self, questions: Questions, plain: Tokenizer, dropping: Tokenizer) -> None:
        self.questions = questions
        self.plain = plain
        self.dropping = dropping
        self._ids: dict[str, list[int]] = {}

    def row(self, length: int, longest: int, rng: Random) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Tokens, the weight of each as a target, and the number of the conversation each belongs to."""
        tokens: list[int] = []
        weights: list[float] = []
        places: list[int] = []
        number = 0
        while len(tokens) < length:
            ids, loss = self._conversation(longest, rng)
            tokens += ids
            weights += loss
            places += [number] * len(ids)
            number += 1
        return np.array(tokens[:length]), np.array(weights[:length], np.float32), np.array(places[:length])

    def _conversation(self, longest: int, rng: Random) -> tuple[list[int], list[float]]:
        ids: list[int] = []
        loss: list[float] = []
        if rng.random() < 0.05:
            ids += self._turn("system", rng.choice(SYSTEM_PROMPTS), self.plain)
            loss += [0.0] * len(ids)
        turns = 1 if rng.random() < 0.8 else rng.randrange(2, longest + 1)
        last = ""
        for turn in range(turns):
            question, answer, last = self._next(last, rng)
            asked = self._turn("user", question, self.dropping if rng.random() < 0.3 else self.plain)
            ids += asked
            loss += [QUESTION_WEIGHT] * len(asked)
            opening = [TURN_START, *self._known("assistant\n")]
            ids += opening
            loss += [0.0] * len(opening)
            said = [*self._known(answer), TURN_END]
            # The beginning decides which answer it is; the rest is known by heart soon and needs less practice.
            if turn == turns - 1 and rng.random() < 0.7:
                said = said[: rng.randrange(4, 9)]
            ids += said
            loss += [DECISION_WEIGHT] * min(len(said), DECISION) + [1.0] * max(len(said) - DECISION, 0)
            if said[-1] == TURN_END:
                ids += self._known("\n")
                loss += [0.0]
        return ids, loss

    def _next(self, last: str, rng: Random) -> tuple[str, str, str]:
        if last and rng.random() < FOLLOWED:
            follow = self.questions.follow_up(last, rng)
            if follow:
                return follow
        return self.questions.elsewhere(rng) if rng.random() < REFUSED else self.questions.in_scope(rng)

    def _turn(self, role: str, text: str, tokenizer: Tokenizer) -> list[int]:
        return [TURN_START, *tokenizer.encode(f"{role}\n{text}").ids, TURN_END, *self._known("\n")]

    def _known(self, text: str) -> list[int]:
        if text not in self._ids:
            self._ids[text] = self.plain.encode(text).ids
        return self._ids[text]
