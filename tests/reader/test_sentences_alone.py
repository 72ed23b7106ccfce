"""A sentence by itself is the same wherever it stands; one that another sentence speaks of is not by itself."""

from overread.reader import Reading, read
from overread.reader.alone import alone, lone_reading
from overread.reader.reading import Alone
from overread.report import parse
from overread.systems.srrg.by_rules import view

SENTENCE = "Small right effusion with adjacent atelectasis of the lower and middle lobes."


def reading(text: str) -> Reading:
    return read(parse(text))


def by_itself(text: str) -> Alone | None:
    found = reading(text)
    (sentence,) = (s for s in found.sentences if found.text(s.span) == SENTENCE)
    return alone(found, sentence)


def test_the_same_words_are_the_same_anywhere():
    first = by_itself(f"FINDINGS: {SENTENCE}")
    later = by_itself(f"HISTORY: Cough.\n\nFINDINGS: Normal heart size. {SENTENCE}")
    assert first is not None
    assert later == first
    assert hash(later) == hash(first)


def test_findings_keep_their_places_and_their_links():
    found = by_itself(f"FINDINGS: {SENTENCE}")
    assert found is not None
    assert [f.span.of(found.text) for f in found.findings[:2]] == ["effusion", "atelectasis"]
    assert found.findings[0].associate == (found.findings[1].id,)
    assert lone_reading(found).in_sentence(0) == found.findings


def test_what_the_next_sentence_says_of_it_leaves_it_not_alone():
    assert by_itself(f"FINDINGS: {SENTENCE} This is unchanged.") is None


def test_bullets_and_labels_of_a_sentence_met_before_stand_where_it_stands():
    before = "Normal heart size. "
    short, long = f"FINDINGS: {SENTENCE}", f"FINDINGS: {before}{SENTENCE}"
    new = view(reading(short)).utterances
    again = [u for u in view(reading(long)).utterances if "eart" not in u.text]
    assert [u.text for u in again] == [u.text for u in new]
    for one, two in zip(new, again, strict=True):
        assert two.start - one.start == len(before)
        spans = [[span.of(short) for span in label.spans] for label in one.labels]
        assert spans == [[span.of(long) for span in label.spans] for label in two.labels]
