"""The text as the network takes it in: a sentence with its section's name before it, and those that lean on it."""

from bisect import bisect
from collections.abc import Sequence

from overread.report.marks import alike, origin
from overread.report.span import Span

AS_TAUGHT = {
    "technique": "exam",
    "recommendation": "impression",
    "communication": "impression",
    "addendum": "findings",
    "other": "findings",
}
"""Sections under the names that the network was taught."""


class Window:
    """Sentences that are read together; offsets of its text lead back to where the sentences stand."""

    def __init__(self, section: str) -> None:
        self.section = section
        self.text = f"{AS_TAUGHT.get(section, section)}: "
        self.sentences: list[int] = []
        self.starts: list[int] = []
        """Where each sentence begins in the window's text."""
        self.homes: list[tuple[int, str]] = []
        """Where each begins at home, and its words there."""

    def add(self, number: int, text: str, home: int) -> None:
        """A sentence, whose blanks are taken in as one writes them, whoever left them."""
        self.text += "" if self.text.endswith(" ") else " "
        self.sentences.append(number)
        self.starts.append(len(self.text))
        self.homes.append((home, text))
        self.text += alike(text)

    def at_home(self, start: int, end: int) -> tuple[int, Span] | None:
        """The sentence's number and the place at home of a stretch of the window's text; None where it is in no one."""
        own = bisect(self.starts, start) - 1
        if own < 0 or end <= start or own != bisect(self.starts, end - 1) - 1:
            return None
        home, text = self.homes[own]
        first, last = (home + origin(text, offset - self.starts[own]) for offset in (start, end))
        return self.sentences[own], Span(first, last)


def runs(tags: Sequence[int]) -> list[tuple[int, int]]:
    """First token and last plus one of what is tagged: 1 begins, 2 goes on.

    >>> runs([0, 1, 2, 1, 0, 2])
    [(1, 3), (3, 4), (5, 6)]
    """
    found: list[tuple[int, int]] = []
    start: int | None = None
    for n, tag in enumerate([*tags, 0]):
        if start is not None and tag != 2:
            found.append((start, n))
            start = None
        if tag == 1 or (tag == 2 and start is None):
            start = n
    return found
