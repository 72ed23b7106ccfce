"""Where: runs of location words, and the anatomy they name."""

from collections.abc import Sequence
from functools import lru_cache

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import phrase
from overread.reader.reading import Place
from overread.reader.units import Unit
from overread.report.marks import alike
from overread.report.span import Span

Run = list[Unit]
"""Neighbouring words that name one place."""


def place_noun(run: Run) -> Row | None:
    """The row that says where: the last noun, else the last adjective, else the last direction."""
    rows = [r for u in run if (r := u.tables.get("locations")) is not None]
    for roles in (("noun", "zone"), ("adj",), ("dir",)):
        for row in reversed(rows):
            if row.role in roles:
                return row
    return None


def place_side(run: Run) -> str:
    """left, right, both or -, from whichever word of the run says it."""
    found: set[str] = set()
    for unit in run:
        row = unit.tables.get("locations")
        if row is not None and row.side != "-":
            found.add(row.side)
        found.update(sides_said(unit.form))
    return "both" if len(found) > 1 else next(iter(found), "-")


@lru_cache(maxsize=8192)
def sides_said(form: str) -> tuple[str, ...]:
    return tuple(word for word in form.split() if word in ("left", "right"))


def sides(units: Run) -> set[str]:
    """The single sides named by these units."""
    rows = (u.row("locations") for u in units)
    return {r.side for r in rows if r is not None and r.side in ("left", "right")}


def places_of(text: str, runs: Sequence[Run], lexicon: Lexicon) -> tuple[Place, ...]:
    """Every place of a location; `upper and lower lobes`: the first borrows the noun of the last."""
    found: list[Place] = []
    side = "-"
    for run in filter(None, runs):
        row = place_noun(run)
        start, end = run[0].start, run[-1].end
        own = place_side(run)
        side = own if own != "-" else side
        if row is not None and row.role == "dir" and len(runs) > 1 and runs[-1]:
            last_word = text[runs[-1][-1].start : runs[-1][-1].end].split()[-1]
            row = lexicon.described("locations", phrase(f"{text[start:end]} {last_word}")) or row
        if row is not None:
            found.append(Place(alike(text[start:end]), Span(start, end), row.concept, row.path, side))
    return tuple(found)
