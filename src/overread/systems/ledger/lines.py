"""Findings, errors and corrections in plain words; lines that tell one thing put into one."""

from collections.abc import Callable, Hashable, Iterable

from msgspec import Struct, structs

from overread.report.span import Span
from overread.systems.ledger.compare import Difference
from overread.systems.ledger.ledger import Agreement, Error
from overread.systems.ledger.schema import Claim


def correcting(d: Difference) -> str:
    """What to write instead.

    >>> correcting(Difference("wrong size", 0.2, "12 mm", "16 mm"))
    'write 12 mm instead of 16 mm'
    """
    if d.kind == "false comparison":
        return f"remove the comparison ({d.candidate})"
    if d.kind in ("missed comparison", "vaguer"):
        return f"add: {d.reference}"
    return f"write {d.reference} instead of {d.candidate}"


def apart(one: Claim, two: Claim) -> tuple[str, str]:
    """The names of two claims in words that differ: `tension pneumothorax` and `pneumothorax`."""
    if one.words.lower() != two.words.lower():
        return one.words, two.words
    return one.name.replace("-", " "), two.name.replace("-", " ")


def both(one: str, two: str) -> str:
    """
    >>> both("left pleural effusion", "right pleural effusion")
    'left and right pleural effusion'
    """
    if one == two:
        return one
    if one.replace("left", "right") == two:
        return one.replace("left", "left and right")
    return f"{one}; {two}"


def listed_with(one: str, two: str) -> str:
    """A disease with its signs.

    >>> listed_with("pneumonia in the right lower lobe", "consolidation")
    'pneumonia in the right lower lobe, with consolidation'
    """
    if one == two:
        return one
    return f"{one}, {two}" if ", with " in one else f"{one}, with {two}"


ALONE = frozenset({"missed finding", "false finding"})


class Line(Struct, frozen=True):
    """An error, and the picture its finding belongs to."""

    error: Error
    picture: Hashable = None
    root: bool = True
    """Is its finding the one the picture is called by?"""


def folded(lines: Iterable[Line]) -> list[Error]:
    """Every error once: both sides of a finding, a disease with its signs, one vague word for several findings."""
    halves = merged(lines, half_of, both)
    pictures = merged(sorted(halves, key=lambda line: not line.root), picture_of, listed_with)
    return [line.error for line in merged(pictures, vague_word_of, and_also)]


def half_of(line: Line) -> Hashable:
    """Halves of one mention, left and right."""
    e = line.error
    if not (e.reference or e.candidate):
        return None
    told = "" if e.kind in ALONE else e.candidate_says
    return e.kind, e.concept, e.reference, e.candidate, told


def picture_of(line: Line) -> Hashable:
    """The same thing said of a disease and of its signs."""
    e = line.error
    if line.picture is None:
        return None
    told = () if e.kind in ALONE else (e.reference_says.lower(), e.candidate_says.lower())
    return e.kind, line.picture, *told


def vague_word_of(line: Line) -> Hashable:
    """One wide word said for several findings: `support devices`."""
    e = line.error
    return (e.kind, e.candidate, e.candidate_says) if e.kind == "vaguer" and e.candidate else None


def and_also(one: str, two: str) -> str:
    """
    >>> and_also("chest tube; central line", "central line")
    'chest tube; central line'
    """
    return "; ".join(dict.fromkeys((*one.split("; "), *two.split("; "))))


Join = Callable[[str, str], str]


def merged(lines: Iterable[Line], key_of: Callable[[Line], Hashable], join: Join) -> list[Line]:
    """Lines of one key as one; those without a key as they are."""
    kept: dict[Hashable, Line] = {}
    for n, line in enumerate(lines):
        key = key_of(line)
        if key is None or key not in kept:
            kept[n if key is None else key] = line
        else:
            kept[key] = structs.replace(kept[key], error=joined(kept[key].error, line.error, join))
    return list(kept.values())


def joined(one: Error, two: Error, join: Join) -> Error:
    """The first line with the finding, the words and the cost of the second."""
    finding = join(one.finding, two.finding)
    told = {
        "missed finding": {"reference_says": finding, "correction": f"add: {finding}"},
        "false finding": {"candidate_says": finding, "correction": f"remove: {finding}"},
        "vaguer": of_vague(one, two),
    }.get(one.kind, {})
    return structs.replace(
        one,
        finding=finding,
        cost=one.cost + two.cost,
        reference=more(one.reference, two.reference),
        candidate=more(one.candidate, two.candidate),
        **told,
    )


def of_vague(one: Error, two: Error) -> dict[str, str]:
    """All the words that one vague word stands for."""
    if one.reference_says in ("", two.reference_says):
        return {}
    said = both(one.reference_says, two.reference_says)
    said = and_also(one.reference_says, two.reference_says) if "; " in said else said
    named = one.correction.startswith("write ")
    correction = f"write {said!r} instead of {one.candidate_says!r}" if named else f"add: {said}"
    return {"reference_says": said, "correction": correction}


def more(one: tuple[Span, ...], two: tuple[Span, ...]) -> tuple[Span, ...]:
    return one + tuple(span for span in two if span not in one)


def agreed_once(agreed: Iterable[Agreement]) -> list[Agreement]:
    """Halves of one mention, left and right, in one line."""
    kept: dict[Hashable, Agreement] = {}
    for a in agreed:
        key = (a.concept, a.reference, a.candidate, a.credit)
        kept[key] = (
            structs.replace(kept[key], finding=both(kept[key].finding, a.finding)) if key in kept else a
        )
    return list(kept.values())
