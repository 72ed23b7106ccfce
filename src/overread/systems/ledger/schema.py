"""The ledger's view of a report: what it claims about the patient, one entry per finding, with its words."""

from typing import Literal

from msgspec import Struct

from overread.lexicon.words import split
from overread.report.span import Span

Polarity = Literal["present", "absent", "normal"]
"""`normal`: a structure said to be normal, which denies whatever is at home there."""

Change = Literal["new", "worse", "same", "better", "gone"]
Position = Literal["good", "slightly", "bad"]


class Claim(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One thing a report claims, however often it says it."""

    name: str
    """What: a row of `names.tsv`, a lexicon concept, or `?words` for a name nobody has listed."""

    words: str
    """What it is called in the report."""

    kind: str
    """finding, device, structure or general (`no acute process`)."""

    polarity: Polarity
    spans: tuple[Span, ...]
    """Every mention of it, in order."""

    phrases: tuple[Span, ...] = ()
    """From the first to the last word that is said of each mention in its sentence."""

    statement: str = ""
    """A short sentence that says it, for a judge of meaning."""

    told: str = ""
    """All that is said of it, in the report's own words, for people."""

    places: tuple[str, ...] = ()
    """Every place it is said to be in, with all that place is part of: thorax, lung, upper-lobe."""

    side: str = "-"
    """left, right, both or -."""

    where_words: str = ""
    degree: int | None = None
    """1 minimal, 2 mild, 3 moderate, 4 large or marked, 5 severe."""

    change: Change | None = None
    acuity: Literal["old", "acute"] | None = None
    traits: tuple[str, ...] = ()
    """Other descriptions: displaced, calcified, simple …"""

    position: Position | None = None
    """Of a device: does it end where it should?"""


class Advice(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One recommendation."""

    text: str
    span: Span
    actions: frozenset[str]
    """What is asked for: ct, mri, follow-up, biopsy …"""


class Context(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What is known of the patient before the film is read."""

    age: float | None = None
    circumstances: frozenset[str] = frozenset()
    """infection, trauma, cancer …, read off the indication."""

    asked: frozenset[str] = frozenset()
    """Names of findings the indication asks about."""


class Sentence(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One sentence of the report's findings or impression, without the title of the examination before it."""

    span: Span
    text: str
    """As it stands in the report, letter by letter."""

    states: bool = True
    """Does it state something of the patient? Advice and technique do not."""

    denies: bool = False
    """Does it say that something is normal or absent?"""


class Account(Struct, frozen=True, forbid_unknown_fields=True):
    """All that one report claims."""

    id: str
    claims: tuple[Claim, ...]
    sentences: tuple[Sentence, ...] = ()
    advice: tuple[Advice, ...] = ()
    context: Context = Context()
    repeated: tuple[tuple[Span, str], ...] = ()
    """Sentences that stand in the same section before, word for word, and those words in lower case."""

    empty: bool = False
    """Does it say nothing at all about the patient?"""

    def sentence_at(self, span: Span) -> Sentence | None:
        """The sentence that it begins in."""
        return next((s for s in self.sentences if s.span.start <= span.start < s.span.end), None)

    def quote(self, span: Span) -> str:
        """Words of one of its sentences, in one line."""
        one = self.sentence_at(span)
        text = "" if one is None else one.text[span.start - one.span.start : span.end - one.span.start]
        return " ".join(text.split()).rstrip(" .;,")

    def words(self, span: Span) -> list[Span]:
        """Each word of one of its sentences."""
        if (one := self.sentence_at(span)) is None:
            return []
        start = one.span.start
        spans = (Span(start + w.start, start + w.end) for w in split(one.text))
        return [s for s in spans if s.overlaps(span)]

    def present(self) -> tuple[Claim, ...]:
        return tuple(c for c in self.claims if c.polarity == "present")

    def denials(self) -> tuple[Claim, ...]:
        return tuple(c for c in self.claims if c.polarity != "present")
