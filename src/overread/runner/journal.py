"""What is finished, line by line, so that a run that was stopped goes on where it stopped."""

from collections.abc import Iterator
from pathlib import Path
from types import TracebackType

import msgspec

from overread.errors import BadInput
from overread.runner.scorer import Finished

NAME = "unfinished.jsonl"


class Journal:
    """A file of one line per finished unit, under the fingerprint of the run it belongs to.

    A process may be killed while it writes: what follows the last whole line is cut off on opening.
    """

    def __init__(self, path: Path, fingerprint: str, *, restart: bool = False) -> None:
        self.path = path
        self.done: dict[str, int] = {"report": 0, "patient": 0}
        """How many units of each kind are finished; units are finished in order."""

        if restart:
            path.unlink(missing_ok=True)
        if path.exists():
            self.open_again(fingerprint)
        self.file = path.open("ab")
        if self.file.tell() == 0:
            self.write(msgspec.json.encode({"fingerprint": fingerprint}))

    def open_again(self, fingerprint: str) -> None:
        whole = cut_to_whole_lines(self.path)
        if not whole:
            return
        with self.path.open("rb") as file:
            if msgspec.json.decode(file.readline()).get("fingerprint") != fingerprint:
                raise BadInput(
                    f"{self.path.parent} holds an unfinished run with other inputs or settings. Finish that "
                    "one, choose another folder with -o, or drop what it did with --restart."
                )
        for unit in self:
            self.done[unit.unit] += 1

    def add(self, finished: Finished) -> None:
        self.done[finished.unit] += 1
        self.write(msgspec.json.encode(finished))

    def write(self, line: bytes) -> None:
        self.file.write(line + b"\n")
        self.file.flush()

    def __iter__(self) -> Iterator[Finished]:
        """Everything finished, in order, one at a time."""
        decoder = msgspec.json.Decoder(Finished)
        with self.path.open("rb") as file:
            file.readline()
            for line in file:
                yield decoder.decode(line)

    def close(self) -> None:
        self.file.close()

    def remove(self) -> None:
        """The run is finished and its files are written."""
        self.close()
        self.path.unlink()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def cut_to_whole_lines(path: Path) -> int:
    """Drop a last line that was not written to its end; the length that is left."""
    with path.open("rb+") as file:
        size = file.seek(0, 2)
        while size:
            step = min(size, 1 << 16)
            file.seek(size - step)
            newline = file.read(step).rfind(b"\n")
            if newline >= 0:
                size = size - step + newline + 1
                break
            size -= step
        file.truncate(size)
        return size
