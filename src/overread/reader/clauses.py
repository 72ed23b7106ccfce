"""Noun phrases of a sentence, and the words that stand between them."""

from collections.abc import Iterator

from overread.reader.mentions import Unit

IN_CHUNK = frozenset("ELSAMDBWh")
"""Tags that stay inside one noun phrase; everything else stands between phrases."""


class Chunk:
    """One noun phrase: `before` are the verbs, prepositions, cues and conjunctions since the last one."""

    __slots__ = ("before", "units")

    def __init__(self, before: list[Unit]) -> None:
        self.before = before
        self.units: list[Unit] = []

    def __repr__(self) -> str:
        return f"<{' '.join(map(repr, self.before))} | {' '.join(map(repr, self.units))}>"

    @property
    def findings(self) -> list[int]:
        """Places of the finding nouns."""
        return [i for i, u in enumerate(self.units) if u.tag == "E"]

    @property
    def structure(self) -> int | None:
        """Place of the last noun that names a structure, where no finding is named."""
        for i in range(len(self.units) - 1, -1, -1):
            if is_structure(self.units[i]):
                return i
        return None

    @property
    def named(self) -> bool:
        """Does it name a finding or a structure?"""
        return bool(self.findings) or self.structure is not None

    @property
    def joins(self) -> list[Unit]:
        """The conjunctions before it."""
        return [u for u in self.before if u.tag == "C" or u.form in ("and / or", "versus", "vs")]

    def has(self, tag: str) -> bool:
        return any(u.tag == tag for u in self.units)

    @property
    def empty(self) -> bool:
        return all(u.tag in "DB" for u in self.units)


def is_structure(unit: Unit) -> bool:
    """Can the unit be the subject of a sentence about anatomy?"""
    if unit.tag == "S":
        return True
    row = unit.row("locations") if unit.tag == "L" else None
    return row is not None and row.role in ("noun", "zone")


def chunks(units: list[Unit]) -> Iterator[Chunk]:
    """The noun phrases in order; the last may be empty and only carry what follows the sentence's last noun."""
    chunk = Chunk([])
    for unit in units:
        if unit.tag in IN_CHUNK:
            chunk.units.append(unit)
            continue
        if chunk.units:
            yield chunk
            chunk = Chunk([])
        chunk.before.append(unit)
    yield chunk
