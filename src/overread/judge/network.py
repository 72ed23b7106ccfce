"""What two statements are to each other, and whether a text says a claim: the pair heads of the network."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from overread.network.encoder import encoder
from overread.network.heads import softmax
from overread.report.parse import whole_characters

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


HEADS = ((0, 3), (3, 6), (6, 11))
"""Where the answers to each question stand: relations, verdicts, levels."""

UNTAUGHT = Relation(0.0, 0.0, 1.0)


def mean(orders: tuple[tuple[float, ...], tuple[float, ...]]) -> Relation:
    return Relation(*(round((x + y) / 2, DIGITS) for x, y in zip(*orders, strict=True)))


class Judge:
    """The pair heads and what they were asked before."""

    def __init__(self) -> None:
        self.known: dict[tuple[int, str, str], tuple[float, ...]] = {}

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

    def asked(self, head: int, pairs: list[tuple[str, str]]) -> list[tuple[float, ...]]:
        """The answers of one head; what was asked before is not asked again."""
        new = list(dict.fromkeys(p for p in pairs if (head, *p) not in self.known))
        if len(self.known) + len(new) > REMEMBERED:
            self.known.clear()
            new = list(dict.fromkeys(pairs))
        for pair in new:
            scores = encoder().run(encoder().coded(*pair)).pair
            for n, (first, last) in enumerate(HEADS):
                self.known[n, *pair] = tuple(softmax(scores[first:last]).tolist())
        return [self.known[head, *p] for p in pairs]


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
