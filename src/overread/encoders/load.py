"""Encoders by name, each made once per process."""

from functools import cache
from pathlib import Path

from overread.encoders.base import Averaged, Encoder, Remembering
from overread.encoders.embedded import Embedded
from overread.encoders.trained import MODELS, Trained
from overread.errors import BadInput, UnknownName
from overread.weights.folder import models_folder, published, weights_hash


def load(name: str = "embedded", folder: Path | None = None) -> Encoder:
    """The encoder called `name`; several joined with `+` are averaged.

    A trained encoder comes from its sub-folder of `folder` (or of the one OVERREAD_MODELS names); without a
    folder, from the model hub at the commit you name: `medcpt@` and 40 hexadecimal digits.

    >>> load().encode(["pleural effusion", "edema"]).shape
    (2, 1024)
    """
    return loaded(tuple(name.split("+")), folder or models_folder())


def marked(name: str, folder: Path | None = None) -> str:
    """The encoder with eight hex digits of each trained part's weights, for signatures.

    A part from the hub has its commit in its name already.

    >>> marked("judge")
    'judge'
    """
    place = folder or models_folder()
    parts = [(one, local(one, place) if one in MODELS else None) for one in name.split("+")]
    return "+".join(f"{one}-{weights_hash(Path(here))}" if here else one for one, here in parts)


@cache
def loaded(names: tuple[str, ...], folder: Path | None) -> Encoder:
    if "judge" in names and len(names) > 1:
        raise BadInput("The judge compares pairs and has no vectors to average; give --encoder judge alone.")
    parts = [single_encoder(name, folder) for name in names]
    if "judge" in names:
        return parts[0]
    return Remembering(parts[0] if len(parts) == 1 else Averaged(parts))


@cache
def single_encoder(name: str, folder: Path | None) -> Encoder:
    plain, _, commit = name.partition("@")
    if name == "embedded":
        return Embedded()
    if plain == "judge":
        from overread.encoders.judged import Judged

        return Judged()
    if plain not in MODELS:
        raise UnknownName("encoder", plain, ["embedded", "judge", *MODELS])
    return Trained(MODELS[plain], local(plain, folder) or f"{published(plain).hub}@{commit}")


def local(name: str, folder: Path | None) -> str | None:
    if folder is None:
        return None
    if not (folder / name).is_dir():
        raise BadInput(
            f"{folder} has no sub-folder {name}. `overread models get {name} --to {folder}` puts the model there, from "
            "a hub that you name or from a copy."
        )
    return str(folder / name)
