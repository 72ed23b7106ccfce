"""Section → its sentences: by our own rules, or by Stanza as in the paper, where it is installed."""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from overread.errors import BadInput
from overread.extras import require
from overread.report import Report, Section
from overread.report.span import Span

Segmenter = Callable[[Report, Section], Iterator[tuple[int, Span]]]
"""Number within the report, and where the sentence stands in its text."""


def segmenter(name: str) -> Segmenter:
    """The segmenter of this name; one that is not installed says so before anything is asked."""
    if name == "own":
        return own
    pipeline()
    return by_stanza


def own(report: Report, section: Section) -> Iterator[tuple[int, Span]]:
    for sentence in section.sentences:
        yield sentence.index, sentence.span


def by_stanza(report: Report, section: Section) -> Iterator[tuple[int, Span]]:
    """Numbered by where they begin, so that two sections never share a number."""
    body = section.span.of(report.text)
    for sentence in pipeline()(body).sentences if body.strip() else ():
        start = section.span.start + sentence.tokens[0].start_char
        yield start, Span(start, section.span.start + sentence.tokens[-1].end_char)


@cache
def pipeline() -> Any:
    """Stanza's English tokeniser, from the models that are on this machine; nothing is downloaded."""
    stanza = require("stanza", "stanza")
    try:
        return stanza.Pipeline("en", processors="tokenize", download_method=None, verbose=False)
    except Exception as error:  # missing files have several classes of their own there
        raise BadInput(
            f"Stanza has no English tokeniser on this machine ({type(error).__name__}). Where there is a network, run "
            "python -c \"import stanza; stanza.download('en', processors='tokenize')\"; elsewhere copy the folder that "
            "this makes and name it in STANZA_RESOURCES_DIR."
        ) from error
