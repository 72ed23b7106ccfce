"""Annotation lines exchanged in a notation file: nothing else moves, and the checker's complaints find their place."""

import pytest
from tests.corpus.written import ROOT, guide_example

from overread.corpus.writing import Trouble, annotated_sentences, pieces, rewritten, troubles

ODD = (
    "% modality: XR chest\n\n# a\nF/   Lungs: clear. \n- Lungs - ; mor=clear  \n\n"
    "F No mass or nodule.\n- mass -\n- nodule -\t\n% writer: b\n= Comment\nP Normal.\n~ summary\n"
)


def lines_of(notation):
    return [lines for _, lines in annotated_sentences(notation)]


@pytest.mark.parametrize(
    "text",
    [
        guide_example(),
        ODD,
        ODD.replace("\n", "\r\n"),
        ODD.removesuffix("\n"),
        ODD + ODD.replace("# a", "# b style=list"),
    ],
    ids=["guide", "odd spacing", "carriage returns", "no last line end", "two reports"],
)
def test_what_nobody_corrected_keeps_its_bytes(text):
    assert "".join(rewritten(one, lines_of(one)) for one in pieces(text)) == text


def test_a_file_of_the_corpus_keeps_its_bytes():
    file = sorted((ROOT / "corpus" / "train").glob("*.txt"))[0]
    text = file.read_bytes().decode()
    assert len(pieces(text)) > 1
    assert "".join(rewritten(one, lines_of(one)) for one in pieces(text)) == text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_correction_changes_its_lines_alone(end):
    text = ODD.replace("\n", end)
    first, _, third = lines_of(text)
    made = rewritten(text, [first, "- mass +\n- nodule -\n\n", third])
    assert made == text.replace(f"- mass -{end}", f"- mass +{end}")  # the tab behind the nodule stays too


def test_the_last_sentence_of_a_file_without_a_last_line_end():
    assert rewritten("# a\nF No mass.\n- mass -", ["- mass +"]) == "# a\nF No mass.\n- mass +"


def test_complaints_are_the_checkers_own_and_say_where():
    found = troubles(ODD, ["- Lungs - ; mor=clear", "- mass -\n- nodules - ; as=x", "~ nonsense"])
    assert [(one.sentence, one.line) for one in found] == [(1, 2), (2, 1), (2, 0)]
    assert "'nodules' does not stand in the sentence" in found[0].problem
    assert "nonsense is not one of" in found[1].problem
    assert "no mention" in found[2].problem


def test_a_link_breaks_where_its_tag_was():
    text = "# a\nF A nodule.\n- nodule + #n\nP Nodule, larger.\n- Nodule + ; wor=larger ; sa=n\n"
    first, second = lines_of(text)
    assert troubles(text, [first, second]) == []
    assert troubles(text, ["- nodule +", second]) == [
        Trouble(1, 1, "no mention of this report has the tag #n")
    ]


@pytest.mark.parametrize("line", ["F Another sentence.", "# b", "% style: prose", "= Heading", "P/ 1. More."])
def test_the_report_itself_is_not_edited(line):
    [found] = troubles(ODD, ["- Lungs - ; mor=clear", f"- mass -\n{line}", "~ summary"])
    assert (found.sentence, found.line) == (1, 2)
    assert "begins another line of the report" in found.problem
