"""The ledger's view of a report: what it claims about the patient, one entry per finding, with its words."""

from typing import Literal

from msgspec import Struct

from overread.report.span import Span

Polarity = Literal["present", "absent", "normal"]
"""`normal`: a structure said to be normal, which denies whatever is at home there."""

Certainty = Literal["definite", "probable", "possible", "doubtful"]
Change = Literal["new", "worse", "same", "better", "gone"]
Position = Literal["good", "slightly", "bad"]


class Where(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One place: the part of the body, its side and the direction words beside it."""

    path: tuple[str, ...] = ()
    """From general to special, ending with the place itself: thorax, lung, upper-lobe."""

    side: str = "-"
    """left, right or -; a finding on both sides is two claims."""

    towards: frozenset[str] = frozenset()
    """upper, lower, anterior, distal …: words that tell two parts of one place apart."""


class Size(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A measurement as a number."""

    value: float
    """Largest dimension in millimetres, a volume in millilitres, or per cent."""

    unit: str
    """mm, ml or %."""


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

    statement: str
    """A short sentence that says it, for a judge of meaning."""

    told: str = ""
    """All that is said of it, in the report's own words, for people."""

    certainty: Certainty = "definite"
    where: tuple[Where, ...] = ()
    where_words: str = ""
    degree: int | None = None
    """1 minimal, 2 mild, 3 moderate, 4 large or marked, 5 severe."""

    degree_words: str = ""
    size: Size | None = None
    before: Size | None = None
    change: Change | None = None
    degrees: frozenset[int] = frozenset()
    """Every degree its mentions say."""

    changes: frozenset[Change] = frozenset()
    """Every change its mentions say."""

    acuity: Literal["old", "acute"] | None = None
    traits: frozenset[str] = frozenset()
    """Other descriptions: displaced, calcified, simple …"""

    position: Position | None = None
    """Of a device: does it end where it should?"""

    positions: frozenset[Position] = frozenset()
    """Every position its mentions say."""

    position_words: str = ""
    share: float = 1.0
    """1, or half for one side of a finding that is said of both."""

    many: bool = False
    """Said in the plural, or of several."""

    concept: str = ""
    """What the lexicon calls its words, whatever the place makes of it: `effacement` for cerebral edema."""

    sentence: str = ""
    """The whole sentence of its first mention, without the title of the examination."""

    sources: frozenset[str] = frozenset()
    """Ids of the findings it was read from."""

    evidence: frozenset[str] = frozenset()
    """Ids of the findings that the report gives as its signs: `opacities, consistent with edema`."""

    exam_side: str = "-"
    """left or right where only the title of the examination gives a side."""


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
    """One sentence of the report's findings or impression."""

    span: Span
    text: str
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

    def present(self) -> tuple[Claim, ...]:
        return tuple(c for c in self.claims if c.polarity == "present")

    def denials(self) -> tuple[Claim, ...]:
        return tuple(c for c in self.claims if c.polarity != "present")
