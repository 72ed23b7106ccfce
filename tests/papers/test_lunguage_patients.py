"""LUNGUAGE paper, sections 3.2, 6.1, A.3.2 and B.3: what belongs to one group and one episode, in words of our own."""

from math import comb

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.schema import StudyView


def groups(*studies):
    """Sets of episodes' days, by group."""
    views = [
        StudyView(str(n), float(day), view(read(parse(text, str(n)))))
        for n, (day, text) in enumerate(studies)
    ]
    return {one.name: [(e.first_day, e.last_day) for e in one.episodes] for one in follow("p", views).groups}


def test_an_effusion_that_shrinks_is_one_episode_and_its_return_another():
    """A.3.2: moderate on day 0, small on day 14, a trace on day 45; moderate again on day 180."""
    sizes = [(0, "Moderate left"), (14, "Small"), (45, "Trace"), (180, "Moderate")]
    found = groups(*((day, f"FINDINGS: {size} effusion.") for day, size in sizes))
    assert list(found.values()) == [[(0, 45), (180, 180)]]


def test_an_opacity_that_resolves_and_a_new_one():
    """A.3.2: a lower-lobe opacity and a resolving infiltrate are one episode, a new opacity on day 150 is not."""
    found = groups(
        (0, "FINDINGS: Right lower lobe opacity."),
        (20, "FINDINGS: Resolving infiltrate."),
        (150, "FINDINGS: New opacity."),
    )
    assert list(found.values()) == [[(0, 20), (150, 150)]]


def test_a_symptom_comes_anew_and_a_line_stays():
    """Section 3.2, Figure 2: fever on two days far apart, low volumes without change, a line at the same tip."""
    found = groups(
        (10, "HISTORY: Fever. FINDINGS: Low lung volumes. PICC line tip in the lower SVC."),
        (90, "HISTORY: Fever. FINDINGS: Lung volumes unchanged. PICC line tip at the cavoatrial junction."),
    )
    assert sorted(found.values()) == [[(10, 10), (90, 90)], [(10, 90)], [(10, 90)]]


def test_three_names_of_one_plate():
    """B.4: hardware of the clavicle under three names is one group."""
    found = groups(
        (0, "FINDINGS: Orthopedic side plate of the right clavicle."),
        (5, "FINDINGS: Right clavicle hardware."),
        (9, "FINDINGS: Internal fixation hardware."),
    )
    assert len(found) == 1


def test_a_large_heart_is_its_size_and_not_the_mediastinums():
    """Section 6.1: heart size may group with cardiomegaly, the mediastinal silhouette may not."""
    found = groups(
        (0, "FINDINGS: The heart is enlarged."), (3, "FINDINGS: Cardiomegaly. Normal mediastinal silhouette.")
    )
    assert sorted(len(days) for days in found.values()) == [1, 1]
    assert [days for days in found.values() if days == [(0, 3)]]


@pytest.mark.parametrize(("findings", "pairs"), [(34, 561), (141, 9870)])
def test_observation_pairs(findings, pairs):
    """A.3.2: the number of comparisons `overread follow --statistics` prints for so many findings."""
    assert comb(findings, 2) == pairs


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("No focal consolidation is present.", [("consolidation", "negative")]),
        (
            "No new focal opacities concerning for pneumonia.",
            [("opacities", "negative"), ("pneumonia", "negative")],
        ),
        ("Ground glass opacity on the left.", [("Ground glass opacity", "positive")]),
    ],
)
def test_the_entity_is_the_noun_without_its_modifiers(text, entities):
    """B.3 and A.3.1: `focal` is no part of the entity, `ground glass` is."""
    assert [(f.entity, f.status) for f in view(read(parse(f"FINDINGS: {text}", "r"))).findings] == entities
