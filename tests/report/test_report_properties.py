"""What holds for any text whatever: nothing raised, nothing lost, nothing twice."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from overread.report import SECTION_NAMES, Report, from_sections, parse
from overread.report.passed_over import passed_over, readable

HEADINGS = [
    "FINDINGS:", "Impression:", "IMPRESSION", "History", "FINAL REPORT", "END OF IMPRESSION", "LUNGS:",
    "PA AND LATERAL CHEST:", "WEIRD TITLE:", "COMPARISON: None.", "electronically signed by", "**", "##",
]  # fmt: skip
MARKS = ["1.", "2)", "(3)", "-", "•", ".", "..", "?", "!", ":", ";", "___"]
SPACES = [
    " ", "  ", "\t", "\n", "\n\n", "\r\n", "\r", "\f", "\x85", "\u2028", "\xa0", "\ufeff", "\u200b", "\x00",
]  # fmt: skip
WORDS = [
    "XXXX", "Dr.", "No. 3", "2.5 cm", "a.m.", "The lungs are clear", "no effusion", "HEART NORMAL", "é", "肺",
]  # fmt: skip
BITS = HEADINGS + MARKS + SPACES + WORDS
SCRAPS = st.lists(st.sampled_from(BITS) | st.text(max_size=5), max_size=40).map("".join)
INVISIBLE = "\ufeff\u200b"


def visible(text: str) -> set[int]:
    return {i for i, c in enumerate(text) if not c.isspace() and c not in INVISIBLE}


def check(report: Report) -> None:
    """Spans in order, apart, trimmed and within bounds; every visible character in a heading or a body."""
    covered: set[int] = set()
    end = count = 0
    for section in report.sections:
        assert section.name in SECTION_NAMES
        assert end <= section.heading.start <= section.heading.end <= section.span.start <= section.span.end
        covered.update(range(section.heading.start, section.heading.end))
        covered.update(range(section.span.start, section.span.end))
        end, inner = section.span.end, section.span.start
        for sentence in section.sentences:
            words = sentence.span.of(report.text)
            assert sentence.index == count
            assert inner <= sentence.span.start < sentence.span.end <= end
            assert words == words.strip()
            assert any(c.isalnum() or c == "_" for c in words)
            inner, count = sentence.span.end, count + 1
    assert end <= len(report.text)
    assert visible(readable(report.text)) <= covered  # what is no report stands in no section


@given(SCRAPS | st.text())
@example("CHEST VIEW: x\nFINDINGS:")
@example("1. 2. 3.")
@example(":")
def test_any_text_parses(text):
    report = parse(text, "any")
    assert report.text == text
    check(report)
    assert parse(text, "any") == report


@given(SCRAPS)
def test_sentences_lose_only_marks(text):
    """Between sentences stand spaces, list marks, ticked boxes, punctuation and rules, never words that are read."""
    report = parse(text, "any")
    passed = {i for one in passed_over(text) for i in range(one.span.start, one.span.end)}
    for section in report.sections:
        inside = passed | {i for s in section.sentences for i in range(s.span.start, s.span.end)}
        left = [text[i] for i in range(section.span.start, section.span.end) if i not in inside]
        assert not any(c.isalpha() and c not in "abcdefghABCDEFGHivxX" for c in left)


@given(st.dictionaries(st.sampled_from(SECTION_NAMES), SCRAPS, max_size=4))
def test_any_columns_compose(columns):
    report = from_sections(columns, "any")
    check(report)
    assert [s.name for s in report.sections] == [name for name, body in columns.items() if body.strip()]
    assert all(body in report.text for body in columns.values() if body.strip())


PIECES = [
    "The lungs are clear. No effusion.\n", "a", ".", " ", "\n", "1. ", ":", "A:", "FINDINGS: ", "FINDINGS:\n",
    "- ", "•", "X. ", "1) ", "x\n", "\xa0\n", "**", "IMPRESSION ", "CHEST VIEW: a\n", "... ", "\ufeff",
    "Word ", "WORD ", "COMPARISON:\n\n", "( ",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_cost_grows_with_length_only(piece, growth):
    """Ten times the text may take ten times as long, with room for noise, whatever the text."""
    short, long = (piece * (size // len(piece)) for size in (10_000, 100_000))
    assert growth(parse, short, long, 40) < 40
