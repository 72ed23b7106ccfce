"""What a doubt is: something that was read and that the text, asked again, does not seem to say."""

from typing import Literal

from msgspec import Struct

from overread.report.span import Span

About = Literal["presence", "side", "change"]
"""What was asked about."""


class Reason(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that decided, and the lexicon row or rule that took them so."""

    words: str
    rule: str
    note: str = ""


class Heard(Struct, frozen=True, forbid_unknown_fields=True):
    """How likely the judge takes a claim to be said, denied or left open by the text."""

    said: float
    denied: float
    open: float

    @property
    def verdict(self) -> str:
        """The likeliest answer in words, with all three.

        >>> Heard(0.02, 0.97, 0.01).verdict
        'denied (said .02, denied .97, open .01)'
        """
        answers = {"said": self.said, "denied": self.denied, "left open": self.open}
        told = ", ".join(f"{name.split()[-1]} {digits(p)}" for name, p in answers.items())
        return f"{max(answers, key=lambda name: answers[name])} ({told})"


class Doubt(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing to look at again."""

    about: About
    finding: str
    """Id of the finding."""

    sentence: int
    """Index of the sentence in the report."""

    quote: str
    """The sentence as written."""

    words: str
    """The finding's words as written."""

    span: Span
    read: str
    """What was read, as a plain statement: this was put to the judge."""

    reasons: tuple[Reason, ...]
    """Why: rows and rules with their words."""

    heard: Heard

    @property
    def as_read(self) -> str:
        """What was read and why, in one line."""
        why = "; ".join(f"“{' '.join(r.words.split())}” {r.note or 'entity'} {r.rule}" for r in self.reasons)
        return f"read: {self.read}" + (f" ({why})" if why else "")

    @property
    def as_heard(self) -> str:
        """What the judge heard, in one line."""
        return f"held against the text: {self.heard.verdict}"


def digits(probability: float) -> str:
    """
    >>> digits(0.97), digits(1.0)
    ('.97', '1.0')
    """
    return f"{probability:.2f}"[1:] if probability < 1 else "1.0"
