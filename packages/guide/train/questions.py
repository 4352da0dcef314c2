"""Reads the texts and makes questions with their answers from them."""

from dataclasses import dataclass
from pathlib import Path
from random import Random

import yaml
from noise import noisy
from patterns import Pattern, parse, sample, variety

TEXT = Path(__file__).parent.parent / "text"

# What stands around a verb phrase, a noun phrase, a fault and a place. The first ones are the most frequent.
FRAMES = {
    "do": """how do I {}|how can I {}|how to {}|{}|I want to {}|how do you {}|can I {}|where do I {}|where can I {}|
        I need to {}|I'd like to {}|I would like to {}|help me {}|what's the best way to {}|how would I {}|how do we {}|
        can you tell me how to {}|could you explain how to {}|explain how to {}|show me how to {}|tell me how to {}|
        what is the way to {}|what is the command to {}|which command do I use to {}|is there a way to {}|can we {}|
        is it possible to {}|what do I do to {}|what do I need to do to {}|what must I do to {}|steps to {}|I have to {}|
        I don't know how to {}|I'm trying to {}|I am trying to {}|trying to {}|please {}|could I {}|any way to {}|
        what's the easiest way to {}|how should I {}|how does one {}|can you {}|I wish to {}|what is needed to {}|
        how am I supposed to {}|is there a command to {}|which page do I open to {}|may I {}|how might I {}|
        any idea how to {}|we want to {}|we need to {}|let me {}|which page lets me {}|which setting lets me {}|
        who can {}|how would a user {}|how does an admin {}|my boss wants me to {}|what happens if I {}|what lets me {}|
        what's the procedure for {ing}|what's the way of {ing}|I need help with {ing}|I have trouble {ing}|
        how does {ing} work|steps for {ing}|{ing}|instructions for {ing}|information about {ing}|is {ing} possible|
        does feather support {ing}|how about {ing}|I'm having a hard time {ing}|what are the steps for {ing}|
        a quick way of {ing}|what do I need for {ing}|tell me about {ing}""",
    "what": """what is {}|what are {}|what's {}|{}|what does {} mean|explain {}|tell me about {}|how does {} work|
        what is {} for|what do you know about {}|can you explain {}|describe {}|define {}|what is meant by {}|
        I don't understand {}|I have a question about {}|information about {}|more about {}|meaning of {}|
        how do {} work|what is the use of {}|what does {} do|what exactly is {}|why is there {}|could you explain {}|
        I want to know about {}|give me an explanation of {}|what's the point of {}|I read about {}, what is it""",
    "fix": """I get {}|{}|why do I get {}|what does {} mean|what is {}|I got {}|I keep getting {}|what to do about {}|
        what do I do about {}|how do I fix {}|how to fix {}|how can I solve {}|I'm getting {}|help, I get {}|
        my request fails with {}|the call answers {}|the server answers {}|feather says {}|explain {}|what causes {}|
        how do I get rid of {}|how do I deal with {}|I see {}|it says {}|my program gets {}|the response is {}|why {}|
        what should I do when I get {}|my call was refused with {}|suddenly I get {}|how do I avoid {}|
        the API returns {}|every call returns {}|what can I do against {}|we get {} all the time|reason for {}""",
    "where": """where is {}|where are {}|where do I find {}|where can I find {}|{}|where can I see {}|show me {}|
        how do I see {}|how do I find {}|I can't find {}|I am looking for {}|how do I get to {}|can I see {}|
        where do I look up {}|show {}|where can I look at {}|I want to see {}|how can I view {}|which page has {}""",
}
FRAMES = {kind: [frame.strip() for frame in text.split("|")] for kind, text in FRAMES.items()}
ARTICLES = ("a ", "an ", "the ", "my ")
WORDINGS = {"do": 3.0, "what": 2.0, "fix": 2.0, "where": 1.5, "ask": 2.2, "plain": 12.0}
# Questions as they stand, without a frame: unusual ones, and those that people ask first.
WHOLE = ("ask", "plain")
# How many questions of an intent are phrases in frames, where it has both.
FRAMED = 0.35
DOUBLED = {"set", "get", "put", "run", "stop", "log", "cut", "let", "begin", "plug", "tag", "cap", "scan", "ban", "drop", "quit"}
SYLLABLES = [
    *(a + b for a in "bdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "ar", "en", "er", "in", "on", "ock", "ing")),
    *("tion", "ment", "ness", "able", "ish", "ful", "ist", "ter", "ble", "cket", "pple", "ght", "sh", "qu", "cr", "str"),
]
GIBBERISH = "asdfghjklqwertyuiopzxcvbnm"


@dataclass
class Intent:
    id: str
    answer: str
    wordings: list[tuple[str, Pattern]]
    weights: list[float]
    weight: float
    in_scope: bool = True


@dataclass
class FollowUp:
    intent: str
    asks: list[str]


class Questions:
    def __init__(self) -> None:
        self.intents: dict[str, Intent] = {}
        self.follow_ups: dict[str, list[FollowUp]] = {}
        for file in sorted(TEXT.glob("*.yaml")):
            content = yaml.safe_load(file.read_text("utf8"))
            if file.name == "follow-ups.yaml":
                self._read_follow_ups(content)
            elif file.name == "elsewhere.yaml":
                self._read_elsewhere(content)
            else:
                for entry in content:
                    self._read_intent(entry)
        self.ids = list(self.intents)
        self.id_weights = [self.intents[id].weight for id in self.ids]

    def _read_intent(self, entry: dict) -> None:
        wordings = [(kind, parse(str(text))) for kind in WORDINGS for text in entry.get(kind) or []]
        weights = [WORDINGS[kind] * variety(pattern) ** 0.4 for kind, pattern in wordings]
        weight = entry.get("weight", 1) * sum(weights) ** 0.5
        self.intents[entry["id"]] = Intent(entry["id"], entry["answer"], wordings, _shared(wordings, weights), weight)

    def _read_follow_ups(self, entries: list[dict]) -> None:
        for entry in entries:
            for before in entry["after"]:
                self.follow_ups.setdefault(before, []).append(FollowUp(entry["intent"], entry["ask"]))

    def _read_elsewhere(self, content: dict) -> None:
        self.refusals: dict[str, str] = content["refusals"]
        self.slots: dict[str, list[str]] = content["slots"]
        self.kinds = [{**kind, "patterns": [parse(text) for text in kind["ask"]]} for kind in content["kinds"]]
        self.kind_weights = [kind["weight"] for kind in self.kinds]

    def emphasize(self, ids: list[str], factor: float) -> None:
        """Makes questions of these intents more frequent."""
        for id in ids:
            self.intents[id].weight *= factor
        self.id_weights = [self.intents[id].weight for id in self.ids]

    def answers(self) -> list[str]:
        return [*(intent.answer for intent in self.intents.values()), *self.refusals.values()]

    def in_scope(self, rng: Random) -> tuple[str, str, str]:
        """A question, its answer, and the id of its intent."""
        intent = self.intents[rng.choices(self.ids, self.id_weights)[0]]
        return noisy(_worded(intent, rng), rng, True), intent.answer, intent.id

    def follow_up(self, before: str, rng: Random) -> tuple[str, str, str] | None:
        known = self.follow_ups.get(before)
        if not known:
            return None
        follow = rng.choice(known)
        return noisy(rng.choice(follow.asks), rng, False), self.intents[follow.intent].answer, follow.intent

    def elsewhere(self, rng: Random) -> tuple[str, str, str]:
        # Sent by mistake: there is nothing to understand.
        if rng.random() < 0.015:
            return "", self.refusals["unclear"], "unclear"
        kind = rng.choices(self.kinds, self.kind_weights)[0]
        if kind.get("maths"):
            text = _maths(rng)
        elif kind.get("gibberish") and rng.random() < 0.6:
            text = _gibberish(rng)
        else:
            weights = [variety(pattern) ** 0.4 + 2 for pattern in kind["patterns"]]
            text = self._filled(sample(rng.choices(kind["patterns"], weights)[0], rng), rng)
        return noisy(text, rng, False), self.refusals[kind["answer"]], kind["answer"]

    def _filled(self, text: str, rng: Random) -> str:
        for name, values in self.slots.items():
            while "{" + name + "}" in text:
                # Words that nobody has seen stand for all that are not listed.
                value = _unknown_words(rng) if rng.random() < 0.3 else rng.choice(values)
                text = text.replace("{" + name + "}", value, 1)
        return text.replace("my a ", "my ").replace("the a ", "the ").replace("this a ", "this ")


def _shared(wordings: list[tuple[str, Pattern]], weights: list[float]) -> list[float]:
    whole = sum(weight for (kind, _), weight in zip(wordings, weights) if kind in WHOLE)
    framed = sum(weights) - whole
    if not whole or not framed:
        return weights
    return [weight * (1 - FRAMED) / whole if kind in WHOLE else weight * FRAMED / framed for (kind, _), weight in zip(wordings, weights)]


def _worded(intent: Intent, rng: Random) -> str:
    kind, pattern = rng.choices(intent.wordings, intent.weights)[0]
    text = sample(pattern, rng)
    if kind in WHOLE:
        return text
    frames = FRAMES[kind]
    # The first frames are what people mostly say.
    frame = frames[min(int(rng.expovariate(1 / 9)), len(frames) - 1)] if rng.random() < 0.6 else rng.choice(frames)
    if frame in ("{}", "show {}", "why {}", "more about {}", "information about {}") or rng.random() < 0.08:
        text = next((text[len(article) :] for article in ARTICLES if text.startswith(article)), text)
    return frame.replace("{ing}", _gerund(text)).replace("{}", text)


def _gerund(phrase: str) -> str:
    verb, _, rest = phrase.partition(" ")
    if verb in DOUBLED:
        verb += verb[-1]
    elif verb.endswith("e") and not verb.endswith("ee") and verb != "be":
        verb = verb[:-1]
    return f"{verb}ing {rest}".strip()


def _maths(rng: Random) -> str:
    a, b, c = (rng.choice([rng.randrange(13), rng.randrange(100), rng.randrange(5000)]) for _ in range(3))
    sign = rng.choice(["+", "-", "*", "/", "x", "plus", "times", "minus", "divided by"])
    sum_ = f"{a}{sign}{b}" if sign in "+-*/" and rng.random() < 0.4 else f"{a} {sign} {b}"
    return rng.choice(
        [
            f"what is {sum_}", f"what's {sum_}", f"calculate {sum_}", sum_, f"how much is {sum_}", f"{sum_} =",
            f"compute {sum_}", f"solve {a}x + {b} = {c}", f"the square root of {a}", f"what is {a} percent of {b}",
            f"is {a} a prime number", f"{a} dollars in euros", f"convert {a} miles to kilometres", f"{a} squared",
            f"the derivative of x^{a}", f"{a} degrees fahrenheit in celsius", f"count to {a}", f"what comes after {a}",
            f"if I have {a} apples and eat {b}, how many are left", f"what is {a} in binary", f"the sum of {a} and {b}",
            f"which is larger, {a} or {b}", f"factor {a}", f"the integral of {a}x", f"sin({a})", f"{a}! =", f"{a}",
        ]
    )  # fmt: skip


def _unknown_words(rng: Random) -> str:
    words = ["".join(rng.choice(SYLLABLES) for _ in range(rng.randrange(2, 4))) for _ in range(rng.choice([1, 1, 2]))]
    return rng.choice(["", "", "a ", "the ", "my "]) + " ".join(words)


def _gibberish(rng: Random) -> str:
    if rng.random() < 0.2:
        return rng.choice("abcdefghijklmnopqrstuvwxyz1234567890$%&#@*") * rng.randrange(1, 9)
    words = [
        "".join(rng.choice(GIBBERISH) for _ in range(rng.randrange(4, 11))) for _ in range(rng.choice([1, 1, 1, 2, 3, 4]))
    ]
    return " ".join(words)
