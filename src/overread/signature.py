"""The settings string that stands beside every score, and the data behind it as one hash."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from overread.version import __version__

DECORATION = (
    "README.md", "py.typed", ".svg", ".css", ".js", ".j2", "cli/", "examples/", "pages/", "serve/",
    "weights/",
)  # fmt: skip
"""Shipped files that decide no number, by their end or as a folder; everything else does."""


def signature(name: str, **settings: str) -> str:
    """Name, settings in the order given, version.

    >>> signature("radsem", by="network", lexicon="9c1e").startswith("radsem|by:network|lexicon:9c1e|version:")
    True
    """
    return "|".join([name, *(f"{k}:{v}" for k, v in settings.items()), f"version:{__version__}"])


@cache
def data_hash(*folders: str) -> str:
    """Eight hex digits that change with every shipped table, grammar, prompt, definition and weight.

    Of the whole package, or of the folders named: word overlap is decided by `report` alone.
    """
    wanted = [one for one in shipped_files(files("overread")) if decides(one[0])]
    return hash_of((path, file) for path, file in wanted if not folders or path.startswith(folders))


def hash_of(found: Iterator[tuple[str, Traversable]]) -> str:
    """Eight hex digits of names and contents."""
    digest = sha256()
    for path, file in sorted(found, key=lambda one: one[0]):
        content = file.read_bytes()
        digest.update(f"{path}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()[:8]


def shipped_files(folder: Traversable, above: str = "") -> Iterator[tuple[str, Traversable]]:
    """Every file of a package that is not code, at any depth, with its path."""
    for item in folder.iterdir():
        if item.is_dir() and item.name != "__pycache__":
            yield from shipped_files(item, f"{above}{item.name}/")
        elif item.is_file() and not item.name.endswith((".py", ".pyc")):
            yield above + item.name, item


def decides(path: str) -> bool:
    """May this file change a number?

    >>> decides("lexicon/tables/cues.tsv"), decides("pages/templates/page.css"), decides("systems/clear/README.md")
    (True, False, False)
    """
    return not any(path.startswith(one) if one.endswith("/") else path.endswith(one) for one in DECORATION)
