"""Texts drawn by chance: phrases said again and again, and fragments of invented reports, spoilt."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

from msgspec import Struct

from overread.lexicon.lexicon import lexicon

CORPUS = Path(__file__).parents[2] / "corpus" / "dev"
JOINERS = (
    "", "", " of the", " of", ",", ", and", " and", " or", ", or", ";", ".", ":", " with", " On", " no", " and/or",
    " due to", " which is", " versus", " in the", " to", " -", " /", "\n", ".\n", " (", ")",
)  # fmt: skip
STEMS = ("zorb", "quell", "mirt", "ostra", "pleu", "vint", "cald", "hyper", "peri", "sub")
ENDINGS = ("al", "osis", "itis", "ity", "ic", "oma", "ed", "ing", "s", "-like")
SCRIPTS = (
    "肺炎 胸水なし 폐렴 пневмония плевральный التهاب رئوي דלקת ריאות πνευμονία निमोनिया ปอดบวม épanchement "
    "Lungenödem 🫁"
).split()
CONTROLS = (
    "\x00\x01\x07\x08\x0b\x0c\x1b\x7f\x85\xa0\xad\u200b\u200d\u200e\u2028\u2029\u202e\ufeff\ufffd\ud800"
)
SIMILAR = {
    "l": "1",
    "o": "0",
    "i": "l",
    "m": "rn",
    "e": "c",
    "s": "5",
    "a": "@",
    " ": "",
    "t": "+",
    "n": "ri",
}


class Loop(Struct, frozen=True):
    """Phrases that can be said as often as one likes."""

    phrases: tuple[str, ...]
    joiner: str
    counted: bool
    """Does each saying bear a number? What is said in the same words is passed over; this is not. The numbers have
    three digits: *12)* is the mark of a list and no word of the sentence, so the first ninety-nine would be alike."""

    def __str__(self) -> str:
        return f"{' | '.join(self.phrases)!r} joined by {self.joiner!r}{', counted' if self.counted else ''}"

    def text(self, length: int) -> str:
        chance, parts, have = random.Random(1), [], 0
        while have < length:
            number = f" {100 + len(parts)}" if self.counted else ""
            parts.append(f"{chance.choice(self.phrases)}{number}{self.joiner} ")
            have += len(parts[-1])
        return "".join(parts)[:length]


@cache
def known_words() -> tuple[str, ...]:
    """Forms of the lexicon, findings and places as often as all others."""
    forms = sorted({row.form for row in lexicon().rows} | {cue.form for cue in lexicon().cues})
    named = sorted({row.form for row in lexicon().rows if row.table in ("findings", "locations")})
    return (*forms, *named)


@cache
def sentences() -> tuple[str, ...]:
    """What the invented reports of the corpus say."""
    lines = (line for path in sorted(CORPUS.glob("*.txt")) for line in path.read_text("utf-8").splitlines())
    return tuple(line[2:] for line in lines if line[:2] in ("F ", "P ", "I ", "X ", "C "))


def invented(chance: random.Random) -> str:
    return chance.choice(STEMS) + chance.choice(ENDINGS)


def phrase(chance: random.Random) -> str:
    """One to six words: of the lexicon, of a sentence, or of nobody's language."""
    size = chance.randint(1, 6)
    if chance.random() < 0.4:
        words = chance.choice(sentences()).split()
        start = chance.randrange(len(words))
        return " ".join(words[start : start + size])
    words = [chance.choice(known_words()) if chance.random() < 0.8 else invented(chance) for _ in range(size)]
    return f"{chance.choice(JOINERS)} ".join(words)


def loop(chance: random.Random) -> Loop:
    count = chance.choice((1, 1, 2, 5, 9))
    return Loop(
        tuple(phrase(chance) for _ in range(count)),
        chance.choice(JOINERS),
        count == 1 and chance.random() < 0.7,
    )


def report(chance: random.Random) -> str:
    """A few sentences, in sections or not."""
    chosen = [chance.choice(sentences()) for _ in range(chance.randint(1, 5))]
    if chance.random() < 0.5:
        return " ".join(chosen)
    return "\n".join(
        f"{chance.choice(('FINDINGS:', 'IMPRESSION:', 'Lungs:', '1.', '-', ''))} {one}" for one in chosen
    )


def cut(text: str, chance: random.Random) -> str:
    start, end = sorted(chance.randrange(len(text) + 1) for _ in range(2))
    return text[start:end]


def noisy(text: str, chance: random.Random) -> str:
    """As a scanner sees it."""
    return "".join(SIMILAR.get(c.lower(), "") if chance.random() < 0.08 else c for c in text)


def strewn(text: str, chance: random.Random, what: str | tuple[str, ...]) -> str:
    """With strange things at a few places."""
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice(what) + text[at:]
    return text


def without_marks(text: str, chance: random.Random) -> str:
    return "".join(c for c in text if c.isalnum() or c.isspace())


def shuffled(text: str, chance: random.Random) -> str:
    words = text.split(" ")
    chance.shuffle(words)
    return " ".join(words)


def looped(text: str, chance: random.Random) -> str:
    return cut(text, chance) * chance.randint(2, 12)


MUTATIONS: dict[str, Callable[[str, random.Random], str]] = {
    "whole": lambda text, _: text,
    "cut": cut,
    "joined": lambda text, _: "".join(text.split("\n")).replace(". ", "."),
    "upper": lambda text, _: text.upper(),
    "no marks": without_marks,
    "noisy": noisy,
    "other scripts": lambda text, chance: strewn(text, chance, tuple(SCRIPTS)),
    "control characters": lambda text, chance: strewn(text, chance, CONTROLS),
    "shuffled": shuffled,
    "said again": looped,
    "marks strewn": lambda text, chance: strewn(text, chance, ",.;:()[]{}<>|/\\'\"?!%&*_-=+~^#@$ \n\t"),
    "words strewn": lambda text, chance: strewn(text, chance, tuple(f" {phrase(chance)} " for _ in range(4))),
}


def fragment(chance: random.Random) -> str:
    """A piece of a report, changed in one to three ways."""
    text = report(chance)
    for name in chance.sample(sorted(MUTATIONS), chance.randint(1, 3)):
        text = MUTATIONS[name](text, chance)
    return text
