"""Laws of every RadSEM variant: those it declares, and that its tags, written and read again, score the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.systems.radsem.match import match
from overread.systems.radsem.score import BY_NAME, METRICS
from overread.systems.radsem.tag_file import read_tags, written
from overread.systems.radsem.tags import tags_of

PLACES = (
    "left lung",
    "right lung",
    "left upper lobe",
    "liver",
    "left kidney",
    "heart",
    "L4 vertebral body",
    "lungs",
)
SAYINGS = (
    "has nodules", "is enlarged", "has a small cyst", "has severe oedema", "is small", "has a tube",
    "is normal in size", "has no nodule", "is unremarkable", "has no cyst",
)  # fmt: skip
sentences = st.builds("The {} {}.".format, st.sampled_from(PLACES), st.sampled_from(SAYINGS))
reports = st.lists(sentences, max_size=6).map(" ".join)
every = pytest.mark.parametrize("metric", METRICS, ids=lambda m: m.name)


@every
@given(one=reports, two=reports)
def test_declared_laws_hold(atoms, metric, one, two):
    reference, candidate = atoms(one), atoms(two)
    value = metric.score(reference, candidate).value
    if value is not None and "bounded" in metric.laws:
        assert 0 <= value <= 1
    if "symmetric" in metric.laws:
        assert metric.score(candidate, reference).value == pytest.approx(value)
    own = metric.score(reference, reference).value
    if own is not None and "identity" in metric.laws:
        assert own == 1


@every
@given(one=reports, two=reports)
def test_tags_written_and_read_again_score_the_same(atoms, tmp_path_factory, metric, one, two):
    reference, candidate = atoms(one), atoms(two)
    path = tmp_path_factory.mktemp("tags") / "tags.jsonl"
    path.write_bytes(written(match(reference, candidate)))
    (again,) = read_tags(path)
    direct, scored = metric.score(reference, candidate), BY_NAME[metric.name](again)
    for field in ("value", "why", "precision", "recall", "counts"):
        assert getattr(direct, field) == getattr(scored, field)
    assert direct.detail["pairs"] == scored.detail["pairs"]
    if metric.name == "radsem":
        assert tags_of(direct.detail, again.name) == again


def test_undefined_is_told_and_the_variant_as_published_answers_0(atoms):
    nothing = atoms("")
    found = {metric.name: metric.score(nothing, nothing) for metric in METRICS}
    assert {name: one.value for name, one in found.items()} == {
        "radsem": None,
        "radsem-alt": None,
        "radsem-as-published": 0,
        "radsem-alt-as-published": 0,
    }
    assert {one.why for one in found.values()} == {"neither report holds a finding sentence"}
