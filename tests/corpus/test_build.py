"""Annotated reports → text and lines: layout, offsets, the LUNGUAGE layer, and every format."""

import gzip
import json
from io import BytesIO

import pytest
from tests.corpus.written import guide_example, report

from overread.corpus.build import FORMAT_SUFFIXES, line_of, write_corpus
from overread.corpus.notation import parse_notation
from overread.corpus.records import lay_out
from overread.errors import UnknownName
from overread.formats.lines import read as overread_lines
from overread.formats.registry import opened_as


@pytest.fixture
def line():
    [found], _ = parse_notation(guide_example(), "guide")
    return line_of("dev", found)


def test_the_usual_headings_where_the_writer_gave_no_layout():
    text = lay_out(
        report(
            "I Cough.\n~ history\nF One.\n~ summary\nF Two.\n~ summary\nP/ 1. Three.\n~ summary\nP/ 2. Four.\n~ summary"
        )
    ).text
    assert text == "INDICATION: Cough.\n\nFINDINGS: One. Two.\n\nIMPRESSION:\n1. Three.\n2. Four.\n"


def test_as_written_where_there_are_layout_lines():
    text = lay_out(
        report(
            "= CT\n=\nF One.\n~ summary\nF Two.\n~ summary\nF/ Three.\n~ summary\n= ---\nP Four.\n~ summary"
        )
    ).text
    assert text == "CT\n\nOne. Two.\nThree.\n---\nFour.\n"


def test_every_offset_leads_to_its_words(line):
    for mention in line.mentions:
        quoted = [
            (mention.entity, mention.spans),
            *((one.text, one.spans) for one in (*mention.attributes, *mention.cues)),
        ]
        for words, spans in quoted:
            assert " ".join(span.of(line.text) for span in spans) == words
        sentence = line.sentences[mention.sentence]
        assert sentence.start <= mention.spans[0].start < mention.spans[-1].end <= sentence.end


def test_lines_know_what_the_notation_says(line):
    effusion = line.mentions[3]
    assert [(one.kind, one.text) for one in effusion.attributes] == [
        ("location", "left"), ("measurement", "4 cm deep"), ("previous_measurement", "2 cm"),
    ]  # fmt: skip
    assert [(one.kind, one.to) for one in line.mentions[-1].links] == [("same_as", effusion.id)]
    assert [(one.to, one.attributes[0].text) for one in line.additions] == [("m5", "unchanged")]
    assert (line.split, line.modality, line.patient) == ("dev", "XR chest", "")


def test_the_lunguage_layer_follows(line):
    by_id = {finding.id: finding for finding in line.findings}
    assert by_id["m4"].attributes["measurement"] == ["4 cm deep", "2 cm"]
    assert by_id["m6"].evidence == by_id["m6"].associate == ["m5"]
    assert by_id["m5"].associate == ["m6"]
    assert by_id["m7"].attributes == {}
    gone = line_of("dev", report("F The effusion has resolved.\n- effusion + ; gon=resolved")).findings[0]
    assert gone.attributes == {"improved": ["resolved"]}


def test_alternatives_stand_beside_the_mention_they_replace():
    found = line_of("dev", report("F Enlarged heart.\n- heart + ; mea=Enlarged\n/- Enlarged heart +"))
    assert [one.entity for one in found.alternatives] == ["Enlarged heart"]
    assert found.alternatives[0].id == found.mentions[0].id


@pytest.mark.parametrize(
    ("name", "file"),
    [("conll", "dev.conll"), ("brat", "dev"), ("label-studio", "dev.json"), ("jsonl", "dev.jsonl")],
)
def test_formats_are_read_back_by_the_project(name, file, line, tmp_path):
    assert write_corpus([line], tmp_path / "out", name) == {"train": 0, "dev": 1, "test": 0}
    path = tmp_path / "out" / file
    [found] = overread_lines(path) if name == "jsonl" else opened_as(name, path).reports()
    assert found.text == line.text
    assert [mark.entity for mark in found.marks] == [mention.entity for mention in line.mentions]
    assert [mark.status for mark in found.marks] == [mention.status for mention in line.mentions]


def unpacked(path):
    return gzip.decompress(path.read_bytes())


def test_a_folder_for_datasets(line, tmp_path):
    write_corpus([line], tmp_path / "out", "datasets")
    [row] = map(json.loads, unpacked(tmp_path / "out" / "dev.jsonl.gz").splitlines())
    assert row["mentions"][0]["entity"] == "mitral valve repair"
    assert "findings" not in row
    card = (tmp_path / "out" / "README.md").read_text()
    assert card.startswith("---\nlicense: cc-by-4.0\n")
    assert "      - split: dev\n        path: dev.jsonl.gz\n---\n" in card


def test_every_line_for_datasets_has_the_same_schema(line, tmp_path):
    arrow = pytest.importorskip("pyarrow.json")
    other = line_of("dev", report("F Clear lungs.\n- lungs - ; mor=clear"))
    write_corpus([line, other], tmp_path / "out", "datasets")
    table = arrow.read_json(BytesIO(unpacked(tmp_path / "out" / "dev.jsonl.gz")))
    assert table.num_rows == 2
    assert table["mentions"][0].as_py()[0]["attributes"][0]["kind"] == "past_hx"


def test_an_unknown_format_is_named(tmp_path):
    with pytest.raises(UnknownName, match="Did you mean 'jsonl'"):
        write_corpus([], tmp_path / "out", "json")
    assert "datasets" in FORMAT_SUFFIXES
