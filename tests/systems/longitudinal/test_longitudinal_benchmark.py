"""The benchmark of follow-up reports: who is in it, how it is split, what is counted; always the same."""

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.errors import BadInput
from overread.reader import read
from overread.report import Patient, Study, parse
from overread.systems.longitudinal.benchmark import (
    SHARES,
    build,
    figures_table,
    split_by_shares,
    statistics,
    statistics_picture,
)
from overread.systems.longitudinal.by_rules import view

FIRST = "FINDINGS: Small left effusion. Clear right lung."
LATER = (
    "FINDINGS: The left effusion has decreased. The PICC is unchanged. Clear right lung. IMPRESSION: Stable."
)
CALM = "FINDINGS: Clear lungs."
BARE = "IMPRESSION: Unchanged."


def patient(name, *texts):
    reports = [parse(text, f"{name}-{n}", patient=name) for n, text in enumerate(texts, 1)]
    return Patient(name, tuple(Study(n, float(n), r) for n, r in enumerate(reports, 1)))


PEOPLE = [patient(f"p{n}", FIRST, LATER, CALM, BARE) for n in range(8)] + [patient("once", FIRST)]


def annotate(reports):
    return [view(read(report)) for report in reports]


def test_second_and_later_studies_with_findings():
    entries = build(PEOPLE, annotate)
    assert len(entries) == 16
    assert {e.study for e in entries} == {2, 3}
    assert {(e.id, e.prior) for e in entries if e.patient == "p0"} == {("p0-2", "p0-1"), ("p0-3", "p0-2")}
    assert [e.longitudinal for e in entries[:2]] == [True, False]
    assert {s.section for e in entries for s in e.sentences} == {"findings"}


def test_the_impression_is_a_setting():
    entries = build(PEOPLE, annotate, sections=["findings", "impression"])
    assert {e.study for e in entries} == {2, 3, 4}
    assert {s.section for e in entries for s in e.sentences} == {"findings", "impression"}


def test_a_patient_is_in_one_split_and_shares_are_kept():
    entries = build(PEOPLE, annotate, shares={"train": 2, "validate": 1, "test": 1})
    by_patient = {}
    for entry in entries:
        by_patient.setdefault(entry.patient, set()).add(entry.split)
    assert all(len(splits) == 1 for splits in by_patient.values())
    sizes = {split: sum(splits == {split} for splits in by_patient.values()) for split in SHARES}
    assert sizes == {"train": 4, "validate": 2, "test": 2}


def test_order_of_the_corpus_does_not_matter_but_the_seed_does():
    ids = [f"p{n}" for n in range(40)]
    assert split_by_shares(ids, SHARES, 0) == split_by_shares(ids[::-1], SHARES, 0)
    assert split_by_shares(ids, SHARES, 0) != split_by_shares(ids, SHARES, 1)


@given(st.sets(st.text(min_size=1, max_size=4), min_size=1, max_size=30), st.integers(0, 5))
def test_every_patient_gets_a_split(ids, seed):
    assert set(split_by_shares(sorted(ids), SHARES, seed)) == ids


def test_splits_of_the_users_own():
    given_ = {f"p{n}": "test" for n in range(8)}
    assert {e.split for e in build(PEOPLE, annotate, splits=given_)} == {"test"}
    del given_["p3"]
    with pytest.raises(BadInput, match="'p3'"):
        build(PEOPLE, annotate, splits=given_)


def test_nobody_followed_up_is_an_error():
    with pytest.raises(BadInput, match="second study"):
        build([patient("once", FIRST)], annotate)


def test_reports_that_could_not_be_read_are_left_out():
    entries = build(PEOPLE, lambda reports: [None, *annotate(reports)[1:]])
    assert len(entries) == 15


def test_statistics_count_reports_sentences_and_kinds():
    assert statistics(build(PEOPLE, annotate))["all"] == {
        "reports": {"longitudinal": 8, "cross-sectional": 8},
        "sentences": {"longitudinal": 16, "cross-sectional": 16},
        "diseases": {
            "no change": 0,
            "improved": 8,
            "worsened": 0,
            "support devices": 8,
            "unmentioned": 0,
        },
    }


def test_table_and_picture_are_the_same_every_time():
    first, again = (statistics(build(PEOPLE, annotate)) for _ in range(2))
    assert figures_table(first) == figures_table(again)
    assert statistics_picture(first) == statistics_picture(again)
    assert [line.split("\t")[0] for line in figures_table(first).splitlines()] == [
        "split",
        "train",
        "validate",
        "test",
        "all",
    ]


def test_the_picture_is_well_formed_and_says_its_numbers():
    drawn = statistics_picture(statistics(build(PEOPLE, annotate)))
    root = ElementTree.fromstring(drawn)
    told = [title.text for title in root.iter("{http://www.w3.org/2000/svg}title")]
    assert told[0] == "Follow-up reports"
    assert "all: longitudinal, 16 of 32 sentences" in told
    assert "all: support devices, 8 of 16 diseases" in told


def test_an_empty_split_draws_no_bar():
    drawn = statistics_picture(
        statistics(build(PEOPLE, annotate, splits={f"p{n}": "train" for n in range(8)}))
    )
    assert ">validate<" not in drawn
    assert ">train<" in drawn
