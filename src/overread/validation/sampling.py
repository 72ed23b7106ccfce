"""A sample of reports with the modalities in the shares they have in the whole."""

from collections.abc import Callable, Sequence
from random import Random

from overread.report import Report
from overread.systems.radsem.by_rules import modality


def sample(
    reports: Sequence[Report], count: int, seed: int = 0, kind: Callable[[Report], str] = modality
) -> list[Report]:
    """`count` reports in their order, drawn from each modality by its share; all where there are no more."""
    strata: dict[str, list[int]] = {}
    for place, report in enumerate(reports):
        strata.setdefault(kind(report), []).append(place)
    random = Random(seed)
    wanted = shares({name: len(places) for name, places in strata.items()}, min(count, len(reports)))
    drawn = [place for name in sorted(strata) for place in random.sample(strata[name], wanted[name])]
    return [reports[place] for place in sorted(drawn)]


def shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """How many of each: whole parts first, then the largest remainders.

    >>> shares({"CT": 60, "MR": 32, "CR": 8}, 5)
    {'CT': 3, 'MR': 2, 'CR': 0}
    """
    total = sum(sizes.values())
    exact = {name: size * count / total for name, size in sizes.items()}
    found = {name: int(part) for name, part in exact.items()}
    ranked = sorted(sizes, key=lambda name: (found[name] - exact[name], name))
    for name in ranked[: count - sum(found.values())]:
        found[name] += 1
    return found
