"""Mentions of one finding, in findings and impression, become one claim."""

from collections.abc import Iterable

from msgspec.structs import replace

from overread.systems.ledger.schema import Claim
from overread.systems.ledger.tables import ancestors

LOOKED = 40
"""Earlier claims of a name that a mention may belong to."""


def merged(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Each present finding once; denials and normal structures as they stand."""
    kept: list[Claim] = []
    known: dict[str, list[int]] = {}
    for claim in claims:
        same = (n for n in known.get(claim.name, ())[-LOOKED:] if is_same(kept[n], claim))
        if (first := next(same, None)) is not None:
            kept[first] = merged_claim(kept[first], claim)
            continue
        for name in ancestors(claim.name):
            known.setdefault(name, []).append(len(kept))
        kept.append(claim)
    return tuple(kept)


def is_same(one: Claim, other: Claim) -> bool:
    """May the second be the first said again, by its name or a wider one?"""
    if one.polarity != "present" or other.polarity != "present":
        return False
    if one.name != other.name and (
        other.name not in ancestors(one.name) or (other.places and other.places != one.places)
    ):
        return False
    nested = {*one.places} <= {*other.places} or {*other.places} <= {*one.places}
    return nested and (one.side == other.side or "-" in (one.side, other.side))


def merged_claim(one: Claim, other: Claim) -> Claim:
    """The first mention, with what only the second tells."""
    lasting = ("where_words", "degree", "change", "acuity", "position")
    return replace(
        one,
        spans=tuple(dict.fromkeys((*one.spans, *other.spans))),
        phrases=tuple(dict.fromkeys((*one.phrases, *other.phrases))),
        told=max(one.told, other.told, key=len),
        places=sorted_union(one.places, other.places),
        side=other.side if one.side == "-" else one.side,
        traits=sorted_union(one.traits, other.traits),
        **{name: getattr(one, name) or getattr(other, name) for name in lasting},
    )


def sorted_union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*one, *other}))
