"""Negation and certainty: which cue is open, and what closes it."""

from overread.reader.clauses import Chunk
from overread.reader.mentions import Unit

ASSERTING = frozenset({"no_change", "improved", "worsened", "severity"})
"""An item of a list that brings one of these after a comma is a new statement, not one more thing denied."""

SHORT_LINKS = frozenset({"to suggest", "to indicate"})
"""`No opacity to suggest pneumonia` denies both; other links end the denial."""


class Scope:
    """The cues that are open at one place of a sentence."""

    __slots__ = ("deny", "hedge", "hedge_in_phrase", "link", "sources")

    def __init__(self) -> None:
        self.close()

    def close(self) -> None:
        self.deny: Unit | None = None
        self.hedge: Unit | None = None
        self.hedge_in_phrase: Unit | None = None
        self.link: Unit | None = None
        self.sources: list = []  # type: ignore[type-arg]

    def close_denial(self) -> None:
        self.deny = None


def list_goes_on(chunks: list[Chunk], at: int) -> bool:
    """Does the list that chunk `at` stands in end with `or`, `nor` or `and` further on?

    `No effusion, pneumothorax or mass` denies three things; `no effusion, stable cardiomegaly` one.
    """
    for chunk in chunks[at:]:
        forms = [u.form for u in chunk.before]
        if chunk is not chunks[at] and any(u.tag in "XVTNK" for u in chunk.before):
            return False
        if any(f in ("or", "nor", "and", "and / or") for f in forms):
            return True
    return False


def still_denied(chunks: list[Chunk], at: int) -> bool:
    """Does an open denial reach chunk `at`, across the conjunction before it?"""
    chunk = chunks[at]
    joins = [u.form for u in chunk.before if u.tag in "CH"]
    if "or" in joins or "nor" in joins or "and / or" in joins or not joins:
        return True
    asserts = any(
        u.tag == "A" and any(getattr(r, "table", "") in ASSERTING for r in u.rows) for u in chunk.units
    ) or any(u.form in ("a", "an") for u in chunk.units[:1])
    if "," in joins and "and" not in joins:
        return not asserts or list_goes_on(chunks, at)
    return not asserts
