"""The word tables of this package: tab-separated, a header line, read once."""

from functools import cache
from importlib.resources import files


@cache
def word_table(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of `name`.tsv without its header.

    >>> word_table("headings")[0]
    ('addenda', 'addendum', 'caps')
    """
    text = (files("overread.report") / f"{name}.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return tuple(tuple(row) for row in rows if row[0])


@cache
def words_of_kind(kind: str) -> frozenset[str]:
    """The words of one kind in `words.tsv`.

    >>> "lungs" in words_of_kind("inside"), "lungs" in words_of_kind("view")
    (True, False)
    """
    return frozenset(word for word, its_kind in word_table("words") if its_kind == kind)
