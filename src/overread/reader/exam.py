"""What the title of a study tells of all that it shows: `MRI of the left knee` names the side and the joint once."""

import re
from collections.abc import Iterator, Sequence

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.reader.drafts import Draft, Held
from overread.reader.headed_lines import may_lie_there
from overread.reader.mentions import mentions
from overread.reader.repeated import ReadSentence
from overread.reader.roles import Role
from overread.reader.units import Unit
from overread.report.span import Span

STUDY_OF = re.compile(
    r"\b(?:mri?|cta?|mra|radiographs?|x-?rays?|ultrasound|sonography|views?|mammogra\w+) of (?:the )?[^.,;]{1,40}",
    re.IGNORECASE,
)
"""What a technique section says was examined; not the arm that the contrast went into."""

TOLD = frozenset({"findings", "impression", "addendum"})
LIMB, BREAST = "limb", "breast"
OF_THE_BREAST = ("thorax", "chest-wall")
ANYWHERE = frozenset({None, "bone", "joint", "shoulder", "lymph-node", "vessel", BREAST})
"""Sites of concepts that a limb or a breast may have."""

OF_ANY_ORGAN = frozenset({"opacity", "nodule", "mass", "lesion", "lucency", "edema"})
"""Concepts that lie in the lung where nothing else is said."""


def carry_exam(text: str, done: Sequence[ReadSentence], lex: Lexicon) -> None:
    """Give what a study of one limb or breast shows its side, where no other is named; an effusion is in the joint."""
    units = [u for span in titles(text, done) for u in mentions(span.of(text), span.start, lex)[0]]
    rows = [row for u in units if (row := u.row("locations")) is not None and row.path]
    breast = any(u.form.startswith("mammogra") for u in units)
    if not (rows or breast) or not all(map(paired, rows)) or any(map(names_organ, units)):
        return
    side = one_side(text, units, lex)
    limb = not breast and all(row.path[:1] == (LIMB,) for row in rows)
    for found in done:
        if found.section.name in TOLD and found.seen.drafts and (side or limb):
            for draft in found.own.drafts:
                if limb and draft.concept == "pleural-effusion" and draft.unit.form in EFFUSIONS:
                    draft.concept = "joint-effusion"
                if side and may_lie_there(draft) and lies_in_limb_or_breast(draft, lex):
                    row = side.row("locations")
                    draft.held.insert(0, Held("location", row, side.start, side.end, side, [[side]]))


EFFUSIONS = frozenset({"effusion", "effusions"})


def titles(text: str, done: Sequence[ReadSentence]) -> Iterator[Span]:
    """Where the report says what was examined."""
    for found in done:
        span = found.sentence.span
        if found.section.name == "exam":
            yield span
        elif found.section.name == "technique" and (study := STUDY_OF.search(text, span.start, span.end)):
            yield Span(*study.span())


def one_side(text: str, units: Sequence[Unit], lex: Lexicon) -> Unit | None:
    """The word for the only side that the titles name."""
    sided = [(u, row.side) for u in units if (row := u.row("locations")) is not None and row.side != "-"]
    sides = {side for _, side in sided}
    if sides not in ({"left"}, {"right"}):
        return None
    unit, side = sided[0]
    row = lex.described("locations", side)
    if row is None:
        return None
    end = unit.start + len(text[unit.start : unit.end].split()[0])
    return Unit(Role.PLACE, side, unit.first, unit.first + 1, unit.start, end, (row,), {row.table: row})


def names_organ(unit: Unit) -> bool:
    """`Chest`: an organ that is no place within a limb or a breast."""
    row, place = unit.row("findings"), unit.row("locations")
    return row is not None and row.path[:1] == ("structure",) and (place is None or not place.path)


def paired(row: Row) -> bool:
    return row.path[:1] == (LIMB,) or row.concept == BREAST


def lies_in_limb_or_breast(draft: Draft, lex: Lexicon) -> bool:
    """Not the lung that a film of the left shoulder shows as well."""
    known = lex.concepts.get(draft.concept) if draft.concept else None
    if known is not None and known.site not in ANYWHERE and known.name not in OF_ANY_ORGAN:
        return False
    own = draft.unit.row("locations")
    rows = [h.row for h in draft.held if h.relation == "location"] + [own]
    return all(r is None or not r.path or paired(r) or r.path[:2] == OF_THE_BREAST for r in rows)
