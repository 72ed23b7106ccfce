"""Lexicon forms found in a text, in one pass whatever the size of the lexicon."""

from collections.abc import Iterable, Sequence
from itertools import accumulate
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
        return [Match(first, last, rows) for first, last, rows in self.spans(words)]

    def spans(self, words: Sequence[str]) -> list[tuple[int, int, tuple[Row, ...]]]:
        """The same as plain tuples, for loops that are run for every sentence."""
        starts = dict(
            zip(accumulate([len(w) + 1 for w in words], initial=0), range(len(words) + 1), strict=True)
        )
        rows = self.rows
        found = self._automaton.find_matches_as_indexes(f" {' '.join(words)} ", overlapping=True)
        return [(starts[start], starts[end - 1], rows[pattern]) for pattern, start, end in found]
