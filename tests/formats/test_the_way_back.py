"""What annotation tools make of our files when people are done: their own exports come back."""

import json

import pytest
from tests.formats.made_up import readings

from overread.errors import BadInput
from overread.formats import bioc, brat, conll, label_studio, prodigy
from overread.formats.annotated import AnnotatedReport
from overread.formats.marking import from_reading
from overread.runner.convert import convert, open_reports

TEXT = "FINDINGS: Small left effusion.\r\n\r\nIMPRESSION:  No  edema.\n"


@pytest.fixture
def exported(tmp_path):
    """Tasks as Label Studio 1.23 exports them: annotations whole, predictions as numbers, more fields."""
    made = [from_reading(reading) for reading in readings()]
    label_studio.write(made, tmp_path / "tasks.labelstudio.json")
    tasks = json.loads((tmp_path / "tasks.labelstudio.json").read_text())
    for number, task in enumerate(tasks, 1):
        (prediction,) = task["predictions"]
        whole = {"id": number, "completed_by": 1, "result": prediction["result"], "was_cancelled": False}
        whole |= {"ground_truth": False, "lead_time": 4.2, "prediction": {}, "unique_id": "u", "task": number}
        for one in whole["result"]:
            one |= {"origin": "prediction"}
        task |= {
            "id": number,
            "annotations": [whole],
            "predictions": [number],
            "drafts": [],
            "inner_id": number,
        }
    path = tmp_path / "project-1.json"
    path.write_text(json.dumps(tasks))
    return path, tasks, made


def test_an_export_of_label_studio_comes_back(exported):
    path, _, made = exported
    assert list(open_reports(path, None)[1]) == made


def test_a_region_nobody_linked_is_left_out_and_named(exported, tmp_path):
    path, tasks, made = exported
    region = {"id": "lone", "type": "labels", "value": {"start": 0, "end": 8, "labels": ["location"]}}
    tasks[0]["annotations"][0]["result"].append(region)
    path.write_text(json.dumps(tasks))
    done = convert(path, tmp_path / "back.jsonl")
    assert done.reports == len(made)
    assert done.left_out == [
        f"{path}, task 1, region lone: no finding has this location; link one to it (has). Left out."
    ]
    assert next(iter(open_reports(tmp_path / "back.jsonl", None)[1])).marks == made[0].marks
    with pytest.raises(BadInput, match="task 1, region lone"):
        convert(path, tmp_path / "strict.jsonl", strict=True)


def test_a_task_that_cannot_be_read_stops_no_other(exported, tmp_path):
    path, tasks, made = exported
    tasks[1]["annotations"][0]["result"][0]["value"]["labels"] = ["zebra"]
    path.write_text(json.dumps(tasks))
    done = convert(path, tmp_path / "back.jsonl")
    assert (done.reports, len(done.left_out)) == (len(made) - 1, 1)
    assert "task 2, region" in done.left_out[0]


def test_the_export_without_arrows_is_refused_in_words(tmp_path):
    flat = [{"text": "No edema.", "id": 1, "label": [], "annotator": 1, "annotation_id": 2, "lead_time": 3.0}]
    (tmp_path / "min.json").write_text(json.dumps(flat))
    with pytest.raises(BadInput, match="JSON_MIN, which leaves out relations; export it again as JSON"):
        convert(tmp_path / "min.json", tmp_path / "back.jsonl")


def rebuilt(task):
    return "".join(one["text"] + (" " if one["ws"] else "") for one in task["tokens"])


@pytest.mark.parametrize("text", [TEXT, " a", "a ", "\n\n", "a\u00a0b", "x  y", ""])
def test_tokens_of_prodigy_are_the_text(text):
    assert rebuilt(prodigy.task(AnnotatedReport("a", text, marks=()))) == text


def test_marks_stand_on_their_tokens():
    for reading in readings():
        task = prodigy.task(from_reading(reading))
        assert rebuilt(task) == task["text"]
        assert [one["id"] for one in task["tokens"]] == list(range(len(task["tokens"])))
        for span in task["spans"]:
            ends = task["tokens"][span["token_start"]]["start"], task["tokens"][span["token_end"]]["end"]
            assert ends == (span["start"], span["end"])


def test_spacy_builds_the_text_from_the_tokens():
    spacy = pytest.importorskip("spacy", reason="spaCy is not installed")
    for reading in readings():
        task = prodigy.task(from_reading(reading))
        words, spaces = ([one[part] for one in task["tokens"]] for part in ("text", "ws"))
        doc = spacy.tokens.Doc(spacy.blank("en").vocab, words=words, spaces=spaces)
        assert doc.text == task["text"]
        assert all(doc.char_span(one["start"], one["end"]) is not None for one in task["spans"])


def test_brat_is_told_that_marks_may_share_their_words(tmp_path):
    brat.write([], tmp_path / "out")
    settings = (tmp_path / "out" / "annotation.conf").read_text()
    relations = settings.partition("[relations]")[2].partition("[events]")[0]
    assert "<OVERLAP>\tArg1:<ENTITY>, Arg2:<ENTITY>, <OVL-TYPE>:<ANY>" in relations.splitlines()


def test_the_bioc_package_reads_what_is_written(tmp_path):
    package = pytest.importorskip("bioc", reason="bioc is not installed")
    bioc.write([from_reading(reading) for reading in readings()], tmp_path / "a.bioc.xml")
    with (tmp_path / "a.bioc.xml").open() as file:
        found = package.biocxml.load(file)
    package.validate(found)
    marks = [(p, a) for d in found.documents for p in d.passages for a in p.annotations]
    assert len(marks) > 10
    for passage, mark in marks:
        words = [
            passage.text[one.offset - passage.offset : one.end - passage.offset] for one in mark.locations
        ]
        assert " ".join(words) == mark.text or mark.text in words


def test_the_conllu_package_reads_what_is_written(tmp_path):
    package = pytest.importorskip("conllu", reason="conllu is not installed")
    wanted = [from_reading(reading) for reading in readings()]
    conll.write(wanted, tmp_path / "a.conll")
    found = package.parse((tmp_path / "a.conll").read_text())
    tokens = [token for sentence in found for token in sentence]
    texts = "".join(report.text for report in wanted)
    assert len(tokens) > 50
    assert all(token["form"] in texts for token in tokens)
