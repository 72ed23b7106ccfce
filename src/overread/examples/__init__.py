"""The bundled example: invented reports, and two systems of different quality that wrote them anew."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

REFERENCES = "references.jsonl"
SYSTEMS = ("steady", "hasty")
"""The first paraphrases and rarely errs; the second flips, drops, swaps sides and invents comparisons."""


@contextmanager
def folder() -> Iterator[Path]:
    """The example as files on disk, wherever the package is installed.

    >>> with folder() as place:
    ...     print(sorted(path.name for path in place.glob("*.jsonl")))
    ['hasty.jsonl', 'references.jsonl', 'steady.jsonl']
    """
    with as_file(files(__name__)) as place:
        yield place
