"""Temporal entity matching (TEM): do both reports use the same words of change, whatever they are said of?

An older way to score comparisons. It matches expressions (*increased*, *stable*) and not what became of a disease, so
another word for the same course costs and the same word for another disease does not. The lexicon is
`temporal.tsv`, forms of one word counted as one; words count in sentences that compare, which stands in for
the entity recogniser of the original.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from overread.lexicon.words import forms_of
from overread.systems.base import Score
from overread.systems.longitudinal.schema import LongitudinalReport


@cache
def lexicon() -> dict[str, str]:
    """Word → the entity it counts as."""
    text = files("overread.systems.longitudinal").joinpath("temporal.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:]]
    return dict(rows)


def entities(view: LongitudinalReport) -> frozenset[str]:
    """The words of change in the sentences that compare."""
    known = lexicon()
    said = (word for sentence in view.compared() for word in forms_of(sentence.text))
    return frozenset(known[word] for word in said if word in known)


def tem(reference: LongitudinalReport, candidate: LongitudinalReport) -> Score:
    """F1 of the words of change of two reports; undefined where neither compares."""
    one, two = entities(reference), entities(candidate)
    counts = {"tp": float(len(one & two)), "fp": float(len(two - one)), "fn": float(len(one - two))}
    if not one and not two:
        return Score(None, "neither report has a word of change in a sentence that compares", counts=counts)
    precision = counts["tp"] / len(two) if two else 0.0
    recall = counts["tp"] / len(one) if one else 0.0
    words = {"both": sorted(one & two), "missed": sorted(one - two), "invented": sorted(two - one)}
    return Score(tem_corpus(counts), None, precision, recall, counts, detail=words)


def tem_corpus(counts: Mapping[str, float]) -> float | None:
    """From counts summed over reports.

    >>> tem_corpus({"tp": 3, "fp": 1, "fn": 1})
    0.75
    """
    whole = 2 * counts.get("tp", 0) + counts.get("fp", 0) + counts.get("fn", 0)
    return 2 * counts["tp"] / whole if whole else None


def tem_rates(counts: Mapping[str, float]) -> tuple[float, float] | None:
    given, wanted = counts["tp"] + counts["fp"], counts["tp"] + counts["fn"]
    if not given and not wanted:
        return None
    return counts["tp"] / given if given else 0.0, counts["tp"] / wanted if wanted else 0.0
