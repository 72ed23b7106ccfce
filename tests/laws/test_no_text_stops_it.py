"""Texts drawn by chance, put through every view and metric: nothing raises, and time grows with length alone.

A few seconds with a fixed seed; for an hour, with another seed each time: `pytest -m hour tests/laws`.
"""

import random
import sys
import time
from pathlib import Path

import pytest

from overread.report import parse
from overread.runner.run.scorer import Scorer

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from drills import drawn, fuzz, patterns

FRAGMENTS, LOOPS = 4, 1
HALF_AN_HOUR = 1_800.0


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    return fuzz.everything_asked()


def test_the_same_seed_draws_the_same_texts():
    one, two = (
        [drawn.fragment(chance) for _ in range(50)] for chance in (random.Random(1), random.Random(1))
    )
    assert one == two
    assert len(set(one)) > 45


def test_every_kind_of_spoiling_leaves_a_text(scorer):
    chance = random.Random(fuzz.SEED)
    for name, spoilt in drawn.MUTATIONS.items():
        text = spoilt(drawn.report(chance), chance)
        assert isinstance(text, str)
        assert fuzz.raised(scorer, text, "Clear lungs.") is None, f"{name}: {text!r}"


def test_fragments():
    found = fuzz.fragments(FRAGMENTS)
    assert found.lost == []
    assert found.survived == FRAGMENTS


def test_a_text_that_raises_is_noticed(scorer, monkeypatch):
    """The drill itself: a view that raises on some text is found and named."""

    def broken(report, words=None):
        raise IndexError("the patient's words")

    monkeypatch.setattr("overread.runner.views.read", broken)
    found = fuzz.raised(scorer, "Small effusion.", "Clear.")
    assert found is not None
    assert found.startswith("IndexError at")
    assert "patient" not in found


def test_loops(scorer):
    """In small sizes; the benchmark goes to 100,000 characters."""
    chance = random.Random(fuzz.SEED)
    for _ in range(LOOPS):
        one = drawn.loop(chance)
        trouble, _ = fuzz.flat(scorer, one, (500, 2_000))
        assert trouble is None, f"{one}: {trouble}"


@pytest.mark.parametrize(
    "unit",
    ["lateral segment of the left lower lobe", "margins of the left", "degenerative changes of the",
     "patchy or streaky hyperintense areas On", ", and the costophrenic angle is sharp."],
)  # fmt: skip
def test_loops_that_once_took_for_ever(unit, scorer):
    """Said in the same words they are passed over; with a number each, they are read."""
    assert fuzz.raised(scorer, drawn.Loop((unit,), "", counted=False).text(2_000), "") is None
    trouble, _ = fuzz.flat(scorer, drawn.Loop((unit,), "", counted=True), (500, 2_000))
    assert trouble is None


def test_many_nouns_of_many_places_do_not_become_all_of_them():
    """Thirty nouns with forty places each were once 1,200 findings of a sentence."""
    from overread.reader import read

    loop = drawn.Loop(
        ("Left lower", "modest reduction, and notable interval improvement, and mirted"), ", or", False
    )
    short, long = (len(read(parse(loop.text(length))).findings) for length in (1_000, 4_000))
    assert long <= 40 * max(short, 20)


def test_half_a_character_is_no_reason_to_stop(scorer):
    text = "Small \ud800left effusion.\udfff"
    assert fuzz.raised(scorer, text, text) is None
    assert len(parse(text).text) == len(text)


def test_growth_is_noticed():
    """The drill itself: work that grows with the square of the length is told."""
    short, long = {"reading": 0.1}, {"reading": 0.1 * 64}
    assert dict(patterns.grown(short, long, 1_000, 8_000))["reading"] > patterns.MOST


@pytest.mark.hour
@pytest.mark.timeout(3 * HALF_AN_HOUR)
def test_for_an_hour():
    seed = int(time.time())
    found = [fuzz.fragments(10**9, HALF_AN_HOUR, seed), fuzz.loops(10**9, HALF_AN_HOUR, seed)]
    print(f"seed {seed}:", *(one.row() for one in found), sep="\n")
    assert [trouble for one in found for trouble in one.lost] == []


def test_findings_that_are_each_others_cause():
    """A network may say so; whoever follows causes must come to an end."""
    from msgspec.structs import replace

    from overread.reader import read
    from overread.systems.longitudinal.by_rules import inherited

    one, two = read(parse("Small effusion. Mild edema.")).findings
    known = {f.id: f for f in (replace(one, evidence=(two.id,)), replace(two, evidence=(one.id,)))}
    assert inherited(known[one.id], known, {}) == []
