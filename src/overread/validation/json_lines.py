"""Files of JSON lines that a question is asked of, read with an error that names the line."""

from pathlib import Path
from typing import Protocol, TypeVar

import msgspec

from overread.errors import BadInput
from overread.sources.encoding import reading


class Identified(Protocol):
    @property
    def id(self) -> str: ...


T = TypeVar("T")
One = TypeVar("One", bound=Identified)


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


def lines_by_id(path: Path, kind: type[One], shape: str) -> dict[str, One]:
    """One `kind` a line, each id once; errors name the line and never quote it, for it holds report text."""
    with reading(path):
        content = path.read_bytes().splitlines()
    found: dict[str, One] = {}
    for number, line in enumerate(content, 1):
        if not line.strip():
            continue
        one = unquoted(line, kind, f"{path}, line {number}", shape)
        if one.id in found:
            raise BadInput(
                f"{path}, line {number}: report {one.id!r} stands twice; keep one line per report."
            )
        found[one.id] = one
    if not found:
        raise BadInput(f"{path} holds no line. Give one annotated report a line.")
    return found


def unquoted(line: bytes, kind: type[T], place: str, shape: str) -> T:
    """The line decoded; what is wrong is told by its path in the line, not by its words."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        where = str(error).rsplit(" - at ", 1)[-1] if " - at " in str(error) else "the line"
        raise BadInput(f"{place}: {where} {shape}") from None
