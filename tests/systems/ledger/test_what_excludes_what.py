"""What the other report says instead of a finding: a sentence that excludes it, the words that differ, or nothing."""

import overread
from overread.report.span import Span
from overread.systems.ledger.schema import Sentence
from overread.systems.ledger.settling import apart


def sentence(text: str, start: int = 0) -> Sentence:
    return Sentence(Span(start, start + len(text)), text)


def test_two_findings_that_exclude_each_other_are_one_error():
    found = overread.errors(
        "Low lung volumes. The heart is normal.", "The lungs are hyperinflated. The heart is normal."
    )
    assert [(e.kind, e.reference_says, e.candidate_says) for e in found] == [
        ("wrong description", "low lung volumes", "lungs are hyperinflated")
    ]


def test_a_finding_without_an_answer_is_not_mentioned():
    (error,) = overread.errors("Hiatal hernia. The lungs are clear.", "The lungs are clear.")
    assert (error.kind, error.candidate_says, error.candidate) == ("missed finding", "not mentioned", ())


def test_of_two_sentences_alike_only_the_words_that_differ_are_marked():
    ours, theirs = apart(
        sentence("Worsening right lung aeration."), sentence("Unchanged right lung aeration.", 100)
    )
    assert (ours.words, ours.spans) == ("Worsening", (Span(0, 9),))
    assert (theirs.words, theirs.spans) == ("Unchanged", (Span(100, 109),))


def test_a_word_left_out_is_not_mentioned():
    ours, theirs = apart(sentence("Acute necrotizing pancreatitis."), sentence("Acute pancreatitis."))
    assert (ours.words, theirs.words, theirs.spans) == ("necrotizing", "not mentioned", (Span(0, 19),))


def test_sentences_of_other_words_are_shown_whole():
    ours, theirs = apart(
        sentence("The common duct is wide."), sentence("Gallstones fill the gallbladder neck.")
    )
    assert (ours.words, theirs.words) == (
        "The common duct is wide",
        "Gallstones fill the gallbladder neck",
    )


def test_what_is_said_in_far_words_beside_a_real_error_is_not_missed():
    found = overread.errors(
        "Solid 23 mm nodule in the right thyroid lobe, and a cyst of the left lobe.",
        "The right lobe of the thyroid holds a solid nodule of 2.3 cm. The left lobe is normal.",
    )
    assert not [e for e in found if "nodule" in e.finding and e.kind in ("missed finding", "false finding")]
