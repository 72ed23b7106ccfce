"""Which way a disease went: from its own change words, from its observations, or from a pointer alone."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from overread.reader import Finding
from overread.systems.longitudinal.comparisons import Change, Pointer
from overread.systems.longitudinal.diseases import diseases
from overread.systems.longitudinal.schema import SUPPORT_DEVICES, Progression
from overread.systems.longitudinal.table import table

TREND: dict[str, Progression] = {
    "improved": "improved",
    "worsened": "worsened",
    "onset": "worsened",
    "no_change": "no change",
}
"""A relation's progression; the only onset among the changes is `new`."""

RESIDUAL = frozenset({"residual", "residua", "residuals", "with residual"})
STILL_THERE = frozenset({"persistent", "again"})
"""`Again seen` and `remain` say that it is still there; beside a real change word they say no more."""

VOLUMES = frozenset({"lung-volumes", "hypoinflation"})
EQUIPMENT = frozenset({"device", "procedure"})
MOVED: dict[str, Progression] = {"new": "worsened", "removed": "improved"}
"""What comes and goes with illness; moving it is neither."""


def trend(finding: Finding, changes: Sequence[Change], disease: str) -> Progression | None:
    """Which way it went, from all the change words said of it; None without any.

    The last word that names a direction counts (`again seen, now improved`); one that may describe this picture
    gives way to any other (`increased markings, unchanged`). A denied change is none (`no new consolidation`,
    `no larger`); a denied rest, or less of it until nothing is seen, is a cure.
    """
    said = [c for c in changes if c.attribute.relation in TREND]
    strong = [c for c in said if c.alone and c.attribute.concept not in STILL_THERE]
    ways = [way(c, disease) for c in strong or [c for c in said if c.alone or c.form in RESIDUAL] or said]
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
            return [] if any(c.form in RESIDUAL for c in taken) else taken
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
    if {finding.kind, hosts[-1].kind} & EQUIPMENT or not belongs(finding, hosts[-1]):
        return []
    taken = changes.get(hosts[-1].id, ())
    stays = all(c.alone and c.attribute.relation in ("no_change", "onset") for c in taken)
    return list(taken) if stays and hosts[-1].status == "positive" else []


BELONGING = frozenset({"adjacent", "overlying", "underlying", "associated", "resultant"})


def belongs(finding: Finding, host: Finding) -> bool:
    """Is the host a structure or nothing with a keyword, or the finding said to lie beside it or to come from it?"""
    told = {word for a in finding.attributes for word in a.text.lower().split()}
    return host.kind == "structure" or not diseases(host) or not BELONGING.isdisjoint(told)


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
        if pointer.says == "less" and finding.concept in VOLUMES:
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
