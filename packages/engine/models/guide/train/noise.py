"""Writes a question the way people type: other case, typos, polite words, missing marks."""

from random import Random

OPENINGS = (
    "hi, |hello, |hey, |please |ok, |so |and |quick question: |I have a question: |sorry, |um, |excuse me, |"
    "good morning, |one more thing: |also, |tell me, |question: |now |hi there, |hello! |hi! |well, |actually "
).split("|")
ENDINGS = " please| thanks| thank you|, please| exactly| then| again| now|, can you help| quickly| for me| today".split("|")
PLACES = " in feather| here| on this platform| with feather| on this server| on feather".split("|")
SYNONYMS = {
    "create": ["make", "generate", "set up", "add"],
    "delete": ["remove", "erase"],
    "remove": ["delete"],
    "show": ["display", "list"],
    "see": ["view", "check", "look at"],
    "change": ["modify", "edit", "alter"],
    "start": ["launch", "begin"],
    "stop": ["end", "halt"],
    "find": ["locate", "get"],
    "use": ["work with", "utilize"],
    "somebody": ["someone", "a person"],
    "e-mail": ["email", "mail"],
    "error": ["failure", "problem", "fault"],
    "server": ["instance", "installation"],
    "organization": ["organisation", "org", "team"],
    "subscription": ["plan"],
    "config": ["configuration"],
    "picture": ["image", "photo"],
    "API": ["api", "Api"],
    "license": ["licence"],
    "log": ["sign"],
    "cancel": ["end"],
    "mean": ["stand for"],
    "deployment": ["deploy", "deployed model"],
}
DROPPABLE = {"a", "an", "the", "my", "do", "does", "is", "to", "of", "i", "for", "me", "are", "on"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def noisy(text: str, rng: Random, in_scope: bool) -> str:
    words = [_synonym(word, rng) for word in text.split(" ")]
    if len(words) > 3 and rng.random() < 0.12:
        words = _without_one(words, rng)
    text = " ".join(words)
    if rng.random() < 0.12:
        text = rng.choice(OPENINGS) + text
    roll = rng.random()
    if roll < 0.07:
        text += rng.choice(ENDINGS)
    elif in_scope and roll < 0.13:
        text += rng.choice(PLACES)
    if rng.random() < 0.14:
        text = _typo(text, rng)
    if "'" in text and rng.random() < 0.25:
        text = text.replace("'", rng.choice(["", "’"]))
    return _mark(_case(text, rng), rng)


def _synonym(word: str, rng: Random) -> str:
    others = SYNONYMS.get(word)
    return rng.choice(others) if others and rng.random() < 0.2 else word


def _without_one(words: list[str], rng: Random) -> list[str]:
    places = [index for index, word in enumerate(words) if word.lower() in DROPPABLE]
    if not places:
        return words
    place = rng.choice(places)
    return words[:place] + words[place + 1 :]


def _typo(text: str, rng: Random) -> str:
    words = text.split(" ")
    places = [index for index, word in enumerate(words) if len(word) >= 4 and word.isalpha()]
    if not places:
        return text
    place = rng.choice(places)
    word, at = words[place], rng.randrange(1, len(words[place]) - 1)
    kind = rng.randrange(4)
    if kind == 0:
        word = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    elif kind == 1:
        word = word[:at] + word[at + 1 :]
    elif kind == 2:
        word = word[:at] + word[at] + word[at:]
    else:
        word = word[:at] + rng.choice(LETTERS) + word[at + 1 :]
    return " ".join([*words[:place], word, *words[place + 1 :]])


def _case(text: str, rng: Random) -> str:
    roll = rng.random()
    if roll < 0.42:
        return text[:1].upper() + text[1:]
    if roll < 0.84:
        return text.lower()
    if roll < 0.86:
        return text.upper()
    return text


def _mark(text: str, rng: Random) -> str:
    if text[-1:] in "?!.;":
        return text
    roll = rng.random()
    return text + ("?" if roll < 0.42 else "." if roll < 0.48 else "!" if roll < 0.49 else "??" if roll < 0.5 else "")
