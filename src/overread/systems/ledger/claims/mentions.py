"""Mentions of one finding, in findings and impression, become one claim."""

from collections.abc import Container, Iterable

from msgspec.structs import replace

from overread.report.span import Span
from overread.systems.ledger.claims.diseases import respelt
from overread.systems.ledger.names import ROOTS
from overread.systems.ledger.places import fits
from overread.systems.ledger.schema import Claim, Size, Where
from overread.systems.ledger.tables import ancestors

BESIDE = 40
"""Letters between two devices of one list."""

LOOKED = 40
"""Earlier claims of a name that a mention may belong to."""

APART = 25
"""Letters between two mentions of one finding by two names."""

FIRST_SAID = (
    "where_words", "degree", "degree_words", "size", "before", "change", "acuity", "position", "position_words", "many",
)  # fmt: skip
"""What the first mention that says it decides."""

OF_ALL = ("degrees", "changes", "traits", "positions", "sources", "evidence")
"""What all mentions say together."""

ROOM = 0.1
"""Two sizes within a tenth or a millimetre may be one."""


def merged(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Each present finding once; denials and normal structures as they stand."""
    kept: list[Claim] = []
    known: dict[str, list[int]] = {}
    spans: dict[int, set[Span]] = {}
    for claim in claims:
        same = [n for n in known.get(claim.name, ())[-LOOKED:] if is_same(kept[n], claim)]
        if not same and (wider := is_named_closer(claim, kept, known)) is not None:
            kept[wider] = replace(kept[wider], name=claim.name, words=claim.words)
            known.setdefault(claim.name, []).append(wider)
            same = [wider]
        if not same:
            for name in ancestors(claim.name):
                known.setdefault(name, []).append(len(kept))
            kept.append(claim)
        for n in same if not claim.where or claim.many else same[:1]:
            if n not in spans:
                spans[n] = set(kept[n].spans)
            kept[n] = joined(kept[n], claim, spans[n])
            spans[n].update(claim.spans)
    return tuple(kept)


def is_same(one: Claim, other: Claim) -> bool:
    """May the second be the first said again, by its name or a wider one? Halves of one mention are two."""
    if other.name not in ancestors(one.name) or one.polarity != "present" or other.polarity != "present":
        return False
    if one.name != other.name and not is_wider_mention(one, other):
        return False
    if is_other_of_list(one, other) or (other.change == "new" and one.change not in (None, "new")):
        return False
    if other.share < 1 and not one.where and one.words.lower() != other.words.lower():
        return False  # `thickening, with septal lines at both bases`
    if one.spans == other.spans or not (fits(one.where, other.where) or fits(other.where, one.where)):
        return False
    return alike(one.size, other.size)


def is_named_closer(claim: Claim, kept: list[Claim], known: dict[str, list[int]]) -> int | None:
    """The earlier mention by a wider name at the same place: `pneumothorax`, and later `tension pneumothorax`."""
    told = claim.kind != "device" and claim.polarity == "present" and claim.certainty == "definite"
    if not told or not claim.where:
        return None
    for name in ancestors(claim.name)[1:]:
        for n in known.get(name, ())[-LOOKED:]:
            one = kept[n]
            if one.name == name and one.where == claim.where and is_later(one, claim):
                return n
    return None


def is_later(one: Claim, other: Claim) -> bool:
    """Is the same word said again in another sentence, with more to it, and nothing that speaks against it?"""
    apart = other.spans[0].start - one.spans[-1].end > APART and respelt(one.words) in respelt(other.words)
    return apart and alike(one.size, other.size) and one.polarity == "present" and other.change != "new"


def is_other_of_list(one: Claim, other: Claim) -> bool:
    """`Mediastinal drain and left chest tube`, `the ventricular lead … the atrial lead`: two devices of one name."""
    if one.kind != "device" or one.name != other.name:
        return False
    if one.name == "lead" and one.where_words and other.where_words:
        first, second = one.where_words.lower(), other.where_words.lower()
        return first not in second and second not in first
    beside = 0 <= other.spans[0].start - one.spans[0].end < BESIDE
    return beside and one.words.lower() != other.words.lower()


def is_wider_mention(one: Claim, other: Claim) -> bool:
    """`The line` after a central line, `the opacity` at the place of a consolidation; not `other support devices`."""
    if one.kind == "device":
        beside = 0 <= other.spans[0].start - one.spans[-1].end < BESIDE
        return not other.many and not beside and (other.name in ROOTS or not (other.where or other.position))
    return not other.where or one.where == other.where


def alike(one: Size | None, other: Size | None) -> bool:
    if one is None or other is None or one.unit != other.unit:
        return True
    return abs(one.value - other.value) <= max(1.0, ROOM * max(one.value, other.value))


def joined(one: Claim, other: Claim, had: Container[Span]) -> Claim:
    """The first mention, with what only the second tells; `had` are the first's spans."""
    return replace(
        one,
        spans=one.spans + tuple(s for s in other.spans if s not in had),
        where=other.where if is_finer(other, one) else one.where,
        share=one.share if one.where else min(one.share, other.share),
        told=max(one.told, other.told, key=len),
        certainty="definite" if other.certainty == "definite" else one.certainty,
        **{name: getattr(one, name) or getattr(other, name) for name in FIRST_SAID},
        **{name: getattr(one, name) | getattr(other, name) for name in OF_ALL},
    )


def is_finer(one: Claim, other: Claim) -> bool:
    if not one.where or not other.where:
        return bool(one.where)
    return precision(one.where[0]) > precision(other.where[0])


def precision(where: Where) -> tuple[int, bool, int]:
    return len(where.path), where.side != "-", len(where.towards)
