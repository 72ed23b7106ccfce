"""Report generators as the longitudinal paper compares them: text, diagnosis and progression in one table.

Text metrics on the whole findings and on their comparing sentences alone (Table B4), F1 of diagnoses (B5), and
precision, recall and F1 of every trend, over the diseases the reference compares (B6) and beside it with invented
progressions counted. `single` keeps one disease a sentence, as the paper does.

A pair in which neither report compares anything is left out of the text on comparing sentences and counted; one in
which only one does is 0. CLEAR's thirteen conditions and `No Finding`, or CheXbert's, are the fourteen diagnoses.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from overread.baselines.base import corpus_score, score_many
from overread.baselines.optional import chexbert_labels
from overread.baselines.registry import lookup
from overread.reader import read
from overread.report import Report, parse
from overread.runner.limits import unfailed, warned
from overread.stats.agreement import Counts, Rates, added
from overread.systems.clear.by_rules import view as clear_view
from overread.systems.clear.schema import Level, Table
from overread.systems.longitudinal import by_llm as asking
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.schema import TRENDS, LongitudinalReport, longitudinal_text, whole_text
from overread.systems.longitudinal.score import (
    ClassLabel,
    ClassLabels,
    counted,
    decisions,
    diagnosis,
    labels,
    score,
    verdicts,
)
from overread.validation.shown import NOTES, percent, table

if TYPE_CHECKING:
    from overread.llm import Client


ViewPair = tuple[LongitudinalReport, LongitudinalReport]
"""Of a reference and a candidate."""


class Overlap(Struct, frozen=True, forbid_unknown_fields=True):
    """One text metric over many pairs."""

    metric: str
    whole: float | None
    longitudinal: float | None
    undefined: int
    """Pairs without a longitudinal sentence on either side."""

    one_sided: int
    """Pairs with longitudinal sentences on one side only: they score 0."""


def overlaps(pairs: Sequence[ViewPair], metrics: Iterable[str]) -> list[Overlap]:
    """Each metric on the whole sections and on their longitudinal sentences."""
    whole = [tuple(whole_text(view) for view in pair) for pair in pairs]
    compared = [tuple(longitudinal_text(view) for view in pair) for pair in pairs]
    silent = sum(not one and not two for one, two in compared)
    lonely = sum(bool(one) != bool(two) for one, two in compared)
    return [
        Overlap(name, corpus_text_score(name, whole), corpus_text_score(name, compared), silent, lonely)
        for name in metrics
    ]


def corpus_text_score(name: str, texts: Sequence[tuple[str, ...]]) -> float | None:
    """The corpus score of one metric; None when every pair is undefined."""
    baseline = lookup(name, "r2gen")
    values = score_many(baseline, [one for one, _ in texts], [two for _, two in texts])
    return corpus_score(baseline, values)


TEXT = (*(f"bleu-{words}" for words in range(1, 5)), "rouge-l-coco", "meteor-stem")
"""The columns of Table B4; METEOR by stems, which needs no Java."""

PROGRESSION_WAYS = {
    "progression by class": "progression",
    "  inventions counted": "symmetric",
    "  each disease asked": "asked",
}


class Generator(Struct, frozen=True, forbid_unknown_fields=True):
    """One candidate system against the references."""

    pairs: int
    text: list[Overlap]
    diagnosis: Rates
    progression: dict[str, Rates]
    """`all` and each trend, over the diseases the reference compares."""

    symmetric: dict[str, Rates]
    """The same with progressions of other diseases counted as invented."""

    accuracy: float | None
    """Labels of the reference that the candidate gives, one class against the rest (as the paper's accuracy)."""

    asked: dict[str, Rates]
    """As `progression`, the candidate asked about each disease the reference compares, as the paper does."""

    asked_accuracy: float | None
    failed: int = 0
    """Reports a language model could not read or be asked about."""


def generator_figures(
    pairs: Sequence[tuple[Report, Report]],
    single: bool = False,
    client: "Client | None" = None,
    chexbert: bool = False,
) -> Generator:
    """Every figure of one system; with a client, a language model reads what compares and is asked."""
    found = list(unfailed(pairs, by_network, lambda pair: pair[0].id, warned))
    views = [both for both, _ in found] if client is None else both_views_by_llm(client, pairs)
    if single:
        views = [(first_diseases(one), first_diseases(two)) for one, two in views]
    counts = added(score(*both).counts for both in views)
    answers = (
        [asking.ask_rules(*both) for both in views] if client is None else asking.ask_them(client, views)
    )
    told = added(
        counted(verdicts(labels(one), a))
        for (one, _), a in zip(views, answers, strict=True)
        if isinstance(a, dict)
    )
    labelled = [classes for _, classes in found]
    if chexbert:
        labelled = [(by_chexbert(one), by_chexbert(two)) for one, two in pairs]
    return Generator(
        pairs=len(pairs),
        text=overlaps(views, TEXT),
        diagnosis=Counts(**added(diagnosis(*both).counts for both in labelled)).rates,
        progression=trends(counts),
        symmetric=trends(counts, anchored=False),
        accuracy=accuracy(counts),
        asked=trends(told),
        asked_accuracy=accuracy(told),
        failed=len(pairs) - sum(isinstance(a, dict) for a in answers),
    )


def by_network(pair: tuple[Report, Report]) -> tuple[ViewPair, tuple[ClassLabels, ClassLabels]]:
    """What two reports compare, and their diagnoses."""
    one, two = map(read, pair)
    return (view(one), view(two)), (chexpert_labels(clear_view(one)), chexpert_labels(clear_view(two)))


def findings_alone(report: Report) -> Report:
    """The report without its other sections: what the paper's benchmark annotates and generators write."""
    alone = parse(f"FINDINGS: {findings_text(report)}", report.id)
    return structs.replace(alone, patient=report.patient, study=report.study, day=report.day)


def findings_text(report: Report) -> str:
    return " ".join(section.span.of(report.text) for section in report.section("findings"))


def both_views_by_llm(client: "Client", pairs: Sequence[tuple[Report, Report]]) -> list[ViewPair]:
    """Both sides as a model reads them; a pair with a side it could not read is left out."""
    sides = (asking.views(client, list(side)) for side in zip(*pairs, strict=True))
    return [
        (one, two)
        for one, two in zip(*sides, strict=True)
        if isinstance(one, LongitudinalReport) and isinstance(two, LongitudinalReport)
    ]


def first_diseases(found: LongitudinalReport) -> LongitudinalReport:
    """The first disease of every sentence."""
    sentences = tuple(structs.replace(one, items=one.items[:1]) for one in found.sentences)
    return structs.replace(found, sentences=sentences)


def trends(counts: dict[str, float], anchored: bool = True) -> dict[str, Rates]:
    together = {"all": decisions(counts, anchored).rates}
    return together | {str(trend): decisions(counts, anchored, [trend]).rates for trend in TRENDS}


def accuracy(counts: dict[str, float]) -> float | None:
    """Of the three yes-or-no decisions about each reference label, how many are right."""
    total = decisions(counts)
    asked = 3 * total.support
    return (asked - total.fp - total.fn) / asked if asked else None


def render(found: dict[str, Generator]) -> str:
    """The paper's columns, a row per system, in per cent."""
    lines = []
    for part, title in (("whole", "whole section"), ("longitudinal", "longitudinal sentences")):
        overlap = ((name, *(percent(getattr(o, part)) for o in one.text)) for name, one in found.items())
        lines += [*table((f"text, {title}", *TEXT), *overlap), ""]
    clinical: list[tuple[str, ...]] = [("clinical", *heads("diagnosis", "progression"), "accuracy")]
    for name, one in found.items():
        clinical.append((name, *cells(one.diagnosis, one.progression["all"]), percent(one.accuracy)))
        asked = *cells(one.asked["all"]), percent(one.asked_accuracy)
        clinical.append(("  each disease asked", "", "", "", *asked))
    lines += table(*clinical)
    for title, side in PROGRESSION_WAYS.items():
        of_trends = ((name, [getattr(one, side)[trend] for trend in TRENDS]) for name, one in found.items())
        lines += ["", *table((title, *heads(*TRENDS)), *((name, *cells(*own)) for name, own in of_trends))]
    undefined = next(iter(found.values())).text[0].undefined if found else 0
    lines += [
        "",
        f"{undefined} pairs compare nothing on either side: left out of the text on comparing sentences.",
        NOTES["each asked"],
    ]
    failed = {name: one.failed for name, one in found.items() if one.failed}
    lines += [f"{name}: {count} reports the model could not read" for name, count in failed.items()]
    return "\n".join(lines) + "\n"


def heads(*groups: str) -> list[str]:
    return [f"{group} {what}" for group in groups for what in ("P", "R", "F1")]


def cells(*rates: Rates) -> list[str]:
    return [percent(value) for one in rates for value in structs.astuple(one)]


LABELS: dict[Level, ClassLabel] = {"confidently present": "positive", "likely present": "uncertain"}


def chexpert_labels(table: Table) -> dict[str, ClassLabel]:
    """A CLEAR table as CheXpert-style labels; what is not said to be present is negative."""
    return {name: LABELS.get(cell.level, "negative") for name, cell in table.conditions.items()}


def by_chexbert(report: Report) -> dict[str, ClassLabel]:
    """The paper's labeller, where its package is installed; findings alone, uncertain counted as present."""
    return dict.fromkeys(chexbert_labels(findings_text(report) or report.text), "positive")
