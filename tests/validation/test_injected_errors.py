"""Errors put into the bundled reports are caught by `overread`, harmless rewrites are left alone."""

import json

import pytest
from tests.cli.as_typed import overread

from overread import examples
from overread.reader import read
from overread.report import parse
from overread.sources import load_source
from overread.validation.injection.changes import ERRORS, HARMLESS, ChangedPair, changes
from overread.validation.injection.injected import (
    UNCHANGED,
    heatmap,
    in_table_order,
    inject,
    injected,
    is_harmless,
    kind_outcome,
    over_patients,
    render,
)
from overread.validation.measured import Asking

REPORT = """FINDINGS: Endotracheal tube tip is 4 cm above the carina. There is a 9 mm nodule in the right upper lobe.
Small left pleural effusion. The lungs are hyperinflated. No pneumothorax. Mild edema.
IMPRESSION: Right upper lobe nodule."""
CAUGHT, ALARMS = 0.97, 0.03
STYLE = {"repetition", "typo", UNCHANGED}


def bundled(step):
    with examples.folder() as place:
        return list(load_source(place / examples.REFERENCES))[::step]


@pytest.fixture(scope="module", params=[4, pytest.param(2, marks=pytest.mark.slow)])
def reports(request):
    """One bundled report in so many."""
    return bundled(request.param)


@pytest.fixture(scope="module")
def pairs(reports):
    return inject(reports)


@pytest.fixture(scope="module")
def figures(pairs):
    (one,) = injected(pairs, ["overread"], Asking(resamples=20))
    return one


def made(kind):
    found = {c.kind: c for c in changes(read(parse(REPORT, "r1")))}
    return found[kind]


def test_every_kind_is_made_of_a_report_that_allows_it():
    found = {c.kind for c in changes(read(parse(REPORT, "r1")))}
    assert found >= set(ERRORS) - {"device position"}
    assert found >= {"order", "formatting", "normal statement", "spelling", "synonym"}


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("measurement", "27 mm"),
        ("homophone", "hypoinflated"),
        ("device name", "asogastric tube tip"),
        ("spelling", "oedema"),
        ("normal statement", "normal"),
    ],
)
def test_a_change_is_in_the_text(kind, said):
    assert said in made(kind).candidate or kind == "normal statement"
    assert made(kind).candidate != REPORT


def test_the_same_report_gets_the_same_changes():
    one, two = (list(changes(read(parse(REPORT, "r1")), 3)) for _ in range(2))
    assert one == two


def test_errors_that_change_meaning_are_caught(figures):
    asked = [k for k in ERRORS if k not in STYLE and k in figures.kinds]
    assert len(asked) == 10
    low = {k: figures.kinds[k].share for k in asked if figures.kinds[k].share < CAUGHT}
    assert not low


def test_harmless_rewrites_raise_few_alarms(figures):
    arm = [figures.kinds[k] for k in HARMLESS]
    assert sum(o.dropped for o in arm) / sum(o.reports for o in arm) <= ALARMS


def test_kinds_are_counted_apart():
    assert in_table_order([*HARMLESS, *ERRORS])[:2] == ["added device", "false finding"]
    assert is_harmless("order")
    assert not is_harmless("severity")
    found = kind_outcome("order", [0.01, 0.03], Asking(10))
    assert (found.reports, found.dropped) == (2, 1)


def test_tables_and_heat_map(figures):
    told = render([figures], 44)
    assert "errors: share caught" in told
    assert "harmless: share" in told
    drawn = heatmap([figures])
    assert drawn.startswith("<svg")
    assert drawn.count("<rect") == 1 + len(figures.kinds)


def test_a_changed_study_lowers_the_patients_score():
    few = [r for r in bundled(2) if r.patient in ("P01", "P03")]
    (found,) = over_patients(few, ["lunguage-sequential"], Asking(resamples=10))
    assert found.kinds["false finding"].reports == 2
    assert found.kinds["false finding"].dropped == 2


def test_as_typed(tmp_path):
    source = tmp_path / "reports.jsonl"
    source.write_text(json.dumps({"id": "r1", "report": REPORT}) + "\n")
    saved, drawn = tmp_path / "pairs.jsonl", tmp_path / "map.svg"
    done = overread(
        "validate", "injected", source, "-m", "overread,bleu-4", "--resamples", 10, "--save", saved,
        "--heatmap", drawn,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "false negation" in done.stdout
    lines = [json.loads(line) for line in saved.read_text().splitlines()]
    assert {"id", "kind", "what", "changes_meaning", "reference", "candidate"} == set(lines[0])
    assert ChangedPair(**lines[0]).reference == REPORT
    assert drawn.read_text().startswith("<svg")


def test_pairs_of_others_count_under_each_of_their_errors(tmp_path):
    """Rows of ReXErr's shape: original, changed, and several kinds of errors in one report."""
    import json

    from tests.cli.as_typed import app
    from typer.testing import CliRunner

    (tmp_path / "rexerr.csv").write_text(
        "study_id,original_report,error_report,errors_sampled\n"
        "1,Large left effusion. No edema.,Large right effusion. No edema.,\"['Change Location', 'Add Typo']\"\n"
        "2,Small nodule.,No nodule.,\"['False Negation']\"\n"
        '3,Clear lungs.,Clear lungs.,"[]"\n'
    )
    words = [
        "validate",
        "injected",
        str(tmp_path / "rexerr.csv"),
        "--pairs",
        "-m",
        "bleu-4,radsem",
        "--resamples",
        "20",
    ]
    done = CliRunner().invoke(app, [*words, "--distributions", str(tmp_path / "d.svg"), "--json"])
    assert done.exit_code == 0, f"{done.output}{done.exception!r}"
    found = {one["metric"]: one["kinds"] for one in json.loads(done.stdout)}
    assert set(found["radsem"]) == {"change location", "add typo", "false negation"}
    assert found["radsem"]["false negation"]["dropped"] == 1
    assert "2 reports" in CliRunner().invoke(app, words).stdout
    (tmp_path / "bad.csv").write_text("study_id,text\n1,x\n")
    done = CliRunner().invoke(app, ["validate", "injected", str(tmp_path / "bad.csv"), "--pairs"])
    assert "original_report" in str(done.exception)
