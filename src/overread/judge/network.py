"""What two statements are to each other, whether a text says a claim, and which words are wrong: the network's answers
about two texts."""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from overread.network.encoder import Coded, encoder
from overread.network.heads import faults, softmax
from overread.report.parse import whole_characters

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

REMEMBERED = 50_000
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
    "",
    "alone",
    "denied",
    "denies",
    "side",
    "place",
    "severity",
    "size",
    "certainty",
    "change",
    "device",
    "detail",
    "other",
)
"""What words of a statement are beside another report: as they should be; not mentioned there; denied there, or denying
what is there; or something else of the same thing."""


class FaultyWords(NamedTuple):
    """Words of a statement that are at fault, as positions in its text."""

    kind: str
    sure: float
    start: int
    end: int
    against: tuple[tuple[int, int], ...] = ()
    """The words that they go against, as positions in what is shown of the other report."""


HEADS = ((0, 3), (3, 6), (6, 11))
"""Where the answers to each question stand: relations, verdicts, levels."""

UNTAUGHT = Relation(0.0, 0.0, 1.0)


def mean(orders: tuple[tuple[float, ...], tuple[float, ...]]) -> Relation:
    return Relation(*(round((x + y) / 2, DIGITS) for x, y in zip(*orders, strict=True)))


class Judge:
    """The pair heads and what they were asked before."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, str, str], tuple[float, ...]] = {}
        self.found: dict[tuple[str, str], tuple[FaultyWords, ...]] = {}

    @property
    def hash(self) -> str:
        """Eight hex digits of the network and its words."""
        return encoder().hash

    def relations(self, pairs: Iterable[tuple[str, str]]) -> list[Relation]:
        """Of each pair, the mean of both orders: swapping the statements changes nothing."""
        wanted = list(pairs)
        taught = [pair for pair in wanted if all(len(text.split()) <= TAUGHT for text in pair)]
        answers = self.asked(0, [*taught, *((b, a) for a, b in taught)])
        both = zip(answers[: len(taught)], answers[len(taught) :], strict=True)
        known = dict(zip(taught, both, strict=True))
        return [mean(known[pair]) if pair in known else UNTAUGHT for pair in wanted]

    def verdicts(self, pairs: Iterable[tuple[str, str]]) -> list[Verdict]:
        """Of each text and claim."""
        return [Verdict(*(round(x, DIGITS) for x in answer)) for answer in self.asked(1, list(pairs))]

    def weighed(self, pairs: Iterable[tuple[str, str]]) -> list[Weighed]:
        """Of each report, as far as it is shown, and a sentence that should agree with it."""
        rounded = ([round(x, DIGITS) for x in answer] for answer in self.asked(2, list(pairs)))
        return [Weighed(said, tuple(levels)) for said, *levels in rounded]

    def faults(self, pairs: Iterable[tuple[str, str]]) -> list[tuple[FaultyWords, ...]]:
        """Of each report, as far as it is shown, and a statement: the words of the statement that are wrong."""
        wanted = list(pairs)
        self.asked(2, wanted)
        return [self.found[pair] for pair in wanted]

    def asked(self, head: int, pairs: list[tuple[str, str]]) -> list[tuple[float, ...]]:
        """The answers of one head; what was asked before is not asked again."""
        new = list(dict.fromkeys(p for p in pairs if (head, *p) not in self.known))
        if len(self.known) + len(new) > REMEMBERED:
            self.known.clear()
            self.found.clear()
            new = list(dict.fromkeys(pairs))
        for pair in new:
            coded = encoder().coded(*pair)
            made = encoder().run(coded)
            for n, (first, last) in enumerate(HEADS):
                self.known[n, *pair] = tuple(softmax(made.pair[first:last]).tolist())
            self.found[pair] = tuple(faults_in(pair, coded, faults(encoder().weights, made.tokens)))
        return [self.known[head, *p] for p in pairs]


def faults_in(texts: tuple[str, str], coded: Coded, chances: np.ndarray) -> Iterator[FaultyWords]:
    """Words of one kind next to each other are one fault; it goes against the words of its kind in the other text."""
    shown, own = (list(runs(side, texts[side], coded, chances)) for side in (0, 1))
    for kind, sure, start, end in own:
        yield FaultyWords(
            FAULTS[kind], sure, start, end, tuple((a, b) for other, _, a, b in shown if other == kind)
        )


Run = tuple[int, float, int, int]
"""A kind, how sure it is, and the letters from which to which."""


def runs(side: int, text: str, coded: Coded, chances: np.ndarray) -> Iterator[Run]:
    """Stretches of a text that are of one kind, over gaps in which nothing begins."""
    inside = [n for n, (at, end) in enumerate(coded.offsets) if end > at and coded.segments[n] == side]
    held: list[int] = []
    for n in spread(inside, 1 - chances[:, 0]):
        if held and not joined(held, n, text, coded, chances):
            yield from fault_run(held, text, coded, chances)
            held = []
        held.append(n)
    yield from fault_run(held, text, coded, chances)


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


def fault_run(held: Sequence[int], text: str, coded: Coded, chances: np.ndarray) -> Iterator[Run]:
    if held:
        start, end = whole_words(text, coded.offsets[held[0]][0], coded.offsets[held[-1]][1])
        if start < end:
            sure = round(float(np.mean(1 - chances[held, 0])), DIGITS)
            yield kind_of(chances[held]), sure, start, end


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


@cache
def network() -> Judge:
    """Made once per process, when first asked."""
    return Judge()


def judge(a: str, b: str) -> Relation:
    """What two statements are to each other.

    >>> judge("The heart is enlarged.", "There is cardiomegaly.").same > 0.5
    True
    """
    return network().relations([(whole_characters(a), whole_characters(b))])[0]


def verdict(text: str, claim: str) -> Verdict:
    """Whether a text says a claim, denies it, or leaves it open.

    >>> verdict("No pneumothorax.", "There is a pneumothorax.").denied > 0.5
    True
    """
    return network().verdicts([(whole_characters(text), whole_characters(claim))])[0]
