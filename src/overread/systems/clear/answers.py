"""What a language model is asked for: one Struct per prompt, every option closed."""

from typing import Annotated

from msgspec import Meta, Struct

from overread.systems.clear.schema import (
    CONDITIONS,
    PRESENCE,
    Cell,
    Change,
    Condition,
    FirstOccurrence,
    Level,
    Severity,
)
from overread.systems.clear.schema import Presence as Label

LEVELS: dict[Label, Level] = {
    "positive": "confidently present",
    "unclear": "neutral",
    "negative": "confidently absent",
}


class Seen(Struct, frozen=True, forbid_unknown_fields=True):
    """What the report says about one condition being there."""

    level: Level
    mentioned: bool

    def cell(self) -> Cell:
        return Cell(PRESENCE[self.level], self.level, self.mentioned)


class Presence(
    Struct, frozen=True, forbid_unknown_fields=True, rename=lambda name: name.replace("_", " ").title()
):
    """All 13 conditions, each by its own name."""

    enlarged_cardiomediastinum: Seen
    cardiomegaly: Seen
    lung_opacity: Seen
    lung_lesion: Seen
    edema: Seen
    consolidation: Seen
    pneumonia: Seen
    atelectasis: Seen
    pneumothorax: Seen
    pleural_effusion: Seen
    pleural_other: Seen
    fracture: Seen
    support_devices: Seen

    def cells(self) -> dict[Condition, Cell]:
        """The cells, presence only."""
        return {c: getattr(self, c.lower().replace(" ", "_")).cell() for c in CONDITIONS}


class Labels(
    Struct, frozen=True, forbid_unknown_fields=True, rename=lambda name: name.replace("_", " ").title()
):
    """All 13 conditions with one of three labels each, as the paper asks for them."""

    enlarged_cardiomediastinum: Label
    cardiomegaly: Label
    lung_opacity: Label
    lung_lesion: Label
    edema: Label
    consolidation: Label
    pneumonia: Label
    atelectasis: Label
    pneumothorax: Label
    pleural_effusion: Label
    pleural_other: Label
    fracture: Label
    support_devices: Label

    def cells(self) -> dict[Condition, Cell]:
        """The cells, presence only; of what is not decided it is not known whether it is mentioned."""
        return {c: labelled(getattr(self, c.lower().replace(" ", "_"))) for c in CONDITIONS}


def labelled(label: Label) -> Cell:
    return Cell(label, LEVELS[label], label != "unclear")


class FirstOccurrenceAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    answer: FirstOccurrence


class ChangeAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    answer: Change


class SeverityAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    answer: Severity


class Phrases(Struct, frozen=True, forbid_unknown_fields=True):
    """Phrases from the report; an empty list when it holds none."""

    phrases: tuple[str, ...]


class Likeness(Struct, frozen=True, forbid_unknown_fields=True):
    """How alike two lists of phrases are, as a judge sees it."""

    score: Annotated[float, Meta(ge=0, le=1)]
