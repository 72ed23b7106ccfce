"""The published weights by name, as `published.toml` lists them."""

import tomllib
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct

from overread.errors import UnknownName

SETS = {
    "WEIGHTS": ("model.safetensors", "pytorch_model.bin"),
    "TOKENS": (
        *("tokenizer.json", "tokenizer_config.json", "vocab.txt", "special_tokens_map.json"),
        *("vocab.json", "merges.txt"),
    ),
}
"""`WEIGHTS`: the first that is there, numbers before pickled ones. `TOKENS`: all that are there."""


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """Files of one repository."""

    repository: str
    files: tuple[str, ...]
    optional: tuple[str, ...] = ()
    commit: str | None = None
    sha256: dict[str, str] = {}


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """One model of somebody else's, by the name we call it."""

    title: str
    paper: str
    """Which of the five papers scores with it, and where."""

    use: str
    parts: tuple[Part, ...]

    @property
    def hub(self) -> str:
        """The repository that holds the weights."""
        return self.parts[0].repository


@cache
def known() -> dict[str, Published]:
    """Every model that can be fetched."""
    table = tomllib.loads(files("overread.weights").joinpath("published.toml").read_text("utf-8"))
    return msgspec.convert(table, dict[str, Published])


def published(name: str) -> Published:
    """The model called `name`.

    >>> published("medcpt").hub
    'ncbi/MedCPT-Query-Encoder'
    """
    if name not in known():
        raise UnknownName("published model", name, known())
    return known()[name]
