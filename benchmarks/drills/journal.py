"""What became of each drawn text, written as it is tried: a drill of hours may be stopped and goes on where it was."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from time import monotonic

from msgspec import DecodeError, Struct
from msgspec.json import decode, encode


class Tried(Struct, frozen=True):
    """One text that was tried."""

    number: int
    trouble: str | None
    cost: float
    """Seconds of a fragment, growth per character of a loop."""


class Journal:
    """A file with a line for each text; without a path nothing is kept."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path

    def known(self) -> dict[int, Tried]:
        if self.path is None or not self.path.exists():
            return {}
        return {one.number: one for one in map(read_line, self.path.read_bytes().splitlines()) if one}

    def through(
        self, numbers: Iterable[int], work: Callable[[int], Tried], seconds: float | None = None
    ) -> Iterator[Tried]:
        """Those known as they were, then new ones until the time is up."""
        known, end = self.known(), monotonic() + seconds if seconds else None
        for number in numbers:
            if number not in known and end is not None and monotonic() > end:
                return
            yield known[number] if number in known else self.noted(work(number))

    def noted(self, one: Tried) -> Tried:
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(encode(one) + b"\n")
        return one


def read_line(line: bytes) -> Tried | None:
    """A line that was cut by a kill counts as not written."""
    try:
        return decode(line, type=Tried)
    except DecodeError:
        return None
