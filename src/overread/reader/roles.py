"""What a stretch of words is taken for."""


class RoleName(str):
    """The word for a role, as `overread explain` prints it."""

    __slots__ = ()


class Role:
    """One per unit.

    No enum: Python 3.11 takes five times as long to find a member of one, and roles are compared for every word.
    """

    FINDING = RoleName("finding")
    STRUCTURE = RoleName("structure")
    PLACE = RoleName("place")
    ATTRIBUTE = RoleName("attribute")
    MEASURE = RoleName("measure")
    DURATION = RoleName("duration")
    DENIAL = RoleName("denial")
    NO_DENIAL = RoleName("no denial")
    HEDGE = RoleName("hedge")
    INNER_HEDGE = RoleName("hedge inside a noun phrase")
    LINK = RoleName("link")
    STOP = RoleName("end of scope")
    JOIN = RoleName("conjunction")
    PREPOSITION = RoleName("preposition")
    WITH = RoleName("with")
    RELATIVE = RoleName("relative")
    VERB = RoleName("verb")
    DETERMINER = RoleName("determiner")
    BLANK = RoleName("blank")
    WORD = RoleName("unknown word")
    MARK = RoleName("punctuation")


ANATOMY = frozenset({Role.PLACE, Role.STRUCTURE})
"""Words that name a part of the body."""

NOUNS = frozenset({Role.FINDING, Role.STRUCTURE, Role.PLACE})
"""Words that name a finding or a part of the body."""

DESCRIBING = frozenset({Role.ATTRIBUTE, Role.MEASURE, Role.DURATION})
"""Words that say how something is."""
