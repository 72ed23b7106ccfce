"""Lexicon forms found in a text, in one pass whatever the size of the lexicon."""

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, TypeVar

AnyRow = TypeVar("AnyRow")


class Match(NamedTuple, Generic[AnyRow]):
    """Words `first` up to (not including) `last` are a form of every row in `rows`."""

    first: int
    last: int
    rows: tuple[AnyRow, ...]


class Matcher(Generic[AnyRow]):
    """Every form at once, by its words."""

    def __init__(self, forms: Iterable[tuple[str, AnyRow]]) -> None:
        table: dict[str, list[AnyRow]] = {}
        for form, row in forms:
            table.setdefault(form, []).append(row)
        self.forms = {form: tuple(rows) for form, rows in table.items()}
        self._most: dict[str, int] = {}
        """First word → words of the longest form that begins with it."""
        for form in self.forms:
            first, *more = form.split()
            self._most[first] = max(self._most.get(first, 0), 1 + len(more))

    def find(self, words: Sequence[str]) -> list[Match[AnyRow]]:
        """All matches, overlapping ones too, in order of their end.

        >>> m = Matcher([("pleural effusion", "E"), ("pleural", "L")])
        >>> [(x.first, x.last, x.rows) for x in m.find(["small", "pleural", "effusion"])]
        [(1, 2, ('L',)), (1, 3, ('E',))]
        """
        return sorted((Match(*span) for span in self.spans(words)), key=lambda m: m.last)

    def spans(self, words: Sequence[str]) -> list[tuple[int, int, tuple[AnyRow, ...]]]:
        """The same as plain tuples and in order of their beginning, for loops that are run for every sentence."""
        found: list[tuple[int, int, tuple[AnyRow, ...]]] = []
        for first, word in enumerate(words):
            for last in range(first + 1, min(first + self._most.get(word, 0), len(words)) + 1):
                if rows := self.forms.get(" ".join(words[first:last])):
                    found.append((first, last, rows))
        return found
