"""The SRRG view: a report in the template's sections, and its utterances with disease labels."""

from typing import Literal

from msgspec import Struct, field

from overread.report.span import Span
from overread.systems.srrg.labels import Label

HEADERS = (
    "Lungs and Airways",  # parenchyma, bronchi, trachea
    "Pleura",  # effusion, pneumothorax, thickening
    "Cardiovascular",  # heart, aorta, vessels
    "Hila and Mediastinum",  # contours, nodes, masses
    "Tubes, Catheters, and Support Devices",  # anything put in
    "Musculoskeletal and Chest Wall",  # bones, joints, soft tissue
    "Abdominal",  # below the diaphragm
    "Other",  # what fits nowhere above
)
"""The headers of the findings section, in order; there are no others."""

OPENING = {
    "exam_type": "Exam Type",
    "history": "History",
    "technique": "Technique",
    "comparison": "Comparison",
}
"""The sections before the findings: field and heading, in order."""

SectionOfInterest = Literal["findings", "impression"]
BODY: tuple[SectionOfInterest, ...] = ("findings", "impression")


class StructuredReport(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A report in the template; sections that are absent are left out."""

    exam_type: str = ""
    history: str = ""
    technique: str = ""
    comparison: str = ""
    findings: dict[str, list[str]] = field(default_factory=dict)
    """Bullets by header."""

    impression: list[str] = field(default_factory=list)
    """Most significant first."""


class LabelRead(Label, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A label of an utterance with the words of the report that gave it."""

    spans: list[Span] = field(default_factory=list)


class Utterance(Struct, frozen=True, forbid_unknown_fields=True):
    """One bullet of the findings or one item of the impression, with its labels."""

    section: SectionOfInterest
    start: int
    end: int
    """The stretch of the original report it was written from."""

    text: str
    labels: list[LabelRead]
    """No Finding when no disease is discussed; empty only where a trained classifier gave nothing at all."""

    header: str | None = None
    """Where it stands in the findings; None in the impression."""


class SrrgView(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One report: the template filled in, and what each line of it says."""

    id: str
    structured: StructuredReport
    utterances: list[Utterance]
    """In the order of the template: header by header, then the impression."""

    dropped: int = 0
    """Lines left out of the utterances because language models agreed on no label for them."""

    refused: int = 0
    """Lines of a language model that have no source in the report or hold an identifier, left out."""
