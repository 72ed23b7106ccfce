"""Tag files are read strictly: every malformed record is an error that names its line, and nothing is scored."""

import json

import pytest
from msgspec import structs

from overread.errors import BadInput
from overread.systems.radsem.match import match
from overread.systems.radsem.score import score_tags
from overread.systems.radsem.tag_file import BadTags, examined, read_tags
from overread.systems.radsem.tag_file import written as line_of

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
    "a mistyped relationship": (
        changed(anatomical_relationship="part-hole"),
        "label: pair 1: anatomical_relationship is 'part-hole'; it must be equivalent or part-whole",
    ),
    "a mistyped detail": (
        changed(details_of_abnormality_relationship="some"),
        "label: pair 1: details_of_abnormality_relationship is 'some'; it must be equivalent, partial, none or null",
    ),
    "a label that is a number": (changed(anatomical_relationship=1), "label: pair 1: anatomical_relationship is a int"),
    "a mistyped normality": (changed(normality="Abnormal"), "label: pair 1: normality is 'Abnormal'"),
    "a mistyped side": (changed(sentence_is_from="Reference"), "label: unmatched sentence 1: sentence_is_from is"),
    "a sentence for a label": (
        changed(anatomical_relationship="Liver has cyst, which is not a label."),
        "label: pair 1: anatomical_relationship is a longer text",
    ),
    "an unknown field": (RECORD | {"comment": "x"}, "field: no field is called 'comment'"),
    "a missing label": (
        changed(findings={"pairs": [{"ref_sentence": "a"}], "unmatched_sentences": []}),
        "field: pair 1: gen_sentence is missing",
    ),
    "no findings": ({"name": "case"}, "field: findings is missing"),
    "pairs that are no list": (
        changed(findings={"pairs": {}, "unmatched_sentences": []}),
        "field: pairs must be a list",
    ),
    "a pair that is no object": (
        changed(findings={"pairs": ["x"], "unmatched_sentences": []}),
        "field: pair 1 must be an object",
    ),
    "a record that is no object": ([RECORD], "field: the record must be an object"),
    "a sentence without words": (changed(sentence=" "), "field: unmatched sentence 1: sentence must be a text"),
    "a pair of another report": (
        changed(ref_sentence="Spleen has cyst."),
        "unknown sentence: the ref_sentence of pair 1 is not one of the 2 in ref_sentences",
    ),
    "an unmatched sentence of another report": (
        changed(sentence="Spleen has cyst."),
        "unknown sentence: unmatched sentence 1 is not one of the 2 in ref_sentences",
    ),
    "a sentence lost": (
        changed(findings={"pairs": [PAIR], "unmatched_sentences": []}),
        "lost sentence: Ref sentence 2 is neither paired nor unmatched",
    ),
    "a sentence paired and unmatched": (changed(sentence="Liver has cyst."), "tagged twice: Ref sentence 1 is both"),
    "a sentence unmatched twice": (
        changed(findings={"pairs": [PAIR], "unmatched_sentences": [LOOSE, LOOSE]}),
        "tagged twice: Ref sentence 2 is unmatched 2 times",
    ),
    "a sentence listed twice": (
        changed(gen_sentences=["Liver has small cyst."] * 2),
        "listed twice: Gen sentence 1 stands 2 times in gen_sentences",
    ),
    "no lists of sentences": (
        {k: v for k, v in RECORD.items() if k in ("name", "findings")},
        "field: ref_sentences and gen_sentences are missing",
    ),
    "a pair in two classes": (
        changed(
            findings={
                "pairs": [
                    PAIR,
                    PAIR
                    | {
                        "normality": "normal",
                        "asserted_abnormality_relationship": None,
                        "details_of_abnormality_relationship": None,
                    },
                ],
                "unmatched_sentences": [LOOSE],
            }
        ),
        "class: pair 2 is pair 1 again with another normality",
    ),
    "details of a normal pair": (
        changed(normality="normal", asserted_abnormality_relationship=None),
        "label: pair 1 is normal and must have null details_of_abnormality",
    ),
    "a finding in a normal pair": (
        changed(normality="normal", details_of_abnormality_relationship=None),
        "label: pair 1 is normal and must have null asserted_abnormality",
    ),
    "an abnormal pair without details": (changed(details_of_abnormality_relationship=None), "needs a details"),
    "an abnormal pair without a finding": (changed(asserted_abnormality_relationship=None), "needs an asserted_"),
}  # fmt: skip


