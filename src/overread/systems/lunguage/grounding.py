"""Is it in the text? Words a model gives back are kept where the sentence holds them, else dropped and counted."""

from collections.abc import Sequence

from msgspec import Struct

from overread.lexicon.words import Word, words
from overread.report.span import Span


class Dropped(Struct, frozen=True, forbid_unknown_fields=True):
    """What a model said that its sentences do not."""

    findings: int = 0
    attributes: int = 0
    links: int = 0

    def __add__(self, other: "Dropped") -> "Dropped":
        return Dropped(
            self.findings + other.findings, self.attributes + other.attributes, self.links + other.links
        )


def spans_of(phrase: str, sentences: Sequence[Span], text: str) -> list[Span] | None:
    """Where the words of `phrase` stand in the sentences; None when one of them does not.

    A run of words is one span; words that stand apart are one span each.

    >>> whole = Span(0, 33)
    >>> spans_of("cardiac contours", [whole], "Cardiac and mediastinal contours.")
    [Span(start=0, end=7), Span(start=24, end=32)]
    >>> spans_of("effusion", [whole], "Cardiac and mediastinal contours.") is None
    True
    """
    wanted = [word.form for word in words(phrase) if word.form[0].isalnum()]
    for span in sentences:
        spoken = words(span.of(text), span.start)
        found = run(wanted, spoken) or scattered(wanted, spoken)
        if found:
            return found
    return None


def run(wanted: Sequence[str], spoken: Sequence[Word]) -> list[Span] | None:
    """The words one after another, punctuation between them passed over."""
    plain = [word for word in spoken if word.form[0].isalnum()]
    for first in range(len(plain) - len(wanted) + 1):
        window = plain[first : first + len(wanted)]
        if wanted and [word.form for word in window] == list(wanted):
            return [Span(window[0].start, window[-1].end)]
    return None


def scattered(wanted: Sequence[str], spoken: Sequence[Word]) -> list[Span] | None:
    """The words anywhere in the sentence, each once."""
    left = list(spoken)
    found = []
    for form in wanted:
        word = next((word for word in left if word.form == form), None)
        if word is None:
            return None
        left.remove(word)
        found.append(Span(word.start, word.end))
    return found or None
