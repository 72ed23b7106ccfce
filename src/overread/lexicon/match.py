"""Lexicon forms found in a text, in one pass whatever the size of the lexicon."""

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

from ahocorasick_rs import AhoCorasick

Row = TypeVar("Row")


class Match(NamedTuple, Generic[Row]):
    """Words `first` up to (not including) `last` are a form of every row in `rows`."""

    first: int
    last: int
    rows: tuple[Row, ...]


class Matcher(Generic[Row]):
    """Every form at once: an Aho–Corasick automaton over words with single spaces between them."""

    def __init__(self, forms: Iterable[tuple[str, Row]]) -> None:
        table: dict[str, list[Row]] = {}
        for form, row in forms:
            table.setdefault(form, []).append(row)
        self.rows = [tuple(rows) for rows in table.values()]
        self._automaton = AhoCorasick([f" {form} " for form in table])
        self.forms = table.keys()

    def find(self, words: Sequence[str]) -> list[Match[Row]]:
        """All matches, overlapping ones too, in order of their end.

        >>> m = Matcher([("pleural effusion", "E"), ("pleural", "L")])
        >>> [(x.first, x.last, x.rows) for x in m.find(["small", "pleural", "effusion"])]
        [(1, 2, ('L',)), (1, 3, ('E',))]
        """
        place, starts = 0, {}
        for index, form in enumerate(words):
            starts[place] = index
            place += len(form) + 1
        starts[place] = len(words)
        line, rows = f" {' '.join(words)} ", self.rows
        found = self._automaton.find_matches_as_indexes(line, overlapping=True)
        return [Match(starts[start], starts[end - 1], rows[pattern]) for pattern, start, end in found]
