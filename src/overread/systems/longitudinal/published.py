"""weights.toml as values."""

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def published() -> dict[str, Any]:
    """Everything in weights.toml.

    >>> published()["seconds_per_sentence"]["systems"]["Qwen2.5-32B"]
    2.07
    """
    return tomllib.loads((files("overread.systems.longitudinal") / "weights.toml").read_text("utf-8"))
