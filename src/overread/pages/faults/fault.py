"""One error of a candidate report, whoever found it: what kind, how grave, the words on both sides, which organ."""

from collections.abc import Iterable, Sequence
from importlib.resources import files
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from overread.systems.panel import Kind

Spans = tuple[tuple[int, int], ...]

OTHER = "other"
TABLE = [
    line.split("\t")
    for line in (files("overread.pages.faults") / "kinds.tsv").read_text("utf-8").splitlines()[1:]
]
COLOURS: dict[str, Any] = {kind: colour for kind, _, colour, _ in TABLE}
"""Kind of error → the colour of its words; the others agree in part."""

TOLD = {kind: told for kind, _, _, told in TABLE if told}
"""Kind of error → how a line says it; of others the kind before the finding."""

CLASS_OF = {kind: name for kind, name, *_ in TABLE}
CLASSES = {
    name: tuple(kind for kind, own, *_ in TABLE if own == name) for _, name, *_ in TABLE if name != OTHER
}
"""Columns of the heat map → the kinds of error they count; every other kind is counted under `other`."""

GRADES = {
    "critical": "critical", "significant": "significant", "minor": "minor", "none": "negligible", "": "not graded",
}  # fmt: skip
"""Significance → the word for it on the page, gravest first; nothing where nobody graded it."""

LEVELS = tuple(GRADES)

SENTENCES = "whole sentences"
"""The finding of an error that only a sentence as a whole tells."""

WEIGHTS = {"critical": 100.0, "significant": 10.0, "minor": 1.0, "none": 0.05, "": 0.0}
UNGRADED = {"missed": 8.0, "invented": 8.0, "contradicted": 9.0, "partial": 1.0}


class Agreed(Struct, frozen=True):
    """A finding that both reports tell."""

    finding: str
    """Under one name for all reports: pneumothorax."""

    reference: Spans
    candidate: Spans
    organ: str = ""


class Fault(Agreed, frozen=True, kw_only=True):
    """A line of the list of errors."""

    kind: str
    phrase: str
    """The finding as this pair tells it: large right pneumothorax."""

    level: str = ""
    reference_says: str = ""
    candidate_says: str = ""
    reason: str = ""
    correction: str = ""
    uncertain: bool = False
    exact: bool = False
    """Are these the very words that differ, and not the finding that they are said of?"""

    @property
    def colour(self) -> Kind:
        """
        >>> Fault("edema", (), (), kind="false finding", phrase="edema").colour
        'invented'
        """
        denied = {"missed finding": self.candidate, "false finding": self.reference}.get(self.kind)
        sides = self.kind == "wrong place" and on_the_other_side(self.reference_says, self.candidate_says)
        return "contradicted" if denied or sides else COLOURS.get(self.kind, "partial")

    @property
    def title(self) -> str:
        """The kind in words: a finding that the candidate denies is more than missed."""
        return "denied finding" if self.kind == "missed finding" and self.candidate else self.kind

    @property
    def weight(self) -> float:
        """How much it counts in the order of cases."""
        return WEIGHTS[self.level] if self.level else UNGRADED[self.colour]


class Verdict(Struct, frozen=True):
    """All that is wrong with one candidate, gravest first."""

    line: str
    faults: tuple[Fault, ...] = ()
    agreed: tuple[Agreed, ...] = ()
    source: str | None = None
    """The metric that knows; None where none was scored that does."""

    @property
    def gravity(self) -> float:
        return round(sum((fault.weight for fault in self.faults), 0.0), 2)


def sentence(faults: Sequence[Fault], most: int = 3) -> str:
    """The gravest errors in one line.

    >>> sentence([Fault("edema", (), (), kind="false finding", phrase="edema")])
    'invented edema'
    """
    if not faults:
        return "no error found"
    told = list(dict.fromkeys(fault_phrase(fault).replace("; ", ", ") for fault in faults))
    more = f"; and {len(told) - most} more" if len(told) > most else ""
    return "; ".join(told[:most]) + more


def fault_phrase(fault: Fault) -> str:
    """One error in a few words.

    >>> sides = {"reference_says": "right", "candidate_says": "left"}
    >>> fault_phrase(Fault("effusion", (), (), kind="wrong place", phrase="right effusion", **sides))
    'right effusion: left instead of right'
    """
    if fault.title == "denied finding":
        return f"denied {fault.phrase}"
    told = TOLD.get(fault.kind, "")
    if not told or ("{candidate_says}" in told and not (fault.reference_says and fault.candidate_says)):
        return f"{fault.kind}: {fault.phrase}"
    return told.format(**asdict(fault))


def on_the_other_side(one: str, two: str) -> bool:
    """
    >>> on_the_other_side("right lung", "left lung"), on_the_other_side("right lung", "right apex")
    (True, False)
    """
    ours, theirs = ({"left", "right"} & set(text.replace(";", " ").split()) for text in (one, two))
    return len(ours) == len(theirs) == 1 and ours != theirs


def spans(found: Iterable[Sequence[int]]) -> Spans:
    return tuple((span[0], span[1]) for span in found)
