"""A side on a line of its own: `Right leg` over several lines is the side of all that follow it."""

import re
from collections.abc import Sequence

from overread.lexicon.lexicon import Lexicon
from overread.reader.drafts import Draft, Held
from overread.reader.mentions import mentions
from overread.reader.places import place_noun, place_side
from overread.reader.repeated import ReadSentence
from overread.reader.roles import ANATOMY, Role
from overread.reader.units import Unit
from overread.report.span import Span

LONGEST = 40
"""Characters of such a line."""

SEEN = frozenset({"finding", "structure", "device", "diagnosis", "open", "generic"})
"""Kinds of findings that have a side."""


COLON_ENDS_LINE = re.compile(r":[ \t]*\n")


def heads_lines(text: str, span: Span) -> bool:
    """Is it short, without a full stop, and alone on its line?"""
    if (
        span.end - span.start > LONGEST
        or text[span.end - 1] == "."
        or "\n" not in text[span.end : span.end + 3]
    ):
        return False
    return text[max(0, span.start - LONGEST) : span.start].rstrip(" \t*-•#")[-1:] in ("", "\n")


LABEL = re.compile(r"[^:.\n]{1,40}:")
"""`Left kidney:` at the start of a sentence."""


def carry_headings(text: str, done: Sequence[ReadSentence], lex: Lexicon) -> None:
    """Give what follows a line that only names a side, or an organ with its side, that place; up to an empty line.

    A label with a colon and text behind it reaches to the end of its line: `Left kidney: no stone. No mass.`
    """
    if ":" not in text and not any(0 < len(ln) <= LONGEST and ln[-1] != "." for ln in text.split("\n")):
        return
    heading: list[Unit] = []
    ends, end = "\n\n", 0
    for found in done:
        span = found.sentence.span
        label = LABEL.match(text, span.start, span.end)
        if heading and (ends in text[end : span.start] or (label and ends == "\n")):
            heading = []
        head = Span(span.start, label_end(text, span))
        named = places_only(text, head, lex) if head.end > head.start else []
        if named:
            heading, ends = sided(named), "\n\n"
        if (
            heading
            and not (named and head.end == span.end)
            and any(may_lie_there(d) for d in found.seen.drafts)
        ):
            for draft in filter(may_lie_there, found.own.drafts):
                place(draft, heading)
        if label and not named and (here := sided(places_only(text, Span(span.start, label.end() - 1), lex))):
            heading, ends = here, "\n"
        end = span.end


def sided(places: list[Unit]) -> list[Unit]:
    """The words of a place, if it is on one side."""
    return places if place_side(places) in ("left", "right") else []


def label_end(text: str, span: Span) -> int:
    """Where the line ends that stands over others, alone or with a colon; its beginning where it does not."""
    found = COLON_ENDS_LINE.search(text, span.start, min(span.end, span.start + LONGEST))
    if found:
        return found.start()
    return span.end if heads_lines(text, span) else span.start


def places_only(text: str, span: Span, lex: Lexicon) -> list[Unit]:
    """The words of a line that names places and nothing else."""
    units = [u for u in mentions(span.of(text), span.start, lex)[0] if u.role is not Role.STOP]
    return units if units and all(u.role in ANATOMY for u in units) else []


def may_lie_there(draft: Draft) -> bool:
    return draft.kind in SEEN and not draft.sides


def place(draft: Draft, heading: list[Unit]) -> None:
    row = place_noun(heading)
    draft.held.insert(
        0, Held("location", row, heading[0].start, heading[-1].end, heading[0], [list(heading)])
    )
