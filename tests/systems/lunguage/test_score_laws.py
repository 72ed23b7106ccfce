"""Laws of LUNGUAGESCORE on invented findings."""

from itertools import pairwise

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.report.span import Span
from overread.systems.lunguage.metrics import VARIANTS, metrics_with
from overread.systems.lunguage.schema import Quote, StructuredFinding, StructuredReport
from overread.systems.lunguage.score import score_reports

ENTITIES = ["effusion", "pleural effusion", "nodule", "opacity", "heart", "PICC", "zorbly shadow"]
WORDS = {
    "location": ["left", "right lower lobe", "bilateral"],
    "severity": ["small", "severe"],
    "improved": ["decreased"],
    "worsened": ["increased"],
    "measurement": ["8 mm", "2.3 x 1.8 cm", "multiple"],
    "no_change": ["unchanged"],
}
attributes = st.fixed_dictionaries(
    {},
    optional={
        name: st.lists(st.sampled_from(words), min_size=1, max_size=2) for name, words in WORDS.items()
    },
)
findings = st.builds(
    lambda entity, status, certainty, attributes: StructuredFinding(
        "f",
        "findings",
        Quote(0, 1, ""),
        entity,
        "PF",
        status,
        certainty,
        attributes,
        spans={"entity": [Span(0, 1)]},
    ),
    st.sampled_from(ENTITIES),
    st.sampled_from(["positive", "negative"]),
    st.sampled_from(["definitive", "tentative"]),
    attributes,
)


def report(found):
    return StructuredReport("r", [msgspec.structs.replace(f, id=f"f{n}") for n, f in enumerate(found, 1)])


reports = st.lists(findings, max_size=6).map(report)
some = st.lists(findings, min_size=1, max_size=6).map(report)
variants = st.sampled_from([variant for *_, variant in VARIANTS])


@given(some, variants)
def test_a_report_against_itself_is_one(one, variant):
    found = score_reports(one, one, **variant)
    assert found.value == pytest.approx(1)
    assert not found.detail["missed"]
    assert not found.detail["invented"]


@given(reports, reports, variants)
def test_between_zero_and_one_or_undefined(one, other, variant):
    found = score_reports(one, other, **variant)
    if not one.findings and not other.findings:
        assert found.value is None
        assert found.why
    else:
        assert all(0 <= value <= 1 for value in (found.value, found.precision, found.recall))


@given(some, variants)
def test_one_empty_side_is_zero(one, variant):
    empty = report([])
    for found in (score_reports(one, empty, **variant), score_reports(empty, one, **variant)):
        assert found.value == found.precision == found.recall == 0
    missed = score_reports(one, empty)
    assert missed.counts == {"tp": 0, "fp": 0, "fn": len(one.findings)}


@given(reports, reports, st.randoms(), variants)
def test_order_of_findings_does_not_matter(one, other, random, variant):
    shuffled = [report(random.sample(side.findings, len(side.findings))) for side in (one, other)]
    assert score_reports(*shuffled, **variant).counts == pytest.approx(
        score_reports(one, other, **variant).counts
    )


@given(reports, reports, variants)
def test_swapping_sides_swaps_precision_and_recall(one, other, variant):
    there, back = score_reports(one, other, **variant), score_reports(other, one, **variant)
    assert there.value == pytest.approx(back.value)


@given(some, st.data())
def test_flipping_one_status_lowers_the_score(one, data):
    place = data.draw(st.integers(0, len(one.findings) - 1))
    old = one.findings[place]
    new = msgspec.structs.replace(old, status="negative" if old.status == "positive" else "positive")
    flipped = StructuredReport("r", [*one.findings[:place], new, *one.findings[place + 1 :]])
    assert score_reports(one, flipped, strict=True).value < 1
    if not any(same(f, new) or same(f, old) for f in one.findings if f is not old):
        assert score_reports(one, flipped).value < 1


def same(one, other):
    """Equal but for their ids: as published, a duplicate of either hides the flip."""
    return msgspec.structs.replace(one, id="") == msgspec.structs.replace(other, id="")


@given(reports, reports)
def test_strict_is_never_kinder(one, other):
    published, strict = score_reports(one, other), score_reports(one, other, strict=True)
    if published.value is not None:
        assert strict.value <= published.value + 1e-12


@given(some, some)
def test_the_breakdown_adds_up(one, other):
    """Pairs give TP; attribute parts give the structural factor; costs give FP and FN."""
    found = score_reports(one, other)
    detail = found.detail
    residue = sum(1 - pair["match"] for pair in detail["pairs"])
    assert sum(pair["match"] for pair in detail["pairs"]) == pytest.approx(found.counts["tp"])
    assert residue + sum(f["cost"] for f in detail["invented"]) == pytest.approx(found.counts["fp"])
    assert residue + sum(f["cost"] for f in detail["missed"]) == pytest.approx(found.counts["fn"])
    for pair in detail["pairs"]:
        assert sum(part["earned"] for part in pair["attributes"]) == pytest.approx(pair["structural"])
        assert sum(part["earned"] + part["lost"] for part in pair["attributes"]) == pytest.approx(1)
        assert pair["match"] == pytest.approx(pair["semantic"] * pair["structural"])
    assert all(a["match"] >= b["match"] - 1e-12 for a, b in pairwise(detail["pairs"]))
    msgspec.json.encode(detail)


def test_names_and_laws_of_the_metrics():
    names = [metric.name for metric in metrics_with()]
    assert names == [
        "lunguage", "lunguage-strict", "lunguage-numeric",
        "lunguage-sequential", "lunguage-sequential-strict", "lunguage-sequential-numeric",
    ]  # fmt: skip
    assert all(metric.laws == {"identity", "symmetric", "bounded"} for metric in metrics_with())


def sized(words):
    return report([msgspec.convert(
        {"id": "f", "section": "findings", "sentence": {"start": 0, "end": 0, "text": ""}, "entity": "nodule",
         "category": "PF", "status": "positive", "certainty": "definitive", "attributes": {"measurement": [words]}},
        StructuredFinding,
    )])  # fmt: skip


def test_lengths_as_numbers_only_by_name():
    """2.3 cm is nearer to 2.4 cm than to 9 cm, and 10 mm is 1 cm, in the numeric variant alone."""

    def measured(one, other, **variant):
        pair = score_reports(sized(one), sized(other), **variant).detail["pairs"][0]
        return next(part["similarity"] for part in pair["attributes"] if part["name"] == "measurement")

    assert measured("2.3 cm", "3.0 cm", numeric=True) == pytest.approx(23 / 30)
    assert measured("10 mm", "1 cm", numeric=True) == pytest.approx(1)
    assert measured("10 mm", "1 cm") < 1
    assert measured("2.3 x 1.0 cm", "2.3 cm", numeric=True) == pytest.approx(0.5)
    assert measured("multiple", "few", numeric=True) == measured("multiple", "few")
