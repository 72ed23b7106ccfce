"""Rewrites that leave the meaning of a report as it was: order, synonyms, spelling, formatting."""

import re
from random import Random

from overread.reader import Reading
from overread.validation.injection_places import BODY, Change, Maker, replaced, swaps, words_in


def order(reading: Reading, random: Random) -> Change | None:
    """The sentences of the findings in another order, where none leans on the one before."""
    section = next(
        (s for s in reading.report.sections if s.name == "findings" and len(s.sentences) > 2), None
    )
    if section is None:
        return None
    text = reading.report.text
    told = [s.span.of(text).strip() for s in section.sentences]
    if any(LEANS.match(one) or not one.endswith(".") for one in told):
        return None
    mixed = told[:]
    random.shuffle(mixed)
    start, end = section.sentences[0].span.start, section.sentences[-1].span.end
    return Change("order", text[:start] + " ".join(mixed) + text[end:], "sentences in another order", False)


LEANS = re.compile(
    r"(?:it|this|these|those|they|its|also|however|otherwise|similar|compar\w+|"
    r"there (?:is|are|has been) no (?:\w+ )?change|"
    r"the (?:tip|largest|smallest|former|latter|remainder|other|appearance|same|finding|findings))\b",
    re.I,
)


def anywhere(kind: str) -> Maker:
    """Every word of the table changed for its partner."""

    def make(reading: Reading, random: Random) -> Change | None:
        text = reading.report.text
        table = {s.before: s for s in swaps(kind)}
        pattern = (
            r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(table, key=len, reverse=True))) + r")(?![\w-])"
        )
        spans = [
            s
            for part in reading.report.sections
            if part.name in BODY
            for s in words_in(text, part.span, pattern)
        ]
        for span in reversed(spans):
            text = replaced(text, span, table[span.of(text).lower()].after)
        return Change(kind, text, f"{len(spans)} words", False) if spans else None

    return make


def formatting(reading: Reading, random: Random) -> Change | None:
    """Each sentence on a line of its own."""
    text = reading.report.text
    spans = [s.span for part in reading.report.sections if part.name == "findings" for s in part.sentences][
        1:
    ]
    for span in reversed(spans):
        text = f"{text[: span.start].rstrip(' ')}\n{text[span.start :]}"
    return Change("formatting", text, "a line for each sentence", False) if spans else None
