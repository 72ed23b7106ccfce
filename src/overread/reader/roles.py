"""What a stretch of words is taken for."""

from enum import StrEnum


class Role(StrEnum):
    """One per unit; the value is the word for it that `overread explain` prints."""

    FINDING = "finding"
    STRUCTURE = "structure"
    PLACE = "place"
    ATTRIBUTE = "attribute"
    MEASURE = "measure"
    DURATION = "duration"
    DENIAL = "denial"
    NO_DENIAL = "no denial"
    HEDGE = "hedge"
    INNER_HEDGE = "hedge inside a noun phrase"
    LINK = "link"
    STOP = "end of scope"
    JOIN = "conjunction"
    PREPOSITION = "preposition"
    WITH = "with"
    RELATIVE = "relative"
    VERB = "verb"
    DETERMINER = "determiner"
    BLANK = "blank"
    WORD = "unknown word"
    MARK = "punctuation"

    __hash__ = str.__hash__  # an enum's own is computed in Python, and roles are looked up for every word


ANATOMY = frozenset({Role.PLACE, Role.STRUCTURE})
"""Words that name a part of the body."""

NOUNS = frozenset({Role.FINDING, Role.STRUCTURE, Role.PLACE})
"""Words that name a finding or a part of the body."""

DESCRIBING = frozenset({Role.ATTRIBUTE, Role.MEASURE, Role.DURATION})
"""Words that say how something is."""
