"""Which sentence of a report words stand in, for rows that people add."""

from functools import lru_cache
from typing import Any

from overread.report import Report, parse


@lru_cache(maxsize=64)
def parsed(text: str) -> Report:
    return parse(text, "")


def sentence_at(text: str, start: int) -> tuple[str, dict[str, Any]]:
    """Section and sentence around an offset; the line itself where no sentence holds it.

    >>> sentence_at("FINDINGS: Clear lungs. Small effusion.", 25)
    ('findings', {'start': 23, 'end': 38, 'text': 'Small effusion.'})
    """
    for section in parsed(text).sections:
        for sentence in section.sentences:
            if sentence.span.start <= start < sentence.span.end:
                return section.name, quote(text, sentence.span.start, sentence.span.end)
    begin = text.rfind("\n", 0, start) + 1
    end = text.find("\n", start)
    return "findings", quote(text, begin, end if end >= 0 else len(text))


def quote(text: str, start: int, end: int) -> dict[str, Any]:
    return {"start": start, "end": end, "text": text[start:end]}
