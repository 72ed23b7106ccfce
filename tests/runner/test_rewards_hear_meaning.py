"""What a policy must not learn: that something gone, something else, or something elsewhere is as good as the truth.

The judge speaks here, as it does for users. The sentences are rows of `wordings.tsv`: a kind, a sentence, one that$
means something else, where there is one another that means the same, and why a row is known to fail still.
"""

import csv
from pathlib import Path

import pytest

from overread import rewards

with Path(__file__).with_name("wordings.tsv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file, delimiter="\t"))
KINDS = ("gone", "place", "level", "degree", "invented")
TRUE = "FINDINGS: Small left pleural effusion. The heart is normal in size. No pneumothorax."


def rows(kind, *columns):
    """The rows of one kind; those that still go wrong are marked."""
    for row in ROWS:
        if row["kind"] == kind:
            late = row["not yet"] != "-"
            marks = [pytest.mark.xfail(reason=row["not yet"], strict=True)] if late else []
            yield pytest.param(*(row[c] for c in columns), marks=marks)


def every(kind, *columns):
    return pytest.mark.parametrize(columns, list(rows(kind, *columns)))


@pytest.mark.parametrize("kind", KINDS)
def test_there_are_enough_of_them(kind):
    assert len(list(rows(kind))) >= 20
    assert sum(row["not yet"] != "-" for row in ROWS) <= 4


@every("gone", "sentence", "wrong", "right")
def test_what_is_gone_is_not_there(sentence, wrong, right):
    there, absent = rewards([sentence] * 2, [wrong, right], "radsem")
    assert there < 0.3
    assert absent > 0.5


@every("place", "sentence", "wrong")
def test_two_findings_at_one_place_are_two(sentence, wrong):
    assert rewards([sentence], [wrong], "radsem")[0] < 0.4


@every("level", "sentence", "wrong")
def test_another_level_is_another_finding(sentence, wrong):
    assert rewards([sentence], [wrong], "radsem")[0] < 0.4


@every("degree", "sentence", "wrong")
def test_degrees_belong_to_their_sides(sentence, wrong):
    assert rewards([sentence], [wrong], "radsem")[0] < 0.6


@every("invented", "sentence")
def test_inventing_costs(sentence):
    """Of what the reference denies, `f1-srr` hears nothing: that is what `f1-srr-statuses` is for."""
    invented = f"{TRUE} There is {sentence}."
    assert rewards([TRUE], [invented], metric="f1-srr")[0] < 0.95


def test_inventing_what_is_denied_costs_where_statuses_count():
    invented = TRUE.replace("No pneumothorax.", "Large right pneumothorax.")
    assert rewards([TRUE], [invented], metric="f1-srr-statuses")[0] < 0.8
