"""What of a report is shown beside a sentence of another: the nearest sentences first, as many as there is room for."""

import pytest

from overread.judge.beside import content, premise

SENTENCES = ["The heart is enlarged.", "Small left effusion.", "Effusion."]


@pytest.mark.parametrize(
    ("budget", "shown"),
    [
        (100, "Small left effusion. Effusion. The heart is enlarged."),
        (5, "Small left effusion. Effusion."),
        (1, "Small left effusion."),
    ],
)
def test_the_nearest_first_as_many_as_there_is_room_for(budget, shown):
    assert premise("Left effusion.", SENTENCES, budget) == shown
    assert premise("Left effusion.", SENTENCES[::-1], budget) == shown


def test_a_sentence_without_room_makes_room_for_a_shorter_one():
    sentences = ["Left effusion.", "Effusion that is large and chronic.", "Edema."]
    assert premise("Left effusion.", sentences, 3) == "Left effusion. Edema."


def test_words_are_compared_by_their_beginnings_and_small_ones_not_at_all():
    assert content("The heart is enlarged") == content("Enlargement of the heart") == {"heart", "enlar"}
