"""Published weights fetched: from a hub that the user names, or a folder that the user copied, into a folder.

What comes is held against its pins, made safe to load, then put in its place. Pickled weights become safetensors once,
when they arrive; afterwards only numbers are loaded. torch's own restricted reader (`weights_only`) opens the file: it
builds tensors and plain containers and calls nothing else. Releases before 2.6 could be led around it, so they are
refused.
"""

import re
import shutil
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlsplit
from urllib.request import Request, urlopen

import msgspec

from overread.errors import BadInput
from overread.extras import COMMIT, require
from overread.version import __version__
from overread.weights.folder import PINS, TOKENS, WEIGHTS, Pin, hash_of, published, read_pins

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


# ---- into a folder
PICKLED = ("pytorch_model.bin", "chexbert.pth")
SAFE_NAME = "model.safetensors"


def as_safetensors(folder: Path) -> None:
    """Every pickled file of a fetched model as `model.safetensors`; nothing where there is none."""
    for name in PICKLED:
        if (folder / name).exists():
            tensors = tensors_in(folder / name)
            require("safetensors.torch", "models").save_file(tensors, folder / SAFE_NAME, {"format": "pt"})
            (folder / name).unlink()


def tensors_in(path: Path) -> dict[str, Any]:
    """The tensors of a checkpoint by name, each with memory of its own; the names as the network has them."""
    torch = require("torch", "models")
    if tuple(map(int, torch.__version__.split("+")[0].split(".")[:2])) < (2, 6):
        raise BadInput(
            f"{path.name} is a pickled file, which only torch 2.6 or later opens safely: update torch."
        )
    try:
        held = torch.load(path, map_location="cpu", weights_only=True)
    except Exception as error:
        raise BadInput(
            f"{path.name} holds more than tensors, or did not come whole ({type(error).__name__}); it is not opened."
        ) from None
    held = held.get("model_state_dict", held) if isinstance(held, dict) else {}
    found = {k.removeprefix("module."): v for k, v in held.items() if isinstance(v, torch.Tensor)}
    if not found:
        raise BadInput(f"{path.name} holds no weights.")
    return {name: tensor.clone().contiguous() for name, tensor in found.items()}


def fetch(name: str, to: Path, origin: Origin, commit: str | None = None, pin: Pin | None = None) -> Pin:
    """The model called `name` in `to/name`, and the pin of what came; what is there already is left alone.

    `commit` is that of its first repository. A file whose hash is not the pinned one ends it, and nothing is kept.
    """
    model, place = published(name), to / name
    if place.exists():
        raise BadInput(
            f"{place} is there already. Remove it to fetch {name} again, or choose another folder."
        )
    wanted = pin or Pin()
    to.mkdir(parents=True, exist_ok=True)
    work = Path(mkdtemp(prefix=f".{name}-", dir=to))
    try:
        got = Pin({}, {})
        for repository, parts in model.parts.items():
            asked = (commit if repository == model.hub else None) or wanted.commits.get(repository)
            at = origin.commit(repository, asked)
            got.commits.update({repository: at} if at else {})
            there = origin.listing(repository, at)
            for file in files_to_take(repository, parts, set(there)):
                origin.copy(repository, at, file, work / file)
                got.sha256[file] = hash_of(work / file)
                for known in (wanted.sha256.get(file), there[file]):
                    check_hash(f"{file} of {repository}", got.sha256[file], known)
        unpack(work)
        as_safetensors(work)
        work.chmod(0o755)
        work.rename(place)
    except BaseException:
        shutil.rmtree(work, ignore_errors=True)
        raise
    keep(to / PINS, name, got)
    return got


def check_hash(file: str, here: str, known: str | None) -> None:
    if known is not None and known != here:
        raise BadInput(
            f"{file} has the SHA-256 {here[:12]}…, and {known[:12]}… was expected: it is another file, or did not come "
            "whole. Nothing was kept."
        )


def files_to_take(repository: str, parts: Sequence[str], there: set[str]) -> list[str]:
    """The files to take of those that are there.

    >>> files_to_take("a/b", ("config.json", "WEIGHTS", "TOKENS"), {"config.json", "pytorch_model.bin", "vocab.txt"})
    ['config.json', 'pytorch_model.bin', 'vocab.txt']
    """
    found: list[str] = []
    for one in parts:
        choices = {"WEIGHTS": WEIGHTS, "TOKENS": TOKENS}.get(one, (one,))
        here = [file for file in choices if file in there]
        if one != "TOKENS" and not here:
            raise BadInput(f"{repository} has no {' or '.join(choices)}.")
        found += here if one == "TOKENS" else here[:1]
    return found


def unpack(work: Path) -> None:
    """An archive becomes the folder of its name; nothing in it may leave that folder."""
    for archive in work.glob("*.tar.gz"):
        place = work / archive.name.removesuffix(".tar.gz")
        place.mkdir()
        try:
            with tarfile.open(archive, "r:gz") as packed:
                packed.extractall(place, filter="data")
        except (tarfile.TarError, OSError, EOFError) as error:
            raise BadInput(f"{archive.name} cannot be unpacked ({type(error).__name__}).") from None
        archive.unlink()


def keep(path: Path, name: str, pin: Pin) -> None:
    """The pin beside those of the other models."""
    pins = read_pins(path) if path.exists() else {}
    pins[name] = pin
    path.write_bytes(msgspec.json.format(msgspec.json.encode(dict(sorted(pins.items())))) + b"\n")
