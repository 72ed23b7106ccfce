"""Does the longitudinal view agree with people: sentence detection and progression.

Sentences are compared one by one. A sentence of the view belongs to the gold sentence it shares most
characters with. A progression is right when the gold sentence has the same disease with the same trend;
support devices are left out.

A gold file has one report a line, in the shape of `overread read --as longitudinal`, with the report's text where there
is one; without it the sentences are put together as a findings section:

    {"id", "text", "sentences": [{"text", "longitudinal", "items": [{"disease", "progression"}]}]}
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Report, Span, parse
from overread.stats.agreement import Counts, counts_of_sets, pooled, total
from overread.stats.bootstrap import Interval, f1_interval
from overread.systems.longitudinal.schema import (
    SUPPORT_DEVICES,
    TRENDS,
    Item,
    LongitudinalReport,
    keywords,
    longitudinal_constants,
)
from overread.validation.annotated import lines_by_id
from overread.validation.shown import Amount, bars, figure, percent, table


class GoldItem(Struct, frozen=True):
    """A disease a person saw compared."""

    disease: str
    progression: str | None = None


class GoldSentence(Struct, frozen=True):
    """One sentence as a person judged it."""

    text: str
    longitudinal: bool
    items: tuple[GoldItem, ...] = ()


class GoldReport(Struct, frozen=True):
    """The sentences of one report as a person judged them, and the report's text where it is known."""

    id: str
    sentences: tuple[GoldSentence, ...]
    text: str | None = None

    def report(self) -> Report:
        """What the reader is given."""
        return parse(self.text or "FINDINGS: " + " ".join(s.text for s in self.sentences), self.id)


View = LongitudinalReport


class FourRates(Struct, frozen=True, forbid_unknown_fields=True):
    """Accuracy, precision, recall and F1 of one question; None where undefined."""

    accuracy: float | None
    precision: float | None
    recall: float | None
    f1: float | None


class ReportCounts(Struct, frozen=True):
    """The counts of one report."""

    sentences: int
    detection: Counts
    trends: dict[str, Counts]
    """Trend → diseases said to have it."""

    detected: dict[str, Counts]
    """Trend → gold sentences of it that were and were not taken for comparing."""

    instances: int
    """Diseases that either side names in a sentence."""


class LongitudinalAgreement(Struct, frozen=True, forbid_unknown_fields=True):
    """How the view agrees with people, over a file."""

    reports: int
    sentences: int
    detection: FourRates
    detection_interval: Interval | None
    progression: FourRates
    """Micro over the three trends; its accuracy is that of one class against the rest."""

    progression_interval: Interval | None
    classes: dict[str, FourRates]
    detected: dict[str, tuple[int, int]] = {}
    """Trend → sentences of it that were taken for comparing, and how many there are."""


def located(gold: GoldReport, text: str) -> list[Span]:
    """Where each gold sentence stands, found in order."""
    spans, position = [], 0
    for sentence in gold.sentences:
        start = text.find(sentence.text, position)
        if start < 0:
            raise BadInput(
                f"Report {gold.id!r}: a gold sentence is not in the report's text, or not in this order. "
                "Sentences must be copied from the text as they are."
            )
        position = start + len(sentence.text)
        spans.append(Span(start, position))
    return spans


def owner(spans: Sequence[Span], start: int, end: int) -> int | None:
    """The span that shares most characters with start:end.

    >>> owner([Span(0, 10), Span(10, 30)], 8, 20)
    1
    """
    shared = [min(s.end, end) - max(s.start, start) for s in spans]
    best = max(range(len(spans)), key=lambda n: shared[n], default=None)
    return best if best is not None and shared[best] > 0 else None


def compare(gold: GoldReport, view: LongitudinalReport) -> ReportCounts:
    """The counts of one report."""
    spans = located(gold, gold.report().text)
    comparing = {n for n, judged in enumerate(gold.sentences) if judged.longitudinal}
    people = {(n, *pair) for n, judged in enumerate(gold.sentences) for pair in tracked(judged.items)}
    flagged: set[int] = set()
    ours: set[tuple[int, str, str]] = set()
    for sentence in view.compared():
        place = owner(spans, sentence.start, sentence.end)
        if place is not None:
            flagged.add(place)
            ours |= {(place, *pair) for pair in tracked(sentence.items)}
    trends: dict[str, Counts] = {}
    detected: dict[str, Counts] = {}
    for trend in TRENDS:
        one, two = ({found for found in side if found[2] == trend} for side in (people, ours))
        trends[trend] = counts_of_sets(one, two)
        told = {n for n, *_ in one} & comparing
        detected[trend] = Counts(len(told & flagged), 0, len(told - flagged))
    instances = len({(n, disease) for n, disease, _ in people | ours})
    return ReportCounts(len(gold.sentences), counts_of_sets(comparing, flagged), trends, detected, instances)


def tracked(items: Iterable[GoldItem] | Iterable[Item]) -> set[tuple[str, str]]:
    """The (disease, trend) pairs that count."""
    pairs = {(item.disease, item.progression or "") for item in items}
    return {(disease, trend) for disease, trend in pairs if trend in TRENDS and disease != SUPPORT_DEVICES}


