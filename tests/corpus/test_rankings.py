"""References with candidates in order: read, and refused where they are not sound."""

from pathlib import Path

import pytest

from overread.corpus.rankings import rankings

FOLDER = Path(__file__).parents[2] / "corpus" / "rankings"
SOUND = """# a modality=XR_chest kind=laterality
R Small left effusion. No pneumothorax.
1 A little fluid on the left, and no pneumothorax.
2 No pneumothorax.
! missed | Small left effusion | significant
=3 Small right effusion. No pneumothorax.
! side | right effusion | significant | left effusion
"""


def read(tmp_path, text):
    path = tmp_path / "one.rank"
    path.write_text(text)
    return rankings(path)


def test_order_and_errors(tmp_path):
    (one,), complaints = read(tmp_path, SOUND)
    assert complaints == []
    assert one.about == {"modality": "XR chest", "kind": "laterality"}
    assert [c.rank for c in one.candidates] == [1, 2, 2]
    assert [f.kind for c in one.candidates for f in c.faults] == ["missed", "side"]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("! missed | Small left effusion", "! missed | Large effusion", "does not stand in the reference"),
        ("! side | right effusion", "! side | left effusion", "does not stand in the candidate"),
        ("! side", "! whim", "no kind of error"),
        ("| significant | left", "| awful | left", "no significance"),
        ("=3", "5", "where 3 is next"),
        ("2 No pneumothorax.\n! missed | Small left effusion | significant\n", "", "at least three"),
        ("1 A little fluid", "? A little fluid", "not understood"),
        ("# a modality", "a modality", "before the first ranking"),
        ("and no pneumothorax.\n", "and no pneumothorax.\n! false | fluid | none\n", "best candidate"),
    ],
)
def test_what_is_refused(tmp_path, before, after, words):
    _, complaints = read(tmp_path, SOUND.replace(before, after))
    assert any(words in one.problem for one in complaints)


def test_our_own_are_sound():
    files = sorted(FOLDER.glob("*.rank"))
    found = [rankings(path) for path in files]
    assert sum(len(some) for some, _ in found) >= 100
    assert [str(one) for _, complaints in found for one in complaints] == []
    ids = [one.id for some, _ in found for one in some]
    assert len(ids) == len(set(ids))
