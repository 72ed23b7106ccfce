"""A finding in the words of its report: which of them, in which order, and with what between them."""

import pytest

from overread.reader import read
from overread.reader.wording import OF_TIME, UNTOLD, by_side, in_own_words
from overread.report import parse


@pytest.mark.parametrize(
    ("text", "named", "now"),
    [
        ("Compression fracture of T12.", "Compression fracture of T12", "Compression fracture of T12"),
        ("New right pneumothorax.", "New right pneumothorax", "right pneumothorax"),
        ("The small effusion has decreased.", "small effusion", "small effusion"),
        ("The effusion has resolved.", "No effusion", "No effusion"),
    ],
)
def test_what_of_a_finding_is_named(text, named, now):
    reading = read(parse(text))
    (finding,) = reading.findings
    assert in_own_words(reading, finding, UNTOLD)[0] == named
    words, spans = in_own_words(reading, finding, OF_TIME)
    assert words == now
    assert all(span.of(text).lower() in words.lower() for span in spans)


def test_what_is_said_of_both_sides_is_said_of_each():
    assert list(by_side("bilateral effusions")) == ["left effusions", "right effusions"]
    assert list(by_side("left lung and both hila")) != ["left lung and both hila"]
    assert list(by_side("left lung")) == ["left lung"]
