"""The tables of a system's folder, read once: constants and sets of words of a .toml, rows of a .tsv."""

import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Self

from msgspec import Struct

from overread.errors import BadInput
from overread.lexicon.load import lines
from overread.reader import Attribute, Finding


def text_in(system: str, file: str) -> str:
    """The text of a file that a system brings."""
    return files(f"overread.systems.{system}").joinpath(file).read_text("utf-8")


def text_of_user(path: str, what: str) -> str:
    """The text of a file that a user brings; `what` it is stands in the error."""
    try:
        return Path(path).read_text("utf-8")
    except OSError as error:
        raise BadInput(f"Cannot read the {what} {path}: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise BadInput(f"The {what} {path} are not UTF-8 text; save the file as UTF-8.") from None


def facts_in(system: str, file: str) -> dict[str, Any]:
    """What a .toml that a system brings says."""
    return tomllib.loads(text_in(system, file))


@cache
def constants(system: str) -> dict[str, Any]:
    """Everything in its weights.toml.

    >>> constants("longitudinal")["seconds_per_sentence"]["systems"]["Qwen2.5-32B"]
    2.07
    """
    return facts_in(system, "weights.toml")


def word_sets(system: str) -> dict[str, frozenset[str]]:
    """Every list of its words.toml: words between spaces, or one by one where some are two.

    >>> sorted(word_sets("longitudinal")["equipment"])
    ['device', 'procedure']
    """
    told = facts_in(system, "words.toml").items()
    return {name: frozenset(one.split() if isinstance(one, str) else one) for name, one in told}


@cache
def records(system: str, name: str) -> tuple[dict[str, str], ...]:
    """The rows of its table `name`.tsv, by column."""
    file = f"{name}.tsv"
    return tuple(cells for _, cells in lines(text_in(system, file), file, ()))


def row_tuples(system: str, name: str) -> tuple[tuple[str, ...], ...]:
    """The same without the header.

    >>> row_tuples("longitudinal", "keywords")[0][0]
    'support devices'
    """
    return tuple(tuple(cells.values()) for cells in records(system, name))


@cache
def lookup(system: str, name: str) -> dict[str, str]:
    """The first column of a table → its second.

    >>> lookup("lunguage", "zones")["lower-lobe"]
    'lower'
    """
    return {key: meaning for key, meaning, *_ in row_tuples(system, name)}


class Wanted(Struct, frozen=True, forbid_unknown_fields=True):
    """What a row wants of a finding, `relation=value,value`: has it such an attribute?

    >>> [(test.relation, sorted(test.values)) for test in Wanted.read("location=rib & morphology=old,healed", " & ")]
    [('location', ['rib']), ('morphology', ['healed', 'old'])]
    """

    relation: str
    values: frozenset[str]
    """Concepts of the attribute, or categories above them: one is enough; `*`: any attribute of the relation."""

    @classmethod
    def read(cls, cell: str, between: str) -> tuple[Self, ...]:
        """All tests of a cell; `-` is none."""
        parts = [] if cell == "-" else [part.split("=", 1) for part in cell.split(between)]
        return tuple(cls(relation, frozenset(values.split(","))) for relation, values in parts)

    def holds(self, finding: Finding) -> bool:
        found = finding.values(self.relation)
        return any("*" in self.values or self.values & names_of(a) for a in found)


def names_of(attribute: Attribute) -> set[str]:
    """The concept of an attribute and what it is part of; of every place where it names several."""
    places = {name for p in attribute.places for name in (p.concept, *p.path)}
    return {attribute.concept, *attribute.path} | places
