"""What is finished, line by line, so that a run that was stopped goes on where it stopped.

A line is a checksum and one finished unit. The checksum is keyed by the fingerprint of the run, so that a line that was
edited, cut or taken from another run is known for what it is; the units of such lines, and of lines that are gone, are
done again.
"""

import os
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from time import monotonic

import msgspec

from overread.errors import BadInput
from overread.runner.results.rows import Unit
from overread.runner.run.scorer import Finished
from overread.whole import file_mode, writing

SYNC_LINES, SYNC_SECONDS = 64, 2.0
"""A power cut loses at most so many finished units, or those of so many seconds; a kill loses none."""

decode = msgspec.json.Decoder(Finished).decode
BINARY = getattr(os, "O_BINARY", 0)  # Windows would write two bytes for a line's end


class Journal:
    """A file of one line per finished unit, under the fingerprint of the run it belongs to."""

    def __init__(
        self, path: Path, fingerprint: str, *, restart: bool = False, keep_failures: bool = False
    ) -> None:
        self.path = path
        self.key = fingerprint.encode()[:64]
        self.keep_failures = keep_failures
        self.starts: dict[Unit, dict[int, int]] = {"report": {}, "patient": {}}
        """Where in the file the latest line of each unit begins."""

        self.failed: dict[Unit, set[int]] = {"report": set(), "patient": set()}
        """Units with a failed row, which are to be asked again."""

        self.damaged: list[int] = []
        """Lines that are not as they were written, from 1."""

        self.size, self.unsynced, self.synced = 0, 0, monotonic()
        if restart:
            path.unlink(missing_ok=True)
        if path.exists():
            self.open_again()
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | BINARY, file_mode())
        os.ftruncate(self.file, self.size)

    def open_again(self) -> None:
        """Find every line that is good; the last one, when it was not written to its end, is cut off."""
        with self.path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if not line.endswith(b"\n"):
                    break
                content = self.content(line)
                if content is None:
                    self.damaged.append(number)
                else:
                    self.note(decode(content), self.size)
                self.size += len(line)
        if self.damaged and self.empty:
            raise BadInput(
                f"{self.path.parent} holds an unfinished run with other inputs or settings. Finish that one, choose "
                "another folder with -o, or discard it with --restart."
            )

    def done(self, unit: Unit, number: int) -> bool:
        return number in self.starts[unit] and (self.keep_failures or number not in self.failed[unit])

    def count(self, unit: Unit) -> int:
        """How many units of a kind need not be done again."""
        return len(self.starts[unit]) - (0 if self.keep_failures else len(self.failed[unit]))

    @property
    def empty(self) -> bool:
        """Is nothing finished in it?"""
        return not any(self.starts.values())

    def add(self, finished: Finished) -> None:
        start, content = self.size, msgspec.json.encode(finished)
        self.write(b"%s %s\n" % (self.checksum(content), content))
        self.note(finished, start)

    def note(self, finished: Finished, start: int) -> None:
        self.starts[finished.unit][finished.number] = start
        failed = any(row.failed is not None for row in finished.rows)
        (self.failed[finished.unit].add if failed else self.failed[finished.unit].discard)(finished.number)

    def write(self, line: bytes) -> None:
        """One more line, whole or not at all."""
        with writing(self.path.parent):
            try:
                write_all(self.file, line, self.size)
            except OSError:
                os.ftruncate(self.file, self.size)
                raise
            self.size, self.unsynced = self.size + len(line), self.unsynced + 1
            if self.unsynced >= SYNC_LINES or monotonic() - self.synced > SYNC_SECONDS:
                os.fsync(self.file)
                self.unsynced, self.synced = 0, monotonic()

    def checksum(self, content: bytes) -> bytes:
        return blake2b(content, digest_size=8, key=self.key).hexdigest().encode()

    def content(self, line: bytes) -> bytes | None:
        """What a line holds; None when it is not as it was written."""
        checksum, _, content = line.removesuffix(b"\n").partition(b" ")
        return content if checksum == self.checksum(content) else None

    def __iter__(self) -> Iterator[Finished]:
        """Everything finished, reports before patients and each in order, one at a time."""
        with self.path.open("rb") as file:
            for starts in self.starts.values():
                for _, start in sorted(starts.items()):
                    file.seek(start)
                    yield decode(self.content(file.readline()) or b"")

    def finish(self) -> None:
        """The run is finished and its files are written; what failed is kept to be asked again."""
        self.close()
        if not any(self.failed.values()):
            self.path.unlink()

    def close(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def write_all(file: int, line: bytes, at: int) -> None:
    """Write at a place, however many pieces the system takes it in."""
    left = memoryview(line)
    while left:
        os.lseek(file, at, os.SEEK_SET)
        count = os.write(file, left)
        left, at = left[count:], at + count
