"""What the systems see in one report, each made once however many metrics ask."""

from collections.abc import Callable
from functools import cached_property
from pathlib import Path
from typing import Any

from overread.lexicon.lexicon import Lexicon, lexicon, with_user_rows
from overread.reader import Reading, read
from overread.report import Report
from overread.systems.base import System

ViewOf = Callable[[Report], "Views"]


class Views:
    """A report read by rules on first demand, and the systems' views of that reading."""

    def __init__(self, report: Report, words: Lexicon | None = None) -> None:
        self.report = report
        self.words = words
        self.made: dict[str, Any] = {}

    @cached_property
    def reading(self) -> Reading:
        return read(self.report, self.words)

    def of(self, system: System) -> Any:
        """The system's view; the reading behind it is shared by all of them."""
        if system.name not in self.made:
            self.made[system.name] = self.make(system)
        return self.made[system.name]

    def make(self, system: System) -> Any:
        return system.by_rules(self.reading)


def words_of(path: str | None) -> Lexicon:
    """The shipped lexicon, with a user's rows on top where a file is named."""
    return with_user_rows(Path(path)) if path else lexicon()
