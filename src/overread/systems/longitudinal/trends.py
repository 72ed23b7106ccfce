"""Which way a disease went: from its own change words, from its observations, or from a pointer alone."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import cast

from overread.reader import Finding
from overread.systems.longitudinal.comparisons import Change, Pointer
from overread.systems.longitudinal.schema import Progression
from overread.systems.longitudinal.table import table

TREND: dict[str, Progression] = {
    "improved": "improved",
    "worsened": "worsened",
    "onset": "worsened",
    "no_change": "no change",
}
"""A relation's progression; the only onset among the changes is `new`."""

RESIDUAL = frozenset({"residual", "residua", "residuals", "with residual"})


def trend(finding: Finding, changes: Sequence[Change], disease: str) -> Progression | None:
    """Which way it went, from all the change words said of it; None without any.

    The last word that names a direction counts (`again seen, now improved`). A denied change is none (`no new
    consolidation`, `no larger`); a denied rest, or less of it until nothing is seen, is a cure.
    """
    ways = [way(c, disease) for c in changes if c.attribute.relation in TREND]
    if ways and finding.status == "negative":
        return "improved" if "improved" in ways else "no change"
    moving = [w for w in ways if w != "no change"]
    return moving[-1] if moving else ways[-1] if ways else None


def way(change: Change, disease: str) -> Progression:
    """The progression one change word means for this disease: by `directions.tsv`, else by its relation."""
    turned = (directions().get((disease, word)) for word in change.form.split())
    return next((w for w in turned if w), TREND[change.attribute.relation])


@cache
def directions() -> dict[tuple[str, str], Progression]:
    """Words that mean the opposite for a disease: more is better for low lung volumes."""
    return {(disease, word): cast(Progression, way) for disease, word, way, _reason in table("directions")}


def inherited(finding: Finding, changes: Mapping[str, Sequence[Change]]) -> list[Change]:
    """A disease inferred from changed observations changed with them: `increased opacity, likely pneumonia`.

    What is left over says nothing of its cause (`residual opacity may be a scar`), nor does anything of a
    disease that is over (`stable cavity from prior tuberculosis`).
    """
    taken = [c for id in finding.evidence for c in changes.get(id, ())]
    over = bool(finding.values("past_hx")) or any(c.form in RESIDUAL for c in taken)
    return [] if over else taken


def pointed(finding: Finding, pointers: Sequence[Pointer]) -> Progression | None:
    """What a sentence without a change word says by its pointers.

    `Nodule, also present previously` is unchanged, `previously seen nodule is not visible` is gone, `interval
    wedge deformity` is new and `no interval consolidation` no change.
    """
    positive = finding.status == "positive"
    for pointer in pointers:
        before = pointer.span.end <= finding.span.start
        if pointer.says == "new" and before:
            return "worsened" if positive else "no change"
        if pointer.says == "seen" and (positive or before):
            return "no change" if positive else "improved"
    return None
