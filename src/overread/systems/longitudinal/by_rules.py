"""Reading → LongitudinalReport: what was read of change, disease by disease, and which way each went."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from msgspec import structs

from overread.reader import Finding, Reading, SentenceReading
from overread.systems.longitudinal.comparisons import Change, Compared, Pointer, compared
from overread.systems.longitudinal.diseases import WORDS, diseases, table
from overread.systems.longitudinal.schema import (
    SECTIONS,
    SUPPORT_DEVICES,
    ComparedSentence,
    Item,
    LongitudinalReport,
    Progression,
    ViewSection,
)

# ---- trends: from a disease's own change words, from its observations, or from a pointer alone
TREND: dict[str, Progression] = {
    "improved": "improved",
    "worsened": "worsened",
    "onset": "worsened",
    "no_change": "no change",
}
"""A relation's progression; the only onset among the changes is `new`."""


MOVED: dict[str, Progression] = {"new": "worsened", "removed": "improved"}
"""What comes and goes with illness; moving it is neither."""


def trend(finding: Finding, changes: Sequence[Change], disease: str) -> Progression | None:
    """Which way it went, from all the change words said of it; None without any.

    The last word that names a direction counts (`again seen, now improved`); one that may describe this picture
    gives way to any other (`increased markings, unchanged`). A denied change is none (`no new consolidation`,
    `no larger`); a denied rest, or less of it until nothing is seen, is a cure.
    """
    said = [c for c in changes if c.attribute.relation in TREND]
    strong = [c for c in said if c.alone and c.attribute.concept not in WORDS["still_there"]]
    ways = [
        way(c, disease) for c in strong or [c for c in said if c.alone or c.form in WORDS["residual"]] or said
    ]
    if ways and finding.status == "negative":
        return "improved" if "improved" in ways else "no change"
    moving = [w for w in ways if w != "no change"]
    return moving[-1] if moving else ways[-1] if ways else None


def device_trend(device: Finding, changes: Sequence[Change]) -> Progression | None:
    """More devices are worse, fewer are better; None where one was only moved."""
    moves = [c.attribute for c in changes if c.attribute.relation == "placement"]
    if moves:
        return next((MOVED[a.path[0]] for a in reversed(moves) if a.path[0] in MOVED), None)
    return trend(device, changes, SUPPORT_DEVICES)


def way(change: Change, disease: str) -> Progression:
    """The progression one change word means for this disease: by `directions.tsv`, else by its relation."""
    turned = (directions().get((disease, word)) for word in change.form.split())
    return next((w for w in turned if w), TREND[change.attribute.relation])


@cache
def directions() -> dict[tuple[str, str], Progression]:
    """Words that mean the opposite for a disease: more is better for low lung volumes."""
    return {(disease, word): cast(Progression, way) for disease, word, way, _reason in table("directions")}


def inherited(
    finding: Finding, known: Mapping[str, Finding], changes: Mapping[str, Sequence[Change]]
) -> list[Change]:
    """A disease inferred from a changed observation changed with it: `increased opacity, likely pneumonia`.

    Of several the nearest counts: `stable heart and hazy opacities, likely edema`. What is left over says
    nothing of its cause (`residual opacity may be a scar`), nor does anything of a disease that is over
    (`stable cavity from prior tuberculosis`).
    """
    met = {finding.id}  # two findings may be read as the cause of each other
    while not finding.values("past_hx"):
        nearest = next((known[id] for id in finding.evidence[::-1] if id in known), None)
        if nearest is None or nearest.id in met:
            break
        if taken := list(changes.get(nearest.id, ())):
            return [] if any(c.form in WORDS["residual"] for c in taken) else taken
        met.add(nearest.id)
        finding = nearest
    return []


def accompanied(
    finding: Finding, known: Mapping[str, Finding], changes: Mapping[str, Sequence[Change]]
) -> list[Change]:
    """What came or stayed with another that it belongs to: `persistent effusion with adjacent atelectasis`.

    A structure that is stable with a disease has it still; two diseases that are only named together
    (`stable cardiomegaly with edema`) are two. More or less of one says nothing of the other (`improving volumes
    with basilar atelectasis`), nor does a device of a disease, and nothing stays that is not there (`stable
    cardiomegaly with clear lungs`).
    """
    hosts = [
        known[id] for id in finding.associate if id in known and known[id].span.end <= finding.span.start
    ]
    if finding.status == "negative" or finding.values("past_hx") or not hosts:
        return []
    if {finding.kind, hosts[-1].kind} & WORDS["equipment"] or not belongs(finding, hosts[-1]):
        return []
    taken = changes.get(hosts[-1].id, ())
    stays = all(c.alone and c.attribute.relation in ("no_change", "onset") for c in taken)
    return list(taken) if stays and hosts[-1].status == "positive" else []


def belongs(finding: Finding, host: Finding) -> bool:
    """Is the host a structure or nothing with a keyword, or the finding said to lie beside it or to come from it?"""
    told = {word for a in finding.attributes for word in a.text.lower().split()}
    return host.kind == "structure" or not diseases(host) or not WORDS["belonging"].isdisjoint(told)


