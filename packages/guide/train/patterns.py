"""Wordings with choices, such as `how do I (make|create) a key`."""

from random import Random

Pattern = list  # of texts and of choices, which are lists of patterns


def parse(text: str) -> Pattern:
    pattern, rest = _sequence(text, 0)
    if rest != len(text):
        raise ValueError(f"Unbalanced brackets: {text}")
    return pattern


def _sequence(text: str, at: int) -> tuple[Pattern, int]:
    parts: Pattern = []
    literal = ""
    while at < len(text) and text[at] not in "|)":
        if text[at] == "(" and _closes(text, at):
            parts.append(literal)
            choices, at = _choices(text, at + 1)
            parts.append(choices)
            literal = ""
        else:
            literal += text[at]
            at += 1
            # Brackets that hold no choice, such as those of a call, are text.
            if literal.endswith("(") and at < len(text):
                end = text.index(")", at)
                literal += text[at : end + 1]
                at = end + 1
    return [*parts, literal], at


def _closes(text: str, at: int) -> bool:
    """Whether the bracket that opens here holds a choice."""
    depth = 0
    for index in range(at, len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if text[index] == "|" and depth == 1:
            return True
        if depth == 0:
            return False
    return False


def _choices(text: str, at: int) -> tuple[list[Pattern], int]:
    choices = []
    while True:
        choice, at = _sequence(text, at)
        choices.append(choice)
        if at >= len(text):
            raise ValueError(f"Unbalanced brackets: {text}")
        at += 1
        if text[at - 1] == ")":
            return choices, at


def sample(pattern: Pattern, rng: Random) -> str:
    return " ".join(_any(pattern, rng).split())


def _any(pattern: Pattern, rng: Random) -> str:
    return "".join(part if isinstance(part, str) else _any(rng.choice(part), rng) for part in pattern)


def variety(pattern: Pattern) -> int:
    """How many wordings it has."""
    total = 1
    for part in pattern:
        if not isinstance(part, str):
            total *= sum(variety(choice) for choice in part)
    return total
