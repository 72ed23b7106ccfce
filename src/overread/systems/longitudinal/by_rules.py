"""Reading → LongitudinalReport: what was read of change, disease by disease, and which way each went."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import cast

from msgspec import structs

from overread.reader import Finding, Reading, SentenceReading
from overread.systems.longitudinal.comparisons import (
    LONGITUDINAL_WORDS,
    ChangeWord,
    Compared,
    Pointer,
    compared,
    diseases,
)
from overread.systems.longitudinal.schema import (
    SECTIONS,
    SUPPORT_DEVICES,
    ComparedSentence,
    Item,
    LongitudinalReport,
    Progression,
    ViewSection,
    table,
)

TREND: dict[str, Progression] = {
    "improved": "improved",
    "worsened": "worsened",
    "onset": "worsened",
    "measurement": "worsened",
    "no_change": "no change",
}
"""A relation's progression; the only onset among the changes is `new`, the only measurement `lower`."""


def view(reading: Reading, sections: Iterable[ViewSection] = SECTIONS) -> LongitudinalReport:
    """Every sentence of these sections."""
    wanted = frozenset(sections)
    sentences = tuple(
        ComparedSentence(
            section=sentence.section,
            start=sentence.span.start,
            end=sentence.span.end,
            text=sentence.span.of(reading.report.text),
            longitudinal=bool(signs),
            items=tuple(items(subjects(reading, sentence, signs), signs)) if signs else (),
            spans=signs.spans if signs else (),
        )
        for sentence, signs in compared(reading)
        if sentence.section in wanted
    )
    return LongitudinalReport(reading.report.id, sentences)


def subjects(reading: Reading, sentence: SentenceReading, signs: Compared) -> list[Finding]:
    """What the sentence speaks of: findings before it that it refers to, then its own."""
    named = [c.finding.id for c in signs.changes if c.finding is not None]
    before = [id for id in [*named, *(f.id for f in signs.about)] if id not in sentence.findings]
    return [reading.finding(id) for id in dict.fromkeys([*before, *sentence.findings])]


def items(findings: Sequence[Finding], signs: Compared) -> Iterator[Item]:
    """The diseases compared, in the order they are named, each trend of each once.

    Words of change that belong to no finding are said of all when none has any: `stable findings of emphysema`. A
    mediastinum that is `stable with a tortuous aorta` is only its outline.
    """
    own = {
        f.id: [c for c in signs.changes if c.finding is not None and c.finding.id == f.id] for f in findings
    }
    known = {f.id: f for f in findings}
    loose = [] if any(own.values()) else list(signs.changes)
    bent = {id for f in findings if "tortuous aorta" in diseases(f) for id in f.associate}
    seen = set()
    for finding in findings:
        if finding.concept == "mediastinum" and finding.id in bent:
            continue
        changes = (
            own[finding.id] or inherited(finding, known, own) or changes_of_host(finding, known, own) or loose
        )
        for item in compared_diseases(with_lent_places(finding, known), changes, signs):
            if (item.disease, item.progression) not in seen:
                seen.add((item.disease, item.progression))
                yield item


def inherited(
    finding: Finding, known: Mapping[str, Finding], changes: Mapping[str, Sequence[ChangeWord]]
) -> Sequence[ChangeWord]:
    """A disease inferred from a changed observation changed with it: `increased opacity, likely pneumonia`.

    Of several the nearest counts: `stable heart and hazy opacities, likely edema`. It says nothing of a disease that
    is over (`stable cavity from prior tuberculosis`).
    """
    met = {finding.id}  # two findings may be read as the cause of each other
    while not finding.values("past_hx"):
        nearest = next((known[id] for id in finding.evidence[::-1] if id in known), None)
        if nearest is None or nearest.id in met:
            break
        if taken := changes.get(nearest.id):
            return taken
        met.add(nearest.id)
        finding = nearest
    return []


