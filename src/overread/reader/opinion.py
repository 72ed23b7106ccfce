"""A second opinion: what the judge hears of a finding word in its sentence and the sentences around it.

Rules read every sentence. Where a sentence holds words with which rules are often wrong (`resolved`, `the former`,
`cannot be assessed`, `on the other side`), the judge hears it too, and what it is sure of is kept.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from overread.judge import Judge, Slots, active
from overread.report import Report, Sentence
from overread.report.layout import as_seen
from overread.report.marks import alike
from overread.report.span import Span

LONGEST = 70
"""Words of a window; a longer one is cut to the sentence itself."""

MOST_HEARD = 200
"""Sentences of one report that are heard; what follows is left to rules, so that no report takes for ever."""

OUTRIGHT = 0.97
"""From here on it is followed whatever the words are."""

HARD = re.compile(
    r"\b(?:resol\w+|clear(?:ed|ing|s|ance)|remission|gone|out|now|then|becom\w*|became|stop\w*|fail\w*|"
    r"ceas\w*|"
    r"regress\w*|involut\w*|shr[iua]nk\w*|grow\w*|progress\w*|"
    r"vanish\w*|disappear\w*|subsid\w+|(?:re|ab)sor[bp]\w*|any ?more|no longer|"
    r"trace of|residual|former\w*|latter|neither|counterpart|contralateral|opposite|respectively|"
    r"each side|other side|"
    r"remov\w+|withdraw\w*|pulled|extubat\w+|reintubat\w+|intubated|exchang\w+|discontinu\w+|come out|"
    r"taken out|"
    r"lack\w*|devoid|free (?:of|from)|\w+-free|escape\w*|den(?:y|ied|ying)|without|unless|lest|"
    r"rule[sd]? out|exclu\w+|"
    r"recommend\w*|suggest(?:ed|ion)?|advis\w+|advice|follow-?up|repeat|further|would|should|if|"
    r"limit\w*|assess\w*|evaluat\w*|obscur\w+|degrad\w+|not included|comment|"
    r"apart|except\w*|aside|other than|save for|ignoring|but|only|alone|"
    r"history|hx|previous\w*|prior|earlier|ago|was|were|had|used to|died|brother|mother|father|sister|"
    r"yet to|not|n't|cannot|no (?:interval |significant |further |appreciable )*"
    r"(?:increase|growth|enlargement|expansion|progression|deterioration|worsening|decrease|improvement)|"
    r"these|those|this|it|they|both|one|ones|same|likewise|as well|either|persist\w*|remains?|stays?|"
    r"bigger|larger|smaller|greater|doubled|halved|grew|\d ?(?:mm|cm|ml)\b.*\d ?(?:mm|cm|ml))\b|\?",
    re.IGNORECASE,
)


LEFT, RIGHT = re.compile(r"\bleft\b", re.IGNORECASE), re.compile(r"\bright\b", re.IGNORECASE)


def two_sided(sentence: str) -> bool:
    """Does it name both sides apart?"""
    return LEFT.search(sentence) is not None and RIGHT.search(sentence) is not None


class Window(NamedTuple):
    """The words the judge hears, and where they begin in the report."""

    text: str
    start: int

    def place(self, offset: int) -> int:
        """Where an offset of the report lies in the words as the judge hears them, every blank as long as the next."""
        return len(alike(self.text[: offset - self.start]))


class Second:
    """Opinions about one report."""

    def __init__(self, report: Report, judge: Judge) -> None:
        self.text = as_seen(report.text)
        self.judge = judge
        self.left = MOST_HEARD
        self.neighbours = {
            sentence.index: section.sentences[max(0, n - 1) : n + 2]
            for section in report.sections
            for n, sentence in enumerate(section.sentences)
        }

    def slots(self, index: int, places: Sequence[Span], mixed: bool = False) -> list[Slots]:
        """What is said at each place of a sentence; empty where rules are left alone.

        `mixed`: the sentence says different things of several findings.
        """
        near = self.neighbours.get(index, ())
        own = next((s for s in near if s.index == index), None)
        if own is None or not places or not (mixed or self.is_hard(own, near)):
            return [{} for _ in places]
        self.left -= 1
        if self.left < 0:
            return [{} for _ in places]
        window = self.window(own, near)
        moved = [(window.place(p.start), window.place(p.end)) for p in places]
        return self.judge.slots(alike(window.text), moved)

    def heard(self, index: int) -> Window | None:
        """What is heard of one sentence when it is asked about, hard or not."""
        near = self.neighbours.get(index, ())
        own = next((s for s in near if s.index == index), None)
        return None if own is None else self.window(own, near)

    def is_hard(self, own: Sentence, near: Sequence[Sentence]) -> bool:
        text = self.text
        after = next((s.span.of(text) for s in near if s.index == own.index + 1), "")
        said = own.span.of(text)
        return two_sided(said) or HARD.search(said) is not None or POINTING.match(after) is not None

    def window(self, own: Sentence, near: Sequence[Sentence]) -> Window:
        """The sentence, with the one before where it points back and the one after where that does."""
        text = self.text
        heard = [
            s
            for s in near
            if s.index == own.index
            or (s.index < own.index and LEANING.search(own.span.of(text)))
            or (s.index > own.index and POINTING.match(s.span.of(text)))
        ]
        whole = text[heard[0].span.start : heard[-1].span.end]
        if len(whole.split()) <= LONGEST:
            return Window(whole, heard[0].span.start)
        return Window(own.span.of(text), own.span.start)


LEANING = re.compile(
    r"^\s*(?:left|right)\b|\b(?:it|its|this|these|those|they|them|there|that side|same|former|latter|another|"
    r"neither|both|one|ones|none|other|opposite|contralateral|as well|likewise|again)\b",
    re.IGNORECASE,
)
"""Words by which a sentence goes on about the one before."""

POINTING = re.compile(
    r"\s*(?:it|its|this|these|those|they|that|both|neither|either|the former|the latter|another|one|"
    r"we do not|"
    r"left|right|that on|those on|(?:only |and )?the (?:left|right)(?:-sided)?(?: one| side)?,?"
    r" (?:is|are|was|were|has|have|had|remains?|stays?|shows?|appears?|looks?|now|still|alone|in|with))\b",
    re.IGNORECASE,
)
"""Sentences that go on about the one before."""


def second(report: Report) -> Second | None:
    """The judge's ear for this report; None where it is switched off."""
    judge = active()
    return Second(report, judge) if judge is not None else None


def sure(slots: Slots, name: str, least: float) -> str | None:
    """The value of a slot, where the judge is at least so sure of it."""
    ranked = slots.get(name)
    return ranked[0][0] if ranked and ranked[0][1] >= least else None
