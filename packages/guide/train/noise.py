"""Writes a question the way people type: other case, typos, polite words, missing marks."""

from random import Random

OPENINGS = (
    "hi, |hello, |hey, |please |ok, |so |and |quick question: |I have a question: |sorry, |um, |excuse me, |"
    "good morning, |one more thing: |also, |tell me, |question: |now |hi there, |hello! |hi! |well, |actually |"
    "I am new here. |I'm new to this. |quick one: |dumb question, |maybe a stupid question: |another question: |"
    "my boss asks: |a colleague asked me: |for a project at work: |for my thesis: |I was wondering: |just curious: |"
    "I have been searching for an hour. |I read the docs and didn't find it. |I am stuck. |help! |it's urgent: |"
    "not sure if this is the right place, but |if I may ask, |out of interest: |listen, |ok then, |hmm, |right, |"
    "to be honest, |by the way, |first of all, |second question: |I forgot: |remind me: |could you tell me: |yo, |"
    "we are a small company. |I work with a team of five. |I am no programmer. |I know little about this. "
).split("|")
ENDINGS = (
    " please| thanks| thank you|, please| exactly| then| again| now|, can you help| quickly| for me| today|"
    ", any hints|, any ideas|? thanks in advance|? I'm lost|? I can't find it|? asking for a friend| anyway|"
    ", in short|, in simple words|, step by step|, roughly|, if you know|? it's important| as soon as possible|"
    ", as a beginner| with little effort|? my boss wants to know|? we need it tomorrow| :)| lol| pls| thx| asap|"
    ", in one sentence| in one sentence| in a few words|, briefly|. answer in one short sentence|, in five words"
).split("|")
PLACES = " in feather| here| on this platform| with feather| on this server| on feather".split("|")
# Words that mean the same here: any of a line may stand for another of it.
SAME = """
create, make, generate, set up, add, produce, build
delete, remove, erase, get rid of, drop, take away
show, display, list, print, give me
see, view, check, look at, look up, read, have a look at
change, modify, edit, alter, adjust, switch
start, launch, begin, bring up, boot, fire up
stop, end, halt, terminate, quit
find, locate, look for, search for
get, obtain, receive, acquire
use, work with, employ
call, query, send a request to, talk to
somebody, someone, a person, a colleague, a teammate, Maria, Joe
e-mail, email, mail
error, failure, problem, fault
server, instance, installation, box
machine, computer, host, box, laptop, PC
organization, organisation, org, team
address, URL, link
picture, image, photo, screenshot
license, licence
cancel, end, stop, quit
deployment, private deployment, deployed model
refused, rejected, denied, turned down
restrict, limit, tie, bind
folder, directory
keep, store, save, hold
wrong, incorrect, not right
busy, in use, taken, occupied
download, fetch, get
install, set up, put in place
configure, set up, adjust
enable, turn on, switch on, activate
disable, turn off, switch off, deactivate
cost, price, fee
buy, purchase, order
card, credit card
invoice, bill
coupon, voucher, discount code, promo code
invite, bring in, add
users, people, customers
fails, breaks, does not work, doesn't work, is broken
slow, sluggish, lagging
expire, run out, end
renew, refresh, replace
lost, misplaced, forgot
program, app, script, tool, application
terminal, command line, shell, console
answer, reply, response
answers, replies, responses
larger, bigger, more powerful, smarter
large, big, huge
allowed, permitted
restore, recover, bring back, get back
backup, copy, snapshot
upgrade, update
connect, hook up, link, attach
register, sign up
reach, access, get to, open
settings, options, configuration
setting, option
explain, describe, clarify
page, screen
requests, calls
request, call
automatically, by itself, on its own
rights, permissions
watch, follow, monitor
pipeline, CI job, workflow
suspended, blocked, locked, banned
need, require
"""


def _synonyms() -> dict[str, list[str]]:
    known: dict[str, list[str]] = {}
    for line in SAME.strip().splitlines():
        group = line.split(", ")
        for word in group:
            known.setdefault(word, []).extend(other for other in group if other != word)
    return known


SYNONYMS = _synonyms()
DROPPABLE = {"a", "an", "the", "my", "do", "does", "is", "to", "of", "i", "for", "me", "are", "on"}
LETTERS = "abcdefghijklmnopqrstuvwxyz"


def noisy(text: str, rng: Random, in_scope: bool) -> str:
    words = [_synonym(word, rng) for word in text.split(" ")]
    if len(words) > 3 and rng.random() < 0.12:
        words = _without_one(words, rng)
    text = " ".join(words)
    if rng.random() < 0.15:
        text = rng.choice(OPENINGS) + text
    roll = rng.random()
    if roll < 0.09:
        text += rng.choice(ENDINGS)
    elif in_scope and roll < 0.15:
        text += rng.choice(PLACES)
    if rng.random() < 0.14:
        text = _typo(text, rng)
    if "'" in text and rng.random() < 0.25:
        text = text.replace("'", rng.choice(["", "’"]))
    # The name is written like a name as often as not.
    if rng.random() < 0.5:
        text = text.replace("feather", "Feather")
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
