"""Which attribute belongs to which finding: drafts of findings and what is hung on them."""

from collections.abc import Sequence

from msgspec import Struct

from overread.lexicon.endings import ending_of
from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.meanings import Cue
from overread.lexicon.words import BLANK
from overread.reader.places import Run, place_side
from overread.reader.reading import Evidence
from overread.reader.units import Unit
from overread.report.span import Span

RELATIONS = (
    "location", "morphology", "distribution", "measurement", "severity", "comparison", "onset", "improved",
    "worsened", "no_change", "placement", "past_hx", "other_source", "assessment_limitations",
)  # fmt: skip
CHANGES = frozenset({"improved", "worsened", "no_change"})
NORMAL = frozenset(
    {
        "normal",
        "unremarkable",
        "upper-normal",
        "lower-normal",
        "without-abnormality",
        "not-enlarged",
        "preserved",
    }
)

EVEN = frozenset({"smooth", "homogeneous"})
"""As an organ should be; of a lesion they only tell how it looks."""

PLAIN = {"improved": "improved", "worsened": "worse", "no_change": "unchanged", "onset": "new"}
"""The plain word for a change, where the text tells it in others."""

STANDS_FOR = "stands-for"
"""The rule by which `one` or `that` is read as the noun before it."""

BACK_TO_NORMAL = frozenset({"cleared", "normalized"})


class Held(Struct, eq=False, gc=False):
    """An attribute on its way to a finding."""

    relation: str
    row: Row | None
    start: int
    end: int
    unit: Unit
    runs: Sequence[Run] = ()
    """A place's words; several runs when places are coordinated."""

    by: str = ""
    """Who says so, where it is not the row: the network, whose probability stands in the trace."""

    @property
    def normal(self) -> bool:
        """Does it say that a structure is as it should be?"""
        row = self.row
        if row is None:
            return False
        if self.relation == "location":
            return row.concept == "midline"  # the trachea is midline
        if self.relation == "improved":
            return row.concept in BACK_TO_NORMAL  # the right lung is now clear
        if self.relation in ("morphology", "distribution") and row.concept in EVEN:
            return True
        return row.path[:2] == ("condition", "normal") or (
            self.relation == "measurement" and row.concept in NORMAL
        )

    @property
    def abnormal(self) -> bool:
        """Does it say that a structure is not as it should be?"""
        if self.relation in ("morphology", "measurement", "severity", "comparison", "distribution"):
            return not self.normal and not (self.row is not None and self.row.path[:1] == ("quantity",))
        return self.relation in ("worsened", "improved") and not self.normal


NEAR = 40
"""Characters between a noun nobody knows and what is said of it."""

OF_AN_ORGAN = frozenset({"measurement", "morphology"})


class Draft:
    """A finding while its sentence is being read."""

    __slots__ = (
        "associate", "concept", "drawn", "end", "entity", "evidence", "hedge", "held", "join", "kind", "lent",
        "negated", "own", "site", "start", "trace", "unit", "used",
    )  # fmt: skip

    def __init__(
        self, unit: Unit, entity: str, start: int, end: int, concept: str | None, kind: str, rule: str
    ) -> None:
        self.unit = unit
        self.entity = entity
        self.start = start
        self.end = end
        self.concept = concept
        self.kind = kind
        self.join = ""
        """What joins it to the finding before: a conjunction, or nothing."""
        self.site: str | None = None
        """Place named inside the entity: `bony` abnormality."""
        self.held: list[Held] = []
        self.negated: str | None = None
        """None, `absent` or `absent-likely`."""
        self.hedge: str | None = None
        """None, `probable` or `possible`."""
        self.associate: tuple[Draft, ...] = ()
        self.evidence: tuple[Draft, ...] = ()
        self.trace = [Evidence(Span(start, end), rule)]
        self.drawn = False
        """Named by words that draw it from the sentence before."""
        self.used = False
        """A structure that turned out to be the place of another finding."""
        self.own = False
        """Has modifiers of its own, so it borrows none from a neighbour."""
        self.lent: tuple[Held, ...] = ()
        """Places of the finding it is joined to."""

    def __repr__(self) -> str:
        return f"{self.entity}{'-' if self.negated else '+'}{[(h.relation, h.unit.form) for h in self.held]}"

    def once_more(self) -> "Draft":
        """The same noun again, of which nothing is said yet."""
        return Draft(
            self.unit, self.entity, self.start, self.end, self.concept, self.kind, self.trace[0].rule
        )

    @property
    def is_structure(self) -> bool:
        return self.kind == "structure"

    @property
    def is_normal(self) -> bool:
        """Is it a structure that is as it should be? So is what nobody knows, if that is said behind it."""
        if self.kind == "open":
            behind = [h for h in self.held if 0 <= h.start - self.end < NEAR and h.relation in OF_AN_ORGAN]
            return any(h.normal and h.row is not None and h.row.concept != "benign" for h in behind)
        return self.is_structure and any(h.normal for h in self.held)

    def add(self, held: Held) -> None:
        for known in self.held:
            if known.relation == held.relation and known.start == held.start:
                return
        self.held.append(held)

    @property
    def denied(self) -> bool:
        return self.negated is not None

    @property
    def denial(self) -> Evidence | None:
        """The last words that denied it."""
        for words in reversed(self.trace):
            if words.note == "denied":
                return words
        return None

    @property
    def sides(self) -> set[str]:
        """The sides that its places name: left, right, both."""
        return {place_side(run) for h in self.held for run in h.runs} - {"-"}

    @property
    def place_words(self) -> list[Unit]:
        """The words of its own places: `right` of the right kidney."""
        return [u for h in self.held if h.relation == "location" for run in h.runs for u in run]

    @property
    def asserted(self) -> bool:
        """Does it say that something is there, or is not as it should be?"""
        return self.negated is None and (self.kind != "structure" or any(h.abnormal for h in self.held))

    @property
    def as_ever(self) -> bool:
        """Is it a structure that is only said to be normal, or as before? Nothing rests on that."""
        told = [h for h in self.held if h.relation != "location"]
        return self.is_structure and bool(told) and all(h.normal or h.relation == "no_change" for h in told)

    @property
    def untelling(self) -> bool:
        """Does nothing rest on it: a structure that is as ever, or of which only is said how badly it is seen?"""
        told = [h for h in self.held if h.relation != "location"]
        unseen = all(h.relation == "assessment_limitations" and "obscur" not in h.unit.form for h in told)
        return self.as_ever or (self.is_structure and bool(told) and unseen)

    def has(self, *relations: str) -> bool:
        return any(h.relation in relations for h in self.held)

    @property
    def speaks(self) -> bool:
        """A structure is a finding only when something is said of it."""
        for held in self.held:
            if held.relation != "location" or held.normal:
                return True
        return self.hedge is not None or bool(self.evidence or (self.associate and self.held))

    def deny(self, unit: Unit, sense: str | None = None) -> None:
        """`sense` where the words are no denial elsewhere and the cue has none."""
        cue = unit.cue
        self.negated = sense or cue.sense
        self.trace.append(Evidence(Span(unit.start, unit.end), cue.id, "denied"))

    def doubt(self, unit: Unit) -> None:
        cue = next(r for r in unit.rows if isinstance(r, Cue) and r.kind == "hedge")
        if self.hedge != "possible":
            self.hedge = cue.sense
        self.trace.append(Evidence(Span(unit.start, unit.end), cue.id, "hedged"))

    def linked(self, others: "list[Draft]", unit: Unit | None = None, supports: bool = False) -> None:
        for other in others:
            if other is self:
                continue
            if other not in self.associate:
                self.associate += (other,)
            if self not in other.associate:
                other.associate += (self,)
            if supports and other not in self.evidence:
                self.evidence += (other,)
        if unit is not None and others:
            rule = next((r.id for r in unit.rows if isinstance(r, Cue)), "apposition")
            self.trace.append(Evidence(Span(unit.start, unit.end), rule, "linked"))


