"""What else is asked at the same time does not change an answer."""

from overread.judge import pair_answers, relation_of

PAIR = ("Small left pleural effusion.", "There is a little fluid in the left pleural space.")
OTHERS = [
    ("The heart is enlarged.", "Normal heart size."),
    (
        "A long sentence about the spine, the ribs, both shoulders and everything else in view.",
        "No fracture.",
    ),
]


def test_alone_and_among_others():
    pair_answers.cache_clear()
    alone = relation_of(*PAIR)
    pair_answers.cache_clear()
    assert [relation_of(*pair) for pair in (*OTHERS, PAIR)][-1] == alone