def changes_of_host(
    finding: Finding, known: Mapping[str, Finding], changes: Mapping[str, Sequence[ChangeWord]]
) -> Sequence[ChangeWord]:
    """What came or stayed with another that it lies beside: `persistent effusion with adjacent atelectasis`.

    A structure that is stable with a disease has it still. More or less of one says nothing of the other, nor do two
    that are only named together (`stable cardiomegaly with edema`).
    """
    told = {word for a in finding.values("location", "morphology") for word in a.text.lower().split()}
    hosts = [known[id] for id in finding.associate if id in known and known[id].span < finding.span]
    if not hosts or (hosts[-1].kind != "structure" and LONGITUDINAL_WORDS["belonging"].isdisjoint(told)):
        return ()
    taken = changes.get(hosts[-1].id, ())
    stays = all(c.alone and c.attribute.relation in ("no_change", "onset") for c in taken)
    return taken if stays and finding.status == "positive" else ()


def with_lent_places(finding: Finding, known: Mapping[str, Finding]) -> Finding:
    """A diagnosis that names no place is where its observations are: `rib irregularity from an old fracture`."""
    lent = [a for id in finding.evidence if id in known for a in known[id].values("location")]
    if finding.values("location") or not lent:
        return finding
    return structs.replace(finding, attributes=(*finding.attributes, *lent))


def compared_diseases(finding: Finding, changes: Sequence[ChangeWord], signs: Compared) -> Iterator[Item]:
    """The keywords of one finding, as far as the sentence compares it."""
    told = {c.attribute.span for c in changes}
    for disease in diseases(finding):
        if disease == SUPPORT_DEVICES:
            if changes or signs.pointers:
                # of a device, which has no trend, only the words that compare it are marked
                yield Item(disease, None, tuple(sorted(told or {finding.span})))
            continue
        way, words = trend(finding, changes, disease), {finding.span, *told}
        if not any(c.alone for c in signs.changes):
            way = pointed(finding, signs.pointers) or way
            words |= {p.span for p in signs.pointers}
        if way is not None:
            yield Item(disease, way, tuple(sorted(words)))


def trend(finding: Finding, changes: Sequence[ChangeWord], disease: str) -> Progression | None:
    """Which way it went, from all the change words said of it; None without any.

    The last word that names a direction counts (`again seen, now improved`); one that may describe this picture
    gives way to any other (`increased markings, unchanged`), and so does one that only says that it is still there.
    A denied change is none (`no new consolidation`); a denied rest, or less of it until nothing is seen, is a cure.
    """
    said = [c for c in changes if c.attribute.relation in TREND]
    strong = [c for c in said if c.alone and c.attribute.concept not in LONGITUDINAL_WORDS["still_there"]]
    ways = [way(c, disease) for c in strong or [c for c in said if c.alone] or said]
    if ways and finding.status == "negative":
        left = any(c.form in LONGITUDINAL_WORDS["residual"] for c in said)
        return "improved" if left or "improved" in ways else "no change"
    moving = [w for w in ways if w != "no change"]
    return (moving or ways or [None])[-1]


def way(change: ChangeWord, disease: str) -> Progression:
    """The progression one change word means for this disease: by `directions.tsv`, else by its relation."""
    turned = (directions().get((disease, word)) for word in change.form.split())
    return next((w for w in turned if w), TREND[change.attribute.relation])


@cache
def directions() -> dict[tuple[str, str], Progression]:
    """Words that mean the opposite for a disease: more is better for low lung volumes."""
    return {(disease, word): cast(Progression, way) for disease, word, way, _reason in table("directions")}


def pointed(finding: Finding, pointers: Sequence[Pointer]) -> Progression | None:
    """What a sentence without a change word says by its pointers.

    `Nodule in the lingula as before` is unchanged, `previously seen nodule is not visible` is gone; `interval wedge
    deformity` is new, `no interval consolidation` is no change, `no longer shifted` a cure. `Compared to the prior
    film the trachea is shifted` names a difference; a structure without a word that makes it a finding is none.
    """
    positive = finding.status == "positive"
    for pointer in pointers:
        before = pointer.span.end <= finding.span.start
        if pointer.says == "gone" and not positive:
            return "improved"
        if pointer.says == "differs" and positive and (finding.implies or finding.kind != "structure"):
            return "worsened"
        if pointer.says == "new" and before:
            return "worsened" if positive else "no change"
        if pointer.says == "seen" and (positive or before):
            return "no change" if positive else "improved"
    return None
