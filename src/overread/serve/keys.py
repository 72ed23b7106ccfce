"""API keys: a file of names and hashes; a key itself is shown once, when it is made."""

import os
import secrets
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

from overread.errors import BadInput

PREFIX = "ovr_"


class Keys:
    """The keys of a file, read again when it changes, so that a key can be withdrawn while the server runs."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stamp: tuple[int, int] | None = None
        self.known: dict[str, str] = {}
        self.refresh()
        if not self.known:
            raise BadInput(f"{path} holds no key; make one: overread serve --keys {path} --new-key NAME")

    def refresh(self) -> None:
        stamp = stamp_of(self.path)
        if stamp != self.stamp:
            self.known, self.stamp = keys_in(self.path), stamp

    def owner(self, key: str) -> str | None:
        """Whose key it is; every hash is compared, so that time tells nothing."""
        try:
            self.refresh()
        except BadInput:  # the file is gone or spoilt: nobody is let in until it is mended
            return None
        given = hash_of_key(key)
        found = [name for name, digest in self.known.items() if compare_digest(digest, given)]
        return found[0] if found else None


def stamp_of(path: Path) -> tuple[int, int]:
    try:
        found = path.stat()
    except OSError as error:
        raise BadInput(
            f"Cannot read the keys {path}: {error.strerror}. Make one: overread serve --keys {path} --new-key NAME"
        ) from None
    return found.st_mtime_ns, found.st_size


def keys_in(path: Path) -> dict[str, str]:
    """Lines of `name hash`; empty ones and those after # are for people."""
    found: dict[str, str] = {}
    for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        name, _, digest = line.strip().partition(" ")
        if len(digest) != 64 or set(digest) - set("0123456789abcdef"):
            raise BadInput(f"{path}, line {number}: expected a name and a SHA-256; add keys with --new-key.")
        found[name] = digest
    return found


def new_key(path: Path, name: str) -> str:
    """Make a key, keep its hash under `name`, and return it."""
    if not name or any(c.isspace() for c in name) or name.startswith("#"):
        raise BadInput("A key's name is one word, such as the person or machine it is for.")
    if path.exists() and name in keys_in(path):
        raise BadInput(
            f"{path} has a key called {name} already; delete its line first, or choose another name."
        )
    key = PREFIX + secrets.token_urlsafe(32)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w") as file:
        file.write(f"{name} {hash_of_key(key)}\n")
    return key


def hash_of_key(key: str) -> str:
    """Keys are long and random, so that a plain hash cannot be turned back."""
    return sha256(key.encode()).hexdigest()
