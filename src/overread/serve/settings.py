"""How a server is set up, as one value; and its API keys.

Keys stand in a file as names and hashes; a key itself is shown once, when it is made.
"""

import os
import secrets
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.runner.measures import REWARD
from overread.systems.srrg.labellers import check_labels
from overread.trainers.openrlhf import weights_in
from overread.trainers.reward import weights_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")
PREFIX = "ovr_"


class ServerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Defaults are those of `overread serve`."""

    host: str = "127.0.0.1"
    port: int = 8700
    workers: int = 2
    room: int = 2048
    """Items that may wait or be worked on at once; more are refused with 429."""

    item_seconds: float = 30.0
    request_seconds: float = 300.0
    """Of all items of a request together, waiting included; of a stream, of lines that came together."""

    max_characters: int = 200_000
    max_megabytes: float = 64.0
    """Of one request; streams of lines have no end, but each line has."""

    drain_seconds: int = 60
    """How long requests in flight are waited for after TERM."""

    keys: Path | None = None
    lexicon: str | None = None
    labels: str = "rules"
    """Who labels the lines of SRRG where a request does not say."""

    quiet: bool = False
    metric: str = REWARD
    """What rewards are made of where a request does not say: NAME, or NAME:WEIGHT,NAME:WEIGHT."""

    def __post_init__(self) -> None:
        check_labels(self.labels)
        weights_of(weights_in(self.metric))
        if self.keys is not None and not keys_in(self.keys):
            raise BadInput(
                f"{self.keys} holds no key; make one: overread serve --keys {self.keys} --new-key NAME"
            )
        if self.keys is None and self.host not in LOOPBACK:
            raise BadInput(
                f"Serving on {self.host} lets other machines in: name a file of keys with --keys "
                "(`overread serve --keys FILE --new-key NAME` makes one), or stay on 127.0.0.1."
            )

    @property
    def max_bytes(self) -> int:
        return int(self.max_megabytes * 1_000_000)


def key_owner(path: Path, key: str) -> str | None:
    """Whose key it is; every hash is compared, so that time tells nothing.

    The file is read each time, so that a key can be withdrawn while the server runs.
    """
    try:
        known = keys_in(path)
    except BadInput:  # the file is gone or spoilt: nobody is let in until it is mended
        return None
    given = hash_of_key(key)
    found = [name for name, digest in known.items() if compare_digest(digest, given)]
    return found[0] if found else None


def keys_in(path: Path) -> dict[str, str]:
    """Lines of `name hash`; empty ones and those after # are for people."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise BadInput(
            f"Cannot read the keys {path}: {error.strerror}. Make one: overread serve --keys {path} --new-key NAME"
        ) from None
    found: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
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
