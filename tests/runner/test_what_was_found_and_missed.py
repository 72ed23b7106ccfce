"""Counts by kind of finding and attribute, from what every system says its score was made of."""

import pytest

from overread.report import parse
from overread.runner.results.summary import OUTCOMES, add_up, tally
from overread.runner.run.pairs import Pair
from overread.runner.run.scorer import Scorer
from overread.runner.settings import Settings
from overread.systems.registry import SYSTEMS, part, system

REFERENCE = "FINDINGS: Moderate left pleural effusion, increased. The heart is enlarged. No pneumothorax."
CANDIDATE = "FINDINGS: Moderate left pleural effusion, decreased. Right pneumothorax. Old rib fracture."


@pytest.fixture(scope="module")
def found():
    main = tuple(system(name).main for name in SYSTEMS)
    assert all(part(system(name).panel, "outcomes") for name in SYSTEMS)
    scorer = Scorer(Settings(main))
    return scorer(Pair(0, parse(REFERENCE, "1"), {"s": parse(CANDIDATE, "1"), "same": parse(REFERENCE, "1")}))


def test_errors_land_where_they_belong(found):
    counts = found.tallies["s"]
    assert counts["Conditions (CLEAR)"]["Pneumothorax"] == {"contradicted": 1}
    assert counts["Conditions (CLEAR)"]["Cardiomegaly"] == {"missed": 1}
    assert counts["Conditions (CLEAR)"]["Fracture"] == {"invented": 1}
    assert counts["Conditions (CLEAR)"]["Pleural Effusion"] == {"matched": 1}
    assert counts["Trends (longitudinal)"]["worsened"] == {"contradicted": 1}
    assert counts["Sentences (RadSEM)"]["abnormal"]["missed"] >= 1


def test_a_report_against_itself_is_all_matched(found):
    for group, names in found.tallies["same"].items():
        for name, outcomes in names.items():
            assert set(outcomes) == {"matched"}, (group, name)


def test_every_outcome_has_a_colour(found):
    seen = {
        o
        for tallied in found.tallies.values()
        for names in tallied.values()
        for n in names.values()
        for o in n
    }
    assert seen <= set(OUTCOMES)


def test_tallies_add_up(found):
    total = {}
    add_up(total, found.tallies["s"])
    add_up(total, found.tallies["s"])
    assert total["Conditions (CLEAR)"]["Fracture"] == {"invented": 2}
    assert tally({}) == {}
