"""One run at a time in a folder: a lock that ends with the process that holds it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from socket import gethostname

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.whole import writing

LOCK = "run.lock"


class Holder(Struct, frozen=True):
    """Who works in the folder."""

    pid: int
    host: str
    since: str

    def describe(self) -> str:
        where = "" if self.host == gethostname() else f" on {self.host}"
        return f"process {self.pid}{where}, since {self.since}"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder; another run that holds it is named.

    The system lets go of the lock when its process ends, however it ends: what a dead one left is taken over.
    """
    path = folder / LOCK
    with writing(folder):
        handle = acquire(path)
    holder = Holder(os.getpid(), gethostname(), datetime.now().astimezone().isoformat(" ", "seconds"))
    try:
        with writing(folder):
            os.ftruncate(handle, 0)
            os.write(handle, msgspec.json.encode(holder))
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def acquire(path: Path) -> int:
    """The lock file, open and held."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not take(handle):
            try:
                holder = msgspec.json.decode(os.read(handle, 4096), type=Holder).describe()
            except msgspec.DecodeError:
                holder = "it has just begun"
            os.close(handle)
            raise BadInput(
                f"{path.parent} is in use by another run ({holder}). Wait for it, or choose another folder "
                "with -o."
            )
        if still_there(path, handle):
            return handle
        os.close(handle)  # whoever held it has just finished and removed it: make a new one


def still_there(path: Path, handle: int) -> bool:
    try:
        return path.stat().st_ino == os.fstat(handle).st_ino
    except FileNotFoundError:
        return False


def take(handle: int) -> bool:
    """Lock an open file for this process; False when another has it."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
