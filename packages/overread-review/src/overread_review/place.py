"""The folder of a review: its database, its secret, and who may read them."""

import os
import secrets
from pathlib import Path

from overread.errors import BadInput

DATABASE = "review.sqlite"
SECRET = "secret"
ADDRESS = "database"


class Place:
    """A folder that only its owner can open."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def prepare(self, database: str | None = None) -> "Place":
        """Make the folder, the secret and, for another database than SQLite, the note of its URL."""
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.folder.chmod(0o700)
            if not (self.folder / SECRET).exists():
                self.write_private(SECRET, secrets.token_hex(32))
            if database is not None:
                self.write_private(ADDRESS, database)
            if not self.elsewhere():
                private_file(self.folder / DATABASE)
        except OSError as error:
            raise BadInput(
                f"Cannot use {self.folder}: {error.strerror}. Name a folder that you may write to."
            ) from error
        return self

    def forget(self) -> None:
        """Take away what `prepare` made of a folder that was not there before."""
        for file in self.folder.iterdir():
            if file.name in (SECRET, ADDRESS) or file.name.startswith(DATABASE):
                file.unlink()
        self.folder.rmdir()

    def existing(self) -> "Place":
        """The same place, or an error when nobody has ever reviewed there."""
        if not (self.folder / SECRET).exists():
            raise BadInput(
                f"{self.folder} is no review folder yet; `overread review {self.folder}` makes one."
            )
        return self

    def elsewhere(self) -> str:
        """URL of the database when it is not the file in the folder."""
        note = self.folder / ADDRESS
        return note.read_text("utf-8").strip() if note.exists() else ""

    @property
    def url(self) -> str:
        return self.elsewhere() or f"sqlite:///{(self.folder / DATABASE).resolve()}"

    @property
    def secret(self) -> bytes:
        return bytes.fromhex((self.folder / SECRET).read_text("ascii"))

    def write_private(self, name: str, text: str) -> None:
        private_file(self.folder / name).write_text(text, "utf-8")


def private_file(path: Path) -> Path:
    """A file that only its owner reads, made now if there is none."""
    os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
    path.chmod(0o600)
    return path
