"""The CLEAR view: a report as a table of 13 conditions × 6 attributes."""

from functools import partial
from typing import Literal, get_args

from msgspec import Struct, field

from overread.errors import UnknownName
from overread.report.span import Span
from overread.systems import tables

Condition = Literal[
    "Enlarged Cardiomediastinum", "Cardiomegaly", "Lung Opacity", "Lung Lesion", "Edema", "Consolidation",
    "Pneumonia", "Atelectasis", "Pneumothorax", "Pleural Effusion", "Pleural Other", "Fracture",
    "Support Devices",
]  # fmt: skip
CONDITIONS: tuple[Condition, ...] = get_args(Condition)
DEVICES: Condition = "Support Devices"
"""The one condition that has a place and advice but no beginning, course or degree."""

Presence = Literal["positive", "unclear", "negative"]
Level = Literal["confidently present", "likely present", "neutral", "likely absent", "confidently absent"]
FirstOccurrence = Literal["current", "previous", "N/A"]
Change = Literal["improving", "stable", "worsening", "mixed", "N/A"]
Severity = Literal["mild", "moderate", "severe", "mixed", "N/A"]

CHOICES: dict[str, tuple[str, ...]] = {
    "first_occurrence": get_args(FirstOccurrence),
    "change": get_args(Change),
    "severity": get_args(Severity),
}
"""Attributes answered by one option."""

PHRASES = ("location", "recommendation")
"""Attributes answered by a list of phrases."""

PRESENCE: dict[Level, Presence] = {
    "confidently present": "positive",
    "likely present": "positive",
    "neutral": "unclear",
    "likely absent": "negative",
    "confidently absent": "negative",
}
"""Five levels, merged to three."""


class Cell(Struct, frozen=True, forbid_unknown_fields=True):
    """What a report says of one condition."""

    presence: Presence = "unclear"
    level: Level = "neutral"
    mentioned: bool = False
    """Is the condition, or the structure that defines it, spoken of? An implied answer is not a mention."""

    first_occurrence: FirstOccurrence | None = None
    """None: not asked (the condition is not positive, or is Support Devices). "N/A": asked, and not said."""

    change: Change | None = None
    severity: Severity | None = None
    location: tuple[str, ...] = ()
    """Where, in phrases: site, descriptors and noun; one entry per site."""

    recommendation: tuple[str, ...] = ()
    """What is asked for because of this condition."""

    spans: dict[str, tuple[Span, ...]] = field(default_factory=dict)
    """The words behind each column, as offsets into the report; empty where a reader kept none."""


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """All 13 conditions of one report."""

    id: str
    conditions: dict[Condition, Cell]

    def __post_init__(self) -> None:
        missing = [c for c in CONDITIONS if c not in self.conditions]
        if missing:
            raise ValueError(f"a CLEAR table needs all 13 conditions; missing: {', '.join(missing)}")

    def positive(self) -> tuple[Condition, ...]:
        """The conditions the report says are there."""
        return tuple(c for c in CONDITIONS if self.conditions[c].presence == "positive")


def attributes_of(condition: Condition) -> tuple[str, ...]:
    """The attributes a positive condition has.

    >>> attributes_of("Edema")
    ('first_occurrence', 'change', 'severity', 'location', 'recommendation')
    >>> attributes_of("Support Devices")
    ('location', 'recommendation')
    """
    return PHRASES if condition == DEVICES else (*CHOICES, *PHRASES)


constants = partial(tables.constants, "clear")
WORDS = tables.word_sets("clear")


def top5(name: str = "paper") -> tuple[Condition, ...]:
    """The five conditions of a published list: `paper` or `released`.

    >>> top5()
    ('Pneumothorax', 'Pneumonia', 'Edema', 'Pleural Effusion', 'Consolidation')
    """
    lists = constants()["top5"]
    if name not in lists:
        raise UnknownName("top-5 list", name, lists)
    return tuple(lists[name]["conditions"])
