"""Annotations written back as notation."""

from overread.corpus.notation import parse_notation
from overread.corpus.writing import write_notation


def test_a_hole_behind_the_first_of_two_equal_words_comes_back():
    text = "# a\nF Left rib and pubic bone, and fractures of the left arm.\n- fractures + ; loc=Left .. pubic~1\n"
    (report,), complaints = parse_notation(text, "x.txt")
    assert complaints == []
    (again,), _ = parse_notation(write_notation(report), "x.txt")
    assert again.sentences[0].mentions[0].attributes == report.sentences[0].mentions[0].attributes
