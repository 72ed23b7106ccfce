"""References and candidates meet by id, whatever the order of the files; nothing is lost."""

import string

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from overread.errors import BadInput
from overread.runner.run.pairs import Pairs
from overread.runner.scores import score
from overread.sources import from_records


def records(ids):
    return [{"id": id, "text": f"Report {id}."} for id in ids]


ids = st.lists(st.sampled_from(string.ascii_lowercase), unique=True, min_size=1)


@given(references=ids, candidates=ids)
def test_totals_add_up(references, candidates):
    assume(set(references) & set(candidates))
    pairs = Pairs.gather(from_records(records(references)), {"s": from_records(records(candidates))})
    account = pairs.accounts["s"]
    assert account.references == len(references) == account.joined + len(account.missing)
    assert account.candidates == len(candidates) == account.joined + len(account.extra)
    assert [pair.reference.id for pair in pairs] == references
    assert set(account.missing) == set(references) - set(candidates)
    assert set(account.extra) == set(candidates) - set(references)
    for pair in pairs:
        own = pair.reference.id
        assert pair.candidates["s"].text == (f"Report {own}." if own in candidates else "")
        assert pair.note("s") == (None if own in candidates else "no candidate")


def test_candidates_stand_where_their_reference_stands_in_time():
    reference = from_records([{"id": "1", "text": "Clear.", "patient": "p", "day": 7}])
    (pair,) = Pairs.gather(reference, {"s": from_records(records(["1"]))})
    assert (pair.candidates["s"].patient, pair.candidates["s"].day) == ("p", 7.0)


def test_empty_reports_are_told_apart():
    reference = from_records([{"id": i, "text": t} for i, t in (("1", "Clear."), ("2", " "), ("3", ""))])
    candidate = from_records([{"id": i, "text": t} for i, t in (("1", ""), ("2", "Edema."), ("3", "\n"))])
    pairs = Pairs.gather(reference, {"s": candidate})
    assert [pair.note("s") for pair in pairs] == ["empty candidate", "empty reference", "both empty"]
    assert (pairs.accounts["s"].empty_references, pairs.accounts["s"].empty_candidates) == (2, 2)


def test_numbers_and_texts_are_one_id():
    pairs = Pairs.gather(
        from_records([{"id": 7, "text": "Clear."}]), {"s": from_records([{"id": "7", "text": "Edema."}])}
    )
    assert not pairs.accounts["s"].missing


def test_a_patients_pairs_wherever_they_stand(tmp_path):
    rows = [{"id": str(n), "text": "Clear.", "patient": "ab"[n % 2]} for n in range(5)]
    pairs = Pairs(tmp_path / "pairs.sqlite").join(from_records(rows), {"s": from_records(records("0"))})
    assert pairs.patients() == [("a", 3), ("b", 2)]
    assert [pair.reference.id for pair in pairs.of_patient("b")] == ["1", "3"]
    assert [pair.reference.id for pair in pairs.chosen([3, 0])] == ["3", "0"]


@pytest.mark.parametrize(
    ("ours", "theirs", "hint"),
    [
        (["1", "2"], ["001", "002"], "Read as numbers they meet ('1' and '001')"),
        (["1", "2"], ["1.0", "2.0"], "Read as numbers they meet ('1' and '1.0')"),
        (["A1", "B2"], ["b2"], "Without regard to case they meet ('B2' and 'b2')"),
        (["s50", "s51"], ["files/p1/s50.txt"], "Without folder and ending"),
        (["s50", "s51"], ["study-51"], "By their digits alone"),
        (["a", "b", "c"], ["x"], "name the columns of ids with --id and --candidate-id"),
    ],
)
def test_no_id_in_common_is_an_error_that_shows_both_sides(ours, theirs, hint):
    with pytest.raises(BadInput) as error:
        Pairs.gather(from_records(records(ours)), {"s": from_records(records(theirs))})
    told = str(error.value)
    assert "have no id in common" in told
    assert f"{ours[0]!r}, {ours[1]!r}" in told
    assert repr(theirs[0]) in told
    assert hint.lower() in told.lower()


def test_leaving_a_report_out_never_drops_it_from_a_mean():
    """A reference that a metric has nothing to say about is 0 when no candidate is there, not undefined."""
    reference = {"1": "FINDINGS: Small left effusion.", "2": "IMPRESSION: Unchanged appearance."}
    there = score(reference, {"s": {"1": reference["1"], "2": ""}}, ["radsem", "lunguage", "clear"])
    left_out = score(reference, {"s": {"1": reference["1"]}}, ["radsem", "lunguage", "clear", "longitudinal"])
    for metric in ("radsem", "lunguage", "clear"):
        assert there.values(metric)[1] is None
        assert left_out.values(metric)[1] == 0
        assert left_out[metric] <= there[metric]
    (why,) = {row.why for row in left_out.rows if row.metric == "longitudinal" and row.id == "2"}
    assert why.startswith("no candidate, for which this metric cannot charge")