def relation_of(unit: Unit, draft: "Draft | None", compared: bool) -> Held | None:
    """The relation an ambiguous word has to this finding, from what the finding is and what the sentence compares."""
    rows = {r.table: r for r in unit.rows if isinstance(r, Row)}
    rows.pop("findings", None)
    if not rows:
        return None
    name = next(iter(rows)) if len(rows) == 1 else choose_relation(rows, draft, compared)
    if name == "locations":
        return Held("location", rows[name], unit.start, unit.end, unit)
    turned = AIR.get(name, name) if draft is not None and draft.concept == "lung-volumes" else name
    by_size = rows[name].concept in ("increased", "decreased")
    return Held(turned if by_size else name, rows[name], unit.start, unit.end, unit)


AIR = {"improved": "worsened", "worsened": "improved"}
"""Less air in the lungs is worse, more of it better."""


def choose_relation(rows: dict[str, Row], draft: Draft | None, compared: bool) -> str:
    """One table out of several that know the word."""
    kind = draft.kind if draft else "finding"
    if "morphology" in rows and rows["morphology"].concept == "intact":
        return "morphology"
    if kind in ("device", "procedure"):
        for name in ("placement", "no_change", "past_hx", "measurement", "morphology"):
            if name in rows:
                return name
    if (
        "worsened" in rows and "measurement" in rows
    ):  # increased markings describe; increased effusion compares
        return "worsened" if compared or not describes(draft) else "measurement"
    if "improved" in rows and "measurement" in rows:
        return "improved" if compared or not describes(draft) else "measurement"
    if "severity" in rows and "measurement" in rows:
        return "measurement" if kind == "structure" else "severity"
    if "distribution" in rows and "locations" in rows:
        return "distribution"
    order = ("no_change", "worsened", "improved", "onset", "morphology", "distribution", "severity", "measurement",
             "locations", "past_hx", "comparison", "other_source", "assessment_limitations", "placement")  # fmt: skip
    return next(name for name in order if name in rows)


STATES = ("sounds", "curvature", "cuffing", "tortuosity", "markings", "lucency", "prominence", "opacity", "density",
          "haziness", "kyphosis", "attenuation", "signal", "intensity", "echogenicity", "enhancement", "uptake",
          "radiolucency", "vascularity")  # fmt: skip
"""Nouns that `increased` describes when nothing is compared; a plural such as `opacities` is compared."""


def describes(draft: Draft | None) -> bool:
    """Is `increased` said of it a state of this picture: a structure, markings, a lucency?"""
    return draft is not None and (draft.is_structure or draft.entity.lower().endswith(STATES))


def concept_of(unit: Unit, lexicon: Lexicon) -> tuple[str | None, str, str]:
    """(concept, kind, row id) of a unit that heads a phrase."""
    row = unit.tables.get("findings")
    if row is not None:
        return row.concept, lexicon.concepts[row.concept].kind, row.id
    place = unit.row("locations")
    if place is not None:
        return place.concept, "structure", place.id
    if unit.form == BLANK:
        return "device", "device", "blank-device"
    ending = ending_of(unit.form)
    if ending is not None and ending.means == "surgery":
        return ending.means, "procedure", ending.id
    return None, "open", "open-vocabulary"
