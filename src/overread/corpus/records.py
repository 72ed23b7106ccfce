"""What the notation says, as values: reports of sentences of mentions; and a report as the text that a reader sees."""

from collections.abc import Iterable

from msgspec import Struct

from overread.report.span import Span

ABOUT = ("modality", "setting", "style", "writer", "patient", "day")
"""What may be said of a report as a whole; the last two in patients' files alone."""
SECTIONS = {"X": "exam", "I": "indication", "C": "comparison", "F": "findings", "P": "impression"}
CATEGORIES = {"P": "PF", "C": "CF", "O": "OTH", "L": "COF", "N": "NCD", "I": "PATIENT INFO"}
ATTRIBUTES = {
    "loc": "location", "mor": "morphology", "dis": "distribution", "mea": "measurement",
    "was": "previous_measurement", "sev": "severity", "cmp": "comparison", "ons": "onset", "imp": "improved",
    "wor": "worsened", "noc": "no_change", "gon": "gone", "pla": "placement", "pst": "past_hx",
    "oth": "other_source", "lim": "assessment_limitations", "no": "denied_by", "may": "hedged_by",
}  # fmt: skip
LINKS = {"ev": "evidence", "as": "associate", "sa": "same_as"}
KINDS = frozenset(
    "technique comparison advice communication limits history demographics summary heading blank".split()
)
"""Why a sentence has no mention."""


class Quote(Struct, frozen=True):
    """Words of a sentence; more than one span where the quotation has a hole."""

    text: str
    spans: tuple[Span, ...]
    """Offsets into the sentence."""


def quotes_by_name(values: Iterable[tuple[str, Quote]]) -> dict[str, tuple[Quote, ...]]:
    """Attribute → all its values, in order."""
    found: dict[str, tuple[Quote, ...]] = {}
    for name, quote in values:
        found[name] = (*found.get(name, ()), quote)
    return found


class Mention(Struct, frozen=True):
    """One thing a sentence says of one noun."""

    id: str
    words: Quote
    positive: bool
    tentative: bool
    category: str
    attributes: dict[str, tuple[Quote, ...]]
    links: dict[str, tuple[str, ...]]
    """Kind of link to the ids of the mentions linked."""
    tag: str = ""
    """How the links of its own report call it."""
    group: str = ""
    """In patients' files: the finding it belongs to through time, and behind a full stop its episode."""
    alternatives: tuple["Mention", ...] = ()
    line: int = 0


class Addition(Struct, frozen=True):
    """What a sentence that only points back adds to an earlier mention."""

    to: str
    attributes: dict[str, tuple[Quote, ...]]


class CorpusSentence(Struct, frozen=True):
    """A sentence of the report, or a line of its layout when `section` is empty."""

    text: str
    section: str
    new_line: bool
    mentions: tuple[Mention, ...] = ()
    additions: tuple[Addition, ...] = ()
    kind: str = ""
    line: int = 0


class Annotated(Struct, frozen=True):
    """One annotated report."""

    id: str
    about: dict[str, str]
    """Modality, setting, style, writer; of a patient's report also `patient` and `day`."""
    sentences: tuple[CorpusSentence, ...]
    line: int = 0


class Complaint(Struct, frozen=True, order=True):
    """Something in a notation file that must be corrected."""

    file: str
    line: int
    problem: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.problem}"


class Laid(Struct, frozen=True):
    """A report as text."""

    text: str
    starts: tuple[int, ...]
    """Of each of the report's sentences and layout lines, in order."""

    told: list[tuple[int, CorpusSentence]]
    """The sentences that say something, each with its start."""


def lay_out(report: Annotated) -> Laid:
    """The text: exactly as written where the report has layout lines, else under the usual headings.

    >>> from overread.corpus.notation import parse_notation
    >>> [report], _ = parse_notation("# a\\nI Cough.\\n- cough +\\nF Clear lungs.\\n- lungs - ; mor=clear", "example")
    >>> lay_out(report).text, lay_out(report).starts
    ('INDICATION: Cough.\\n\\nFINDINGS: Clear lungs.\\n', (12, 30))
    """
    verbatim = any(not sentence.section for sentence in report.sentences)
    text, starts, before = "", [], None
    for sentence in report.sentences:
        same = before is not None and before.section == sentence.section
        gap = "\n" if sentence.new_line else " "
        if not same and verbatim:
            gap = "" if before is None else "\n"
        elif not same:  # a section that begins a new line begins below its heading
            gap = ("" if before is None else "\n\n") + f"{sentence.section.upper()}:{gap}"
        text += gap
        starts.append(len(text))
        text += sentence.text
        before = sentence
    every = zip(starts, report.sentences, strict=True)
    return Laid(text + "\n", tuple(starts), [(at, sentence) for at, sentence in every if sentence.section])
