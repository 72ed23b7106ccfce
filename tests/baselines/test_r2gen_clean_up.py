"""The ten steps, one by one and together, on invented reports; odd cases as the released code has them."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from overread.baselines import tokenise
from overread.baselines.tokenise import TOKENISERS, tokeniser
from overread.errors import UnknownName


def test_ten_steps_in_order():
    assert list(tokenise.STEPS) == [
        "line-breaks",
        "underscores",
        "spaces",
        "full-stops",
        "numbering",
        "lower-case",
        "sentences",
        "punctuation",
        "trim",
        "rejoin",
    ]


def test_a_report_through_every_step():
    """What each step leaves of one report; None where it changes nothing."""
    text = "FINDINGS:\n1. PICC (right),  tip in SVC.. 2. Seen by ____ today!\n"
    expected = {
        "line-breaks": ["FINDINGS: 1. PICC (right),  tip in SVC.. 2. Seen by ____ today! "],
        "underscores": ["FINDINGS: 1. PICC (right),  tip in SVC.. 2. Seen by _ today! "],
        "spaces": ["FINDINGS: 1. PICC (right), tip in SVC.. 2. Seen by _ today! "],
        "full-stops": ["FINDINGS: 1. PICC (right), tip in SVC. 2. Seen by _ today! "],
        "numbering": ["FINDINGS: PICC (right), tip in SVC. Seen by _ today! "],
        "lower-case": ["findings: picc (right), tip in svc. seen by _ today! "],
        "sentences": ["findings: picc (right), tip in svc", "seen by _ today!"],
        "punctuation": ["findings picc right tip in svc", "seen by  today"],
        "trim": ["findings picc right tip in svc", "seen by  today"],
        "rejoin": ["findings picc right tip in svc . seen by  today ."],
    }
    pieces = [text]
    for name, step in tokenise.STEPS.items():
        pieces = step(pieces)
        assert pieces == expected[name], name


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("Heart normal", "heart normal ."),
        ("Nodule of 2.3 cm.", "nodule of 23 cm ."),
        ("Ground-glass opacity.", "ground-glass opacity ."),
        ("Grade 1. Heart normal.", "grade heart normal ."),
        ("Scar 2. Heart normal 5. Clear.", "scar . heart normal . clear ."),
        ("6. Heart normal.", "6 . heart normal ."),
        ('Left/right "tube" isn\'t seen.', "leftright tube isnt seen ."),
        ("Clear. . Normal.", "clear . normal ."),
        ("", ""),
        (" \n ", ""),
        ("...", ""),
    ],
)
def test_odd_cases(text, cleaned):
    assert tokenise.clean_up(text) == cleaned


@given(st.text(alphabet="aB1 2._\n,-/", max_size=60))
def test_what_is_left_is_words_and_full_stops_with_no_empty_sentence(text):
    tokens = tokeniser("r2gen")(text)
    assert not set("".join(tokens)) & set("B_\n,/")
    assert not tokens or (tokens[0] != "." and tokens[-1] == ".")
    assert all(not (a == b == ".") for a, b in pairwise(tokens))


def test_tokenisers_differ_where_they_say():
    text = "Ground-glass nodule, 2.3 cm."
    assert {name: cut(text) for name, cut in TOKENISERS.items()} == {
        "plain": ["ground", "glass", "nodule", "2.3", "cm"],
        "rouge": ["ground", "glass", "nodule", "2", "3", "cm"],
        "r2gen": ["ground-glass", "nodule", "23", "cm", "."],
        "whitespace": ["Ground-glass", "nodule,", "2.3", "cm."],
        "stemmed": ["ground", "glass", "nodul", "2", "3", "cm"],
        "13a": ["Ground-glass", "nodule", ",", "2.3", "cm", "."],
    }


def test_unknown_tokenisation_names_the_known():
    with pytest.raises(UnknownName, match="r2gen"):
        tokeniser("r2gn")
