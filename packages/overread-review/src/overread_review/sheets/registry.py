"""Sheets by name, imported when asked for."""

from importlib import import_module

from overread.errors import UnknownName
from overread_review.sheets.sheet import Sheet

NAMES = tuple(
    "clear lunguage timeline radsem pairs srrg longitudinal notation judge compare terms ratings".split()
)
"""Each is a module here that holds a SHEET."""


def sheet(name: str) -> Sheet:
    """The sheet called `name`."""
    if name not in NAMES:
        raise UnknownName("kind of work", name, NAMES)
    found: Sheet = import_module(f"overread_review.sheets.{name}").SHEET
    return found
