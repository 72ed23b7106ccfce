"""One run at a time in a folder: a lock that ends with the process that holds it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from socket import gethostname

from overread.errors import BadInput
from overread.whole import writing

LOCK = "run.lock"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder; another run that holds it is named.

    The system lets go of the lock when its process ends, however it ends: what a dead one left is taken over.
    """
    path = folder / LOCK
    with writing(folder):
        handle = acquire(path)
    since = datetime.now().astimezone().isoformat(" ", "seconds")
    try:
        with writing(folder):
            os.ftruncate(handle, 0)
            os.write(handle, f"{os.getpid()} {gethostname()} {since}".encode())
        yield
    finally:
        path.unlink(missing_ok=True)
        os.close(handle)


def acquire(path: Path) -> int:
    """The lock file, open and held."""
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        if not take(handle):
            holder = holder_told(os.read(handle, 4096).decode())
            os.close(handle)
            raise BadInput(
                f"{path.parent} is in use by another run ({holder}). Wait for it, or choose another folder "
                "with -o."
            )
        if still_there(path, handle):
            return handle
        os.close(handle)  # whoever held it has just finished and removed it: make a new one


def holder_told(written: str) -> str:
    """Who works in the folder, as the lock says."""
    pid, _, rest = written.partition(" ")
    host, _, since = rest.partition(" ")
    where = "" if host == gethostname() else f" on {host}"
    return f"process {pid}{where}, since {since}" if since else "it has just begun"


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
