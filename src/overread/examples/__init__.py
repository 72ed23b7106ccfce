"""The bundled example: invented reports, and three systems of different quality that wrote them anew."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path

REFERENCES = "references.jsonl"
SLICE = "slice.txt"
"""Reports in the notation of the corpus."""
SYSTEMS = ("steady", "fluent", "hasty")
"""The first paraphrases and rarely errs; the second copies the wording and reverses the meaning; the third is poor."""


@contextmanager
def folder() -> Iterator[Path]:
    """The example as files on disk, wherever the package is installed.

    >>> with folder() as place:
    ...     print(sorted(path.name for path in place.glob("*.jsonl")))
    ['fluent.jsonl', 'hasty.jsonl', 'hearing.jsonl', 'references.jsonl', 'steady.jsonl']
    """
    with as_file(files(__name__)) as place:
        yield place
