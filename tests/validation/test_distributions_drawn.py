"""LUNGUAGE, Figures C.1 and D.3: distributions of cosines per encoder, and of falls per kind of error."""

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.cli.as_typed import app
from typer.testing import CliRunner

from overread.errors import BadInput
from overread.reader import read
from overread.report import parse
from overread.systems.lunguage.by_rules import view
from overread.validation.injection.injected import Injected, distributions, kind_outcome
from overread.validation.lunguage.encoders import (
    across,
    compare_encoders,
    phrase_pairs,
    phrases_across,
    probability_above,
)
from overread.validation.measured import Asking
from overread.validation.shown import Spread, spreads

GROUPS = {"a": ["left effusion", "effusion on the left"], "b": ["rib fracture", "fractured rib"]}


class StandIn:
    """Phrases of one group point one way."""

    name = "stand-in"

    def encode(self, phrases):
        return np.array([[1.0, 0.0] if "effusion" in phrase else [0.6, 0.8] for phrase in phrases])


def test_cosines_within_and_across_groups():
    found = compare_encoders({"x": StandIn()}, GROUPS)["x"]
    assert found.alike.five == pytest.approx((1,) * 5)
    assert found.unlike.five == pytest.approx((0.6,) * 5)
    assert (found.alike.count, found.unlike.count, found.separation) == (2, 4, 1)


def test_pairs_and_what_cannot_be_asked():
    alike, unlike = phrase_pairs(GROUPS)
    assert (len(alike), len(unlike)) == (2, 4)
    assert probability_above([0.5], [0.5]) == 0.5
    with pytest.raises(BadInput, match="at least two groups"):
        compare_encoders({"x": StandIn()}, {"a": ["one"]})


def test_encoders_as_typed(tmp_path):
    rows = [f"{group},{phrase}" for group, phrases in GROUPS.items() for phrase in phrases]
    (tmp_path / "p.csv").write_text("\n".join(["group,phrase", *rows]) + "\n")
    words = ["validate", "encoders", str(tmp_path / "p.csv"), "--picture", str(tmp_path / "c.svg")]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "embedded" in done.stdout
    ElementTree.fromstring((tmp_path / "c.svg").read_text())


def test_phrases_of_references_and_candidates(tmp_path):
    """LUNGUAGE, Figure C.1: every phrase of a reference with every phrase of its candidate."""
    texts = {"r": "FINDINGS: Small left effusion. Rib fracture.", "c": "FINDINGS: Small left effusion."}
    for name, text in texts.items():
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": "1", "text": text}) + "\n")
    views = {name: parse_and_view(text, "1") for name, text in texts.items()}
    pairs = phrases_across([(views["r"], views["c"])])
    assert len(pairs) == len(views["r"].findings) * len(views["c"].findings) == 2
    found = across({"x": StandIn()}, pairs)["x"]
    assert found.five == pytest.approx((0.6, 0.7, 0.8, 0.9, 1.0))
    words = ["validate", "encoders", str(tmp_path / "r.jsonl"), str(tmp_path / "c.jsonl")]
    done = CliRunner().invoke(app, [*words, "--picture", str(tmp_path / "c.svg"), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["embedded"]["count"] == 2
    ElementTree.fromstring((tmp_path / "c.svg").read_text())


def parse_and_view(text, id):
    return view(read(parse(text, id)))


def test_reports_without_phrases_say_so():
    with pytest.raises(BadInput, match="no phrases to compare"):
        across({"x": StandIn()}, [])


def test_all_six_encoders_of_the_paper_have_weights_to_fetch():
    from overread.encoders.load import MODELS
    from overread.weights.folder import published_models

    assert set(MODELS) == {"medcpt", "biolord", "biomedbert", "bioclinicalbert", "clinicalbert", "biobert"}
    assert set(MODELS) <= set(published_models())


def test_falls_are_drawn_by_kind():
    kinds = {
        "severity": kind_outcome("severity", [0.1, 0.2, 0.3, None], Asking(20)),
        "typo": kind_outcome("typo", [None], Asking(20)),
    }
    assert kinds["severity"].five == pytest.approx((0.1, 0.15, 0.2, 0.25, 0.3))
    text = distributions([Injected("radsem", "RadSEM", kinds)])
    ElementTree.fromstring(text)
    assert "severity" in text
    assert "typo" not in text


def test_boxes_stand_where_the_values_are():
    root = ElementTree.fromstring(spreads("t", {"p": {"n": Spread((0.0, 0.25, 0.5, 0.75, 1.0), 9)}}))
    box = next(one for one in root.iter("{http://www.w3.org/2000/svg}rect") if one.get("fill-opacity"))
    assert float(box.get("width")) == pytest.approx(230, abs=0.2)


def test_radsem_figure_2():
    """RadSEM paper, Figure 2: with M₀ = 4 and U₀ = 1 the formulas give these values."""
    from overread.validation.radsem_curves import f1_curves, penalties, scenarios

    at = {name: dict(points)[4.0] for name, points in scenarios().items()}
    full, partial, one, two = at.values()
    assert (full, one, two) == pytest.approx((10 / 11, 8 / 10, 8 / 11))
    assert partial == pytest.approx(2 * (4 + 1 / 3) / (2 * (4 + 1 / 3) + 1))
    share = dict(penalties()["1 unmatched before"])[4.0]
    assert share == pytest.approx((full - partial) / (full - one))
    ElementTree.fromstring(f1_curves())
