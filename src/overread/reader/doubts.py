"""What a doubt is: something that was read and that the judge hears otherwise, with the reasons of both."""

from typing import Literal

from msgspec import Struct

from overread.report.span import Span

About = Literal["presence", "certainty", "side", "change", "unread"]
"""What the two differ in; `unread`: a noun of which nothing was read."""

Kept = Literal["rules", "judge"]


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
    finding: str | None
    """Id of the finding; None where none was made of the words, or is left."""

    sentence: int
    """Index of the sentence in the report."""

    quote: str
    """The sentence as written."""

    words: str
    """The finding's words as written."""

    span: Span
    read: str
    """What rules read, as a plain statement."""

    rules: tuple[Reason, ...]
    """Why: rows and rules with their words; empty where nothing was read."""

    claim: str
    """What was put to the judge."""

    heard: Heard
    kept: Kept
    """Whose reading the finding carries: `rules`, and then it is doubtful, or `judge`, which decided against them."""

    @property
    def doubtful(self) -> bool:
        """Is it to be looked at? Where the judge decided, it is seldom wrong."""
        return self.kept == "rules"

    @property
    def by_rules(self) -> str:
        """What rules read and why, in one line."""
        why = "; ".join(f"“{' '.join(r.words.split())}” {r.note or 'entity'} {r.rule}" for r in self.rules)
        return f"rules read: {self.read}" + (f" ({why})" if why else "")

    @property
    def by_judge(self) -> str:
        """What the judge heard, in one line."""
        return f"the judge heard: “{self.claim}” is {self.heard.verdict}"


def digits(probability: float) -> str:
    """
    >>> digits(0.97), digits(1.0)
    ('.97', '1.0')
    """
    return f"{probability:.2f}"[1:] if probability < 1 else "1.0"
