"""What is finished, line by line, so that a run that was stopped goes on where it stopped.

A line is its number, a checksum and one finished unit. The checksum is keyed by the fingerprint of the run, so that
a line that was edited, cut, doubled, moved or taken from another run is known for what it is; the units of such
lines, and of lines that are gone, are done again.
"""

import os
from array import array
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from time import monotonic
from types import TracebackType

import msgspec

from overread.errors import BadInput
from overread.runner.results.rows import Unit
from overread.runner.run.scorer import Finished
from overread.whole import file_mode, writing

SYNC_LINES, SYNC_SECONDS = 64, 2.0
"""A power cut loses at most so many finished units, or those of so many seconds; a kill loses none."""

decode = msgspec.json.Decoder(Finished).decode
BINARY = getattr(os, "O_BINARY", 0)  # Windows would write two bytes for a line's end
UNIT_KINDS: tuple[Unit, ...] = ("report", "patient")


class Places:
    """Where in the file the latest line of each unit begins; -1 where there is none."""

    def __init__(self) -> None:
        self.starts = array("q")
        self.count = 0

    def __contains__(self, number: int) -> bool:
        return number < len(self.starts) and self.starts[number] >= 0

    def __setitem__(self, number: int, start: int) -> None:
        missing = number + 1 - len(self.starts)
        if missing > 0:
            self.starts.extend([-1] * missing)
        self.count += self.starts[number] < 0
        self.starts[number] = start

    def __iter__(self) -> Iterator[int]:
        return (start for start in self.starts if start >= 0)


