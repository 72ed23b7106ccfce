"""Reports grouped by patient and put in order."""

from overread.report import parse
from overread.sources import patients


def outline(reports):
    return [(p.id, [(s.number, s.day, s.report.id) for s in p.studies]) for p in patients(reports)]


def test_by_day():
    reports = [
        parse("", "b", patient="p", day=12.0),
        parse("", "x", patient="q", day=0.0),
        parse("", "a", patient="p", day=0.0),
    ]
    assert outline(reports) == [("p", [(1, 0.0, "a"), (2, 12.0, "b")]), ("q", [(1, 0.0, "x")])]


def test_by_study_number_where_no_day_is_known():
    reports = [parse("", f"s{n}", patient="p", study=n) for n in ("10", "2", "first")]
    assert outline(reports) == [("p", [(1, 1.0, "s2"), (2, 2.0, "s10"), (3, 3.0, "sfirst")])]


def test_a_day_missing_anywhere_means_numbers_everywhere():
    reports = [parse("", "b", patient="p", study="2", day=0.0), parse("", "a", patient="p", study="1")]
    assert outline(reports) == [("p", [(1, 1.0, "a"), (2, 2.0, "b")])]
