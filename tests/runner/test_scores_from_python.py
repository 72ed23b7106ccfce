"""overread.score: whatever people have in memory, and what they get back."""

import pytest

import overread
from overread.errors import BadInput, UnknownName

OLD = ["The heart is enlarged.", "Clear lungs."]
NEW = ["Enlarged heart.", "Clear lungs."]
QUICK = {"metrics": ["rouge-l"], "resamples": 20, "shuffles": 20}


class PandasLike:
    """What we use of a pandas frame."""

    def __init__(self, rows):
        self.rows = rows
        self.columns = list(rows[0])

    def to_dict(self, orient):
        assert orient == "records"
        return self.rows


class PolarsLike:
    def __init__(self, rows):
        self.rows = rows

    def to_dicts(self):
        return self.rows


def rows(texts):
    return [{"id": n, "report": text} for n, text in enumerate(texts)]


def arrow(texts):
    return pytest.importorskip("pyarrow").Table.from_pylist(rows(texts))


@pytest.mark.parametrize(
    "shape",
    [
        list,
        tuple,
        rows,
        lambda texts: dict(enumerate(texts)),
        lambda texts: PandasLike(rows(texts)),
        lambda texts: PolarsLike(rows(texts)),
        lambda texts: [overread.parse(text, str(n)) for n, text in enumerate(texts)],
        arrow,
    ],
)
def test_every_shape_gives_the_same_scores(shape):
    found = overread.score(shape(OLD), shape(NEW), **QUICK)
    assert found.values("rouge-l") == [pytest.approx(1 / 3), 1.0]
    assert found["rouge-l"] == pytest.approx(2 / 3)


def test_several_systems():
    found = overread.score(OLD, {"ours": NEW, "theirs": OLD}, **QUICK)
    assert found.values("rouge-l", "theirs") == [1.0, 1.0]
    assert [r["system"] for r in found.table()] == ["ours", "theirs"]
    assert found.ranking("rouge-l").differences[0].difference == pytest.approx(-1 / 3)
    assert found["rouge-l"] == {"ours": pytest.approx(2 / 3), "theirs": 1.0}


def test_rows_for_frames_are_plain():
    first = overread.score(OLD, NEW, **QUICK).to_dicts()[0]
    assert (first["id"], first["system"], first["metric"], first["state"]) == (
        "0",
        "candidate",
        "rouge-l",
        "scored",
    )


def test_a_notebook_shows_a_table_and_names_cannot_break_it():
    html = overread.score(OLD, {"<b>": NEW}, **QUICK)._repr_html_()
    assert html.startswith("<table>")
    assert "&lt;b&gt;" in html
    assert "0.667" in html


def test_files_and_page_on_demand(tmp_path):
    found = overread.score(OLD, NEW, **QUICK, output=tmp_path / "out")
    assert {p.name for p in (tmp_path / "out").iterdir()} >= {
        "results.jsonl",
        "summary.json",
        "manifest.json",
    }
    assert found["rouge-l"] == pytest.approx(2 / 3)


def test_missing_and_empty_candidates_in_a_dict():
    found = overread.score({"a": "Clear lungs.", "b": "Edema."}, {"a": None}, **QUICK)
    assert found.values("rouge-l") == [0.0, 0.0]
    assert found.summary.notes["candidate"] == {"empty candidate": 1, "no candidate": 1}


@pytest.mark.parametrize(
    ("references", "candidates", "message"),
    [
        (OLD, NEW[:1], "2 references but 1 candidates"),
        ([], [], "at least one report"),
        (OLD, [1, 2], "hold a int under '0'"),
    ],
)
def test_what_cannot_be_scored_is_said(references, candidates, message):
    with pytest.raises(BadInput, match=message):
        overread.score(references, candidates, **QUICK)


def test_unknown_metrics_have_a_neighbour():
    with pytest.raises(UnknownName, match="Did you mean 'rouge-l'"):
        overread.score(OLD, NEW, metrics=["rouge-ll"])


def test_public_names_are_there_and_lazy():
    for name in overread.__all__:
        assert getattr(overread, name) is not None
    assert {"score", "rewards"} <= set(dir(overread))
    with pytest.raises(AttributeError):
        overread.nothing  # noqa: B018


def test_looking_imports_nothing_heavy():
    import subprocess
    import sys

    heavy = ("numpy", "scipy", "rich", "jinja2", "openai")
    code = f"import sys, overread; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"
