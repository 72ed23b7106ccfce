"""Sentences and the atoms that are made of their words → rows, and batches of them.

    python cutting.py ../meaning/atoms.txt ../meaning/cut.txt ../meaning/aligned.txt     # counts

A sentence is learned from where every word of its atoms, small words aside, is one of its own, or of the sentence before it
where that one has no atom. Of each word is asked whether it leads an atom, and of each leading word which words belong
to the same atom: a word that stands in one atom alone leads it, and where an atom has no such word, the last of those
that it shares with the fewest others.
"""

import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from alignment import AHEAD, CLS, HIDDEN, MASK, SEP
from pairs import mirrored

SMALL = frozenset(
    "a an the of in on at to is are was were be been being has have had with within along near from by as into and its their for there this that these "
    "those which it".split()
)
"""Words that are not asked about: they are filled in between the others."""

HEAVY = frozenset(
    "no not non without nor neither never none absent free negative denies unremarkable normal possible possibly probable probably likely may might could "
    "cannot suspected suspicious questionable excluded left right bilateral both".split()
)
"""Words that must not be lost, nor fall to the wrong atom."""

WORD = re.compile(r"[a-z]+|\d+(?:[.,]\d+)*|[^\sa-z\d]", re.IGNORECASE)
STOP = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\d])|\n")
UNKNOWN = -1


class Cut(NamedTuple):
    text: str
    before: str
    """The sentence before, where it has no atom; else nothing."""

    atoms: tuple[frozenset[int], ...]
    """Of each its words, as numbers among those of `before` and `text`."""


def words(text: str) -> list[str]:
    return [found.lower() for found in WORD.findall(text)]


def asked(word: str) -> bool:
    return word[0].isalnum() and word not in SMALL


def found(atom: Sequence[str], sentence: Sequence[str]) -> tuple[int, ...] | None:
    """Where the words of an atom stand, in order and as close to each other as can be.

    >>> found(["no", "edema"], words("No effusion, no edema"))
    (3, 4)
    """
    best: dict[int, tuple[int, tuple[int, ...]]] = {-1: (0, ())}
    for word in atom:
        new: dict[int, tuple[int, tuple[int, ...]]] = {}
        for n, other in enumerate(sentence):
            if other == word:
                ways = [(cost + (n - last if last >= 0 else 0), way) for last, (cost, way) in best.items() if last < n]
                if ways:
                    cost, way = min(ways)
                    new[n] = cost, (*way, n)
        best = new
        if not best:
            return None
    return min(best.values())[1]


def cut(text: str, before: str, atoms: Sequence[str]) -> Cut | None:
    """None where an atom says what the sentence does not."""
    stands = words(before) + words(text)
    own = [found([w for w in words(atom) if asked(w)], stands) for atom in atoms]
    if any(one is None for one in own) or not all(own):
        return None
    return Cut(text, before, tuple(dict.fromkeys(frozenset(one) for one in own if one)))


