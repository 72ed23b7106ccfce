"""SRRG under the settings of a run: what counts as a condition, and who gives the labels."""

from overread.systems import definitions
from overread.systems.base import Settings
from overread.systems.srrg import labellers


def marks(settings: Settings) -> dict[str, str]:
    found = {
        "definitions": definitions.marked(settings.definitions),
        "labels": labellers.marked(settings.labels),
    }
    return {name: mark for name, mark in found.items() if mark}
