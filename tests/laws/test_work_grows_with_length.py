"""Twice the text is twice the work: counted in steps of the interpreter and cells of tables, not in seconds.

To 36,000 characters here and to 100,000 in `benchmarks/faults.py --lengths`.
"""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

from overread.network import heads
from overread.reader import hearing
from overread.reader.hearing import MOST_HELD, Heard, Listener, mention_stretches
from overread.report import parse
from overread.report.span import Span
from overread.runner.run.scorer import Scorer

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
from drills import fuzz, lengths, patterns

SRC = str(Path(heads.__file__).parents[1])
SHORT, LONG = 12_000, 36_000
"""The shorter text fills the tables, whose bounds hold for longer ones."""

MOST = 2.0
"""Times per character; what grows with the square of the length takes three."""

LEAST = 500_000
"""Steps: what takes fewer for the longer text, a hundredth of what reading takes, is not held against the shorter."""


class Steps:
    """Counts the steps of the interpreter in code of overread, comprehensions and all."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, frame: FrameType, event: str, given: Any) -> Any:
        if not frame.f_code.co_filename.startswith(SRC):
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        return self.step

    def step(self, frame: FrameType, event: str, given: Any) -> Any:
        self.count += 1
        return self.step

    def of(self, work: Any) -> int:
        self.count, before = 0, sys.gettrace()
        sys.settrace(self)
        try:
            work()
        finally:
            sys.settrace(before)
        return self.count


def steps_of(scorer: Scorer, one: str, other: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Steps of each view and metric, as `lengths.seconds` has the seconds."""
    with monkeypatch.context() as patch:
        patch.setattr(lengths, "took", Steps().of)
        return {name: int(steps) for name, steps in lengths.seconds(scorer, one, other).items()}


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("name", lengths.TEXTS)
def test_every_view_and_metric(name, monkeypatch):
    scorer, text = fuzz.everything_asked(), lengths.TEXTS[name]
    lengths.seconds(scorer, text(500, 3), text(500, 4))
    short, long = (
        steps_of(scorer, text(length, 1), text(length, 2), monkeypatch) for length in (SHORT, LONG)
    )
    grew = {
        job: (steps / LONG) / (max(short[job], 1) / SHORT) for job, steps in long.items() if steps > LEAST
    }
    assert {job: round(times, 2) for job, times in grew.items() if times > MOST} == {}
    assert {"reading", "overread", "lunguage-sequential"} <= set(grew)


def test_growth_would_be_noticed():
    """The count itself: a loop within a loop is told from a loop."""
    from overread.systems.blocks import blocks

    def within(count: int) -> int:
        keys = [str(n) for n in range(count)]
        return Steps().of(lambda: [blocks(keys[:n], keys[:n], 4) for n in range(count)])

    assert within(80) > 3 * within(40)


# ---- the tables of the network
@pytest.fixture
def cells(monkeypatch):
    """How many cells each head was asked for."""
    found: Counter[str] = Counter()

    def counted(name):
        asked = getattr(heads, name)

        def ask(*given):
            made = asked(*given)
            found[name] += made.size
            return made

        monkeypatch.setattr(hearing.heads, name, ask)

    for name in ("fits", "related"):
        counted(name)
    return found


@pytest.mark.parametrize("held", [MOST_HELD // 4, pytest.param(MOST_HELD, marks=pytest.mark.slow)])
def test_cells_of_the_network_grow_with_length(held, cells, monkeypatch):
    """Where tables are smaller, so are the texts that fill them."""
    monkeypatch.setattr(hearing, "MOST_HELD", held)
    found = []
    for length in (20 * held, 80 * held):
        patterns.forget()
        cells.clear()
        text = "".join(f"No effusion {n}. Small nodule {n}. " for n in range(length // 33))
        from overread.reader import read

        assert len(read(parse(text)).findings) > length // 50
        found.append(dict(cells))
    short, long = found
    for name in short:
        assert long[name] <= 4 * 2 * short[name], name


def listener(count: int, table: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> tuple[Listener, list[Heard]]:
    """Mentions whose links are those of the table."""
    made = Listener.__new__(Listener)
    made.weights = {}
    monkeypatch.setattr(hearing.heads, "steps", lambda rows, columns: None)

    def related(weights, spans, far):
        places = spans[:, 0]
        return np.stack([table[np.ix_(places, places)]] * 3)

    monkeypatch.setattr(hearing.heads, "related", related)
    return made, [Heard(Span(n, n + 1), 0, 1.0, 0.0, 0.0, "PF", 0.0, [], {}) for n in range(count)]


@pytest.mark.parametrize("count", [3, MOST_HELD, MOST_HELD + 1, 3 * MOST_HELD + 7])
def test_links_of_neighbours_are_as_if_all_were_held_against_all(count, monkeypatch):
    chance = np.random.default_rng(3)
    table = (chance.random((count, count)) < 0.02).astype(float)
    made, found = listener(count, table, monkeypatch)
    made.link(found, [(0, n, n + 1) for n in range(count)], np.arange(count)[:, None])
    for kind, expected in (("evidence", table), ("same_as", np.maximum(table, table.T))):
        for n, one in enumerate(found):
            linked = one.links.get(kind, [])
            assert linked == sorted(set(linked))
            wanted = {int(m) for m in np.nonzero(expected[n])[0] if m != n}
            if count <= MOST_HELD:
                assert set(linked) == wanted
            assert set(linked) <= wanted
            assert {m for m in wanted if abs(m - n) < MOST_HELD // 2} <= set(linked)


def test_few_mentions_are_held_against_each_other_at_once():
    assert [(first, last) for first, _, last in mention_stretches(MOST_HELD)] == [(0, MOST_HELD)]
