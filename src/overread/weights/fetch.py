"""One published model into a folder: fetched, held against its pins, made safe to load, then put in its place.

Pickled weights become safetensors once, when they arrive; afterwards only numbers are loaded. torch's own restricted
reader (`weights_only`) opens the file: it builds tensors and plain containers and calls nothing else. Releases before
2.6 could be led around it, so they are refused.
"""

import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import msgspec

from overread.errors import BadInput
from overread.extras import require
from overread.weights.folder import PINS, TOKENS, WEIGHTS, Pin, hash_of, published, read_pins
from overread.weights.origins import Origin

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
