"""Timelines by rules against annotated patients, where a folder of them is at hand."""

import os
from pathlib import Path

import pytest

from overread.runner.timelines import follow_by_rules
from overread.sources import patients
from overread.validation.annotated import from_views, load_gold, studies_of
from overread.validation.lunguage.structuring import agreement
from overread.validation.lunguage.trend_flips import trend_flips

FOLDER = os.environ.get("OVERREAD_DATA")
pytestmark = pytest.mark.skipif(not FOLDER, reason="OVERREAD_DATA names no folder of annotated patients")


@pytest.fixture(scope="module")
def gold():
    return load_gold(Path(FOLDER or "") / "timelines_dev.jsonl").patients


@pytest.fixture(scope="module")
def timelines(gold):
    return follow_by_rules(
        patients([study for one in gold.values() for study in studies_of(one)]), 90.0, None
    )


def test_observations_groups_and_episodes(gold, timelines):
    ours = from_views((), timelines).patients
    found = agreement({}, {id: (one, ours[id]) for id, one in gold.items()})
    assert found.observations.recall >= 0.9
    assert found.entity_groups.f1 >= 0.9
    assert found.temporal_groups.f1 >= 0.92


def test_reversing_trends_lowers_every_patient_that_has_one(timelines):
    found = [trend_flips(timeline) for timeline in timelines]
    assert sum(one.count > 0 for one in found) >= len(found) / 2
    for one in found:
        assert (one.sequential < 1) == (one.count > 0)
        assert (one.single < 1) == (one.count > 0)
