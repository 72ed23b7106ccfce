"""A small version of `benchmarks/faults.py --patterns`: ten times the text takes at most thirty times the time.

The full property (three times per character at 100,000 characters) is the benchmark's.
"""

import importlib.util
from pathlib import Path
from time import process_time

import pytest

from overread.reader import read
from overread.report import parse
from overread.runner.limits import attempted, timed

PLACE = Path(__file__).parents[2] / "benchmarks" / "nasty_patterns.py"
spec = importlib.util.spec_from_file_location("nasty_patterns", PLACE)
nasty = importlib.util.module_from_spec(spec)
spec.loader.exec_module(nasty)
SHORT, LONG, MOST, LEAST = 300, 3_000, 3.0, 0.01


def seconds(text):
    start = process_time()
    with timed(20) as clock:
        found = attempted(lambda: len(read(parse(text)).findings), clock)
    assert isinstance(found, int), found
    return process_time() - start


def test_there_are_enough_of_them():
    assert len(nasty.PATTERNS) >= 60
    for make in nasty.PATTERNS.values():
        assert len(make(1_000)) == 1_000


@pytest.mark.parametrize("name", nasty.PATTERNS)
def test_sections_and_sentences(name):
    """Cutting a report takes no time to speak of."""
    parse(nasty.PATTERNS[name](SHORT))
    start = process_time()
    parse(nasty.PATTERNS[name](10_000))
    assert process_time() - start < 2


@pytest.mark.slow
@pytest.mark.parametrize("name", nasty.PATTERNS)
def test_reading(name):
    make = nasty.PATTERNS[name]
    seconds(make(100))
    short = max(min(seconds(make(SHORT)) for _ in range(3)), LEAST)
    assert seconds(make(LONG)) / LONG <= MOST * short / SHORT
