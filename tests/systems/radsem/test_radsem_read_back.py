"""A law: the sentences of a report, read as a report, say what the report says."""

import json
from collections.abc import Iterator
from importlib.resources import files

import pytest
from msgspec.structs import replace
from tests.systems.radsem import (
    test_radsem_atoms,
    test_radsem_language,
    test_radsem_matching,
    test_radsem_wording,
)

from overread.systems.radsem.schema import Atoms
from overread.systems.radsem.score import score

TESTS = (
    test_radsem_wording.test_a_plain_sentence,
    test_radsem_wording.test_split_and_dropped,
    test_radsem_language.test_what_is_said,
    test_radsem_atoms.test_one_place_and_one_finding_each,
    test_radsem_matching.test_what_cannot_be_true_together_never_matches,
    test_radsem_matching.test_the_same_finding_in_other_words_matches_fully,
    test_radsem_matching.test_a_part_matches_its_whole_with_less_weight,
)


def invented() -> Iterator[str]:
    """The texts that other tests of these sentences start from."""
    for test in TESTS:
        for mark in test.pytestmark:
            names, rows = mark.args
            texts = [n for n, name in enumerate(names) if name in ("text", "one", "two")]
            yield from (row[n] for row in rows for n in texts)


def bundled() -> Iterator[str]:
    """The reports of the bundled example."""
    for name in ("references", "steady", "hasty"):
        lines = files("overread.examples").joinpath(f"{name}.jsonl").read_text("utf-8").splitlines()
        yield from (json.loads(line)["report"] for line in lines)


TEXTS = [
    pytest.param(text, marks=[pytest.mark.slow] if n % 3 else [])
    for n, text in enumerate(dict.fromkeys((*invented(), *bundled())))
]
"""One in three; all with -m slow."""


@pytest.mark.parametrize("text", TEXTS, ids=lambda text: text[:60].strip())
def test_the_sentences_read_back_alike(atoms, text):
    once = uncompared(atoms(text))
    again = atoms(" ".join(a.text for a in once.atoms))
    value = score(once, again).value
    assert value is None or value == pytest.approx(1, abs=0.01)


def uncompared(found: Atoms) -> Atoms:
    """Without what changed since an earlier study, which no sentence tells."""
    kept = [replace(a, details=tuple(d for d in a.details if d[:7] != "change:")) for a in found.atoms]
    return replace(found, atoms=tuple(kept))
