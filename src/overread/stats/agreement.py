"""Do two labellings agree? Accuracy, Cohen's kappa, precision, recall and F1 per class and averaged.

A class that neither side names has no F1, one never guessed no precision. Averages leave such a class
out and `Average.classes` says how many are in. `undefined_as=0.0` counts it as 0 instead, as scikit-learn
does by default.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

from msgspec import Struct

from overread.errors import BadInput
from overread.stats.bootstrap import Interval, ratio_interval


class Counts(Struct, frozen=True, forbid_unknown_fields=True):
    """What precision, recall and F1 are made of; add two to pool them.

    >>> both = Counts(3, fp=1) + Counts(1, fn=2)
    >>> both.precision, round(both.recall, 3), round(both.f1, 3)
    (0.8, 0.667, 0.727)
    """

    tp: float = 0
    fp: float = 0
    fn: float = 0

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def support(self) -> float:
        """How often the truth names the class."""
        return self.tp + self.fn

    @property
    def precision(self) -> float | None:
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float | None:
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)


def f1_interval(items: Sequence[Counts]) -> Interval | None:
    """The interval of the pooled F1, items drawn again; None where it is undefined.

    >>> found = f1_interval([Counts(3, 1, 0), Counts(2, 0, 2), Counts(4, 1, 1)])
    >>> round(found.value, 3), round(found.low, 3), round(found.high, 3)
    (0.783, 0.667, 0.857)
    """
    if sum(items, Counts()).f1 is None:
        return None
    return ratio_interval([(one.tp, one.fp, one.fn) for one in items], lambda sums: Counts(*sums).f1)


class Average(Struct, frozen=True, forbid_unknown_fields=True):
    """Precision, recall and F1 over several classes, or over several items."""

    precision: float | None
    recall: float | None
    f1: float | None
    support: float
    classes: int
    """How many classes (or items) have an F1 and are in its average."""


Table = Mapping[str, Counts]


def accuracy(truth: Sequence[Hashable], guess: Sequence[Hashable]) -> float:
    """Share of items labelled alike.

    >>> accuracy(["up", "down", "same"], ["up", "same", "same"])
    0.6666666666666666
    """
    _same_items(truth, guess)
    return sum(t == g for t, g in zip(truth, guess, strict=True)) / len(truth)


def cohen_kappa(truth: Sequence[Hashable], guess: Sequence[Hashable]) -> float | None:
    """Agreement beyond what the two sides' label shares would give by chance.

        κ = (p_o − p_e) / (1 − p_e)

    Both sides using one and the same label throughout leaves nothing to chance: None.

    >>> cohen_kappa(["yes", "yes", "no", "no"], ["yes", "no", "no", "no"])
    0.5
    """
    seen = accuracy(truth, guess)
    left, right = Counter(truth), Counter(guess)
    by_chance = sum(left[label] * right[label] for label in left) / len(truth) ** 2
    return None if by_chance == 1 else (seen - by_chance) / (1 - by_chance)


def count_labels(
    truth: Sequence[str], guess: Sequence[str], classes: Iterable[str] | None = None
) -> dict[str, Counts]:
    """Counts per class where every item has exactly one label on each side.

    >>> count_labels(["up", "down"], ["up", "same"])["same"]
    Counts(tp=0, fp=1, fn=0)
    """
    return count_label_sets([{label} for label in truth], [{label} for label in guess], classes)


def count_label_sets(
    truth: Sequence[Collection[str]], guess: Sequence[Collection[str]], classes: Iterable[str] | None = None
) -> dict[str, Counts]:
    """Counts per class where every item has any number of labels on each side.

    `classes` fixes which are counted and their order; without it, all that occur, sorted.

    >>> count_label_sets([{"edema", "effusion"}], [{"edema"}])
    {'edema': Counts(tp=1, fp=0, fn=0), 'effusion': Counts(tp=0, fp=0, fn=1)}
    """
    _same_items(truth, guess)
    right, invented, missed = Counter[str](), Counter[str](), Counter[str]()
    for wanted, given in zip(map(set, truth), map(set, guess), strict=True):
        right.update(wanted & given)
        invented.update(given - wanted)
        missed.update(wanted - given)
    names = sorted(right | invented | missed) if classes is None else classes
    return {name: Counts(right[name], invented[name], missed[name]) for name in names}


def micro(table: Table) -> Average:
    """All classes pooled: every decision weighs the same.

    >>> micro({"a": Counts(8, 2, 0), "b": Counts(0, 0, 2)}).f1
    0.8
    """
    pooled = sum(table.values(), Counts())
    return Average(pooled.precision, pooled.recall, pooled.f1, pooled.support, len(table))


def macro(table: Table, undefined_as: float | None = None) -> Average:
    """Plain mean over classes: every class weighs the same.

    >>> macro({"a": Counts(8, 2, 0), "b": Counts(0, 0, 2), "c": Counts()})
    Average(precision=0.8, recall=0.5, f1=0.4444444444444444, support=10, classes=2)
    """
    return _average(list(table.values()), [1.0] * len(table), undefined_as)


def weighted(table: Table, undefined_as: float | None = None) -> Average:
    """Mean over classes, each weighing as often as the truth names it.

    >>> round(weighted({"a": Counts(8, 2, 0), "b": Counts(0, 0, 2)}).f1, 4)
    0.7111
    """
    return _average(list(table.values()), [counts.support for counts in table.values()], undefined_as)


def samples(
    truth: Sequence[Collection[str]], guess: Sequence[Collection[str]], undefined_as: float | None = None
) -> Average:
    """Mean over items of the precision, recall and F1 of each item's label sets.

    >>> samples([{"a", "b"}, {"c"}], [{"a"}, {"c"}]).recall
    0.75
    """
    _same_items(truth, guess)
    items = [_overlap(set(t), set(g)) for t, g in zip(truth, guess, strict=True)]
    return _average(items, [1.0] * len(items), undefined_as)


def _overlap(wanted: set[str], given: set[str]) -> Counts:
    return Counts(len(wanted & given), len(given - wanted), len(wanted - given))


def _average(counts: Sequence[Counts], weights: Sequence[float], undefined_as: float | None) -> Average:
    def mean(values: Sequence[float | None]) -> float | None:
        return _weighted_mean([undefined_as if v is None else v for v in values], weights)

    scores = [one.f1 for one in counts]
    return Average(
        precision=mean([one.precision for one in counts]),
        recall=mean([one.recall for one in counts]),
        f1=mean(scores),
        support=sum(one.support for one in counts),
        classes=len(scores) if undefined_as is not None else sum(score is not None for score in scores),
    )


def _weighted_mean(values: Sequence[float | None], weights: Sequence[float]) -> float | None:
    defined = [(value, weight) for value, weight in zip(values, weights, strict=True) if value is not None]
    return _share(sum(value * weight for value, weight in defined), sum(weight for _, weight in defined))


def _share(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _same_items(truth: Sequence[object], guess: Sequence[object]) -> None:
    if not len(truth) or len(truth) != len(guess):
        raise BadInput(
            f"{len(truth)} true and {len(guess)} guessed items; both sides need the same items, at least one."
        )