def pointed(finding: Finding, pointers: Sequence[Pointer]) -> Progression | None:
    """What a sentence without a change word says by its pointers.

    `Nodule, also present previously` is unchanged, `previously seen nodule is not visible` is gone; `not present
    previously` and `interval wedge deformity` are new, `no interval consolidation` is no change. `Compared to
    the prior film the trachea is shifted` names a difference; a structure without a word that describes it is none.
    `No longer shifted` and `no residual air` are cures, `lower lung volumes` are worse.
    """
    positive = finding.status == "positive"
    bare = finding.kind == "structure" and not finding.values("morphology", "measurement", "severity")
    for pointer in pointers:
        before = pointer.span.end <= finding.span.start
        if pointer.says == "gone" and not positive:
            return "improved"
        if pointer.says == "less" and finding.concept in WORDS["volumes"]:
            return "worsened"
        if pointer.says == "differs" and positive and not bare:
            return "worsened"
        if pointer.says == "absent" and positive:
            return "worsened"
        if pointer.says == "new" and before:
            return "worsened" if positive else "no change"
        if pointer.says == "seen" and finding.gone:
            return None  # were present on the prior film, and have cleared
        if pointer.says == "seen" and (positive or before):
            return "no change" if positive else "improved"
    return None


# ---- views
def view(
    reading: Reading,
    sections: Iterable[ViewSection] = SECTIONS,
    device_trends: bool = False,
) -> LongitudinalReport:
    """Every sentence of these sections.

    `device_trends`, which the paper does not know, calls a device that stays no change, one that came worsened and one
    that went improved.
    """
    wanted = frozenset(sections)
    known = {f.id: f for f in reading.findings}
    sentences = tuple(
        annotated(reading.report.text, sentence, signs, known, device_trends)
        for sentence, signs in compared(reading)
        if sentence.section in wanted
    )
    return LongitudinalReport(reading.report.id, sentences)


def annotated(
    text: str,
    sentence: SentenceReading,
    signs: Compared,
    known: dict[str, Finding],
    device_trends: bool,
) -> ComparedSentence:
    compares = bool(signs)
    found = tuple(items(subjects(sentence, signs, known), signs, device_trends)) if compares else ()
    return ComparedSentence(
        section=cast(ViewSection, sentence.section),
        start=sentence.span.start,
        end=sentence.span.end,
        text=sentence.span.of(text),
        longitudinal=compares,
        items=found,
        spans=signs.spans if compares else (),
    )


def subjects(sentence: SentenceReading, signs: Compared, known: dict[str, Finding]) -> list[Finding]:
    """What the sentence speaks of: findings before it that it refers to, then its own."""
    named = [c.finding.id for c in signs.changes if c.finding is not None]
    before = [id for id in [*named, *(f.id for f in signs.about)] if id not in sentence.findings]
    return [known[id] for id in dict.fromkeys([*before, *sentence.findings])]


def items(findings: list[Finding], signs: Compared, device_trends: bool = False) -> Iterator[Item]:
    """The diseases compared, in the order they are named, each trend of each once.

    Words of change that belong to no finding are said of all when none has any: `stable findings of emphysema`.
    """
    own = {
        f.id: [c for c in signs.changes if c.finding is not None and c.finding.id == f.id] for f in findings
    }
    known = {f.id: f for f in findings}
    signs_only = guesses(findings)
    loose = [] if any(own.values()) else list(signs.changes)
    seen = set()
    for finding in findings:
        if finding.id in signs_only:
            continue
        changes = (
            own[finding.id] or inherited(finding, known, own) or accompanied(finding, known, own) or loose
        )
        for item in compared_diseases(placed(finding, known), changes, signs, device_trends):
            if (item.disease, item.progression) not in seen:
                seen.add((item.disease, item.progression))
                yield item


def guesses(findings: list[Finding]) -> frozenset[str]:
    """Signs that stand for a disease only while nothing explains them: a lucency `from a hernia` is no emphysema,
    a mediastinum `stable with a tortuous aorta` not wide."""
    explained = {
        id for f in findings if f.status == "positive" and f.level != "possible" for id in f.evidence
    }
    bent = {f.id for f in findings if f.status == "positive" and "tortuous aorta" in diseases(f)}
    outlines = {f.id for f in findings if f.concept == "mediastinum" and bent & set(f.associate)}
    return frozenset(f.id for f in findings if f.concept == "lucency" and f.id in explained) | outlines


def placed(finding: Finding, known: dict[str, Finding]) -> Finding:
    """A diagnosis that names no place is where its observations are: `rib irregularity from an old fracture`."""
    lent = [a for id in finding.evidence if id in known for a in known[id].values("location")]
    if finding.values("location") or not lent:
        return finding
    return structs.replace(finding, attributes=(*finding.attributes, *lent))


def compared_diseases(
    finding: Finding, changes: list[Change], signs: Compared, device_trends: bool
) -> Iterator[Item]:
    """The keywords of one finding, as far as the sentence compares it."""
    words = {finding.span, *(c.attribute.span for c in changes)}
    for disease in diseases(finding):
        if disease == SUPPORT_DEVICES:
            if changes or signs.pointers:
                way = device_trend(finding, changes) if device_trends else None
                told = {c.attribute.span for c in changes}
                # of a device without a trend only the words that compare it are marked
                yield Item(disease, way, tuple(sorted(words if way or not told else told)))
            continue
        way = trend(finding, changes, disease)
        if not any(c.alone for c in signs.changes):
            way = pointed(finding, signs.pointers) or way
            words |= {p.span for p in signs.pointers}
        if way is not None:
            yield Item(disease, way, tuple(sorted(words)))
