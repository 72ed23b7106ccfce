"""SRRG, Tables 5 to 8 as printed: weighted over the corpus, precision and recall beside F1, from reports and views."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.systems.srrg.by_llm import by_disease
from overread.systems.srrg.schema import HEADERS, LabelRead, SrrgView, StructuredReport, Utterance
from overread.validation.shown import shipped
from overread.validation.srrg.organs import Published, organs, render

LABELS = ("Edema", "Cardiomegaly", "Pneumonia")
REFERENCE = "FINDINGS: Small left pleural effusion. The heart is enlarged. IMPRESSION: Effusion."
CANDIDATE = "FINDINGS: Small left pleural effusion. Rib fracture. IMPRESSION: Pneumonia."

lines = st.lists(st.tuples(st.sampled_from(HEADERS[:3]), st.sampled_from(LABELS)), min_size=1, max_size=5)


def a_view(said):
    rows = [
        Utterance("findings", 0, 1, f"{label}.", [LabelRead(label, "Present")], header)
        for header, label in said
    ]
    return SrrgView("a", StructuredReport(), rows)


@given(pairs=st.lists(st.tuples(lines, lines), min_size=1, max_size=4))
def test_organs_diseases_and_headers_are_scikit_learns_weighted_averages(pairs):
    metrics = pytest.importorskip("sklearn.metrics")
    found = organs([(a_view(one), a_view(two)) for one, two in pairs])

    def weighted(sides, names):
        matrix = [[[int(name in row) for name in names] for row in side] for side in sides]
        # a column nobody uses keeps one label from being a binary task
        matrix = [[[*row, 0] for row in side] for side in matrix]
        return metrics.precision_recall_fscore_support(*matrix, average="weighted", zero_division=0)[:3]

    for header in HEADERS[:3]:
        held = [
            tuple({label for head, label in side if head == header} for side in pair)
            for pair in pairs
            if any(head == header for side in pair for head, _ in side)
        ]
        if held:
            own = found.headers[header]
            expected = weighted(list(zip(*held, strict=True)), LABELS)
            assert (own.precision, own.recall, own.f1) == pytest.approx(expected)
            assert own.reports == len(held)
    category = weighted([[{h for h, _ in pair[side]} for pair in pairs] for side in (0, 1)], HEADERS)
    assert (found.category.precision, found.category.recall, found.category.f1) == pytest.approx(category)
    rows = [
        tuple({label for head, label in side if head == header} for side in pair)
        for pair in pairs
        for header in HEADERS[:3]
    ]
    own = found.diseases["findings, unaligned"]
    assert (own.precision, own.recall, own.f1) == pytest.approx(
        weighted(list(zip(*rows, strict=True)), LABELS)
    )


@pytest.fixture
def desk(tmp_path):
    for name, text in {"references": REFERENCE, "ours": CANDIDATE}.items():
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": "r", "text": text}) + "\n")
    return tmp_path


def run(*words):
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert done.exit_code == 0, done.output
    return done


def test_views_give_what_their_reports_give(desk):
    for name in ("references", "ours"):
        run("read", desk / f"{name}.jsonl", "--as", "srrg", "-o", desk / f"{name}-views.jsonl")
    of_reports = run("validate", "organs", desk / "references.jsonl", desk / "ours.jsonl", "--json").stdout
    of_views = run(
        "validate", "organs", desk / "references-views.jsonl", desk / "ours-views.jsonl", "--json"
    ).stdout
    assert list(json.loads(of_reports).values()) == list(json.loads(of_views).values())


def test_the_published_rows_stand_below(desk):
    text = run("validate", "organs", desk / "references.jsonl", desk / "ours.jsonl").stdout
    assert "published: CheXpert-Plus" in text
    assert render({}).count("\n") < text.count("\n")
    assert set(shipped("srrg_published.toml", Published).headers) == set(HEADERS)


def test_a_run_has_precision_and_recall(desk):
    done = run(
        "score", desk / "references.jsonl", desk / "ours.jsonl", "-m", "f1-srr,srr-headers,bleu-4",
        "-o", desk / "out", "--resamples", "20", "--no-page", "--json",
    )  # fmt: skip
    found = {m["name"]: m["systems"]["ours"] for m in json.loads(done.stdout)["metrics"]}
    assert found["f1-srr"]["recall"] == pytest.approx(1 / 2)
    assert found["srr-headers"]["precision"] == pytest.approx(1 / 2)
    assert found["bleu-4"]["precision"] is None


VOTES = {
    "two statuses, the surer holds": ("PU-", "Present"),
    "present as often as absent": ("PA-", "Uncertain"),
    "the majority": ("UUP", "Uncertain"),
    "all three differ": ("PAU", "Uncertain"),
    "one of three is not enough": ("P--", None),
}


@pytest.mark.parametrize("name", VOTES)
def test_models_vote_on_diseases(name):
    said, expected = VOTES[name]
    status = {"P": "Present", "A": "Absent", "U": "Uncertain"}
    votes = [[(1, "Pneumonia", status[one])] if one != "-" else [] for one in said]
    assert by_disease(votes, 2) == ([(1, "Pneumonia", expected)] if expected else [])


class TestDataSets:
    def build(self, place, *more):
        rows = [
            {"id": "a", "patient": "p1", "text": "FINDINGS: No effusion. IMPRESSION: No effusion."},
            {"id": "b", "patient": "p2", "text": "IMPRESSION: No effusion. Edema."},
        ]
        (place / "reports.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        run("build", "srr", place / "reports.jsonl", "-o", place / "out", *more)
        read = {
            path.stem: [json.loads(line) for line in path.read_text().splitlines()]
            for path in (place / "out").glob("*.jsonl")
        }
        return read, json.loads((place / "out" / "statistics.json").read_text())

    def test_findings_and_impression_with_official_and_reviewed_splits(self, tmp_path):
        (tmp_path / "splits.csv").write_text("subject_id,split\np1,train\np2,test\n")
        (tmp_path / "reviewed.csv").write_text("study_id,reader\nb,x\n")
        files, told = self.build(
            tmp_path, "--splits", tmp_path / "splits.csv", "--reviewed", tmp_path / "reviewed.csv"
        )
        assert [(one["id"], one["split"]) for one in files["srrg-findings"]] == [("a", "train")]
        assert [one["split"] for one in files["srrg-impression"]] == ["train", "test-reviewed"]
        assert files["srrg-findings"][0]["text"].endswith("Pleura:\n- No effusion")
        assert told["examples"] == {"findings": {"train": 1}, "impression": {"train": 1, "test-reviewed": 1}}

    def test_a_patient_without_a_split_is_told(self, tmp_path):
        (tmp_path / "splits.csv").write_text("subject_id,split\np1,train\n")
        with pytest.raises(AssertionError):
            self.build(tmp_path, "--splits", tmp_path / "splits.csv")

    def test_each_utterance_once(self, tmp_path):
        files, told = self.build(tmp_path, "--unique")
        texts = [one["text"] for one in files["utterances"]]
        assert texts.count("No effusion") == 1
        assert len(texts) == sum(told["unique_utterances"].values()) < sum(told["utterances"].values())


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("54-year-old man, St. Mary Hospital.", "54-year-old man."),
        ("3 March 2020.", ""),
        ("Radiographs of 3/3/2020 and 4/4/2021.", "Radiographs."),
        ("Seen at St. Luke Hospital (12/3/2020).", "Seen."),
        ("Chest film from 3 March 2020, portable.", "Chest film, portable."),
        ("None.", "None."),
    ],
)
def test_what_is_cut_out_leaves_nothing_behind(text, left):
    from overread.systems.srrg.bullets.identifiers import without_identifiers

    assert without_identifiers(text) == left


def test_generated_reports_are_held_against_each_split_of_a_data_set(tmp_path):
    """SRRG, Tables 5 and 7: rows for the test split and its reviewed part, of whatever a generator wrote."""
    rows = [
        {"id": f"r{n}", "text": "Findings:\n\nPleura:\n- Small effusion", "split": split}
        for n, split in enumerate(("train", "test", "test-reviewed"))
    ]
    gold, made = tmp_path / "srrg-findings.jsonl", tmp_path / "ours.jsonl"
    gold.write_text("".join(json.dumps(row) + "\n" for row in rows))
    made.write_text("".join(json.dumps({"id": r["id"], "text": r["text"]}) + "\n" for r in rows[1:]))
    words = [
        "validate",
        "organs",
        str(gold),
        str(made),
        "--split",
        "test",
        "--split",
        "test-reviewed",
        "--json",
    ]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert list(json.loads(done.output)) == ["ours, test", "ours, test-reviewed"]
    wrong = CliRunner().invoke(app, [*words[:4], "--split", "tset"])
    assert "test" in str(wrong.exception)
    train = CliRunner().invoke(app, [*words[:4], "--split", "train"])
    assert "no report of the split" in str(train.exception)