class Journal:
    """A file of one line per finished unit, under the fingerprint of the run it belongs to."""

    def __init__(
        self, path: Path, fingerprint: str, *, restart: bool = False, keep_failures: bool = False
    ) -> None:
        self.path = path
        self.key = fingerprint.encode()[:64]
        self.places = {unit: Places() for unit in UNIT_KINDS}
        self.failed: dict[str, set[int]] = {unit: set() for unit in UNIT_KINDS}
        """Units with a failed row, which are to be asked again."""

        self.problems: list[str] = []
        """What is wrong with the file, in words."""

        self.keep_failures = keep_failures
        self.lines, self.size, self.unsynced, self.synced = 0, 0, 0, monotonic()
        if restart:
            path.unlink(missing_ok=True)
        if path.exists():
            self.open_again()
        self.file = os.open(path, os.O_WRONLY | os.O_CREAT | BINARY, file_mode())
        os.ftruncate(self.file, self.size)
        if self.size == 0:
            self.write(msgspec.json.encode({"fingerprint": fingerprint}))

    def open_again(self) -> None:
        """Find every line that is good; the last one, when it was not written to its end, is cut off."""
        with self.path.open("rb") as file:
            read = JournalPass(self)
            for raw in file:
                if raw.endswith(b"\n"):
                    read.take(raw)
        if read.damaged and not read.good:
            raise BadInput(
                f"{self.path.parent} holds an unfinished run with other inputs or settings. Finish that one, choose "
                "another folder with -o, or discard it with --restart."
            )
        self.size, self.lines = read.start, read.highest + 1
        self.problems = read.problems()

    def done(self, unit: Unit, number: int) -> bool:
        return number in self.places[unit] and (self.keep_failures or number not in self.failed[unit])

    def count(self, unit: Unit) -> int:
        """How many units of a kind need not be done again."""
        return self.places[unit].count - (0 if self.keep_failures else len(self.failed[unit]))

    @property
    def empty(self) -> bool:
        """Is nothing finished in it?"""
        return not any(places.count for places in self.places.values())

    def add(self, finished: Finished) -> Finished:
        """The unit as it will be read again: a whole number where a fraction may stand comes back as a fraction."""
        start, content = self.size, msgspec.json.encode(finished)
        self.write(content)
        self.note(finished, start)
        return decode(content)

    def note(self, finished: Finished, start: int) -> None:
        self.places[finished.unit][finished.number] = start
        failed = any(row.failed is not None for row in finished.rows)
        (self.failed[finished.unit].add if failed else self.failed[finished.unit].discard)(finished.number)

    def write(self, content: bytes) -> None:
        """One more line, whole or not at all."""
        line = b"%d %s %s\n" % (self.lines, self.checksum(self.lines, content), content)
        with writing(self.path.parent):
            try:
                write_all(self.file, line, self.size)
            except OSError:
                os.ftruncate(self.file, self.size)
                raise
            self.size, self.lines, self.unsynced = self.size + len(line), self.lines + 1, self.unsynced + 1
            if self.unsynced >= SYNC_LINES or monotonic() - self.synced > SYNC_SECONDS:
                self.sync()

    def sync(self) -> None:
        os.fsync(self.file)
        self.unsynced, self.synced = 0, monotonic()

    def checksum(self, number: int, content: bytes) -> bytes:
        return blake2b(b"%d " % number + content, digest_size=8, key=self.key).hexdigest().encode()

    def __iter__(self) -> Iterator[Finished]:
        """Everything finished, reports before patients and each in order, one at a time."""
        with self.path.open("rb") as file:
            for unit in UNIT_KINDS:
                for start in self.places[unit]:
                    file.seek(start)
                    _, content = self.parts(file.readline()) or (0, b"")
                    yield decode(content)

    def parts(self, raw: bytes) -> tuple[int, bytes] | None:
        """Number and content of a line; None when it is not as it was written."""
        number, _, rest = raw.rstrip(b"\n").partition(b" ")
        checksum, _, content = rest.partition(b" ")
        if not number.isdigit() or len(number) > 18 or checksum != self.checksum(int(number), content):
            return None
        return int(number), content

    def close(self) -> None:
        if self.file >= 0:
            os.close(self.file)
            self.file = -1

    def finish(self) -> None:
        """The run is finished and its files are written; what failed is kept to be asked again."""
        self.close()
        if not any(self.failed.values()):
            self.path.unlink()

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class JournalPass:
    """One pass over the lines of a journal: which are good, and what is wrong with the others."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal
        self.start = self.line = self.good = 0
        self.highest = -1
        self.seen: set[int] = set()
        self.damaged: list[int] = []
        self.doubled: list[int] = []
        self.moved: list[int] = []

    def take(self, raw: bytes) -> None:
        self.line += 1
        found = self.journal.parts(raw)
        if found is None or not self.keep(*found):
            self.damaged.append(self.line)
        self.start += len(raw)

    def keep(self, number: int, content: bytes) -> bool:
        """Enter a line whose checksum is right; False when it makes no sense nevertheless."""
        self.good += 1
        if number in self.seen:
            self.doubled.append(self.line)
            return True
        if number < self.highest:
            self.moved.append(self.line)
        self.seen.add(number)
        self.highest = max(self.highest, number)
        if number == 0:
            return True
        try:
            self.journal.note(decode(content), self.start)
        except msgspec.DecodeError:
            return False
        return True

    def problems(self) -> list[str]:
        gone = self.highest + 1 - len(self.seen) - len(self.damaged)
        told = [
            ("damaged", self.damaged),
            ("there twice", self.doubled),
            ("out of place", self.moved),
        ]
        words = [f"line {listed_lines(lines)} is {what}" for what, lines in told if lines]
        return [*words, *([f"{gone} line{'s are' if gone > 1 else ' is'} missing"] if gone > 0 else [])]


def listed_lines(lines: list[int], most: int = 5) -> str:
    """
    >>> listed_lines([3, 5, 8], most=2)
    '3, 5 and 1 more'
    """
    shown = ", ".join(map(str, lines[:most]))
    return shown if len(lines) <= most else f"{shown} and {len(lines) - most} more"


def write_all(file: int, line: bytes, at: int) -> None:
    """Write at a place, however many pieces the system takes it in."""
    left = memoryview(line)
    while left:
        os.lseek(file, at, os.SEEK_SET)
        count = os.write(file, left)
        left, at = left[count:], at + count
