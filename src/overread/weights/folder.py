"""Published weights by name, as `published.toml` lists them, and the folder of models, each in a sub-folder."""

import os
import tomllib
from functools import cache
from hashlib import file_digest, sha256
from importlib.resources import files
from pathlib import Path

import msgspec
from msgspec import Struct

from overread.errors import BadInput, UnknownName

WEIGHTS = ("model.safetensors", "pytorch_model.bin")
"""What `WEIGHTS` stands for: the first that is there, numbers before pickled ones."""

TOKENS = tuple(
    "tokenizer.json tokenizer_config.json vocab.txt special_tokens_map.json vocab.json merges.txt".split()
)
"""What `TOKENS` stands for: all that are there."""


class PublishedModel(Struct, frozen=True, forbid_unknown_fields=True):
    """One model of somebody else's, by the name we call it."""

    title: str
    paper: str
    """Which of the five papers scores with it, and where."""

    use: str
    parts: dict[str, tuple[str, ...]]
    """Repository → the files wanted from it."""

    @property
    def hub(self) -> str:
        """The repository that holds the weights."""
        return next(iter(self.parts))


@cache
def published_models() -> dict[str, PublishedModel]:
    """Every model that can be fetched."""
    table = tomllib.loads(files("overread.weights").joinpath("published.toml").read_text("utf-8"))
    return msgspec.convert(table, dict[str, PublishedModel])


def published(name: str) -> PublishedModel:
    """The model called `name`.

    >>> published("medcpt").hub
    'ncbi/MedCPT-Query-Encoder'
    """
    if name not in published_models():
        raise UnknownName("published model", name, published_models())
    return published_models()[name]


FOLDER = "OVERREAD_MODELS"
"""Environment variable: a folder with one sub-folder per model, called by its name."""

PINS = "pins.json"


class Pin(Struct, frozen=True, forbid_unknown_fields=True):
    """Where a model came from, exactly."""

    commits: dict[str, str] = {}
    """Repository → commit, where a hub gave it."""

    sha256: dict[str, str] = {}
    """File as it came → its hash."""


def models_folder() -> Path | None:
    """The folder that OVERREAD_MODELS names."""
    named = os.environ.get(FOLDER)
    return Path(named).expanduser() if named else None


def use_models(folder: Path | None) -> None:
    """Let everything in this process, and in its workers, find its weights in `folder`; None changes nothing."""
    if folder is not None:
        os.environ[FOLDER] = str(folder)


def held(name: str) -> Path | None:
    """The sub-folder of a model, where OVERREAD_MODELS has it."""
    folder = models_folder()
    return folder / name if folder and (folder / name).is_dir() else None


def hash_of(path: Path) -> str:
    """SHA-256; a file that has not changed since is not read again."""
    about = path.stat()
    return _hashed(path, about.st_mtime_ns, about.st_size)


@cache
def _hashed(path: Path, moment: int, size: int) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def weights_hash(folder: Path) -> str:
    """Eight hex digits that change with the weights and the settings beside them, for signatures."""
    parts = sorted(p for p in folder.rglob("*") if p.suffix in (".safetensors", ".json", ".th"))
    return sha256(b"".join(bytes.fromhex(hash_of(p)) for p in parts)).hexdigest()[:8]


def read_pins(path: Path) -> dict[str, Pin]:
    """Pins by model name."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Pin])
    except (OSError, msgspec.DecodeError):
        raise BadInput(
            f"{path} is no file of pins; `overread models get` writes one, {PINS}, into its folder."
        ) from None
