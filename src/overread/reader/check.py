"""The reading held against a second question: what was read, put in plain words, is it what the text says?

The head that hears a text and a claim is asked of every finding whether it is there, on which side, and what has become
of it. It was taught by other examples than the head that reads; where it is sure that the text does not say so,
somebody should look.
"""

import re
from collections.abc import Iterator
from itertools import islice

from overread.judge import pair_answers
from overread.reader.doubts import About, Doubt, Heard, Reason
from overread.reader.read import READ_SECTIONS
from overread.reader.reading import Finding, Reading, SentenceReading, one_side
from overread.reader.wording import spoken
from overread.report.marks import alike

CHANGE_OF_RELATION = {"improved": "better", "worsened": "worse", "no_change": "same", "onset": "new"}
"""Relation → what the judge calls the change."""

TOLD = {"better": "improved", "worse": "become worse", "same": "unchanged", "new": "new"}
NEW = frozenset({"new", "recent"})
ONE_ENDS_IN_S = re.compile(r"(?:is|us|ss)$", re.IGNORECASE)


def noun(words: str) -> str:
    """The words as they stand inside a sentence.

    >>> noun("Pleural  effusion"), noun("ETT")
    ('pleural effusion', 'ETT')
    """
    return spoken(" ".join(words.split()))


def plural(words: str) -> bool:
    """
    >>> plural("effusions"), plural("atelectasis"), plural("nodule")
    (True, False, False)
    """
    return words.lower().endswith("s") and not ONE_ENDS_IN_S.search(words)


def there(words: str, present: bool = True, side: str = "") -> str:
    """
    >>> there("effusions", side="left"), there("Edema", present=False)
    ('There are left effusions.', 'There is no edema.')
    """
    parts = ("There", "are" if plural(words) else "is", "" if present else "no", side, noun(words))
    return " ".join(part for part in parts if part) + "."


def side_statement(words: str, side: str) -> str:
    """
    >>> side_statement("effusion", "left"), side_statement("effusions", "both")
    ('The effusion is on the left.', 'The effusions are on both sides.')
    """
    where = "both sides" if side == "both" else f"the {side}"
    return f"The {noun(words)} {'are' if plural(words) else 'is'} on {where}."


def changed(words: str, change: str, side: str = "") -> str:
    """
    >>> changed("effusion", "better"), changed("nodules", "same", "left")
    ('The effusion has improved.', 'The left nodules are unchanged.')
    """
    many = plural(words)
    auxiliary = ("have" if many else "has") if change in ("better", "worse") else ("are" if many else "is")
    named = f"{side} {noun(words)}" if side else noun(words)
    return f"The {named} {auxiliary} {TOLD[change]}."


def sides(finding: Finding) -> str:
    """left, right, both or -."""
    return one_side(p.side for a in finding.values("location") for p in a.places)


def changes(finding: Finding) -> set[str]:
    """The changes a finding is said to have made; `old`, `acute` and `chronic` are none."""
    told = [a for a in finding.attributes if a.relation in CHANGE_OF_RELATION]
    return {CHANGE_OF_RELATION[a.relation] for a in told if a.relation != "onset" or a.concept in NEW}


LEAST = 0.9
"""How sure it must be that the text does not say so; benchmarks/doubts.py says how many doubts are then mistakes."""

SENTENCES_ASKED = 100
"""Sentences of a report that are asked about, so that no report takes for ever."""

HEARD = frozenset({"finding", "diagnosis", "device", "open"})
"""Kinds of findings of which such claims make sense."""


def check(reading: Reading) -> tuple[Doubt, ...]:
    """What is doubtful in a reading, in the order of the text; of a very long report, in its first sentences."""
    asked = (s for s in reading.sentences if s.findings and s.section in READ_SECTIONS - {"indication"})
    return tuple(doubt for sentence in islice(asked, SENTENCES_ASKED) for doubt in doubts(reading, sentence))


def doubts(reading: Reading, sentence: SentenceReading) -> Iterator[Doubt]:
    text = alike(reading.text(sentence.span))
    asked = (
        (f, about, claim)
        for f in reading.in_sentence(sentence.index)
        if f.kind in HEARD
        for about, claim in claims(f)
    )
    for f, about, claim in asked:
        answer = pair_answers(text, claim).verdict
        if 1 - answer.said >= LEAST:
            why = tuple(Reason(reading.quote(e.span), e.rule, e.note) for e in f.trace)
            yield Doubt(
                about, f.id, sentence.index, reading.quote(sentence.span), reading.quote(f.span), f.span, claim, why,
                Heard(*answer),
            )  # fmt: skip


def claims(finding: Finding) -> Iterator[tuple[About, str]]:
    """What was read of it in plain words: that it is there or not, where, and what has become of it."""
    if finding.gone or finding.certainty == "tentative":
        return
    yield "presence", there(finding.entity, finding.status == "positive")
    if finding.status == "positive":
        if (side := sides(finding)) != "-":
            yield "side", side_statement(finding.entity, side)
        for change in sorted(changes(finding)):
            yield "change", changed(finding.entity, change)
