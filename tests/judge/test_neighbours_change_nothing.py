"""What else is asked at the same time does not change an answer."""

from overread.judge import Judge

PAIR = ("Small left pleural effusion.", "There is a little fluid in the left pleural space.")
OTHERS = [
    ("The heart is enlarged.", "Normal heart size."),
    (
        "A long sentence about the spine, the ribs, both shoulders and everything else in view.",
        "No fracture.",
    ),
]


def test_alone_and_among_others():
    alone = Judge().relations([PAIR])[0]
    assert Judge().relations([*OTHERS, PAIR])[-1] == alone
    warm = Judge()
    warm.relations(OTHERS)
    assert warm.relations([PAIR, *OTHERS])[0] == alone
