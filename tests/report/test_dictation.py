"""Speech without stops is cut where a new sentence begins; what somebody wrote is not."""

from overread.reader import read
from overread.report import parse


def said(text: str) -> list[str]:
    report = parse(text)
    return [sentence.span.of(report.text) for section in report.sections for sentence in section.sentences]


def test_a_long_run_without_marks_is_cut():
    assert said(
        "bedside film the feeding tube is in the stomach the left lung is clear there is a moderate effusion on the "
        "right with volume loss that was there yesterday"
    ) == [
        "bedside film",
        "the feeding tube is in the stomach",
        "the left lung is clear",
        "there is a moderate effusion on the right with volume loss that was there yesterday",
    ]


def test_a_written_sentence_stays_whole():
    text = (
        "There is a moderate right effusion with adjacent atelectasis because of which the lower lobe is not aerated "
        "and the middle lobe is only partly aerated on both views."
    )
    assert said(text) == [text]


def test_advice_at_the_end_of_a_run_takes_nothing_of_what_was_seen():
    found = read(
        parse("small effusion on the left with some atelectasis at the base please correlate clinically")
    )
    assert [f.entity for f in found.findings] == ["effusion", "atelectasis"]
