"""Files that are there whole or not at all, and that nobody else may read unless they are to be shared."""

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from overread.errors import BadInput, OverreadError

FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
STANDARD_OUTPUT = Path("-")
"""What `-o -` names, as in other commands; a file of that name is written as ./- instead."""

_shared = False
"""May others read what is written? Set once by the command, before anything is written."""


class CannotWrite(OverreadError):
    """The disk is full, or the folder may not be written to."""

    def __init__(self, where: Path, error: OSError) -> None:
        if error.errno in FULL:
            told = (
                "the disk is full. What is finished is kept: free some space and run the same command again."
            )
        else:
            reason = (error.strerror or "it failed").lower()
            told = f"{reason}. Choose another folder with -o, or make this one writable."
        super().__init__(f"Cannot write into {where}: {told}")


def a_folder(place: Path | None) -> Path | None:
    """A folder that an option names; standard output takes one document, not several files."""
    if place == STANDARD_OUTPUT:
        raise BadInput(
            "-o names a folder here, and standard output (-) cannot hold one; give the folder a name."
        )
    return place


def share(shared: bool) -> None:
    """Let others read what this process writes from now on (`--share`), or not."""
    global _shared
    _shared = shared


def file_mode() -> int:
    """Outputs quote reports: for their owner alone, unless they are to be shared (then as the umask says)."""
    return 0o666 if _shared else 0o600


def make_folder(place: Path) -> None:
    """The folder of a run, with those above it; one that is there already keeps its mode."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.mkdir(mode=0o777 if _shared else 0o700, exist_ok=True)


@contextmanager
def folder_of_a_run(place: Path) -> Iterator[None]:
    """Make the folder of a run; one that was made for nothing goes again."""
    new = not place.exists()
    with writing(place):
        make_folder(place)
    try:
        yield
    finally:
        if new and place.is_dir() and not any(place.iterdir()):
            place.rmdir()


def write_whole(path: Path, content: bytes) -> None:
    """A small file, whole or not at all."""
    with whole(path) as file:
        file.write(content)


def write(path: Path, content: bytes) -> None:
    """The same for a file that the user has named: what is wrong with the name is said."""
    try:
        write_whole(path, content)
    except OSError as error:
        raise BadInput(f"Cannot write {path}: {error.strerror}. Does its folder exist?") from error


@contextmanager
def writing(where: Path) -> Iterator[None]:
    """Turn what goes wrong with a disk into a sentence about it."""
    try:
        yield
    except OSError as error:
        if isinstance(error, BrokenPipeError | ConnectionError | TimeoutError):
            raise
        raise CannotWrite(where, error) from None


@contextmanager
def whole(path: Path) -> Iterator[BinaryIO]:
    """A file that appears under its name only when it is written to its end and safe on disk; `-` is standard output.

    Until then it has no name at all, where the system can do that: a process that is killed leaves nothing.
    """
    if path == STANDARD_OUTPUT:
        with standard_output() as stream:
            yield stream
        return
    handle, part = unnamed(path)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if part is None:
                part = name_part_file(file.fileno(), path)
        part.replace(path)
        sync_folder(path.parent)
    except BaseException:
        if part is not None:
            part.unlink(missing_ok=True)
        raise


@contextmanager
def standard_output() -> Iterator[BinaryIO]:
    """Standard output for bytes, also where it is held as text for the object that --json prints."""
    stream = getattr(sys.stdout, "buffer", None)
    if stream is None:
        held = BytesIO()
        yield held
        sys.stdout.write(held.getvalue().decode())
        return
    sys.stdout.flush()
    yield stream
    stream.flush()


def unnamed(path: Path) -> tuple[int, Path | None]:
    """A file to write: without a name, or under the name it has until it is whole."""
    if hasattr(os, "O_TMPFILE") and Path("/proc/self/fd").is_dir():
        try:
            return os.open(path.parent, os.O_TMPFILE | os.O_WRONLY, file_mode()), None
        except OSError as error:
            if error.errno not in (errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT):
                raise
    part = part_of(path)
    part.unlink(missing_ok=True)
    return os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_EXCL, file_mode()), part


def name_part_file(handle: int, path: Path) -> Path:
    """Give a nameless file the name it has until it takes the place of an older one."""
    part = part_of(path)
    part.unlink(missing_ok=True)
    folder = os.open(
        part.parent, os.O_RDONLY
    )  # naming a folder makes Python follow the link to the file itself
    try:
        os.link(f"/proc/self/fd/{handle}", part.name, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)
    return part


def part_of(path: Path) -> Path:
    return path.with_name(path.name + ".part")


def sync_folder(folder: Path) -> None:
    """Make a change of names last through a power cut, where the system lets a folder be synced."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        except OSError:
            pass  # some network file systems refuse; the file itself is safe
        finally:
            os.close(handle)
