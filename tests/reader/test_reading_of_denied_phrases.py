"""A denial reaches the whole noun phrase: every adjective of a list, what goes with the subject, what it is made of."""

import pytest

from overread.reader import Finding, read
from overread.report import from_sections

DENIED = "negative"


def findings(text: str) -> tuple[Finding, ...]:
    return read(from_sections({"findings": text})).findings


def statuses(text: str) -> dict[str, str]:
    return {f.entity.lower(): f.status for f in findings(text)}


@pytest.mark.parametrize(
    "text",
    [
        "The lung shows no patchy or linear opacities.",
        "The right base does not contain hazy and patchy opacities.",
        "The liver demonstrates no cystic, calcified, nodular lesion.",
        "The right apex demonstrates no faint, ill-defined nodules and no cavity.",
    ],
)
def test_adjectives_in_a_denied_list_wait_for_their_noun(text):
    assert set(statuses(text).values()) == {DENIED}
    assert findings(text)[0].values("location")


@pytest.mark.parametrize(
    "text",
    [
        "Cavities with thick walls are not seen at the left apex.",
        "Effusion with loculation has not been identified.",
        "Streaks of high density are not found at the left base.",
        "The orbits are intact, and no entrapment or retrobulbar hematoma is seen.",
    ],
)
def test_a_denied_verb_denies_all_of_its_subject(text):
    assert set(statuses(text).values()) == {DENIED}


def test_a_denied_verb_leaves_the_clause_before_it_alone():
    told = statuses("Cardiomegaly with edema is unchanged, and pneumothorax is not seen.")
    assert told == {"cardiomegaly": "positive", "edema": "positive", "pneumothorax": DENIED}


def test_what_is_known_stays_when_its_growth_is_denied():
    assert statuses("Enlargement of the cyst is not seen.") == {"enlargement": DENIED, "cyst": "positive"}


def test_words_after_with_may_be_denied_alone():
    assert statuses("There is an effusion with loculation not identified.") == {
        "effusion": "positive",
        "loculation": DENIED,
    }


@pytest.mark.parametrize(
    ("text", "there", "denied"),
    [
        ("no ptx small left effusion unchanged no fracture", {"effusion"}, {"ptx", "fracture"}),
        (
            "heart enlarged no edema old granuloma left apex no mass",
            {"heart", "granuloma"},
            {"edema", "mass"},
        ),
        ("no bleed no fracture sinus fluid right", {"fluid"}, {"bleed", "fracture"}),
    ],
)
def test_where_stops_are_left_out_each_no_denies_one_noun(text, there, denied):
    told = statuses(text)
    assert {name for name, status in told.items() if status == "positive"} == there
    assert {name for name, status in told.items() if status == DENIED} == denied


@pytest.mark.parametrize("place", ["either lung", "either pleural space", "either kidney"])
def test_either_names_both_sides_and_doubts_nothing(place):
    (found,) = findings(f"No mass in {place}.")
    assert (found.status, found.certainty) == (DENIED, "definitive")


@pytest.mark.parametrize(
    "title", ["Chest radiograph for fever.", "CT of the abdomen and pelvis for colic after surgery."]
)
def test_why_a_study_was_done_is_no_finding(title):
    assert not findings(title)


def test_what_a_denied_finding_would_come_with_is_denied_too():
    assert statuses("No stricture with upstream dilatation.") == {"stricture": DENIED, "dilatation": DENIED}


def test_what_is_there_may_stand_beside_what_is_not():
    assert statuses("No pneumothorax with stable cardiomegaly.") == {
        "pneumothorax": DENIED,
        "cardiomegaly": "positive",
    }
