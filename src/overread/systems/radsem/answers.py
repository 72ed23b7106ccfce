"""What a language model is asked for: a rewritten report, and a matching by numbers."""

from msgspec import Struct

from overread.systems.radsem.schema import Normality
from overread.systems.radsem.tags import Details, Relationship


class RewrittenSentence(Struct, frozen=True, forbid_unknown_fields=True):
    """One atomic sentence and the sentence of the report it comes from."""

    number: int
    text: str
    normality: Normality


class Rewritten(Struct, frozen=True, forbid_unknown_fields=True):
    """The findings section as atomic sentences."""

    area: list[str]
    type: str
    sentences: list[RewrittenSentence]


class Link(Struct, frozen=True, forbid_unknown_fields=True):
    """A pair of sentences by their numbers, with its labels."""

    ref: int
    gen: int
    anatomical_relationship: Relationship
    asserted_abnormality_relationship: Relationship | None
    negated_abnormality_relationship: Relationship | None
    details_of_abnormality_relationship: Details | None


class Matched(Struct, frozen=True, forbid_unknown_fields=True):
    """The pairs; every sentence that stands in none is without a partner."""

    pairs: list[Link]
