"""Are the atomic sentences right? RadSEM's view of reports against a person's sentences.

A line of a gold file is a report in the shape of `overread read --as radsem`, with its text:

    {"id", "text", "atoms": [{"text", "normality"}]}

Sentences of one report are paired one to one, those that share most words first, from a word F1 of `LEAST_LIKENESS` on;
normal or abnormal settles which of two is meant. A pair counts where both sides say normal or both say abnormal; else
the gold sentence is missed and ours is invented.
"""

from collections.abc import Sequence
from typing import get_args

from msgspec import Struct

from overread.stats.agreement import Average, Counts, micro, total
from overread.stats.bootstrap import Interval, f1_interval
from overread.systems.radsem.schema import Normality
from overread.validation.annotated import AnnotatedReport
from overread.validation.fuzzy import likest_pairs, shared_f1, statement_words
from overread.validation.shown import figure, interval_told, table

LEAST_LIKENESS = 0.6
"""Least likeness of two sentences that may be one."""

SAME_CLASS = 0.05
"""Added to the likeness of two sentences that are both normal or both abnormal."""

NORMALITIES: tuple[Normality, ...] = get_args(Normality)
SHAPE = (
    "is not as it should be. A line is a report with `id`, `text` and `atoms`, each with `text` and a `normality` of "
    "normal or abnormal."
)


class AtomicSentence(Struct, frozen=True):
    """One statement about one place."""

    text: str
    normality: Normality


class GoldReport(AnnotatedReport, frozen=True, kw_only=True):
    """The atomic sentences of a report."""

    atoms: tuple[AtomicSentence, ...]


View = GoldReport


class SentenceCounts(Struct, frozen=True):
    """One report: counts by class, and pairs that say the same of another class."""

    classes: dict[str, Counts]
    wrong_normality: int


class SentenceAgreement(Struct, frozen=True, forbid_unknown_fields=True):
    """How the sentences agree with people's, over a file."""

    reports: int
    sentences: Average
    """Both classes pooled; its support is the number of gold sentences."""

    interval: Interval | None
    """Of F1, reports drawn again; None where F1 is undefined."""

    wrong_normality: int
    """Pairs in which one side says normal and the other abnormal: each is a missed and an invented sentence."""

    classes: dict[str, Average]


def compare(gold: Sequence[AtomicSentence], ours: Sequence[AtomicSentence]) -> SentenceCounts:
    """The sentences of one report."""

    def likeness(one: AtomicSentence, other: AtomicSentence) -> float:
        shared = shared_f1(statement_words(one.text), statement_words(other.text))
        return shared + SAME_CLASS * (one.normality == other.normality)

    pairs = likest_pairs(gold, ours, likeness, LEAST_LIKENESS)
    beside = [[one and one.normality for one in pair] for pair in pairs]
    counts: dict[str, Counts] = {}
    for name in NORMALITIES:
        right = beside.count([name, name])
        known, given = (sum(pair[side] == name for pair in beside) for side in (0, 1))
        counts[name] = Counts(right, given - right, known - right)
    return SentenceCounts(counts, sum(None not in pair and pair[0] != pair[1] for pair in beside))


def agreement(found: Sequence[SentenceCounts]) -> SentenceAgreement:
    """From the counts of many reports to what is printed."""
    classes: dict[str, Counts] = {c: total(one.classes[c] for one in found) for c in NORMALITIES}
    return SentenceAgreement(
        reports=len(found),
        sentences=micro(classes),
        interval=f1_interval([total(one.classes.values()) for one in found]),
        wrong_normality=sum(one.wrong_normality for one in found),
        classes={c: micro({c: counts}) for c, counts in classes.items()},
    )


def render(found: SentenceAgreement, unmatched: int = 0) -> str:
    """Precision, recall and F1, all sentences and by class."""
    lines = [f"{found.reports} reports compared"]
    if unmatched:
        lines.append(f"{unmatched} gold reports without a view: not counted")
    rows = {"atomic sentences": found.sentences} | {f"  {name}": one for name, one in found.classes.items()}
    cells = [(n, *map(figure, (o.precision, o.recall, o.f1)), f"{o.support:g}") for n, o in rows.items()]
    lines += table(("", "precision", "recall", "F1", "sentences"), *cells)
    lines += [
        *interval_told("F1", found.interval),
        f"Pairs with the wrong normality, each missed and invented: {found.wrong_normality}",
        f"Sentences are paired one to one by shared words, plural and small words aside, from {LEAST_LIKENESS:.2f}.",
    ]
    return "\n".join(lines) + "\n"
