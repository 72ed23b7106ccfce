"""Hashes of files, folders and of this package itself."""

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path

from overread.signature import data_hash


@cache
def code_hash() -> str:
    """Of this package's own code and data: whoever changes a rule must not be shown what the old one gave."""
    digest = sha256()
    for file in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest() + data_hash()


def hashed(path: Path) -> str:
    """SHA-256 of a file, as `sha256sum` prints it; of a folder's names and contents together."""
    digest = sha256()
    for file in files_of(path):
        if path.is_dir():
            digest.update(file.relative_to(path).as_posix().encode() + b"\0")
        with file.open("rb") as opened:
            while block := opened.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def files_of(path: Path) -> Iterable[Path]:
    return sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else (path,)
