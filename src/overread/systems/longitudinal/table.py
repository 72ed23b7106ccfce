"""The tables of this system: tab-separated, a header line, read once."""

from functools import cache
from importlib.resources import files


@cache
def table(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of `name`.tsv without its header.

    >>> table("keywords")[0][0]
    'support devices'
    """
    text = (files("overread.systems.longitudinal") / f"{name}.tsv").read_text(encoding="utf-8")
    return tuple(tuple(line.split("\t")) for line in text.splitlines()[1:])
