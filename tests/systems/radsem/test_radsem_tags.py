"""Tag files are read strictly: every malformed record is an error that names its line, and nothing is scored."""

import json

import pytest

from overread.errors import BadInput
from overread.systems.radsem.match import match
from overread.systems.radsem.score import score_tags
from overread.systems.radsem.tags import read_tags, write_tags

PAIR = {
    "ref_sentence": "Liver has cyst.",
    "gen_sentence": "Liver has small cyst.",
    "normality": "abnormal",
    "anatomical_relationship": "equivalent",
    "asserted_abnormality_relationship": "equivalent",
    "negated_abnormality_relationship": None,
    "details_of_abnormality_relationship": "none",
}
LOOSE = {"sentence": "Heart is enlarged.", "sentence_is_from": "Ref", "normality": "abnormal"}
RECORD = {
    "name": "case",
    "findings": {"pairs": [PAIR], "unmatched_sentences": [LOOSE]},
    "ref_sentences": ["Liver has cyst.", "Heart is enlarged."],
    "gen_sentences": ["Liver has small cyst."],
}


def changed(**changes):
    """The record with fields of its pair, its unmatched sentence or itself changed."""
    pair = PAIR | {k: v for k, v in changes.items() if k in PAIR}
    loose = LOOSE | {k: v for k, v in changes.items() if k in LOOSE and k != "normality"}
    whole = RECORD | {k: v for k, v in changes.items() if k in RECORD}
    return whole | {"findings": changes.get("findings", {"pairs": [pair], "unmatched_sentences": [loose]})}


@pytest.fixture
def written(tmp_path):
    def write(*records):
        path = tmp_path / "tags.jsonl"
        path.write_text("".join(json.dumps(r) + "\n" for r in records))
        return path

    return write


def test_a_good_record_is_read_and_scored(written):
    (found,) = read_tags(written(RECORD))
    assert score_tags(found).value == pytest.approx(2 * 0.5 / (2 * 0.5 + 1))


MALFORMED = {
    "a mistyped relationship": (changed(anatomical_relationship="part-hole"), "Invalid enum value"),
    "a mistyped detail": (changed(details_of_abnormality_relationship="some"), "Invalid enum value"),
    "a mistyped normality": (changed(normality="Abnormal"), "Invalid enum value"),
    "a mistyped side": (changed(sentence_is_from="Reference"), "Invalid enum value"),
    "an unknown field": (RECORD | {"comment": "x"}, "unknown field"),
    "a missing label": (
        changed(findings={"pairs": [{"ref_sentence": "a"}], "unmatched_sentences": []}),
        "missing required field",
    ),
    "no findings": ({"name": "case"}, "missing required field"),
    "a sentence that is not of the report": (changed(ref_sentence="Spleen has cyst."), "not one of the 2 sentences"),
    "a sentence lost": (changed(findings={"pairs": [PAIR], "unmatched_sentences": []}), "Ref sentence 2 is neither"),
    "a sentence paired and unmatched": (changed(sentence="Liver has cyst."), "Ref sentence 1 is both"),
    "a sentence unmatched twice": (
        changed(findings={"pairs": [PAIR], "unmatched_sentences": [LOOSE, LOOSE]}),
        "Ref sentence 2 is unmatched 2 times",
    ),
    "a sentence listed twice": (changed(gen_sentences=["Liver has small cyst."] * 2), "same sentence twice"),
    "details of a normal pair": (
        changed(normality="normal", asserted_abnormality_relationship=None),
        "must have null details_of_abnormality",
    ),
    "a finding in a normal pair": (
        changed(normality="normal", details_of_abnormality_relationship=None),
        "must have null asserted_abnormality",
    ),
    "an abnormal pair without details": (changed(details_of_abnormality_relationship=None), "needs a details"),
    "an abnormal pair without a finding": (changed(asserted_abnormality_relationship=None), "needs an asserted_"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_record_is_named_with_its_line(written, kind):
    record, problem = MALFORMED[kind]
    with pytest.raises(BadInput, match=r"tags\.jsonl, line 2: ") as error:
        read_tags(written(RECORD | {"name": "good"}, record))
    assert problem in str(error.value)
    assert "cyst" not in str(error.value)


def test_text_that_is_no_json_is_named_with_its_line(tmp_path):
    path = tmp_path / "tags.jsonl"
    path.write_text(json.dumps(RECORD) + "\n{'name': 1}\n")
    with pytest.raises(BadInput, match=r"line 2: not a tag record"):
        read_tags(path)


def test_a_name_that_comes_twice_is_refused(written):
    with pytest.raises(BadInput, match="'case' stands in more than one record"):
        read_tags(written(RECORD, RECORD))


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(BadInput, match="Cannot read the tags"):
        read_tags(tmp_path / "none.jsonl")


def test_tags_can_be_saved_edited_and_scored_again(atoms, tmp_path):
    made = match(atoms("Cyst in the liver. Heart is enlarged."), atoms("Cyst in the liver."))
    path = tmp_path / "tags.jsonl"
    write_tags(path, [made])
    assert read_tags(path) == [made]
    record = json.loads(path.read_text())
    record["findings"]["pairs"][0]["anatomical_relationship"] = "part-whole"
    path.write_text(json.dumps(record))
    (edited,) = read_tags(path)
    assert score_tags(edited).value < score_tags(made).value
