"""The word tables of this package: tab-separated, a header line, read once."""

from functools import cache
from importlib.resources import files


@cache
def table(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of `name`.tsv without its header.

    >>> table("headings")[0]
    ('addenda', 'addendum', 'caps')
    """
    text = (files("overread.report") / f"{name}.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in text.splitlines()[1:])
    return tuple(tuple(row) for row in rows if row[0])


@cache
def words(kind: str) -> frozenset[str]:
    """The words of one kind in `words.tsv`.

    >>> "lungs" in words("inside"), "lungs" in words("view")
    (True, False)
    """
    return frozenset(word for word, its_kind in table("words") if its_kind == kind)
