"""Report generators as the longitudinal paper compares them: text, diagnosis and progression in one table.

Text metrics on the whole findings and on their comparing sentences alone (Table B4), F1 of diagnoses (B5), and
precision, recall and F1 of every trend, over the diseases the reference compares (B6) and beside it with invented
progressions counted. `single` keeps one disease a sentence, as the paper does.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct, structs

from overread.reader import Reading, read
from overread.report import Report, parse
from overread.runner.failure import each, warned
from overread.systems.clear.by_rules import view as clear_view
from overread.systems.longitudinal import asked
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.schema import TRENDS, LongitudinalReport
from overread.systems.longitudinal.score import decisions, f1, ratio, score
from overread.validation.longitudinal_diagnosis import by_chexbert, diagnoses
from overread.validation.longitudinal_overlap import Overlap, overlaps

if TYPE_CHECKING:
    from overread.llm import Client

TEXT = (*(f"bleu-{order}" for order in (1, 2, 3, 4)), "rouge-l-coco", "meteor-stem")
"""The columns of Table B4; METEOR by stems, which needs no Java."""


SIDES = {
    "progression by class": "progression",
    "  inventions counted": "symmetric",
    "  each disease asked": "asked",
}


class Rates(Struct, frozen=True, forbid_unknown_fields=True):
    """Precision, recall and F1; None where nobody names the class."""

    precision: float | None
    recall: float | None
    f1: float | None


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


def both_read(pair: tuple[Report, Report]) -> tuple[Reading, Reading]:
    one, two = map(read, pair)
    one.findings, two.findings  # noqa: B018
    return one, two


def compare(
    pairs: Sequence[tuple[Report, Report]],
    single: bool = False,
    client: "Client | None" = None,
    chexbert: bool = False,
) -> Generator:
    """Every figure of one system; with a client, a language model reads what compares and is asked."""
    read_pairs = list(each(pairs, both_read, lambda pair: pair[0].id, warned))
    views = [(view(one), view(two)) for one, two in read_pairs] if client is None else by_llm(client, pairs)
    views = [(alone(one, single), alone(two, single)) for one, two in views]
    counts = summed([score(one, two).counts for one, two in views])
    answers = [asked.by_rules(*both) for both in views] if client is None else asked.by_llm(client, views)
    told = summed(
        [asked.counts(one, a) for (one, _), a in zip(views, answers, strict=True) if isinstance(a, dict)]
    )
    _, scores = (
        (None, by_chexbert(pairs))
        if chexbert
        else diagnoses([(clear_view(one), clear_view(two)) for one, two in read_pairs])
    )
    total = {name: sum(s.counts[name] for s in scores) for name in ("tp", "fp", "fn")}
    return Generator(
        len(pairs),
        overlaps(views, TEXT),
        rates(total["tp"], total["fp"], total["fn"]),
        trends(counts, True),
        trends(counts, False),
        accuracy(counts),
        trends(told, True),
        accuracy(told),
        len(pairs) - sum(isinstance(a, dict) for a in answers),
    )


def findings_alone(report: Report) -> Report:
    """The report without its other sections: what the paper's benchmark annotates and generators write."""
    text = " ".join([section.span.of(report.text) for section in report.section("findings")])
    return structs.replace(
        parse(f"FINDINGS: {text}", report.id), patient=report.patient, study=report.study, day=report.day
    )


def by_llm(
    client: "Client", pairs: Sequence[tuple[Report, Report]]
) -> list[tuple[LongitudinalReport, LongitudinalReport]]:
    """Both sides as a model reads them; a pair with a side it could not read is left out."""
    from overread.systems.longitudinal.by_llm import views as ask

    sides = (ask(client, [one for one, _ in pairs]), ask(client, [two for _, two in pairs]))
    return [
        (one, two)
        for one, two in zip(*sides, strict=True)
        if isinstance(one, LongitudinalReport) and isinstance(two, LongitudinalReport)
    ]


def summed(parts: Sequence[dict[str, float]]) -> dict[str, float]:
    total: dict[str, float] = {}
    for part in parts:
        for name, amount in part.items():
            total[name] = total.get(name, 0.0) + amount
    return total


def alone(found: LongitudinalReport, single: bool) -> LongitudinalReport:
    """With `single` the first disease of every sentence."""
    if not single:
        return found
    return structs.replace(
        found, sentences=tuple(structs.replace(s, items=s.items[:1]) for s in found.sentences)
    )


def trends(counts: dict[str, float], anchored: bool) -> dict[str, Rates]:
    together = {"all": rates(*decisions(counts, anchored, TRENDS))}
    return together | {str(trend): rates(*decisions(counts, anchored, [trend])) for trend in TRENDS}


def rates(tp: float, fp: float, fn: float) -> Rates:
    return Rates(ratio(tp, tp + fp), ratio(tp, tp + fn), f1(tp, fp, fn))


def accuracy(counts: dict[str, float]) -> float | None:
    """Of the three yes-or-no decisions about each reference label, how many are right."""
    tp, fp, fn = decisions(counts)
    return ratio(3 * (tp + fn) - fp - fn, 3 * (tp + fn))


def render(found: dict[str, Generator]) -> str:
    """The paper's columns, a row per system, in per cent."""
    lines = []
    for part in ("whole", "longitudinal"):
        lines.append(row(f"text, {part} sentences" if part != "whole" else "text, whole section", TEXT))
        lines += [row(name, [pc(getattr(o, part)) for o in one.text]) for name, one in found.items()]
        lines.append("")
    heads = [f"{who} {what}" for who in ("diagnosis", "progression") for what in ("P", "R", "F1")]
    lines.append(row("clinical", [*heads, "accuracy"]))
    for name, one in found.items():
        cells = [*cells_of(one.diagnosis), *cells_of(one.progression["all"]), pc(one.accuracy)]
        lines.append(row(name, cells))
        blank = [""] * 3
        lines.append(
            row("  each disease asked", [*blank, *cells_of(one.asked["all"]), pc(one.asked_accuracy)])
        )
    for title, side in SIDES.items():
        lines += ["", row(title, [f"{t} {what}" for t in TRENDS for what in ("P", "R", "F1")])]
        for name, one in found.items():
            lines.append(row(name, [c for t in TRENDS for c in cells_of(getattr(one, side)[t])]))
    undefined = next(iter(found.values())).text[0].undefined if found else 0
    lines += [
        "",
        f"{undefined} pairs compare nothing on either side: left out of the text on comparing sentences.",
        "Each disease asked: the candidate is asked about every disease its reference compares, as the paper does.",
    ]
    lines += [
        f"{name}: {one.failed} reports the model could not read" for name, one in found.items() if one.failed
    ]
    return "\n".join(lines) + "\n"


def cells_of(one: Rates) -> list[str]:
    return [pc(one.precision), pc(one.recall), pc(one.f1)]


def row(name: str, cells: Sequence[str]) -> str:
    return f"{name:<26}" + "".join(f"{cell:>15}" for cell in cells)


def pc(value: float | None) -> str:
    """
    >>> pc(0.125), pc(None)
    ('12.5', '–')
    """
    return "–" if value is None else f"{100 * value:.1f}"
