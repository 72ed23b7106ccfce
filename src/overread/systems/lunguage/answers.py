"""What a language model is asked for: the findings of a section, the groups of a patient."""

from typing import Literal

from msgspec import Struct

from overread.systems.lunguage.schema import Category, Relation


class Said(Struct, frozen=True, forbid_unknown_fields=True):
    """Words of one relation, quoted."""

    relation: Relation
    words: list[str]


class SaidFinding(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing the sentences speak of."""

    number: int
    sentences: list[int]
    entity: str
    category: Category
    status: Literal["positive", "negative"]
    certainty: Literal["definitive", "tentative"]
    attributes: list[Said]
    associate: list[int]
    evidence: list[int]


class SectionFindings(Struct, frozen=True, forbid_unknown_fields=True):
    """All of one section."""

    findings: list[SaidFinding]


class Term(Struct, frozen=True, forbid_unknown_fields=True):
    """A phrase of the report under its index."""

    ent_idx: int
    text: str
    sent_idx: int


class Subject(Struct, frozen=True, forbid_unknown_fields=True):
    """A term that is a clinical thing of its own."""

    ent_idx: int
    cat: Category
    dx_status: Literal["positive", "negative"]
    dx_certainty: Literal["definitive", "tentative"]


class IndexedRelation(Struct, frozen=True, forbid_unknown_fields=True):
    """From a subject to a phrase about it, or to another subject."""

    subject_ent: int
    relation: Relation | Literal["associate", "evidence"]
    obj_ent_idx: int
    sent_idx: int


class ReportRelations(Struct, frozen=True, forbid_unknown_fields=True):
    """All of one report, by index."""

    terms: list[Term]
    subjects: list[Subject]
    relations: list[IndexedRelation]


class SaidEpisode(Struct, frozen=True, forbid_unknown_fields=True):
    """The days of one run."""

    days: list[float]


class SaidGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """One finding through time."""

    name: str
    members: list[int]
    episodes: list[SaidEpisode]
    rationale: str = ""
    """Why these belong together, in a sentence."""


class Grouping(Struct, frozen=True, forbid_unknown_fields=True):
    """All of one patient."""

    groups: list[SaidGroup]
