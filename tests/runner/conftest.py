"""A few invented studies of three patients, and two systems, one of them untidy."""

import json

import pytest

from overread.runner.results.summary import Draws
from overread.runner.run.job import EXPLAINED, Job
from overread.runner.settings import Settings
from overread.sources import load_source

REFERENCES = [
    (
        "a-1",
        "a",
        0,
        "FINDINGS: Small left pleural effusion. The heart is enlarged.\nIMPRESSION: Left effusion.",
    ),
    ("a-2", "a", 4, "FINDINGS: The left effusion has decreased. The heart is still enlarged."),
    ("a-3", "a", 9, "FINDINGS: No residual effusion. Heart size is normal."),
    ("b-1", "b", 0, "FINDINGS: Right apical pneumothorax, small. Clear left lung."),
    ("b-2", "b", 1, "FINDINGS: The right pneumothorax has resolved."),
    ("c-1", "c", 0, "FINDINGS: Clear lungs. No fracture."),
]
GOOD = {
    "a-1": "FINDINGS: There is a small left effusion. Enlarged heart.",
    "a-2": "FINDINGS: Decreased left effusion. Cardiomegaly.",
    "a-3": "FINDINGS: The effusion has resolved. Normal heart.",
    "b-1": "FINDINGS: Small right apical pneumothorax. The left lung is clear.",
    "b-2": "FINDINGS: Resolved right pneumothorax.",
    "c-1": "FINDINGS: The lungs are clear. No fracture is seen.",
}
BAD = {
    "a-1": "FINDINGS: Large right effusion. Normal heart.",
    "a-2": "FINDINGS: The left effusion has increased.",
    "b-1": "",
    "b-2": "FINDINGS: No pneumothorax. New nodule.",
    "c-1": "FINDINGS: Rib fracture.",
    "x-9": "FINDINGS: Clear lungs.",
}
QUICK = Draws(resamples=50, shuffles=50)


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


@pytest.fixture
def files(tmp_path):
    """The three files on disk."""
    folder = tmp_path / "in"
    folder.mkdir()
    write_lines(
        folder / "references.jsonl",
        [{"id": i, "patient": p, "day": d, "report": text} for i, p, d, text in REFERENCES],
    )
    write_lines(folder / "good.jsonl", [{"id": i, "report": text} for i, text in GOOD.items()])
    write_lines(folder / "bad.jsonl", [{"id": i, "report": text} for i, text in BAD.items()])
    return folder


@pytest.fixture
def job(files):
    """Make a job over the files; metrics by name."""

    def make(*metrics, explained=EXPLAINED, **settings):
        return Job(
            load_source(files / "references.jsonl"),
            {name: load_source(files / f"{name}.jsonl") for name in ("good", "bad")},
            Settings(metrics, **settings),
            explained,
            QUICK,
        )

    return make
