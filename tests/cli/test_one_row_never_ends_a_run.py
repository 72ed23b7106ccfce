"""A report on which reading raises is named and counted; every verb finishes with the others."""

import json
import sys

import pytest
from tests.cli.as_typed import overread as typed

import overread.reader  # noqa: F401 (the module that is made to fail)

POISON = "quokka"
REFERENCES = (
    "FINDINGS: Small left pleural effusion, unchanged. No pneumothorax.",
    f"FINDINGS: Enlarged heart, {POISON}. Edema is worse.",
    "FINDINGS: New right opacity. The heart is normal.",
    "FINDINGS: The right opacity is larger. Small effusion. Mild edema. No pneumothorax.",
)
CANDIDATES = (
    "FINDINGS: Left effusion.",
    "FINDINGS: Enlarged heart.",
    "FINDINGS: Right opacity.",
    "FINDINGS: Edema.",
)


@pytest.fixture(autouse=True)
def faulty(monkeypatch):
    """One text cannot be read."""
    module = sys.modules["overread.reader.read"]
    real = module.work

    def work(report, lex):
        if POISON in report.text:
            raise IndexError("the patient's words")
        return real(report, lex)

    monkeypatch.setattr(module, "work", work)


def lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.fixture
def files(tmp_path):
    for name, texts in (("refs", REFERENCES), ("ours", CANDIDATES)):
        rows = [
            {"id": f"r{n}", "patient": f"p{n // 2}", "day": n, "report": text} for n, text in enumerate(texts)
        ]
        lines(tmp_path / f"{name}.jsonl", rows)
    return tmp_path


@pytest.fixture
def gold(files):
    """What people would have said of all of them, in the shape of a view."""

    def make(name):
        texts = [text.replace(POISON, "large") for text in REFERENCES]
        lines(files / "clean.jsonl", [{"id": f"r{n}", "report": text} for n, text in enumerate(texts)])
        assert typed("read", "clean.jsonl", "--as", name, "-o", "view.jsonl", cwd=files).returncode == 0
        rows = [json.loads(line) for line in (files / "view.jsonl").read_text().splitlines()]
        lines(
            files / "gold.jsonl", [{**row, "text": text} for row, text in zip(rows, REFERENCES, strict=True)]
        )

    return make


RUNS = {
    "read": ("read", "refs.jsonl", "-o", "out.jsonl"),
    "follow": ("follow", "refs.jsonl", "-o", "out.jsonl"),
    "convert": ("convert", "refs.jsonl", "out.conll"),
    "score": ("score", "refs.jsonl", "ours.jsonl", "-m", "clear,lunguage-sequential", "-o", "out", "--no-page"),
    "errors": ("errors", "refs.jsonl", "ours.jsonl", "-o", "out.jsonl"),
    "tags write": ("tags", "write", "refs.jsonl", "ours.jsonl", "-o", "out.jsonl"),
    "build clear": ("build", "clear", "refs.jsonl", "-o", "out"),
    "build longitudinal": ("build", "longitudinal", "refs.jsonl", "-o", "out"),
    "build srr": ("build", "srr", "refs.jsonl", "-o", "out"),
    "validate gaming": ("validate", "gaming", "refs.jsonl", "--metric", "rouge-l", "--resamples", "20"),
    "validate injected": ("validate", "injected", "refs.jsonl", "--metric", "rouge-l"),
    "validate organs": ("validate", "organs", "refs.jsonl", "ours.jsonl"),
    "validate progression": ("validate", "progression", "refs.jsonl", "ours.jsonl"),
    "validate trend-flips": ("validate", "trend-flips", "refs.jsonl"),
}  # fmt: skip
AGAINST_PEOPLE = {
    "validate longitudinal": "longitudinal",
    "validate sentences": "radsem",
    "validate structuring": "lunguage",
    "validate template": "srrg",
}


def assert_named(done, files):
    """It came to an end, and says which row it could not read; not a word of the row, nor of the error."""
    kept = "".join(path.read_text() for path in files.rglob("*fail*") if path.is_file())
    said = done.stderr + kept
    assert done.returncode in (0, 1), said
    assert "This should not happen" not in said
    assert "IndexError at" in said
    assert "r1" in said or "patient p0" in said or "1 of" in said or "2 of" in said
    assert "the patient's words" not in said


@pytest.mark.parametrize("verb", RUNS)
def test_a_report_that_cannot_be_read(verb, files):
    assert_named(typed(*RUNS[verb], cwd=files), files)


@pytest.mark.parametrize("verb", AGAINST_PEOPLE)
def test_against_people(verb, files, gold):
    gold(AGAINST_PEOPLE[verb])
    assert_named(typed(*verb.split(), "gold.jsonl", cwd=files), files)


def test_what_is_left_out_is_counted(files):
    done = typed("follow", "refs.jsonl", "-o", "out.jsonl", cwd=files)
    assert done.returncode == 1
    assert "patient p0: IndexError at" in done.stderr
    assert "1 of 2 left out." in done.stderr
    assert len((files / "out.jsonl").read_text().splitlines()) == 1
