"""How long a built-in metric takes alone: in a process of its own, on one core, nothing known from before."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from time import process_time

from overread.bench.items import Pair
from overread.errors import OverreadError
from overread.validation.measured import Asker, Texts

REFERENCES = 6
"""So many, each with its candidates, are scored once more to be timed."""

FIRST = ("There is a small left pleural effusion.", "Small effusion on the left.")
"""Scored before the clock starts: tables and weights are loaded once, and not counted."""


def timed_pairs(pairs: Sequence[Pair]) -> list[Texts]:
    """The first references with their candidates."""
    references = list(islice(dict.fromkeys(reference for reference, _ in pairs), REFERENCES))
    return [(one, *(candidate for reference, candidate in pairs if reference == one)) for one in references]


def seconds_alone(name: str, items: Sequence[Texts]) -> float:
    """Seconds of processor time for all of these."""
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        try:
            return pool.submit(seconds, name, items).result()
        except OSError as error:
            raise OverreadError(f"{name} could not be timed: {error}.") from error


def seconds(name: str, items: Sequence[Texts]) -> float:
    asker = Asker((name,), [item[0] for item in items])
    asker(FIRST)
    start = process_time()
    for item in items:
        asker(item)
    return process_time() - start
