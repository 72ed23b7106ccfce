"""Encoders by name, each made once per process."""

import os
from functools import cache
from pathlib import Path

from overread.encoders.average import Averaged
from overread.encoders.base import Encoder
from overread.encoders.embedded import Embedded
from overread.encoders.memory import Remembering
from overread.encoders.trained import MODELS, Trained
from overread.errors import BadInput, UnknownName

FOLDER = "OVERREAD_MODELS"
"""Environment variable: a folder with one sub-folder per trained encoder, called by its name."""


def load(name: str = "embedded", folder: Path | None = None) -> Encoder:
    """The encoder called `name`; several joined with `+` are averaged.

    A trained encoder comes from its sub-folder of `folder` (or of the one OVERREAD_MODELS names); without a
    folder, from the model hub at the commit you name: `medcpt@` and 40 hexadecimal digits.

    >>> load().name
    'embedded'
    """
    place = folder or (Path(os.environ[FOLDER]) if os.environ.get(FOLDER) else None)
    return loaded(tuple(name.split("+")), place)


@cache
def loaded(names: tuple[str, ...], folder: Path | None) -> Encoder:
    parts = [part(name, folder) for name in names]
    if "judge" in names:
        if len(names) > 1:
            raise BadInput(
                "The judge compares pairs and has no vectors to average; give --encoder judge alone."
            )
        return parts[0]
    return Remembering(parts[0] if len(parts) == 1 else Averaged(parts))


@cache
def part(name: str, folder: Path | None) -> Encoder:
    if name == "embedded":
        return Embedded()
    plain, _, commit = name.partition("@")
    if plain == "judge":
        from overread.encoders.judged import Judged

        return Judged()
    if plain not in MODELS:
        raise UnknownName("encoder", plain, ["embedded", "judge", *MODELS])
    hub = f"{MODELS[plain].hub}@{commit}"
    return Trained(MODELS[plain], local(plain, folder) or hub)


def local(name: str, folder: Path | None) -> str | None:
    if folder is None:
        return None
    if not (folder / name).is_dir():
        raise BadInput(f"{folder} has no sub-folder {name}. Save the model there, or leave the folder out.")
    return str(folder / name)
