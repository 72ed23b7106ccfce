"""manifest.json: what went in, with which settings, and the hashes to check it by."""

import platform
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.runner.hashes import code_hash, hashed
from overread.runner.recipe import Recipe
from overread.runner.summary import Draws
from overread.sources import Source
from overread.version import __version__
from overread.whole import whole

NAME = "manifest.json"


class Input(Struct, frozen=True, forbid_unknown_fields=True):
    """One file or folder of reports."""

    role: str
    """`reference`, or the name of the system."""

    path: str
    understood: str
    """Layout and columns, as printed when it was read."""

    sha256: str
    """Of the file; of all names and contents for a folder; of the reports for data in memory."""


class Manifest(Struct, frozen=True, forbid_unknown_fields=True):
    """Enough to say whether two runs may be compared, and to do one again."""

    overread: str
    python: str
    inputs: tuple[Input, ...]
    recipe: Recipe
    draws: Draws
    signatures: dict[str, str]
    fingerprint: str
    """Changes with anything that could change a row of the results."""

    explained: int = 0
    """How many pairs the page can explain."""

    outputs: dict[str, str] = {}
    """File → SHA-256, for the files that the same inputs must give again byte for byte."""

    created: str = ""
    seconds: float = 0.0
    seal: str = ""
    """SHA-256 of all the above: an edited manifest is no witness."""


def draft(
    inputs: Mapping[str, Source], recipe: Recipe, draws: Draws, signatures: Mapping[str, str], explain: int
) -> Manifest:
    """The manifest of a run that is about to start."""
    found = tuple(
        Input(role, source.table.path, source.table.describe(), content_hash(source))
        for role, source in inputs.items()
    )
    own = hashed(Path(recipe.lexicon)) if recipe.lexicon else ""
    read = [(i.role, i.understood, i.sha256) for i in found]
    facts = [read, recipe, own, dict(signatures), explain, code_hash()]
    fingerprint = sha256(msgspec.json.encode(facts)).hexdigest()
    return Manifest(
        __version__, platform.python_version(), found, recipe, draws, dict(signatures), fingerprint, explain
    )


def content_hash(source: Source) -> str:
    """Of the file or folder behind a source; of the reports themselves where they come from memory."""
    path = Path(source.table.path)
    if path.exists():
        return hashed(path)
    digest = sha256()
    for report in source:
        digest.update(msgspec.msgpack.encode((report.id, report.text, report.patient, report.day)))
    return digest.hexdigest()


def sealed(found: Manifest) -> Manifest:
    return replace(found, seal=seal_of(found))


def seal_of(found: Manifest) -> str:
    return sha256(msgspec.json.encode(replace(found, seal=""))).hexdigest()


def read_manifest(folder: Path) -> Manifest:
    """The manifest of a finished run, which must be as the run left it."""
    found: Manifest = read_json(folder / NAME, Manifest)
    if found.seal != seal_of(found):
        raise Changed(folder / NAME)
    return found


class Changed(BadInput):
    """A file of a finished run that is not as the run left it."""

    def __init__(self, path: Path) -> None:
        super().__init__(
            f"{path} is not as the run left it: it was edited, damaged or copied in part. Restore it, or score again "
            "with --restart."
        )


def read_json(path: Path, kind: type[Any]) -> Any:
    """A file of a finished run."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except FileNotFoundError:
        raise BadInput(f"There is no {path}; give a folder that `overread score` has finished.") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BadInput(
            f"{path} was not written by this version of overread ({error}); score again to get a new one."
        ) from None


def write_json(path: Path, value: Any) -> None:
    """A readable file that appears under its name only when it is whole."""
    with whole(path) as file:
        file.write(msgspec.json.format(msgspec.json.encode(value), indent=1) + b"\n")
