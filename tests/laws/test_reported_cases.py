"""Cases that users reported, each an instance of a law."""

import pytest

from overread import find_errors, read, rewards, score
from overread.validation.laws.law import CASES, FINDINGS

RULED_OUT = "A left pneumothorax cannot be absolutely ruled out on this film."


def value(metric, reference, candidate):
    return score([reference], [candidate], metric)[metric]


@pytest.mark.parametrize(
    ("reference", "candidate", "low", "high"),
    [
        ("Large right pneumothorax. Small left pleural effusion.", "Small left pleural effusion.", 0.5, 0.8),
        ("Small left pleural effusion. Mild pulmonary edema.", "Mild pulmonary edema.", 0.5, 0.9),
        (
            "Small left pleural effusion. Mild interstitial edema. Endotracheal tube 4 cm above the carina.",
            "Mild interstitial edema. Endotracheal tube in the right main bronchus.",
            0.3,
            0.8,
        ),
        ("Small left pleural effusion.", "Small right pleural effusion.", 0.0, 0.1),
    ],
)
def test_radsem_costs_its_share(reference, candidate, low, high):
    assert low <= value("radsem", reference, candidate) <= high


def test_two_of_three_left_out_cost_more_than_one():
    three = "Small left pleural effusion. Mild pulmonary edema. Mild cardiomegaly."
    one, two = (
        value("radsem", three, less)
        for less in ("Mild pulmonary edema. Mild cardiomegaly.", "Mild cardiomegaly.")
    )
    assert one > two


@pytest.mark.parametrize("metric", ["radsem", "overread", "lunguage", "clear"])
def test_what_cannot_be_ruled_out_is_possible(metric):
    rest = "The heart is normal. Small effusion on the right."
    possible, none = (
        value(metric, f"{RULED_OUT} {rest}", f"{said} {rest}")
        for said in ("Possible left pneumothorax.", "No left pneumothorax.")
    )
    assert possible > none


@pytest.mark.parametrize("other", CASES.unrelated)
@pytest.mark.parametrize("found", [one.there for one in FINDINGS if "fracture" not in one.there])
def test_a_finding_is_denied_only_by_words_about_it(found, other):
    told = find_errors(found, other)
    assert not told.verdict.startswith("denied"), told.verdict


def test_bones_deny_a_fracture():
    assert find_errors("Left rib fracture.", "No acute osseous abnormality.").verdict.startswith("denied")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Perihilar opacities have partly cleared and edema is now mild.", "is now"),
        ("Bilateral pleural effusions have increased and are now moderate on the right.", "have"),
        ("Early callus at the fracture of the left seventh rib, which is unchanged in alignment.", "callus"),
    ],
)
def test_no_change_is_quoted_from_words_that_tell_none(text, words):
    reading = read(text)
    for finding in reading.findings:
        for one in finding.values("improved", "worsened", "no_change"):
            assert one.text.lower() != words
            assert reading.quote(one.span) == one.text


def test_the_default_reward_pays_no_gibberish():
    normal = "The heart is normal in size. The lungs are clear."
    earned = rewards([normal] * 3, ["x " * 80, "normal " * 200, "I'm sorry, but I can't help with that."])
    assert earned == rewards([normal] * 3, [""] * 3)
