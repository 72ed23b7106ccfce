"""The page on encoders says what the encoder does."""

import csv
import re
from pathlib import Path

import numpy as np
import pytest

from overread.encoders import load

PAGE = (Path(__file__).parents[2] / "docs" / "encoders.md").read_text("utf-8")
PAIRS = Path(__file__).with_name("phrase_pairs.tsv")


def likeness(rows):
    one, other = (load().encode([row[column] for row in rows]) for column in ("one", "other"))
    return (one * other).sum(1)


@pytest.fixture(scope="module")
def pairs():
    with PAIRS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {
        kind: likeness([r for r in rows if r["kind"] == kind])
        for kind in ("synonym", "opposite", "unrelated")
    }


def numbers(line):
    return [float(cell.replace("−", "-")) for cell in line.strip("|").split("|")[1:]]


@pytest.mark.parametrize("kind", ["synonym", "opposite", "unrelated"])
def test_quantiles(pairs, kind):
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| {kind}") and line.count("|") == 8]
    count, *shown = numbers(line)
    assert count == len(pairs[kind])
    assert np.quantile(pairs[kind], [0.05, 0.25, 0.5, 0.75, 0.95]) == pytest.approx(shown, abs=0.06)


def test_area(pairs):
    shown = float(re.search(r"against unrelated: \*\*(\.\d+)\*\*", PAGE)[1])
    assert (pairs["synonym"][:, None] > pairs["unrelated"]).mean() == pytest.approx(shown, abs=0.005)


def test_single_pairs():
    rows = [
        line.strip("| ").split(" | ")
        for line in PAGE.splitlines()
        if re.fullmatch(r"\| [^|]+ \| [^|]+ \| [\d.]+ \|", line)
    ]
    assert len(rows) >= 5
    found = likeness([{"one": one, "other": other} for one, other, _ in rows])
    assert found == pytest.approx([float(value) for _, _, value in rows], abs=0.06)


def test_examples_run():
    scope = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        exec(block, scope)
    assert scope["encoder"] is load()
