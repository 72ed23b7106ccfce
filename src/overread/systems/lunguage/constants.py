"""weights.toml as values."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def published() -> dict[str, Any]:
    """Everything in weights.toml."""
    return tomllib.loads(files("overread.systems.lunguage").joinpath("weights.toml").read_text("utf-8"))


@cache
def attribute_weights() -> dict[str, float]:
    """Attribute → weight in the structural factor; status and certainty first.

    >>> list(attribute_weights().items())[:2]
    [('status', 0.5), ('certainty', 0.1)]
    """
    return {name: weight for name, weight in published()["structural"].items() if name != "where"}


def phrase_relations() -> list[str]:
    """Attributes whose words follow the entity in the semantic phrase, in order."""
    found: list[str] = published()["phrase"]["relations"]
    return found
