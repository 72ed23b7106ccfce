"""Findings of which the judge hears something else in their sentence, as claims to put to it in plain words."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from overread.judge import Slots, Verdict
from overread.reader.claims import changed, changes, placed, sides, stated, there
from overread.reader.doubts import About, Reason
from overread.reader.opinion import two_sided
from overread.reader.reading import Finding, Reading
from overread.reader.reconsider import APART, SIDES
from overread.report.span import Span

BY_NUMBERS = "sizes-then-now"
"""Sizes are compared by rules; the judge was not taught to."""


class Question(NamedTuple):
    """A claim to put to the judge, and which answer speaks against what was read."""

    about: About
    finding: str | None
    words: str
    span: Span
    read: str
    rules: tuple[Reason, ...]
    claim: str
    against: Callable[[Verdict], float]


def said(answer: Verdict) -> float:
    return answer.said


def denied(answer: Verdict) -> float:
    return answer.denied


def left_open(answer: Verdict) -> float:
    return answer.open


def not_said(answer: Verdict) -> float:
    return answer.denied + answer.open


class Asked:
    """One finding, and what the judge hears of its word."""

    def __init__(self, reading: Reading, finding: Finding, slots: Slots, heard: Span, least: float) -> None:
        self.reading = reading
        self.finding = finding
        self.heard = heard
        self.least = least
        self.slots = {name: dict(values) for name, values in slots.items()}
        self.there = finding.status == "positive"
        self.gone = self.there and bool(finding.values("improved"))
        """What has gone stays positive, with its `resolved`."""
        self.side = sides(finding)
        sentence = reading.text(reading.sentences[finding.sentence].span)
        self.own = self.side if self.side in SIDES and two_sided(sentence) else ""
        """The side of a sentence that tells of both: it is asked about alone."""
        linked = any(step.note == "linked" for step in finding.trace)
        self.concluded = linked or bool(finding.evidence or finding.associate)
        """`Left opacity compatible with pneumonia`: sure enough, and its place is told of the opacity."""

    def questions(self) -> Iterator[Question]:
        if self.finding.removals:  # told by its placement
            return
        if any(step.rule in APART for step in self.finding.trace):  # the judge hears one side of two
            return
        yield from self.presence() or self.certainty()
        yield from self.other_side()
        yield from self.other_change()

    def ask(
        self,
        about: About,
        read: str,
        rules: tuple[Reason, ...],
        claim: str,
        against: Callable[[Verdict], float],
    ) -> list[Question]:
        f = self.finding
        return [Question(about, f.id, f.entity, f.span, read, rules, claim, against)]

    def presence(self) -> list[Question]:
        heard = self.slots[self.own or "status"].get("present" if self.there else "absent", 0.0)
        if self.gone or 1 - heard < self.least:
            return []
        sure = self.finding.certainty == "definitive" and not self.concluded
        claim = there(self.finding.entity, self.there, self.own)
        why = reasons(self.reading, self.finding)
        return self.ask("presence", stated(self.finding, self.own), why, claim, not_said if sure else denied)

    def certainty(self) -> list[Question]:
        """Only what is said plainly is asked about: what rules hedge and the judge does not was seldom wrong."""
        sure = self.there and self.finding.certainty == "definitive" and not (self.concluded or self.gone)
        if not sure or self.slots["sure"].get("no", 0.0) < self.least:
            return []
        claim = there(self.finding.entity)
        return self.ask("certainty", claim, reasons(self.reading, self.finding), claim, left_open)

    def other_side(self) -> list[Question]:
        if not self.there or self.gone or self.own or self.concluded or self.has_twin():
            return []
        heard, words = self.slots["side"], self.finding.entity
        if self.side != "-":
            claim = placed(words, self.side)
            why = reasons(self.reading, self.finding, "location")
            clear = 1 - heard.get(self.side, 0.0) >= self.least
            return self.ask("side", claim, why, claim, denied) if clear else []
        best = likeliest(heard)
        clear = heard[best] >= self.least
        return self.ask("side", "no side", (), placed(words, best), said) if clear else []

    def has_twin(self) -> bool:
        """Is the same noun told again in its sentence, as on the other side?"""
        f = self.finding
        return sum(other.entity == f.entity for other in self.reading.in_sentence(f.sentence)) > 1

    def other_change(self) -> list[Question]:
        f = self.finding
        told = changes(f) if self.there else changes(f) - {"new", "better"}  # no new nodule, none any more
        if any(step.rule == BY_NUMBERS for step in f.trace) or not (told or self.there):
            return []
        heard = self.slots[f"{self.own} change" if self.own else "change"]
        if told:
            why = reasons(self.reading, f, "improved", "worsened", "no_change", "onset")
            elsewhere = any(
                not self.heard.contains(a.span) for a in f.values("improved", "worsened", "no_change")
            )
            clear = 1 - sum(heard.get(c, 0.0) for c in told) >= self.least and not elsewhere
            claim = changed(f.entity, min(told), self.own)
            return self.ask("change", claim, why, claim, not_said) if clear else []
        best = likeliest(heard)
        clear = heard[best] >= self.least
        return self.ask("change", "no change", (), changed(f.entity, best, self.own), said) if clear else []


def likeliest(heard: dict[str, float]) -> str:
    return max((name for name in heard if name != "-"), key=lambda name: heard[name])


def reasons(reading: Reading, finding: Finding, *relations: str) -> tuple[Reason, ...]:
    """Why rules read it so: the steps of the finding, or the attributes of these relations."""
    if relations:
        return tuple(Reason(a.text, a.rule, a.relation) for a in finding.values(*relations))
    return tuple(Reason(reading.quote(e.span), e.rule, e.note) for e in finding.trace)
