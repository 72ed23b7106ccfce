"""Lexicon forms found in a text, in one pass whatever the size of the lexicon."""

from collections.abc import Iterable, Sequence
from typing import Generic, NamedTuple, Optional, TypeVar

from msgspec import Struct

Row = TypeVar("Row")


class Match(NamedTuple, Generic[Row]):
    """Words `first` up to (not including) `last` are a form of every row in `rows`."""

    first: int
    last: int
    rows: tuple[Row, ...]


class FormNode(Struct, Generic[Row], gc=False):
    """Words that a form begins with."""

    rows: tuple[Row, ...] = ()
    """Of the form that ends here, if one does."""

    longer: Optional[dict[str, "FormNode[Row]"]] = None  # noqa: UP045 — a string has no `|`
    """By the next word, where longer forms go on."""


Longer = dict[str, FormNode[Row]]
"""By the next word, where forms go on."""


class Matcher(Generic[Row]):
    """Every form at once: a tree of their words."""

    def __init__(self, forms: Iterable[tuple[str, Row]]) -> None:
        table: dict[str, list[Row]] = {}
        for form, row in forms:
            table.setdefault(form, []).append(row)
        self.forms = {form: tuple(rows) for form, rows in table.items()}
        self._first: dict[str, FormNode[Row]] = {}
        for form, rows in self.forms.items():
            self._plant(form.split(), rows)

    def _plant(self, words: list[str], rows: tuple[Row, ...]) -> None:
        *before, last = words
        here = self._first
        for word in before:
            node = here.setdefault(word, FormNode())
            node.longer = here = {} if node.longer is None else node.longer
        here.setdefault(last, FormNode()).rows = rows

    def find(self, words: Sequence[str]) -> list[Match[Row]]:
        """All matches, overlapping ones too, in order of their end.

        >>> m = Matcher([("pleural effusion", "E"), ("pleural", "L")])
        >>> [(x.first, x.last, x.rows) for x in m.find(["small", "pleural", "effusion"])]
        [(1, 2, ('L',)), (1, 3, ('E',))]
        """
        return sorted((Match(*span) for span in self.spans(words)), key=lambda m: m.last)

    def spans(self, words: Sequence[str]) -> list[tuple[int, int, tuple[Row, ...]]]:
        """The same as plain tuples and in order of their beginning, for loops that are run for every sentence."""
        found: list[tuple[int, int, tuple[Row, ...]]] = []
        begin, size = self._first.get, len(words)
        for first, word in enumerate(words):
            node, last = begin(word), first
            while node is not None:
                last += 1
                if node.rows:
                    found.append((first, last, node.rows))
                if node.longer is None or last == size:
                    break
                node = node.longer.get(words[last])
        return found

    def longer(self, word: str) -> Longer[Row] | None:
        """What may follow a word as part of a form."""
        node = self._first.get(word)
        return None if node is None else node.longer


def phrases(
    words: Sequence[str], longer: Iterable[Longer[Row] | None]
) -> list[tuple[int, int, tuple[Row, ...]]]:
    """The spans of two words and more, for who has asked what is `longer` than each word."""
    found: list[tuple[int, int, tuple[Row, ...]]] = []
    size = len(words)
    for first, here in enumerate(longer):
        if here is None:
            continue
        last = first + 1
        while here is not None and last < size:
            node = here.get(words[last])
            if node is None:
                break
            last += 1
            if node.rows:
                found.append((first, last, node.rows))
            here = node.longer
    return found
