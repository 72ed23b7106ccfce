"""Text files with one report a line, and tables of pairs by the names people give their columns."""

import pytest

from overread.errors import BadInput
from overread.sources import load_pairs, load_source, side_by_side


@pytest.fixture
def files(tmp_path):
    """Write text files; their paths."""

    def write(*texts):
        paths = [tmp_path / f"{n}.txt" for n in range(len(texts))]
        for path, text in zip(paths, texts, strict=True):
            path.write_text(text, encoding="utf-8")
        return paths

    return write


def told(source):
    return [(report.id, report.text) for report in source]


def test_lines_are_joined_by_their_number(files):
    one, two = side_by_side(files("Clear lungs.\nEdema.\n", "Clear.\r\n\r\n"))
    assert told(one) == [("1", "Clear lungs."), ("2", "Edema.")]
    assert told(two) == [("1", "Clear."), ("2", "")]
    assert one.table.layout == "text file, one report a line"


def test_files_of_other_length_are_refused_and_may_be_whole(files):
    paths = files("FINDINGS: Clear.\nIMPRESSION: Normal.", "FINDINGS: Clear.")
    with pytest.raises(BadInput, match=r"has 2 lines and .*1\.txt has 1\. .*--whole-files"):
        side_by_side(paths)
    one, two = side_by_side(paths, by_line=False)
    assert told(one) == [("0", "FINDINGS: Clear.\nIMPRESSION: Normal.")]
    assert told(two) == [("0", "FINDINGS: Clear.")]


def test_a_gap_in_the_reference_must_be_explained(files):
    paths = files("FINDINGS: Clear.\n\nIMPRESSION: Normal.", "a\nb\nc")
    with pytest.raises(BadInput, match=r"Line 2 of .* is empty\. Say --lines .* or --whole-files"):
        side_by_side(paths)
    assert len(told(side_by_side(paths, by_line=True)[0])) == 3


REFERENCE = ("reference", "ref", "ground_truth", "gt", "report", "impression")
CANDIDATE = ("candidate", "prediction", "hyp", "hypothesis", "generated_text", "output", "generated_report")


@pytest.mark.parametrize("ours", REFERENCE)
@pytest.mark.parametrize("theirs", CANDIDATE)
def test_pairs_by_the_names_people_use(tmp_path, ours, theirs):
    path = tmp_path / "pairs.csv"
    path.write_text(f"{theirs},{ours}\nEdema.,Clear.\n")
    reference, candidates = load_pairs(path)
    assert list(candidates) == [theirs]
    ((id, text),) = told(reference)
    ((same, other),) = told(candidates[theirs])
    assert id == same
    assert ("Clear." in text, "Edema." in other) == (True, True)


@pytest.mark.parametrize("name", CANDIDATE)
def test_a_candidates_file_that_repeats_the_reference_is_read_for_its_own_column(tmp_path, name):
    path = tmp_path / "ours.csv"
    path.write_text(f"id,report,{name}\n1,Clear.,Edema.\n")
    assert told(load_source(path, side="candidate")) == [("1", "Edema.")]
    assert told(load_source(path)) == [("1", "Clear.")]


def test_errors_name_the_flag_of_the_file_at_fault(tmp_path):
    path = tmp_path / "ours.csv"
    path.write_text("id,words\n1,Edema.\n")
    with pytest.raises(BadInput, match="name it with --candidate-text, or"):
        load_source(path, side="candidate")
    with pytest.raises(BadInput, match="name it with --text, or"):
        load_source(path)
    path.write_text("nr,report\n1,Edema.\n")
    with pytest.raises(BadInput, match="--candidate-id"):
        load_source(path, side="candidate")
    path.write_text("id,report\n1,Edema.\n1,Clear.\n")
    with pytest.raises(BadInput, match="another column with --candidate-id"):
        list(load_source(path, side="candidate"))
