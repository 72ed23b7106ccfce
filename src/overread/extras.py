"""Optional packages and trained weights: import one, or say how to install it; load the other safely, or not at all."""

import re
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from overread.errors import BadInput, MissingExtra

COMMIT = re.compile(r"[0-9a-f]{40}")


def require(module: str, extra: str) -> ModuleType:
    """Import `module`, which the extra `extra` installs.

    >>> require("json", "parquet").dumps([])
    '[]'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name and error.name.split(".")[0] == module.split(".")[0]:
            raise MissingExtra(module.split(".")[0], extra) from error
        raise


def pinned(place: str) -> dict[str, Any]:
    """Where a model comes from, for `from_pretrained`: a folder, or a hub name at one commit; never with its code.

    A name alone could be another model tomorrow, so a commit must be named.

    >>> pinned("someone/model@" + "0" * 40)["revision"][:4]
    '0000'
    """
    if Path(place).is_dir():
        return {"pretrained_model_name_or_path": place, "trust_remote_code": False}
    name, _, commit = place.partition("@")
    if not COMMIT.fullmatch(commit):
        raise BadInput(
            f"{name} is no folder, and as a name on the model hub it needs the commit to load: write {name}@ and its "
            "40 hexadecimal digits, or save the model in a folder and name that."
        )
    return {"pretrained_model_name_or_path": name, "revision": commit, "trust_remote_code": False}


def safe_weights(place: str) -> dict[str, Any]:
    """The same for weights: safetensors only, which hold numbers; a pickled file could run anything."""
    return {**pinned(place), "use_safetensors": True}
