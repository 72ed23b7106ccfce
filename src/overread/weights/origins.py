"""Where weights come from: a hub that the user names, or a folder that the user copied."""

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import msgspec

from overread.errors import BadInput
from overread.extras import COMMIT
from overread.version import __version__

SECONDS = 60
OFFLINE = (
    "Where this machine reaches no hub: copy the repository from one that does, and give the folder with "
    "--from FOLDER."
)


class Hub:
    """A model hub, by its address; asked only for the files of the list."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(
                "--hub takes the address of a model hub, such as https://huggingface.co, and nothing is fetched "
                "without it."
            )
        self.address = address.rstrip("/")

    def commit(self, repository: str, wanted: str | None) -> str | None:
        """The commit that files are taken at; None where there is no such thing."""
        if wanted is not None:
            return wanted
        told = self._json(f"/api/models/{quote(repository)}")
        found = str(told.get("sha", "")) if isinstance(told, dict) else ""
        if not COMMIT.fullmatch(found):
            raise BadInput(
                f"{self.address} does not say at which commit {repository} is; name it: NAME@COMMIT."
            )
        return found

    def listing(self, repository: str, commit: str | None) -> dict[str, str | None]:
        """File → its SHA-256 where the origin states one."""
        rows = self._json(f"/api/models/{quote(repository)}/tree/{commit}?recursive=true")
        named = [row for row in rows if isinstance(row, dict) and row.get("type") == "file"]
        return {str(row["path"]): (row.get("lfs") or {}).get("oid") for row in named}

    def copy(self, repository: str, commit: str | None, file: str, to: Path) -> None:
        with (
            self._open(f"/{quote(repository)}/resolve/{commit}/{quote(file)}") as reply,
            to.open("wb") as out,
        ):
            shutil.copyfileobj(reply, out, 1 << 20)

    def _json(self, path: str) -> Any:
        with self._open(path) as reply:
            try:
                return msgspec.json.decode(reply.read())
            except msgspec.DecodeError:
                raise BadInput(f"{self.address} does not answer as a model hub does. Check --hub.") from None

    @contextmanager
    def _open(self, path: str) -> Iterator[Any]:
        request = Request(self.address + path, headers={"User-Agent": f"overread/{__version__}"})
        try:
            with urlopen(request, timeout=SECONDS) as reply:
                yield reply
        except HTTPError as error:
            raise BadInput(
                f"{self.address} answered {error.code} for {path.partition('?')[0]}: no such model, commit or file, or "
                f"one that wants an account. {OFFLINE}"
            ) from None
        except (URLError, TimeoutError, ConnectionError) as error:
            why = getattr(error, "reason", error)
            raise BadInput(f"{self.address} cannot be reached ({why}). {OFFLINE}") from None


class Copied:
    """A folder that holds repositories: by our name, by theirs, or as a hub's own cache keeps them."""

    def __init__(self, folder: Path, name: str) -> None:
        if not folder.is_dir():
            raise BadInput(f"{folder} is no folder.")
        self.folder = folder
        self.name = name

    def commit(self, repository: str, wanted: str | None) -> str | None:
        place = self._place(repository)
        here = place.name if COMMIT.fullmatch(place.name) else None
        if wanted is not None and here is not None and here != wanted:
            raise BadInput(f"{place} holds {repository} at another commit than {wanted}.")
        return here

    def listing(self, repository: str, commit: str | None) -> dict[str, str | None]:
        place = self._place(repository)
        return {p.relative_to(place).as_posix(): None for p in sorted(place.rglob("*")) if p.is_file()}

    def copy(self, repository: str, commit: str | None, file: str, to: Path) -> None:
        shutil.copyfile(self._place(repository) / file, to)

    def _place(self, repository: str) -> Path:
        last = repository.rpartition("/")[2]
        cached = self.folder / f"models--{repository.replace('/', '--')}" / "snapshots"
        snapshots = sorted(p for p in cached.iterdir() if p.is_dir()) if cached.is_dir() else []
        if len(snapshots) > 1:
            raise BadInput(f"{cached} holds several commits; leave one, or name the folder of one.")
        for place in (*snapshots, self.folder / repository, self.folder / last, self.folder / self.name):
            if place.is_dir():
                return place
        raise BadInput(
            f"{self.folder} has no folder {last} (of {repository}), {self.name}, or models--…--{last} as a hub's cache "
            "has. Copy the repository there under one of these names."
        )


Origin = Hub | Copied
"""Somewhere that has the files of a repository."""


def parsed(word: str) -> tuple[str, str | None]:
    """A name as typed, and the commit after its `@`.

    >>> parsed("medcpt")
    ('medcpt', None)
    """
    name, at, commit = word.partition("@")
    if at and not re.fullmatch(COMMIT, commit):
        raise BadInput(f"{word}: a commit is 40 hexadecimal digits.")
    return name, commit or None