@pytest.mark.parametrize("kind", MALFORMED)
def test_a_malformed_record_is_named_with_line_and_kind_and_nothing_is_read(written, kind):
    record, problem = MALFORMED[kind]
    with pytest.raises(BadTags, match=r"\n  tags\.jsonl, line 2") as error:
        read_tags(written(RECORD | {"name": "good"}, record))
    assert problem in str(error.value)
    assert "cyst" not in str(error.value)


def test_every_fault_of_every_record_is_told(written):
    bad = changed(anatomical_relationship="same", normality="odd", sentence_is_from="ref")
    path = written(bad, RECORD | {"name": "good"}, RECORD | {"name": "lost", "gen_sentences": []}, RECORD)
    sound, faults = examined(path)
    assert [tags.name for tags in sound] == ["good"]
    assert [(f.line, f.name, f.kind) for f in faults] == [
        (1, "case", "label"),
        (1, "case", "label"),
        (1, "case", "label"),
        (3, "lost", "unknown sentence"),
        (4, "case", "name"),
    ]
    with pytest.raises(BadTags, match="has 5 faults; nothing of it was scored"):
        read_tags(path)


def test_text_that_is_no_json_is_named_with_its_line_and_the_rest_is_still_checked(tmp_path):
    path = tmp_path / "tags.jsonl"
    torn = json.dumps(RECORD | {"name": "torn"})[:-1]
    path.write_text(f"{json.dumps(RECORD)}\n{{'name': 1}}\n{torn}\n{json.dumps(RECORD | {'name': 'last'})}\n")
    sound, faults = examined(path)
    assert [tags.name for tags in sound] == ["case", "last"]
    assert [(f.line, f.kind) for f in faults] == [(2, "syntax"), (3, "syntax")]


def test_a_field_written_twice_is_a_fault(tmp_path):
    path = tmp_path / "tags.jsonl"
    path.write_text(json.dumps(RECORD).replace('"normality"', '"normality": "normal", "normality"', 1))
    with pytest.raises(BadTags, match="field: normality stands twice in one object"):
        read_tags(path)


def test_a_name_that_comes_twice_is_refused(written):
    with pytest.raises(BadTags, match=r"line 2 \(case\): name: the record in line 1 has this name too"):
        read_tags(written(RECORD, RECORD))


def test_records_over_several_lines_are_read_and_faults_point_to_their_first_line(atoms, tmp_path):
    made = [
        match(structs.replace(atoms("Cyst in the liver."), id=name), atoms("Liver cyst.")) for name in "ab"
    ]
    path = tmp_path / "tags.json"
    path.write_bytes(b"".join(line_of(one, indent=True) for one in made))
    assert read_tags(path) == made
    lines = path.read_text().splitlines()
    second = lines.index("{", 1) + 1
    path.write_text("\n".join(lines).replace('"equivalent"', '"equal"') + "\n")
    with pytest.raises(BadTags) as error:
        read_tags(path)
    assert {fault.line for fault in error.value.faults} == {1, second}
    path.write_text("\ufeff" + "\r\n".join(lines))
    assert read_tags(path) == made


def test_records_without_lists_can_be_taken_as_they_are(written):
    bare = {key: RECORD[key] for key in ("name", "findings")}
    (found,) = read_tags(written(bare), listed=False)
    assert score_tags(found).value == pytest.approx(0.5)
    twice = bare | {"findings": {"pairs": [PAIR], "unmatched_sentences": [LOOSE, LOOSE]}}
    with pytest.raises(BadTags, match="is unmatched 2 times"):
        read_tags(written(twice), listed=False)


def test_a_file_that_is_not_utf_8_or_empty_is_said_so(tmp_path):
    path = tmp_path / "tags.jsonl"
    path.write_bytes(b'{"name": "a"}\n{"name": "\xe9"}')
    with pytest.raises(BadTags, match="line 2: syntax: not UTF-8"):
        read_tags(path)
    path.write_bytes(b"\n\n")
    with pytest.raises(BadInput, match="holds no tag record"):
        read_tags(path)


def test_a_file_that_is_not_there_is_said_so(tmp_path):
    with pytest.raises(BadInput, match="Cannot read the tags"):
        read_tags(tmp_path / "none.jsonl")


def test_tags_can_be_saved_edited_and_scored_again(atoms, tmp_path):
    made = match(atoms("Cyst in the liver. Heart is enlarged."), atoms("Cyst in the liver."))
    path = tmp_path / "tags.jsonl"
    path.write_bytes(line_of(made))
    assert read_tags(path) == [made]
    record = json.loads(path.read_text())
    record["findings"]["pairs"][0]["anatomical_relationship"] = "part-whole"
    path.write_text(json.dumps(record))
    (edited,) = read_tags(path)
    assert score_tags(edited).value < score_tags(made).value
