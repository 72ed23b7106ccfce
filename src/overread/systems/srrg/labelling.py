"""Findings → SRR labels, through the table `concepts.tsv`."""

from collections.abc import Container, Iterable, Mapping, Sequence
from typing import cast

from msgspec import structs

from overread.reader import Finding
from overread.systems.definitions import WIDE, Definitions, alternatives, speaks, stated, sure
from overread.systems.srrg.labels import NO_FINDING, PARENTS, Status, facts
from overread.systems.srrg.schema import LabelRead
from overread.systems.srrg.tables import features, matching

STRENGTH: dict[Status | None, int] = {"Present": 3, "Uncertain": 2, "Absent": 1, None: 0}


def status_of(finding: Finding) -> Status:
    """Present, Uncertain when hedged or seen elsewhere only, Absent when denied, gone or taken out."""
    if seen_elsewhere(finding):
        return "Uncertain"
    if finding.status == "negative" or finding.gone:
        return "Absent"
    return "Uncertain" if finding.certainty == "tentative" else "Present"


def seen_elsewhere(finding: Finding) -> bool:
    """Is it known from another examination, and only this film denied to show it?

    `Effusion on ultrasound, not seen on this film`; in `no effusion on ultrasound` the denial comes first.
    """
    sources = [a.span.end for a in finding.values("other_source")]
    denials = [e.span.start for e in finding.trace if e.note == "denied"]
    return bool(sources and denials) and min(denials) >= max(sources)


def labels_of(
    finding: Finding, support: Sequence[Finding] = (), definitions: Definitions = WIDE
) -> list[LabelRead]:
    """The labels of one finding; none where no row of the table speaks of it.

    Where its `support` is counts too: a scar that explains a blunt angle is a scar of the pleura.
    """
    beside = features(finding).union(
        *(features(structs.replace(f, attributes=f.values("location"))) for f in support)
    )
    found = []
    rows = matching("concepts", finding.concept, beside)
    for row in rows or matching("concepts", finding.implies, beside):
        read, sign = status_of(finding), row.cells["status"] == "Uncertain"
        choice = definitions.counted("srrg", row.cells["label"])
        # what is denied always counts as denied
        counts = read == "Absent" or (speaks(choice, finding, sign) and sure(choice, finding))
        if row.cells["label"] != "-" and counts:
            status = weakest(read, row.cells["status"])
            spans = [finding.span, *(a.span for a in finding.attributes if a.relation != "location")]
            found.append(LabelRead(row.cells["label"], status, spans))
    return found


def weakest(read: Status, row: str) -> Status:
    """A row can only weaken what was read: hyperinflation alone makes emphysema uncertain, never absent.

    >>> weakest("Present", "Uncertain"), weakest("Absent", "Uncertain"), weakest("Present", "=")
    ('Uncertain', 'Absent', 'Present')
    """
    return read if row == "=" else min(read, cast(Status, row), key=lambda status: STRENGTH[status])


def labels(findings: Sequence[Finding], definitions: Definitions = WIDE) -> list[LabelRead]:
    """The labels of one utterance: each disease once, No Finding alone where there is none."""
    by_id = {f.id: f for f in findings}
    given: dict[str, list[LabelRead]] = {}
    for f in (undecided(f, findings) for f in findings):
        given[f.id] = labels_of(f, [by_id[id] for id in f.evidence if id in by_id], definitions)
    for f in findings:
        for id in f.evidence:
            given[id] = [
                structs.replace(one, status="Uncertain") if shadow(f) and one.status == "Present" else one
                for one in given.get(id, [])
                if not overruled(one, by_id.get(id), f, given[f.id])
            ]
    same = either_way(findings, given)
    found = [
        structs.replace(one, status="Present") if one.label in same and one.status == "Uncertain" else one
        for few in given.values()
        for one in few
    ]
    return settled(found, labels_side_by_side(findings, given)) or [LabelRead(NO_FINDING)]


def undecided(finding: Finding, among: Sequence[Finding]) -> Finding:
    """A thing measured twice, once as normal (`normal or mildly enlarged`), is only possibly abnormal."""
    twins = [f for f in among if f.span == finding.span and f.status != finding.status]
    if finding.values("measurement") and any(f.values("measurement") for f in twins):
        return structs.replace(finding, certainty="tentative")
    return finding


def labels_side_by_side(findings: Sequence[Finding], given: Mapping[str, list[LabelRead]]) -> set[str]:
    """Labels of findings that stand side by side, no word between: `atelectasis/airspace disease` is both."""
    ends = {f.span.end + 1: f for f in findings}
    pairs = [(ends[f.span.start], f) for f in findings if f.span.start in ends]
    return {one.label for pair in pairs for f in pair for one in given[f.id]}


def either_way(findings: Sequence[Finding], given: Mapping[str, list[LabelRead]]) -> set[str]:
    """Labels that hold whichever of two alternatives it is: `tortuosity and/or ectasia of the aorta`."""
    rivals = [f for f in findings if any(cue.rule in alternatives() for cue in f.trace) and stated(f)]
    named = [one.label for f in rivals for one in given[f.id]]
    return {label for label in named if named.count(label) > 1}


def overruled(sign: LabelRead, shown: Finding | None, diagnosis: Finding, named: Sequence[LabelRead]) -> bool:
    """Is a sign's own label settled by the diagnosis it supports?

    Hyperinflation `compatible with emphysema` is emphysema and no longer uncertain; a blunt angle `possibly
    scarring` no longer stands for fluid, a lucency `from a skin fold` for nothing.
    """
    guessed = shown is not None and sign.status != status_of(shown)
    # what is there and has no leaf because it is not in the chest: a fold of skin
    outside = diagnosis.status == "positive" and diagnosis.site in ("chest-wall", "soft-tissue", "breast")
    nothing = shadow(diagnosis) and diagnosis.certainty == "definitive"
    return (guessed and (bool(named) or outside)) or nothing or any(sign.label == one.label for one in named)


def shadow(finding: Finding) -> bool:
    """Something that only looks like a finding: a nipple, a fold of skin, overlapping structures.

    A sign that may be nothing else is uncertain: `nodular density, probably a nipple shadow`.
    """
    return finding.status == "positive" and finding.concept == "nipple-shadow"


def settled(given: Iterable[LabelRead], kept: Container[str] = ()) -> list[LabelRead]:
    """One entry per disease, the strongest status, and nothing general where something special is said.

    Labels that are `kept` stay beside the special ones.

    >>> one = [LabelRead("Emphysema", "Uncertain"), LabelRead("Emphysema", "Present")]
    >>> [(label.label, label.status) for label in settled(one)]
    [('Emphysema', 'Present')]
    """
    best: dict[str, LabelRead] = {}
    for label in given:
        known = best.get(label.label)
        if known is None or STRENGTH[label.status] > STRENGTH[known.status]:
            spans = sorted({*(known.spans if known else ()), *label.spans})
            best[label.label] = LabelRead(label.label, label.status, spans)
    found = []
    for name, label in best.items():
        rivals = [best[special] for special in facts().covered.get(name, ()) if special in best]
        if name in PARENTS:  # said better by a special one only once both are present for certain
            rivals = [one for one in rivals if one.status == label.status == "Present"]
        if name in kept or not rivals:
            found.append(label)
    return found
