"""A small version of `benchmarks/faults.py --patterns`: three times the text takes at most nine times the time.

The full property (three times per character at 100,000 characters) is the benchmark's.
"""

import sys
from pathlib import Path

import pytest

from overread.report import parse
from overread.report.sentences import LONGEST
from overread.runner.run.scorer import Scorer
from overread.runner.settings import Settings
from overread.systems.blocks import blocks

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from drills import patterns
from nasty_patterns import PATTERNS

SHORT, LONG = 800, 2_400


@pytest.fixture(scope="module")
def scorer():
    found = Scorer(Settings(patterns.SCORES))
    patterns.seconds(found, PATTERNS["a plain long report"](SHORT))
    return found


def test_there_are_enough_of_them():
    assert len(PATTERNS) >= 60
    for make in PATTERNS.values():
        assert len(make(1_000)) == 1_000


@pytest.mark.parametrize("name", PATTERNS)
def test_sections_and_sentences(name, growth):
    """Cutting a report takes time with its length alone, and no sentence is longer than the rest can bear."""
    make = PATTERNS[name]
    assert growth(parse, make(2_000), make(10_000), 20) < 20
    report = parse(make(10_000))
    spans = [sentence.span for section in report.sections for sentence in section.sentences]
    assert all(0 < span.end - span.start <= LONGEST for span in spans)
    assert spans == sorted(spans)


@pytest.mark.parametrize(
    "name",
    [name if n % 4 == 0 else pytest.param(name, marks=pytest.mark.slow) for n, name in enumerate(PATTERNS)],
)
def test_reading_and_scoring(name, scorer):
    """A quarter of them; all with `-m 'slow or not slow'`, and longer ones in the benchmark."""
    make = PATTERNS[name]
    for _ in range(3):  # a busy machine may slow one measurement, not three
        short, long = patterns.seconds(scorer, make(SHORT)), patterns.seconds(scorer, make(LONG))
        worst = dict(patterns.grown(short, long, SHORT, LONG))
        if max(worst.values()) <= patterns.MOST:
            return
    pytest.fail(f"times per character: {worst}")


def test_a_sentence_without_end_is_cut_between_words():
    text = "".join(f"There is an effusion of {n} ml with atelectasis and " for n in range(60))
    spans = [one.span for section in parse(text).sections for one in section.sentences]
    assert "".join(span.of(text) for span in spans).replace(" ", "") == text.replace(" ", "")
    assert all(span.of(text).split()[0] in text.split() for span in spans)


def test_every_place_stands_in_one_block():
    ours, theirs = [f"{n % 7}" for n in range(500)], [f"{n % 11}" for n in range(300)]
    found = blocks(ours, theirs, most=40)
    for side, keys in ((0, ours), (1, theirs)):
        assert sorted(n for block in found for n in block[side]) == list(range(len(keys)))
        assert all(len(block[side]) <= 40 for block in found)


@pytest.fixture(scope="module")
def twice(scorer):
    """The same long report as both sides, read once for all metrics."""
    text = PATTERNS["different findings in sentences"](15_000)
    return [scorer.views(parse(text, side)) for side in "12"]


@pytest.mark.parametrize("name", patterns.SCORES)
def test_many_findings_against_themselves_still_score_one(name, scorer, twice):
    """Matching in blocks must not lose what is said in the same words."""
    from overread.runner.measures import measure

    found = scorer.score(measure(name), *twice)
    assert found.value is None if name == "longitudinal" else found.value == pytest.approx(1.0)
