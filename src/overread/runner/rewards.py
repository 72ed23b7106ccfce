"""rewards(): a batch of pairs in, a list of floats out, for training."""

from collections.abc import Sequence
from typing import Literal

from overread.errors import BadInput, OverreadError
from overread.report import SectionName, parse
from overread.runner.measures import measure
from overread.runner.recipe import Recipe
from overread.runner.scorer import Scorer
from overread.runner.text import SECTIONS
from overread.runner.views import Views


def rewards(
    references: Sequence[str],
    candidates: Sequence[str],
    metric: str = "radsem",
    *,
    undefined: float | Literal["raise"] = 0.0,
    tokenisation: str | None = None,
    sections: tuple[SectionName, ...] = SECTIONS,
) -> list[float]:
    """One number per pair, larger is better (a metric where lower is better is returned with its sign turned).

    A pair without a value, such as two reports that name no finding, gets `undefined`; "raise" makes it an
    error. A pair on which the metric fails is always an error. Equal references are read once, so several
    candidates for one reference cost little more than one. Safe to call from several threads.

    >>> rewards(["Clear lungs.", "Small left effusion."], ["Clear lungs.", "Edema."], metric="rouge-l")
    [1.0, 0.0]
    """
    check_equal(references, candidates)
    check_metric(metric)
    scorer = Scorer(Recipe((metric,), tokenisation=tokenisation, sections=sections, explain=False))
    read: dict[str, Views] = {}
    return [
        one_reward(scorer, n, read.setdefault(reference, views(scorer, reference)), candidate, undefined)
        for n, (reference, candidate) in enumerate(zip(references, candidates, strict=True))
    ]


def check_equal(references: Sequence[object], candidates: Sequence[object]) -> None:
    if len(references) != len(candidates):
        raise BadInput(f"{len(references)} references but {len(candidates)} candidates; give one for each.")


def check_metric(name: str) -> None:
    """Can a single pair be scored with it?"""
    if measure(name).unit == "patient" or name == "cider":
        raise BadInput(
            f"{name!r} needs more than one pair to mean anything; choose another metric for rewards."
        )


def views(scorer: Scorer, text: str) -> Views:
    return scorer.views(parse(text))


def one_reward(
    scorer: Scorer, place: int, reference: Views, candidate: str, undefined: float | Literal["raise"]
) -> float:
    (m,) = scorer.measures
    found = scorer.outcome(m, reference, views(scorer, candidate))
    if isinstance(found, str):
        raise OverreadError(f"{m.name} failed on pair {place}: {found}")
    if found.value is not None:
        return found.value if found.higher_is_better else -found.value
    if undefined == "raise":
        raise BadInput(f"{m.name} has no value for pair {place}: {found.why}.")
    return float(undefined)
