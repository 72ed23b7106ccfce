"""Accepted answers on disk, so that a finished job can run again without a call.

One SQLite file in WAL mode: readers never wait, writers wait for one another, and a process killed in the
middle leaves it valid. Only valid answers are kept: running again asks anew for what failed. Keys are hashes
and reports are not stored, but answers may quote them, so only the user can read the file.
"""

import hashlib
import os
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from overread.errors import BadInput

T = TypeVar("T")

FORMAT = 1
"""Changes when the table or the meaning of a key does."""

BUSY_SECONDS = 60.0
TABLE = """
CREATE TABLE IF NOT EXISTS answers (
    key TEXT PRIMARY KEY,
    endpoint TEXT NOT NULL,
    model TEXT NOT NULL,
    prompt TEXT NOT NULL,
    answer BLOB NOT NULL,
    created REAL NOT NULL
) STRICT
"""


def key_of(*parts: Any) -> str:
    """A hash of everything that decides an answer.

    >>> key_of("http://localhost/v1", "tiny", {"temperature": 0.0}) == key_of("http://localhost/v1", "tiny")
    False
    """
    return hashlib.sha256(msgspec.json.encode([FORMAT, *parts], order="deterministic")).hexdigest()


class CacheShare(Struct, frozen=True):
    """What one prompt asked of one model takes up."""

    model: str
    prompt: str
    answers: int
    bytes: int
    oldest: float
    newest: float


class Cache:
    """The file of answers. Used from one thread at a time; any number of processes may share it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        self._db = self._guard(self._open)

    def get(self, key: str) -> bytes | None:
        row = self._run("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
        return row[0] if row else None

    def put(self, key: str, endpoint: str, model: str, prompt: str, answer: bytes) -> None:
        values = (key, endpoint, model, prompt, answer, time.time())
        self._run("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", values)

    def shares(self) -> list[CacheShare]:
        """Answers and bytes by model and prompt, largest first."""
        rows = self._run(
            "SELECT model, prompt, count(*), sum(length(answer)), min(created), max(created) "
            "FROM answers GROUP BY model, prompt ORDER BY 4 DESC, 1, 2"
        )
        return [CacheShare(*row) for row in rows]

    def size(self) -> int:
        """Bytes on disk, journal included."""
        names = (self.path, *(self.path.with_name(self.path.name + end) for end in ("-wal", "-shm")))
        return sum(one.stat().st_size for one in names if one.exists())

    def prune(
        self, *, before: float | None = None, model: str | None = None, max_bytes: int | None = None
    ) -> int:
        """Remove answers older than `before` and of `model`, then the oldest until `max_bytes` remain.

        Says how many were removed.
        """
        removed = 0
        if before is not None or model is not None:
            removed += self._delete(
                "(?1 IS NULL OR created < ?1) AND (?2 IS NULL OR model = ?2)", before, model
            )
        if max_bytes is not None:
            newest_first = (
                "SELECT key, sum(length(answer)) OVER (ORDER BY created DESC, key) AS kept FROM answers"
            )
            removed += self._delete(f"key IN (SELECT key FROM ({newest_first}) WHERE kept > ?)", max_bytes)
        return removed

    def clear(self) -> int:
        """Remove every answer; how many there were."""
        return self._delete("TRUE")

    def close(self) -> None:
        self._db.close()

    def _delete(self, where: str, *values: Any) -> int:
        """Remove what the condition is true of, and give the room back."""
        removed = self._run(f"DELETE FROM answers WHERE {where}", values).rowcount
        self._run("VACUUM")
        self._run("PRAGMA wal_checkpoint(TRUNCATE)")
        return removed

    def _run(self, statement: str, values: tuple[Any, ...] = ()) -> sqlite3.Cursor:
        return self._guard(lambda: self._db.execute(statement, values))

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
        _when_free(lambda: db.execute("PRAGMA journal_mode = WAL"))
        db.execute("PRAGMA synchronous = NORMAL")
        if db.execute("PRAGMA user_version").fetchone()[0] not in (0, FORMAT):
            db.close()
            raise BadInput(
                f"The cache {self.path} was written by another version of overread. Delete the file."
            )
        db.execute(TABLE)
        db.execute(f"PRAGMA user_version = {FORMAT}")
        return db

    def _guard(self, action: Callable[[], T]) -> T:
        """Run `action`; a file that is not ours, or broken, is the user's to know about."""
        try:
            return action()
        except sqlite3.Error as error:
            raise BadInput(
                f"The cache {self.path} cannot be used ({error}). "
                "Delete the file, name another with OVERREAD_CACHE_FILE, or use --no-cache."
            ) from None


def _when_free(action: Callable[[], Any]) -> None:
    """Switching a new file to WAL ignores the busy timeout: processes that start together must take turns."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            action()
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01 + 0.001 * (os.getpid() % 17))
