"""LUNGUAGE: statistics of a corpus, a report's knowledge graph, groups as a matrix, cues as written, demonstrations."""

import json
from importlib.resources import files
from xml.etree import ElementTree

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.formats.graph import NAMESPACE, graph_picture, graphml, nodes_and_edges
from overread.reader import read
from overread.report import parse
from overread.systems.lunguage.asking import Grouping, hints
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.schema import Quote, StructuredFinding, StructuredReport
from overread.validation.lunguage.corpus import COUNTED_RELATIONS, corpus


def finding(id, entity, status="positive", **more):
    return StructuredFinding(
        id, more.pop("section", "findings"), Quote(0, 1, "x"), entity, "PF", status, "definitive", **more
    )


VIEWS = {
    "a": StructuredReport(
        "a",
        [
            finding(
                "f1", "opacity", attributes={"location": ["left base", "right base"], "severity": ["small"]}
            ),
            finding("f2", "Pneumonia", associate=["f1"], evidence=["f1"], section="impression"),
        ],
    ),
    "b": StructuredReport("b", [finding("f1", "Opacity", "negative")]),
    "c": StructuredReport("c", []),
}
REPORTS = [parse("x", "a", patient="p"), parse("x", "b", patient="p"), parse("x", "c", patient="q")]


def run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done


class TestStatistics:
    def test_by_hand(self):
        found = corpus(VIEWS, REPORTS)
        assert (found["reports"], found["patients"], found["studies"]) == (3, 2, {1: 1, 2: 1})
        assert (found["entities"], found["distinct"]) == (3, 2)
        assert found["sections"] == {"findings": 2, "impression": 1}
        assert found["statuses"] == {"positive": 2, "negative": 1}
        assert set(found["relations"]) == set(COUNTED_RELATIONS)
        assert len(COUNTED_RELATIONS) == 18
        told = {name: n for name, n in found["relations"].items() if n}
        assert told == {
            "location": 2, "severity": 1, "dx_status": 3, "dx_certainty": 3, "associate": 1, "evidence": 1,
        }  # fmt: skip

    def test_reports_views_and_the_table_give_them(self, tmp_path):
        row = {"id": "a", "patient": "p", "text": "FINDINGS: Small left pleural effusion."}
        (tmp_path / "r.jsonl").write_text(json.dumps(row) + "\n")
        run("read", tmp_path / "r.jsonl", "--as", "lunguage", "-o", tmp_path / "v.jsonl")
        of_reports = json.loads(run("build", "statistics", tmp_path / "r.jsonl", "--json").stdout)
        of_views = json.loads(run("build", "statistics", tmp_path / "v.jsonl", "--json").stdout)
        assert of_reports["relations"] == of_views["relations"]
        assert of_reports["studies"] == {"1": 1}
        run(
            "build",
            "statistics",
            tmp_path / "r.jsonl",
            "-o",
            tmp_path / "s.tsv",
            "--picture",
            tmp_path / "s.svg",
        )
        assert "Relations\tlocation\t1" in (tmp_path / "s.tsv").read_text()
        ElementTree.fromstring((tmp_path / "s.svg").read_text())


class TestGraph:
    def test_every_value_and_link_is_an_edge(self):
        _, edges = nodes_and_edges(VIEWS["a"])
        assert [(e.start, e.label, e.end) for e in edges] == [
            ("f1", "location", "f1.location.1"),
            ("f1", "location", "f1.location.2"),
            ("f1", "severity", "f1.severity.1"),
            ("f2", "associate", "f1"),
            ("f2", "evidence", "f1"),
        ]

    def test_graphml_is_what_programs_read(self):
        networkx = pytest.importorskip("networkx", reason="networkx is not installed")
        graph = networkx.parse_graphml(graphml(VIEWS["a"]).decode(), force_multigraph=True)
        assert graph.nodes["f1"]["label"] == "opacity"
        assert graph.number_of_edges() == 5

    def test_graphml_is_well_formed(self):
        root = ElementTree.fromstring(graphml(VIEWS["a"]))
        nodes = {one.get("id") for one in root.iter(f"{{{NAMESPACE}}}node")}
        for edge in root.iter(f"{{{NAMESPACE}}}edge"):
            assert {edge.get("source"), edge.get("target")} <= nodes

    def test_files_of_every_report(self, tmp_path):
        row = {"id": "a/1", "text": "FINDINGS: <Small> left pleural effusion & edema."}
        (tmp_path / "r.jsonl").write_text(json.dumps(row) + "\n")
        run("build", "graphs", tmp_path / "r.jsonl", "-o", tmp_path / "g")
        assert sorted(path.name for path in (tmp_path / "g").iterdir()) == ["a_1.graphml", "a_1.svg"]
        ElementTree.fromstring((tmp_path / "g" / "a_1.svg").read_text())
        ElementTree.fromstring(graph_picture(view(read(parse(row["text"], "a")))))


def test_groups_as_a_matrix(tmp_path):
    rows = [
        {
            "id": f"a{n}",
            "patient": "p",
            "day": n,
            "text": "FINDINGS: Small left pleural effusion. No pneumothorax.",
        }
        for n in range(2)
    ]
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    run("follow", tmp_path / "r.jsonl", "-o", tmp_path / "t.jsonl")
    run(
        "validate",
        "structuring",
        tmp_path / "t.jsonl",
        "--reports",
        tmp_path / "r.jsonl",
        "--picture",
        tmp_path / "m.svg",
    )
    text = (tmp_path / "m.svg").read_text()
    ElementTree.fromstring(text)
    assert text.count(": 2</title>") == 2  # both groups hold two findings, on the diagonal


def test_cues_as_written_stand_letter_for_letter():
    """Algorithm 1 matches runs of words as they are written; ours folds case, hyphens and plurals."""
    folded = {words for words, _ in hints("Effusions at both bases; small effusion.")}
    exact = {words for words, _ in hints("Effusions at both bases; small effusion.", as_written=True)}
    assert "Effusions" in folded - exact
    assert "effusion" in exact <= folded


def test_five_demonstrations_of_grouping_ship():
    import msgspec

    bank = (
        files("overread.systems.lunguage").joinpath("prompts", "bank.jsonl").read_text("utf-8").splitlines()
    )
    shown = [line for line in map(json.loads, bank) if line["stage"] == "lunguage/follow"]
    assert len(shown) == 5
    for line in shown:
        answer = msgspec.convert(line["answer"], Grouping)
        numbered = range(1, len(line["text"].splitlines()) + 1)
        assert sorted(n for group in answer.groups for n in group.members) == list(numbered)
