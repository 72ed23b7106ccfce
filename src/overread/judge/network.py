"""What two statements are to each other, whether a text says a claim, and which words are wrong: the network's answers
about two texts."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from overread.network.encoder import Coded, encoder
from overread.network.heads import faults, softmax
from overread.report.parse import whole_characters
from overread.report.span import Span

WHOLE_WORD = re.compile(r"[^\W_]+(?:[.,'/x-][^\W_]+)*%?")
SMALL = frozenset(
    "the a an is are was were be been being has have had and or but of with in at on to by for from as it its this "
    "that these those there which than then also now one ones they not no without after before above below over up "
    "out".split()
)
"""Words that a fault does not end with."""

BEFORE = SMALL - {"no", "not", "without", "above", "below", "after"}
LIKELY, MAYBE = 0.5, 0.2
PARTED = re.compile(r"[,;:]|\b(?:and|or|but|with|without)\b", re.IGNORECASE)
FAULT_GAP = 4
"""Words that two parts of one fault may lie apart, unless another thing begins between them."""

REMEMBERED = 16_384
"""Pairs whose answers are kept."""

DIGITS = 3
"""Probabilities are rounded, so that the last bits of a machine's arithmetic decide nothing."""

TAUGHT = 60
"""Words of the longest statements it was taught; of longer ones it would answer at random."""


class Relation(NamedTuple):
    """How likely two statements mean the same, exclude each other, or do neither."""

    same: float
    opposite: float
    neither: float


class Verdict(NamedTuple):
    """How likely a text says a claim, denies it, or leaves it open."""

    said: float
    denied: float
    open: float


class Weighed(NamedTuple):
    """How likely a report says a sentence of another, and how much it would matter if it does not."""

    said: float
    levels: tuple[float, ...]
    """Not said, and of no, minor, significant or critical consequence."""


FAULTS = (
    "", "alone", "denied", "denies", "side", "place", "severity", "size", "certainty", "change", "device", "detail",
    "other",
)  # fmt: skip
"""What words of a statement are beside another report: as they should be; not mentioned there; denied there, or denying
what is there; or something else of the same thing."""


class Fault(NamedTuple):
    """Words of a statement that are at fault, and those that they go against in what is shown of the other report."""

    kind: str
    sure: float
    words: Span
    against: tuple[Span, ...] = ()


UNTAUGHT = Relation(0.0, 0.0, 1.0)


class Answers(NamedTuple):
    """All that the network says of two texts; each order is a question of its own."""

    relation: tuple[float, ...]
    """The chances of a `Relation`, before they are rounded."""

    verdict: Verdict
    weighed: Weighed
    faults: tuple[Fault, ...]


@lru_cache(maxsize=REMEMBERED)
def pair_answers(one: str, two: str) -> Answers:
    """What was asked before is not asked again."""
    coded = encoder().coded(one, two)
    made = encoder().run(coded)
    relation, verdict, weighed = (softmax(made.pair[n:m]).tolist() for n, m in ((0, 3), (3, 6), (6, 11)))
    said, *levels = (round(p, DIGITS) for p in weighed)
    wrong = faults_in((one, two), coded, faults(encoder().weights, made.tokens))
    return Answers(
        tuple(relation),
        Verdict(*(round(p, DIGITS) for p in verdict)),
        Weighed(said, tuple(levels)),
        tuple(wrong),
    )


def relation_of(a: str, b: str) -> Relation:
    """The mean of both orders: swapping the statements changes nothing."""
    if any(len(text.split()) > TAUGHT for text in (a, b)):
        return UNTAUGHT
    orders = zip(pair_answers(a, b).relation, pair_answers(b, a).relation, strict=True)
    return Relation(*(round((x + y) / 2, DIGITS) for x, y in orders))


def faults_in(texts: tuple[str, str], coded: Coded, chances: np.ndarray) -> Iterator[Fault]:
    """Words of one kind next to each other are one fault; it goes against the words of its kind in the other text."""
    shown, own = (list(runs(side, texts[side], coded, chances)) for side in (0, 1))
    for kind, sure, words in own:
        yield Fault(FAULTS[kind], sure, words, tuple(span for other, _, span in shown if other == kind))


Run = tuple[int, float, Span]
"""A kind, how sure it is, and the words."""


def runs(side: int, text: str, coded: Coded, chances: np.ndarray) -> Iterator[Run]:
    """Stretches of a text that are of one kind, over gaps in which nothing begins."""
    inside = [n for n, (at, end) in enumerate(coded.offsets) if end > at and coded.segments[n] == side]
    groups: list[list[int]] = []
    for n in spread(inside, 1 - chances[:, 0]):
        if groups and joined(groups[-1], n, text, coded, chances):
            groups[-1].append(n)
        else:
            groups.append([n])
    for held in groups:
        start, end = whole_words(text, coded.offsets[held[0]][0], coded.offsets[held[-1]][1])
        if start < end:
            sure = round(float(np.mean(1 - chances[held, 0])), DIGITS)
            yield kind_of(chances[held]), sure, Span(start, end)


def spread(inside: Sequence[int], wrong: np.ndarray) -> list[int]:
    """Words that are likelier wrong than not, and those beside them that may be."""
    taken: set[int] = set()
    for way in (inside, inside[::-1]):
        near = False
        for n in way:
            near = bool(wrong[n] >= LIKELY or (near and wrong[n] >= MAYBE))
            taken |= {n} if near else set()
    return sorted(taken)


def joined(held: Sequence[int], n: int, text: str, coded: Coded, chances: np.ndarray) -> bool:
    """Does a word go on what was found so far?"""
    if kind_of(chances[[n]]) != kind_of(chances[held]):
        return False
    between = text[coded.offsets[held[-1]][1] : coded.offsets[n][0]]
    return len(between.split()) <= FAULT_GAP and not PARTED.search(between)


def kind_of(chances: np.ndarray) -> int:
    return int(chances[:, 1:].sum(0).argmax()) + 1


def whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """To the ends of the words, without the small ones around.

    >>> whole_words("The large effusion.", 0, 12)
    (4, 18)
    """
    words = [m.span() for m in WHOLE_WORD.finditer(text) if m.start() < end and start < m.end()]
    while words and text[slice(*words[0])].lower() in BEFORE:
        words.pop(0)
    while words and text[slice(*words[-1])].lower() in SMALL:
        words.pop()
    return (words[0][0], words[-1][1]) if words else (start, start)


def judge(a: str, b: str) -> Relation:
    """What two statements are to each other.

    >>> judge("The heart is enlarged.", "There is cardiomegaly.").same > 0.5
    True
    """
    return relation_of(whole_characters(a), whole_characters(b))


def verdict(text: str, claim: str) -> Verdict:
    """Whether a text says a claim, denies it, or leaves it open.

    >>> verdict("No pneumothorax.", "There is a pneumothorax.").denied > 0.5
    True
    """
    return pair_answers(whole_characters(text), whole_characters(claim)).verdict