def from_sentences(path: Path) -> Iterator[Cut]:
    """Files of single sentences: S, and a line for each atom."""
    for block in re.split(r"^S ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]:
        text, *lines = block.strip().splitlines()
        made = cut(text, "", [line[2:].rstrip(" .") for line in lines if line.strip()])
        if made:
            yield made


def from_reports(path: Path) -> Iterator[Cut]:
    """Files of aligned reports. A sentence counts if each of its report's atoms was found in one sentence."""
    report, atoms = "", list[str]()
    for line in [*path.read_text("utf-8").splitlines(), "R "]:
        line = line.strip()
        if line[:2] in ("R ", "C "):
            yield from parted(report, atoms)
            report, atoms = line[2:], []
        elif line[:1] in ("A", "B") and line[1:2].isdigit():
            atoms.append(line.split(" ", 2)[2].rstrip(" ."))


def parted(report: str, atoms: Sequence[str]) -> Iterator[Cut]:
    sentences = [one for one in STOP.split(report) if one.strip()]
    held: list[list[str]] = [[] for _ in sentences]
    at, loose = 0, list[str]()
    for atom in atoms:
        fit = [n for n in [*range(at, len(sentences)), *range(at)] if cut(sentences[n], "", [atom])]
        if fit:
            at = fit[0]
            held[at].append(atom)
        else:
            loose.append(atom)
    for atom in loose:
        fit = [n for n in range(1, len(sentences)) if not held[n - 1] and cut(sentences[n], sentences[n - 1], [atom])]
        if not fit:
            return
        held[fit[0]].append(atom)
    for n, sentence in enumerate(sentences):
        before = sentences[n - 1] if n and not held[n - 1] and len(words(sentences[n - 1])) < 12 else ""
        made = cut(sentence, before, held[n])
        if made:
            yield made


# ---- what is learned of a sentence
def leaders(one: Cut) -> dict[int, frozenset[int]]:
    """Of each leading word its atom."""
    shares = Counter(n for atom in one.atoms for n in atom)
    led: dict[int, frozenset[int]] = {}
    for atom in sorted(one.atoms, key=lambda atom: min(shares[n] for n in atom)):
        lone = [n for n in atom if shares[n] == 1]
        free = lone or sorted((n for n in atom if n not in led), key=lambda n: (shares[n], -n))[:1]
        led |= dict.fromkeys(free, atom)
    return led


def row(one: Cut, of: Any) -> dict[str, Any]:
    """Tokens with the places of the words, and what is known of each; `of` gives the tokens of a word's text."""
    ids, places, segments = [CLS], [], [0]
    for side, text in enumerate(filter(None, (one.before, one.text))):
        for word in WORD.findall(text):
            own = of(word)
            places.append((len(ids), len(ids) + len(own)))
            ids += own
            segments += [side] * len(own)
        ids.append(SEP)
        segments.append(side)
    held = words(one.before) + words(one.text)
    return {"ids": ids, "segments": segments, "places": places, "words": held, "led": leaders(one)}


LONGEST = 240


MOST = 10
"""How much more often, at most, a sentence of many atoms is drawn than one of a single atom."""


class Lessons:
    """Sentences as they are, with the sides exchanged, two as one, or after one that has no atom."""

    def __init__(self, cuts: Sequence[Cut], tokenizer: Path, size: int) -> None:
        self.cuts, self.path, self.size = list(cuts), tokenizer, size
        self.often = list(accumulate(min(MOST, 1 + 2 * max(0, len(one.atoms) - 1)) for one in cuts))
        self.empty = [one.text for one in cuts if not one.atoms] or [""]
        self.tokenizer: Any = None
        self.known: dict[str, list[int]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"tokenizer": None, "known": {}}

    def of(self, word: str) -> list[int]:
        if word not in self.known:
            if self.tokenizer is None:
                from tokenizers import Tokenizer

                self.tokenizer = Tokenizer.from_file(str(self.path))
            self.known[word] = self.tokenizer.encode(word, add_special_tokens=False).ids or [100]
        return self.known[word]

    def drawn(self, dice: random.Random) -> Cut:
        one = dice.choices(self.cuts, cum_weights=self.often)[0]
        draw = dice.random()
        if draw < 0.15 and not one.before:
            other = dice.choice(self.cuts)
            if not other.before and len(words(one.text)) + len(words(other.text)) < 60:
                glue = dice.choice(("; ", ", ", ". ", ", and ", " and ", ", with "))
                text = one.text.rstrip(" .;") + glue + other.text[:1].lower() + other.text[1:]
                off = len(words(one.text.rstrip(" .;") + glue))
                one = Cut(text, "", (*one.atoms, *(frozenset(n + off for n in atom) for atom in other.atoms)))
        elif draw < 0.3 and not one.before:
            before = dice.choice(self.empty)
            off = len(words(before))
            one = Cut(one.text, before, tuple(frozenset(n + off for n in atom) for atom in one.atoms))
        turned = mirrored(one.text, one.before) if dice.random() < 0.5 else None
        return one._replace(text=turned[0], before=turned[1]) if turned else one

    def stream(self, dice: random.Random) -> Iterator[dict[str, np.ndarray]]:
        while True:
            rows = [row(self.drawn(dice), self.of) for _ in range(AHEAD * self.size)]
            for one in rows:
                one["ids"] = [MASK if i not in (CLS, SEP) and dice.random() < HIDDEN else i for i in one["ids"]]
            rows = sorted((one for one in rows if len(one["ids"]) <= LONGEST), key=lambda one: len(one["ids"]))
            made = [rows[n : n + self.size] for n in range(0, len(rows), self.size)]
            for n in dice.sample(range(len(made)), len(made)):
                yield batch(made[n])


def batch(rows: Sequence[dict[str, Any]]) -> dict[str, np.ndarray]:
    count, longest = len(rows), max(len(one["ids"]) for one in rows)
    most = max(len(one["places"]) for one in rows)
    out = {
        "ids": np.zeros((count, longest), np.int64), "segments": np.zeros((count, longest), np.int64),
        "places": np.zeros((count, most, 2), np.int64), "leads": np.full((count, most), UNKNOWN, np.int8),
        "member": np.full((count, most, most), UNKNOWN, np.int8), "heavy": np.zeros((count, most), bool),
    }  # fmt: skip
    for n, one in enumerate(rows):
        out["ids"][n, : len(one["ids"])], out["segments"][n, : len(one["ids"])] = one["ids"], one["segments"]
        size = len(one["places"])
        out["places"][n, :size] = one["places"]
        known = np.array([asked(word) for word in one["words"]])
        out["leads"][n, :size] = np.where(known, 0, UNKNOWN)
        out["heavy"][n, :size] = [word in HEAVY for word in one["words"]]
        for lead, atom in one["led"].items():
            out["leads"][n, lead] = 1
            out["member"][n, lead, :size] = np.where(known, 0, UNKNOWN)
            out["member"][n, lead, list(atom)] = 1
            out["member"][n, lead, lead] = UNKNOWN
    return out


def main() -> None:
    for path in map(Path, sys.argv[1:]):
        text = path.read_text("utf-8")
        cuts = list(from_sentences(path) if text.startswith("S ") else from_reports(path))
        asked_for = text.count("\nS ") + text.startswith("S ")
        print(path.name, len(cuts), "sentences", sum(len(c.atoms) for c in cuts), "atoms", f"of {asked_for} sentences" if asked_for else "")


if __name__ == "__main__":
    main()
