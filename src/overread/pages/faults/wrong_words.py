"""The words that are wrong, not only the finding they are said of: `left` where the reference has `right`.

The ledger says what each report says of a finding. Those of its words that the other report does not share are looked
for in the sentences that tell the finding; where it gives a value and not the words (worse, moderate), the words of
LUNGUAGE's attribute are taken, if that was scored.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from overread.pages.faults.fault import Fault, Spans, Verdict

WORD = re.compile(r"[a-z0-9]+(?:[.'-][a-z0-9]+)*", re.IGNORECASE)
END = re.compile(r"(?<=[.!?])\s+|\n\s*")
SMALL = frozenset(
    "a an and are as at be by for from has have in into is it its of on or that the there this to was were with".split()
)
DENIALS = frozenset(
    "no not without never neither nor none absent excluded resolved cleared clear free normal unremarkable "
    "removed".split()
)
NOTHING = ("no ", "not mentioned")
"""What the ledger writes where a report says nothing of it: no degree, no location, no comparison."""

ALIKE = 5
"""Letters that two words share at their start to be forms of one: moderate, moderately."""

ATTRIBUTES = {
    "wrong place": ("location",),
    "device position": ("placement", "location"),
    "wrong degree": ("severity",),
    "wrong size": ("measurement",),
    "wrong direction": ("worsened", "improved", "no_change", "onset"),
    "missed comparison": ("worsened", "improved", "no_change", "onset", "comparison"),
    "false comparison": ("worsened", "improved", "no_change", "onset", "comparison"),
}
"""Kind of error → the attributes of LUNGUAGE that hold its words."""


def pointed(found: Verdict, reference: str, candidate: str, details: Mapping[str, Any]) -> Verdict:
    """The verdict with the wrong words of every error."""
    ours, theirs = (list(attributes(details.get("lunguage"), side)) for side in ("reference", "candidate"))
    faults = []
    for one in found.faults:
        says = one.reference_says, one.candidate_says
        mine = wrong(one, reference, one.reference, says[0], says[1], ours)
        other = wrong(one, candidate, one.candidate, says[1], says[0], theirs)
        faults.append(replace(one, reference_wrong=mine, candidate_wrong=other))
    return replace(found, faults=tuple(faults))


Attributed = tuple[Spans, dict[str, Spans]]
"""Where a finding of LUNGUAGE stands, and where the words of its attributes do."""


def wrong(fault: Fault, text: str, spans: Spans, own: str, other: str, known: Sequence[Attributed]) -> Spans:
    """What one report says otherwise; nothing where it does not speak of the finding."""
    if not (fault.reference and fault.candidate) or own.startswith(NOTHING):
        return ()
    if own.startswith("denied: "):
        return nearest(text, spans, DENIALS, whole=True)
    if other.startswith("denied: "):
        return ()
    differing = words(own) - words(other)
    if found := nearest(text, spans, differing):
        return found
    near = [held for places, held in known if any(a[0] < b[1] and b[0] < a[1] for a in places for b in spans)]
    names = ATTRIBUTES.get(fault.kind, ())
    return tuple(sorted({span for held in near for name in names for span in held.get(name, ())}))


def words(said: str) -> frozenset[str]:
    """
    >>> sorted(words("1 cm above the carina"))
    ['1', 'above', 'carina', 'cm']
    """
    return frozenset(word.lower() for word in WORD.findall(said)) - SMALL


def nearest(text: str, spans: Spans, wanted: Collection[str], whole: bool = False) -> Spans:
    """Of each wanted word the occurrence nearest to the finding, in every sentence that tells the finding.

    >>> nearest("Left lung clear. Small right effusion.", ((29, 37),), {"left", "right"})
    ((23, 28),)
    >>> nearest("Moderately enlarged heart.", ((20, 25),), {"moderate"})
    ((0, 10),)
    """
    found: set[tuple[int, int]] = set()
    for start, end in spans:
        first, last = sentence_around(text, start, end)
        whole_sentence = end >= last - 1 and text[first:start].rstrip()[-1:] in ("", ":", ".")
        near = [m for m in WORD.finditer(text, first, last) if whole_sentence or not start <= m.start() < end]
        own = [places for one in wanted if (places := [m.span() for m in near if same(m[0], one, whole)])]
        if whole or 2 * len(own) >= len(wanted):  # one word of a phrase alone is a coincidence
            found |= {min(p, key=lambda at: min(abs(at[0] - end), abs(start - at[1]))) for p in own}
    return tuple(sorted(found))


def same(word: str, wanted: str, whole: bool) -> bool:
    one = word.lower()
    return one == wanted or (not whole and len(wanted) >= ALIKE and one[:ALIKE] == wanted[:ALIKE])


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """
    >>> sentence_around("Clear. Small effusion. No edema.", 13, 21)
    (7, 22)
    """
    first = max((m.end() for m in END.finditer(text, 0, start)), default=0)
    after = END.search(text, end)
    return first, after.start() if after else len(text)


def attributes(detail: Any, side: str) -> Iterator[Attributed]:
    """Findings of one report with the places of their words; none where LUNGUAGE was not scored."""
    alone = "missed" if side == "reference" else "invented"
    found = [*((pair[side]) for pair in (detail or {}).get("pairs", ())), *(detail or {}).get(alone, ())]
    for finding in found:
        held = {name: tuple((s[0], s[1]) for s in spans) for name, spans in finding["spans"].items()}
        yield held.get("entity", ()), held
