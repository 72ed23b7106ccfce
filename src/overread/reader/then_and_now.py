"""What was so before and is otherwise now: `formerly small, now large`, `seen last week, not seen any more`."""

import re

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.meanings import GRADES
from overread.reader.drafts import CHANGES, PLAIN, Draft, Held
from overread.reader.growth import NOW, THEN, WAS
from overread.reader.reading import Evidence
from overread.report.span import Span

ANY_MORE = re.compile(r"\bany ?more\b", re.IGNORECASE)
KNOWN_BEFORE = re.compile(
    r"\b(?:previous(?:ly)?|prior|earlier|last|ago|former(?:ly)?|initial(?:ly)?|original(?:ly)?|yesterday)\b",
    re.IGNORECASE,
)
NEAR = 24
"""Characters beside a degree in which its time is told."""

ENDS = re.compile(r",|\b(?:is|are|now|and|but)\b", re.IGNORECASE)
"""A time does not reach across these."""

GONE = "gone-since"
DEGREES = "degrees-then-now"


def tell_gone(text: str, span: Span, drafts: list[Draft], lex: Lexicon) -> None:
    """`The nodule of the prior CT is not seen`: what is denied and was there before has gone."""
    for draft in drafts:
        denial = draft.denial
        if denial is None or draft.has("improved"):
            continue
        cue = denial.span
        since = ANY_MORE.search(text, cue.end, span.end)
        if since is None and cue.start >= draft.end:
            others = [d.end for d in drafts if d.end <= draft.start]
            since = KNOWN_BEFORE.search(text, max([span.start, *others]), cue.start)
        if since is not None:
            row = lex.described("improved", "resolved")
            draft.add(Held("improved", row, since.start(), since.end(), draft.unit))
            draft.trace.append(Evidence(Span(*since.span()), GONE, "improved"))


CHANGE_NOUN = re.compile(
    r"(?:growth|increase|decrease|enlargement|improvement|progression|reduction|regression|expansion|clearing)$",
    re.IGNORECASE,
)
GRADED_OF = re.compile(r"\s+(?:of|in)\b", re.IGNORECASE)


def grade_changes(text: str, drafts: list[Draft]) -> None:
    """`Moderate interval growth of the nodule`: the degree is of the growth, and not of the nodule."""
    for draft in drafts:
        degrees = [h for h in draft.held if h.relation == "severity"]
        for change in [h for h in draft.held if h.relation in CHANGES] if degrees else ():
            graded = CHANGE_NOUN.search(text[change.start : change.end]) and GRADED_OF.match(text, change.end)
            own = [h for h in degrees if text[h.end : change.start].isspace()] if graded else []
            if own:
                change.start = own[0].start
                draft.held = [h for h in draft.held if h is not own[0]]


def tell_degrees(text: str, span: Span, drafts: list[Draft], lex: Lexicon) -> None:
    """`A hernia, formerly small, is large`: the two degrees say that it has grown, and the last one holds."""
    for draft in drafts:
        part_degrees(text, draft, lex)
        if len(draft.held) < 2:
            continue
        degrees = [h for h in draft.held if h.relation == "severity" and grade(h) >= 0]
        if len(degrees) != 2:
            continue
        pairs = list(zip(degrees, reversed(degrees), strict=True))
        then = [(old, new) for old, new in pairs if told_of_before(text, span, old, new)]
        if len(then) != 1 or (draft.has(*CHANGES) and not leads_to(text, *then[0])):
            continue
        [(old, new)] = then
        draft.held = [h for h in draft.held if h is not old and h.relation != "past_hx"]
        draft.held = [h for h in draft.held if not GONE_FROM.fullmatch(text, h.start, old.start)]
        if grade(new) != grade(old) and not draft.has(*CHANGES):
            way = "worsened" if grade(new) > grade(old) else "improved"
            draft.add(Held(way, lex.described(way, PLAIN[way]), new.start, new.end, new.unit))
            draft.trace.append(Evidence(Span(new.start, new.end), DEGREES, way))


GONE_FROM = re.compile(r"gone\s+from\s+", re.IGNORECASE)
"""`Has gone from moderate to small` is still there."""

FROM = re.compile(r"\bfrom\s+$", re.IGNORECASE)
TO = re.compile(r"\s+to\s+(?:now\s+)?", re.IGNORECASE)


def part_degrees(text: str, draft: Draft, lex: Lexicon) -> None:
    """`From small to moderate` is two degrees, `small to moderate` is one."""
    for held in [h for h in draft.held if h.relation == "severity"]:
        to = TO.search(text, held.start, held.end)
        if to is None or not FROM.search(text, 0, held.start):
            continue
        old = Held("severity", lex.described("severity", text[held.start : to.start()].lower()),
                   held.start, to.start(), held.unit)  # fmt: skip
        held.row, held.start = lex.described("severity", text[to.end() : held.end].lower()), to.end()
        draft.held.insert(draft.held.index(held), old)


def leads_to(text: str, old: Held, new: Held) -> bool:
    """`From moderate to small`."""
    return FROM.search(text, 0, old.start) is not None and TO.fullmatch(text, old.end, new.start) is not None


ON_THEN = re.compile(rf"(?:on|at|in|of)\s+(?:the\s+)?{THEN.pattern}", re.IGNORECASE)
"""`Mild on admission`, `small at the last examination`."""


def told_of_before(text: str, span: Span, held: Held, other: Held) -> bool:
    """Is an earlier time named beside it, or the present beside the other one?"""
    if leads_to(text, held, other):
        return True
    ahead, behind = before(text, span, held), after(text, span, held).lstrip()
    if THEN.search(ahead) or WAS.search(ahead) or THEN.match(behind) or ON_THEN.match(behind):
        return True
    dated = THEN.search(text, span.start, span.end) is not None
    return dated and not now(text, span, held) and now(text, span, other)


def now(text: str, span: Span, held: Held) -> bool:
    return NOW.search(after(text, span, held)) is not None


def before(text: str, span: Span, held: Held) -> str:
    return ENDS.split(text[max(span.start, held.start - NEAR) : held.start])[-1]


def after(text: str, span: Span, held: Held) -> str:
    return ENDS.split(text[held.end : min(span.end, held.end + NEAR)])[0]


def grade(held: Held) -> int:
    path = held.row.path if held.row is not None else ()
    return GRADES.index(path[0]) if path[:1] and path[0] in GRADES else -1
