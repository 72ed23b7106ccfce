"""How medical words end, and what that says of them: `osteochondroma` is a mass, whoever has listed it."""

from functools import cache, lru_cache

from msgspec import Struct

from overread.lexicon.load import lines, table_text


class Ending(Struct, frozen=True):
    id: str
    forms: tuple[str, ...]
    """The ending, then its plurals."""

    means: str | None
    """The finding that the word names a kind of."""


@cache
def endings() -> tuple[Ending, ...]:
    """Every ending, longest first.

    >>> next(e for e in endings() if "omata" in e.forms).means
    'mass'
    """
    cells = (
        cell for _, cell in lines(table_text("endings"), "endings.tsv", ("id", "forms", "means", "source"))
    )
    found = [
        Ending(cell["id"], tuple(cell["forms"].split(",")), None if cell["means"] == "-" else cell["means"])
        for cell in cells
    ]
    return tuple(sorted(found, key=lambda one: -len(one.forms[0])))


@lru_cache(maxsize=4096)
def ending_of(word: str) -> Ending | None:
    """The ending that says what the word names.

    >>> ending_of("valvuloplasty").means
    'surgery'
    """
    return next((one for one in endings() if word.endswith(one.forms)), None)
