"""A law that nothing can break is no law: metrics and readings that are wrong on purpose."""

import typer
from typer.testing import CliRunner

from overread.cli.validate.injected import validate_laws
from overread.report import parse
from overread.validation.laws.scores import SCORE_LAWS, check_scores

REPORTS = [
    parse("FINDINGS: Small left effusion. The heart is large. No pneumothorax. Old rib fracture.", "a"),
    parse("FINDINGS: The lungs are clear. Mild edema is seen. The tube lies in the stomach.", "b"),
]


def broken(metric):
    found = check_scores(lambda pairs: [metric(*pair) for pair in pairs], REPORTS, "toy")
    assert [(one.law, one.name) for one in found] == [(law.number, law.name) for law in SCORE_LAWS.values()]
    return {one.name for one in found if one.broken}


def test_praise_for_everything_breaks_most_laws():
    names = broken(lambda reference, candidate: float(bool(candidate)))
    assert {"what says nothing earns nothing", "negation counts", "sizes of any noun count"} <= names
    assert "one of several left out costs its share" in names


def test_nothing_for_anybody_breaks_the_first():
    assert "equal reports score 1" in broken(lambda reference, candidate: 0.0)


def test_all_or_nothing_is_no_share():
    names = broken(lambda reference, candidate: float(reference == candidate))
    assert "one of several left out costs its share" in names
    assert "order of sentences changes nothing" not in names  # both orders lack a sentence: 0 and 0


def test_word_overlap_does_not_hear_negation():
    def overlap(reference, candidate):
        one, other = set(reference.lower().split()), set(candidate.lower().split())
        return len(one & other) / len(one | other) if one | other else None

    assert "negation counts" in broken(overlap)


def test_length_pays():
    names = broken(lambda reference, candidate: min(1.0, len(candidate) / len(reference)))
    assert {"repetition never pays", "what says nothing earns nothing"} <= names


METRIC = """
def overlap(references, candidates):
    pairs = zip(references, candidates, strict=True)
    return [float(set(a.split()) == set(b.split())) for a, b in pairs]

def short(references, candidates):
    return []
"""


def asked(*arguments):
    app = typer.Typer()
    app.command()(validate_laws)
    return CliRunner().invoke(app, arguments)


def test_a_metric_of_ones_own_by_name(tmp_path, monkeypatch):
    (tmp_path / "toy_metric.py").write_text(METRIC)
    (tmp_path / "reports.csv").write_text("id,text\na,Small left effusion. The heart is large. Mild edema.\n")
    monkeypatch.syspath_prepend(tmp_path)
    found = asked(str(tmp_path / "reports.csv"), "--no-readings", "--python", "toy_metric:overlap")
    assert found.exit_code == 1
    assert "toy_metric:overlap" in found.output
    assert "equal reports score 1" in found.output


def test_a_metric_that_cannot_be_used_is_told_in_words(tmp_path, monkeypatch):
    (tmp_path / "toy_metric2.py").write_text(METRIC)
    monkeypatch.syspath_prepend(tmp_path)
    for name, words in (
        ("toy_metric2:short", "0 values for"),
        ("toy_metric2:missing", "module:function"),
        ("nowhere", "module:function"),
    ):
        found = asked("--no-readings", "--python", name)
        assert found.exit_code != 0
        assert words in f"{found.output} {found.exception}"
