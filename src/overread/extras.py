"""Optional packages: import one, or say how to install it."""

from importlib import import_module
from types import ModuleType

from overread.errors import MissingExtra


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