def agreement(found: Sequence[ReportCounts]) -> LongitudinalAgreement:
    """From the counts of many reports to what is printed."""
    if not found:
        raise BadInput("The gold file holds no reports.")
    trends, detected = pooled(one.trends for one in found), pooled(one.detected for one in found)
    sentences, instances = sum(one.sentences for one in found), sum(one.instances for one in found)
    return LongitudinalAgreement(
        reports=len(found),
        sentences=sentences,
        detection=four_rates(total(one.detection for one in found), sentences),
        detection_interval=f1_interval([one.detection for one in found]),
        progression=four_rates(total(trends.values()), len(TRENDS) * instances),
        progression_interval=f1_interval([total(one.trends.values()) for one in found]),
        classes={trend: four_rates(counts, instances) for trend, counts in trends.items()},
        detected={trend: (int(one.tp), int(one.support)) for trend, one in detected.items()},
    )


def four_rates(counts: Counts, decisions: float) -> FourRates:
    """The four rates; every decision that is not wrong is right.

    >>> four_rates(Counts(8, 2, 0), 20)
    FourRates(accuracy=0.9, precision=0.8, recall=1.0, f1=0.8888888888888888)
    """
    right = decisions - counts.fp - counts.fn
    accuracy = right / decisions if decisions else None
    return FourRates(accuracy, counts.precision, counts.recall, counts.f1)


RATES = ("accuracy", "precision", "recall", "f1")


def render(found: LongitudinalAgreement, unmatched: int = 0) -> str:
    """Three tables, in per cent."""
    heading = f"Longitudinal view against people: {found.reports} reports, {found.sentences} sentences"
    left = f"\n  {unmatched} gold reports without a view, not counted" if unmatched else ""
    told = {trend: counts for trend, counts in found.detected.items() if counts[1]}
    missed = table(
        ("comparing sentences found, by trend", "found", "of", "missed", "recall"),
        *((f"  {t}", str(n), str(of), str(of - n), percent(n / of)) for t, (n, of) in told.items()),
    )
    where = "  published: Qwen2.5-32B misses 46 of 190 that tell of worsening and 9 of improvement"
    progression = {"this reader, micro": found.progression} | {f"  {t}": r for t, r in found.classes.items()}
    parts = [
        heading + left,
        rates_table(
            "detection", "sentence compares", {"this reader": found.detection}, found.detection_interval
        ),
        *(["\n".join([*missed, where])] if told else []),
        rates_table("progression", "progression", progression, found.progression_interval),
    ]
    return "\n\n".join(parts) + "\n"


def rates_table(task: str, title: str, ours: Mapping[str, FourRates], interval: Interval | None) -> str:
    rows = [
        (title, *RATES),
        *((name, *(percent(getattr(one, c)) for c in RATES)) for name, one in ours.items()),
    ]
    if interval is not None:
        rows.append((f"  95% CI of F1 over reports: {percent(interval.low)} to {percent(interval.high)}",))
    for name, figures in longitudinal_constants()[task]["systems"].items():
        rows.append((f"published: {name}", *(figure(figures.get(c), 1) for c in RATES)))
    return "\n".join([*table(*rows), f"  published: {longitudinal_constants()[task]['where']}"])


SHAPE = "does not have the shape of a longitudinal view."


def load_gold(path: Path) -> dict[str, GoldReport]:
    """People's reports by id; a keyword or trend outside the lists is an error."""
    found, known = lines_by_id(path, GoldReport, SHAPE), (*TRENDS, "unmentioned", None)
    for gold in found.values():
        items = (item for sentence in gold.sentences for item in sentence.items)
        if any(one.disease not in keywords() or one.progression not in known for one in items):
            raise BadInput(
                f"{path}, report {gold.id!r}: an item is not one of the fifty keywords with improved, "
                "no change or worsened. The keywords are in docs/longitudinal.md."
            )
    return found


def picture(found: LongitudinalAgreement) -> str:
    """One panel for each question, all in per cent."""
    panels = {
        "Does a sentence compare?": bars_of(found.detection, "detection"),
        "Progression, micro average": bars_of(found.progression, "progression"),
        **{f"Progression: {trend}": bars_of(rates) for trend, rates in found.classes.items()},
        "Comparing sentences found, by trend": {
            trend: Amount(n / of, f"{n} of {of}") for trend, (n, of) in found.detected.items() if of
        },
    }
    told = {title: rows for title, rows in panels.items() if rows}
    return bars(f"Longitudinal annotation against people, {found.reports} reports", told, top=1.0)


def bars_of(rates: FourRates, task: str | None = None) -> dict[str, Amount]:
    """Our rates, and the published F1s of the same task."""
    ours = {name: Amount(getattr(rates, name), percent(getattr(rates, name))) for name in RATES}
    systems = longitudinal_constants()[task]["systems"] if task else {}
    return ours | {
        f"F1, published: {name}": Amount(one["f1"] / 100, f"{one['f1']:.1f}", ours=False)
        for name, one in systems.items()
        if "f1" in one
    }
