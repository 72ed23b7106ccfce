"""weights.toml as values."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from overread.errors import UnknownName
from overread.systems.clear.schema import Condition


@cache
def constants() -> dict[str, Any]:
    """Everything in weights.toml."""
    return tomllib.loads((files("overread.systems.clear") / "weights.toml").read_text(encoding="utf-8"))


def top5(name: str = "paper") -> tuple[Condition, ...]:
    """The five conditions of a published list: `paper` or `released`.

    >>> top5()
    ('Pneumothorax', 'Pneumonia', 'Edema', 'Pleural Effusion', 'Consolidation')
    """
    lists = constants()["top5"]
    if name not in lists:
        raise UnknownName("top-5 list", name, lists)
    return tuple(lists[name]["conditions"])
