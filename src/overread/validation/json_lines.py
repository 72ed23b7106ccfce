"""Files of JSON lines that a question is asked of, read with an error that names the line."""

from pathlib import Path
from typing import TypeVar

import msgspec

from overread.errors import BadInput

T = TypeVar("T")


def load_lines(path: Path, kind: type[T], called: tuple[str, str], needs: str) -> list[T]:
    """Every line as one `kind`; `called` names the file's content, and one of it; `needs` what a line must hold."""
    many, one = called
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"Cannot read the {many} {path}: {error.strerror}.") from error
    found = [
        decoded(line, kind, f"{path.name}, line {n}", needs)
        for n, line in enumerate(lines, 1)
        if line.strip()
    ]
    if not found:
        raise BadInput(f"{path.name} holds no {one}; write one JSON line each.")
    return found


def decoded(line: bytes, kind: type[T], place: str, needs: str) -> T:
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise BadInput(f"{place}: {error}. A line needs {needs}.") from error
