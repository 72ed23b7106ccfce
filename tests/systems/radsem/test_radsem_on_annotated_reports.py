"""How RadSEM by rules does on annotated files, where OVERREAD_DATA names a folder that holds them.

The bars lie a little below what was measured, so that a change that costs something is noticed.
"""

import json
import os
from collections import Counter
from pathlib import Path

import pytest

from overread.systems.radsem.match import matching
from overread.validation.measured import Asking
from overread.validation.rewrites import load_triplets, rewrites
from overread.validation.ssree import load_chains, ssree

DATA = os.environ.get("OVERREAD_DATA")
pytestmark = pytest.mark.skipif(DATA is None, reason="OVERREAD_DATA names no folder with annotated files")


def file(name: str) -> Path:
    path = Path(DATA or "") / name
    if not path.exists():
        pytest.skip(f"{name} is not in OVERREAD_DATA")
    return path


def test_the_order_of_five_levels_on_ct_mr_and_films():
    (found,) = ssree(load_chains(file("ssree_dev.jsonl")), ["radsem"], Asking(resamples=10))
    assert found.undefined == ()
    assert found.ladder is not None
    assert found.ladder.tau is not None
    assert found.ladder.tau.value >= 0.957
    assert found.ladder.perfect_chain.value >= 0.82


def test_synonyms_win_over_antonyms():
    (found,) = rewrites(load_triplets(file("rewrites_dev.jsonl")), ["radsem"], Asking(resamples=10))
    assert found.right.value >= 0.9  # rules alone; with the judge all are


def test_a_phrase_that_a_report_contradicts_is_never_matched_with_it(atoms):
    """Every phrase against the whole other report, by the label people gave it."""
    confusion: Counter[tuple[str, bool]] = Counter()
    for case in json.loads(file("radfact_entailment_dev.json").read_text()):
        for own, other in (("A", "B"), ("B", "A")):
            whole = atoms(" ".join(case["input"][f"phrases_{other}"])).atoms
            for phrase in case["output"][f"phrases_{own}_evidenced"]:
                found = matching(atoms(phrase["phrase"]).atoms, whole)
                confusion[phrase["status"], bool(found)] += 1
    assert confusion["contradiction", True] == 0
    assert confusion["entailment", True] >= 9 * confusion["entailment", False]
