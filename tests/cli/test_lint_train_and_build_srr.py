"""The SRRG verbs from the command line: lint, build srr, train srr."""

import json
from pathlib import Path

import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput, UnknownName

REPORT = "FINDINGS: Small left pleural effusion. Stable cardiomegaly.\n\nIMPRESSION: Small left pleural effusion.\n"
CLEAN = """\
Findings:

Pleura:
- Small left pleural effusion

Cardiovascular:
- Cardiomegaly

Impression:
1. Small left pleural effusion
"""


def run(*arguments, code=0):
    found = CliRunner().invoke(app, [str(one) for one in arguments])
    if found.exception is not None and not isinstance(found.exception, SystemExit):
        raise found.exception
    assert found.exit_code == code, found.output
    return found


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "clean.txt").write_text(CLEAN)
    (tmp_path / "report.txt").write_text(REPORT)
    (tmp_path / "spoiled.txt").write_text(
        CLEAN.replace("- Cardio", "- New cardio").replace("1. Small", "2. Small")
    )
    rows = [{"id": f"r{n}", "patient": f"p{n // 2}", "text": REPORT.replace("left", side)}
            for n, side in enumerate(["left", "right", "left", "right"])]  # fmt: skip
    (tmp_path / "reports.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


class TestLint:
    def test_a_clean_report_passes(self, files):
        found = run("lint", files / "clean.txt", "--original", files / "report.txt")
        assert found.stdout == ""
        assert "0 faults" in found.stderr

    def test_faults_are_told_by_line_and_the_exit_code_is_1(self, files):
        found = run("lint", files / "spoiled.txt", "--original", files / "report.txt", code=1)
        told = [line.split(":", 1)[1].split(": ")[:2] for line in found.stdout.splitlines()]
        assert told == [["7", "comparison"], ["10", "misnumbered"]]

    def test_faults_go_to_a_file_as_json(self, files):
        run("lint", files / "spoiled.txt", "-o", files / "faults.jsonl", code=1)
        rows = [json.loads(line) for line in (files / "faults.jsonl").read_text().splitlines()]
        assert [(row["rule"], row["line"]) for row in rows] == [("comparison", 7), ("misnumbered", 10)]

    def test_view_lines_are_checked_against_the_reports_of_the_same_id(self, files):
        run("build", "srr", files / "reports.jsonl", "-o", files / "corpus")
        found = run("lint", files / "corpus" / "reports.jsonl", "--original", files / "reports.jsonl")
        assert "4 structured reports, 0 with faults" in found.stderr

    def test_reports_that_have_no_original_are_named(self, files):
        run("build", "srr", files / "reports.jsonl", "-o", files / "corpus")
        other = files / "other.jsonl"
        other.write_text(
            json.dumps({"id": "r0", "text": REPORT}) + "\n" + json.dumps({"id": "x", "text": REPORT})
        )
        with pytest.raises(BadInput, match="'r1' and 2 others"):
            run("lint", files / "corpus" / "reports.jsonl", "--original", other)

    def test_fidelity_is_a_table_of_means(self, files):
        found = run("lint", files / "clean.txt", "--original", files / "report.txt", "--fidelity")
        head, *lines = found.stdout.splitlines()
        assert head.split() == ["whole", "findings", "impression"]
        assert [line.split("  ")[0].strip() for line in lines] == [
            "reports", "changed", "cosine", "ROUGE-L", "BLEU-4", "edit distance", "word insertions", "word deletions",
            "word replacements", "similarity ratio",
        ]  # fmt: skip

    def test_what_readers_changed_is_counted_by_section(self, files):
        """One word of the impression replaced, the findings left as they are."""
        edited = files / "edited.txt"
        edited.write_text(CLEAN.replace("1. Small left", "1. Large left"))
        found = run("lint", edited, "--original", files / "clean.txt", "--fidelity")
        rows = {line[:22].strip(): line[22:].split("  ") for line in found.stdout.splitlines()}
        told = {name: [cell.strip() for cell in cells if cell.strip()] for name, cells in rows.items()}
        assert told["changed"] == ["1 (100%)", "0 (0%)", "1 (100%)"]
        assert told["word replacements"] == ["1.00 ± 0.00", "0.00 ± 0.00", "1.00 ± 0.00"]
        assert told["similarity ratio"] == ["0.94 ± 0.00", "1.00 ± 0.00", "0.80 ± 0.00"]

    def test_fidelity_needs_the_original(self, files):
        with pytest.raises(BadInput, match="--original"):
            run("lint", files / "clean.txt", "--fidelity")


class TestBuild:
    def test_every_report_has_a_line_and_patients_stay_together(self, files):
        found = run("build", "srr", files / "reports.jsonl", "-o", files / "corpus", "--shares", "50,0,50")
        views = [json.loads(line) for line in (files / "corpus" / "reports.jsonl").read_text().splitlines()]
        lines = [
            json.loads(line) for line in (files / "corpus" / "utterances.jsonl").read_text().splitlines()
        ]
        told = json.loads((files / "corpus" / "statistics.json").read_text())
        assert [view["id"] for view in views] == ["r0", "r1", "r2", "r3"]
        assert len(lines) == sum(len(view["utterances"]) for view in views) == 12
        split = {line["report"]: line["split"] for line in lines}
        assert split["r0"] == split["r1"]
        assert split["r2"] == split["r3"]
        assert sum(told["reports"].values()) == 4
        assert told["bullets_by_header"]["Pleura"] == 4
        assert "Widened cardiac silhouette" in found.stdout

    def test_shares_must_be_three_numbers(self, files):
        with pytest.raises(BadInput, match="80,10,10"):
            run("build", "srr", files / "reports.jsonl", "-o", files / "corpus", "--shares", "80,20")


class TestTrain:
    @pytest.fixture
    def encoder(self, tmp_path):
        torch = pytest.importorskip("torch", reason="torch is not installed (extra models)")
        transformers = pytest.importorskip(
            "transformers", reason="transformers is not installed (extra models)"
        )
        torch.set_num_threads(1)
        folder = tmp_path / "encoder"
        folder.mkdir()
        words = [
            "[PAD]",
            "[UNK]",
            "[CLS]",
            "[SEP]",
            "[MASK]",
            "small",
            "left",
            "pleural",
            "effusion",
            "cardiomegaly",
        ]
        (folder / "vocab.txt").write_text("\n".join(words))
        transformers.BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
        config = transformers.BertConfig(
            vocab_size=len(words),
            hidden_size=16,
            num_hidden_layers=1,
            num_attention_heads=2,
            intermediate_size=16,
        )
        transformers.BertModel(config).save_pretrained(folder)
        return folder

    def test_a_corpus_becomes_a_model_with_its_table(self, files, encoder):
        run("build", "srr", files / "reports.jsonl", "-o", files / "corpus")
        lines = files / "corpus" / "utterances.jsonl"
        rest = ("--space", "upper", "--epochs", 2, "--validate", lines)
        label = {"label": "Cardiomegaly", "status": "Present"}
        learn = files / "learn.jsonl"
        learn.write_text(
            "".join(json.dumps({"text": f"heart {n}", "labels": [label]}) + "\n" for n in range(20))
        )
        found = run("train", "srr", learn, "--base", encoder, "-o", files / "model", *rest)
        last = [line.split()[0] for line in found.stdout.splitlines()[-4:]]
        assert last == ["micro", "macro", "weighted", "samples"]
        told = json.loads((files / "model" / "evaluation.json").read_text())
        assert told["utterances"] == 12
        again = run("train", "srr", lines, "--base", files / "model", "--space", "upper", "--epochs", 0,
                    "--validate", lines, "--json")  # fmt: skip
        assert json.loads(again.stdout) == told

    def test_options_that_make_no_sense_are_said(self, files):
        lines = files / "u.jsonl"
        lines.write_text('{"text": "x", "labels": []}\n')
        with pytest.raises(BadInput, match="-o FOLDER"):
            run("train", "srr", lines)
        with pytest.raises(BadInput, match="--batch 1"):
            run("train", "srr", lines, "--batch", 0)
        with pytest.raises(UnknownName, match="leaves-statuses"):
            run("train", "srr", lines, "--space", "leafs", "--epochs", 0)

    def test_what_is_judged_was_not_learned(self):
        from overread.systems.srrg.classifier import evaluation_rows
        from overread.systems.srrg.corpus import Labelled

        rows = [Labelled(f"text {n}", [], split="") for n in range(200)] * 2
        learn, judge = evaluation_rows(rows, None)
        assert len(learn) + len(judge) / 2 == 200
        assert not {row.text for row in learn} & {row.text for row in judge}
        named = [
            Labelled(text, [], split=split) for text, split in (("a", "train"), ("a", "test"), ("b", "test"))
        ]
        learn, judge = evaluation_rows(named, None)
        assert ([row.text for row in learn], [row.text for row in judge]) == (["a"], ["b"])
        learn, judge = evaluation_rows(named, [Labelled("a", []), Labelled("c", [])])
        assert ([row.text for row in learn], [row.text for row in judge]) == (["a"], ["c"])


def test_a_model_builds_the_corpus_and_what_fails_is_listed(tmp_path, monkeypatch):
    """Three models vote; a report on which the model only talks is a row among the failures."""
    from tests.llm.conftest import Loopback
    from tests.llm.stand_in import good, hostile

    reports = tmp_path / "reports.jsonl"
    texts = {"a": "FINDINGS: Small left pleural effusion. No pneumothorax.", "bad": "FINDINGS: Cardiomegaly."}
    reports.write_text("".join(json.dumps({"id": id, "text": text}) + "\n" for id, text in texts.items()))
    monkeypatch.setenv("OVERREAD_CACHE_FILE", str(tmp_path / "answers.sqlite"))
    server = Loopback()
    server.behave = lambda ask: (
        hostile(ask) if "Cardiomegaly." in ask.text.split("IMPRESSION")[-1] else good(ask)
    )
    folder = tmp_path / "corpus"
    try:
        models = [part for name in ("one", "two", "three") for part in ("--model", name)]
        done = CliRunner().invoke(
            app,
            [
                "build",
                "srr",
                str(reports),
                "-o",
                str(folder),
                "--by",
                "llm",
                "--shots",
                "0",
                "--base-url",
                server.url,
                *models,
            ],
        )
    finally:
        server.close()
    assert done.exit_code == 0, done.output
    assert {json.loads(line)["id"] for line in (folder / "reports.jsonl").read_text().splitlines()} == {"a"}
    assert [json.loads(line)["item"] for line in (folder / "failures.jsonl").read_text().splitlines()] == [
        "bad"
    ]
    told = json.loads((folder / "statistics.json").read_text())
    assert told["reports_failed"] == 1
    assert told["utterances"]
