"""CLEAR under the settings of a run: what counts as a condition."""

from overread.systems.base import Settings
from overread.systems.definitions import marked


def marks(settings: Settings) -> dict[str, str]:
    mark = marked(settings.definitions)
    return {"definitions": mark} if mark else {}
