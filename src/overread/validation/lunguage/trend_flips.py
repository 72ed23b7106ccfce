"""Does the score notice a reversed trend? Every `improved` becomes `worsened` and the other way round.

Groups and episodes stay as they are, so that nothing but the reversal is measured; each reversed word becomes its
opposite, also where it ends the name of a group. The single score is the mean over the patient's studies.

    Effect Rate (%) = (1 − score) / reversed attributes · 100
"""

from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct, structs

from overread.encoders import Encoder
from overread.systems.lunguage.schema import Quote, Relation, StructuredFinding, StructuredReport, Timeline
from overread.systems.lunguage.score import score_reports, score_timelines
from overread.systems.lunguage.terms import described
from overread.validation.shown import NOTES, figure, shipped_rows, table

REVERSED: dict[Relation, Relation] = {"improved": "worsened", "worsened": "improved"}


class Flips(Struct, frozen=True):
    """One patient."""

    patient: str
    worsened: int
    """Reversed attributes that said worsened."""

    improved: int
    single: float | None
    sequential: float | None
    single_rate: float | None
    sequential_rate: float | None

    @property
    def count(self) -> int:
        return self.worsened + self.improved


def effect_rate(score: float | None, flips: int) -> float | None:
    """Loss of score for each reversed attribute, in per cent; without one there is no rate.

    >>> round(effect_rate(0.981, 5), 2)
    0.38
    """
    return (1 - score) / flips * 100 if flips and score is not None else None


def trend_flips(timeline: Timeline, encoder: Encoder | None = None) -> Flips:
    """Score a patient against the same patient with every trend reversed."""
    reversed_ = flipped(timeline)
    pairs = zip(study_views(timeline), study_views(reversed_), strict=True)
    single = defined_mean(score_reports(one, other, encoder).value for one, other in pairs)
    worsened, improved = (
        sum(len(o.attributes.get(relation, ())) for o in timeline.observations)
        for relation in REVERSED.values()
    )
    sequential = score_timelines(timeline, reversed_, encoder).value
    rates = (effect_rate(score, worsened + improved) for score in (single, sequential))
    return Flips(timeline.patient, worsened, improved, single, sequential, *rates)


def defined_mean(values: Iterable[float | None]) -> float | None:
    """Of those that are defined."""
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def flipped(timeline: Timeline) -> Timeline:
    """The timeline with every trend reversed, also where a trend word closes the name of a group."""
    names: dict[str, str] = {}
    observations = []
    for o in timeline.observations:
        turned = {relation: words for relation, words in o.attributes.items() if relation not in REVERSED}
        for relation, other in REVERSED.items():
            words = o.attributes.get(relation, [])
            if words:
                turned[other] = [opposite(relation, word) for word in words]
            for word in (word for word in words if o.entity_group.endswith(f" {word.lower()}")):
                stem = o.entity_group.removesuffix(word.lower())
                names.setdefault(o.entity_group, stem + opposite(relation, word))
        observations.append(structs.replace(o, attributes=turned))
    return structs.replace(
        timeline,
        observations=[
            structs.replace(o, entity_group=names.get(o.entity_group, o.entity_group)) for o in observations
        ],
        groups=[structs.replace(group, name=names.get(group.name, group.name)) for group in timeline.groups],
    )


def opposite(relation: Relation, words: str) -> str:
    """The opposite of a trend word; of one without a row, the plain word of the other direction.

    >>> opposite("improved", "smaller"), opposite("worsened", "gone to seed")
    ('larger', 'improved')
    """
    known = [opposites().get((relation, concept)) for concept, _ in described(relation, words)]
    return next((word for word in known if word), REVERSED[relation])


@cache
def opposites() -> dict[tuple[str, str], str]:
    rows = shipped_rows("opposites.tsv", "relation", "concept", "opposite", "reason")
    return {(row["relation"], row["concept"]): row["opposite"] for row in rows}


def study_views(timeline: Timeline) -> list[StructuredReport]:
    """Each study of a timeline as a single report."""
    findings: dict[str, list[StructuredFinding]] = {study.study: [] for study in timeline.studies}
    for o in timeline.observations:
        place: dict[Relation, list[str]] = {"location": o.location} if o.location else {}
        said = (o.entity, o.category, o.status, o.certainty, {**place, **o.attributes})
        one = StructuredFinding(o.id, o.section, Quote(0, 0, ""), *said, spans=o.spans)
        findings[o.study].append(one)
    return [StructuredReport(study.report, findings[study.study]) for study in timeline.studies]


# ---- for the terminal
HEADS = ("patient", "attributes (W/I)", "single", "rate %", "sequential", "rate %")
FIGURES = {"single": 3, "single_rate": 2, "sequential": 3, "sequential_rate": 2}
"""Names of the figures, and how many digits each is shown with."""


def render(found: Sequence[Flips]) -> str:
    """The Effect Rate table."""
    rows: list[tuple[str, ...]] = [HEADS]
    for one in found:
        known = [figure(getattr(one, name), digits) for name, digits in FIGURES.items()]
        rows.append((one.patient, f"{one.count} ({one.worsened}/{one.improved})", *known))
    if moved := [one for one in found if one.count]:
        means = (
            figure(defined_mean(getattr(o, name) for o in moved), digits) for name, digits in FIGURES.items()
        )
        rows.append(("mean, where any", "", *means))
    return "\n".join([*table(*rows), NOTES["flips"]]) + "\n"
