"""Sheets by name, imported when asked for."""

from importlib import import_module

from overread.errors import UnknownName
from overread_review.sheets.sheet import Sheet

NAMES = tuple(
    "clear lunguage timeline radsem pairs srrg longitudinal notation judge compare terms ratings".split()
)
SHEETS = {name: f"overread_review.sheets.{name}" for name in NAMES}
"""Name → module that holds SHEET."""


def sheet(name: str) -> Sheet:
    """The sheet called `name`."""
    if name not in SHEETS:
        raise UnknownName("kind of work", name, SHEETS)
    found = import_module(SHEETS[name]).SHEET
    assert isinstance(found, Sheet)
    return found
