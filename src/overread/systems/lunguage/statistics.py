"""How many studies, findings, groups and episodes each patient has: the paper's Table A.2 and Figure A.1."""

from collections import Counter
from collections.abc import Iterable, Mapping
from math import comb

from overread.systems.lunguage.timeline import Observation, Timeline

COLUMNS = ("patient", "studies", "days", "findings", "pairs", "groups by expressions", "groups by episodes")


def rows(timelines: Iterable[Timeline]) -> list[tuple[str, ...]]:
    """A row per patient and one for all; `1:26, 2:3` are 26 groups of one expression and 3 of two."""
    found: list[tuple[str, ...]] = [COLUMNS]
    total = Counter[str]()
    expressions, episodes = Counter[int](), Counter[int]()
    for one in timelines:
        words, times = by_expressions(one), Counter(len(group.episodes) for group in one.groups)
        days = max((study.day for study in one.studies), default=0.0)
        counts = {"studies": len(one.studies), "findings": len(one.observations)}
        counts["pairs"] = comb(len(one.observations), 2)
        found.append(row(one.patient, f"{days:g}", counts, words, times))
        total.update(counts)
        expressions.update(words)
        episodes.update(times)
    return [*found, row("all", "", total, expressions, episodes)]


def row(
    name: str, days: str, counts: Mapping[str, int], expressions: Counter[int], episodes: Counter[int]
) -> tuple[str, ...]:
    told = (str(counts[part]) for part in ("studies", "findings", "pairs"))
    studies, findings, pairs = told
    return name, studies, days, findings, pairs, spread(expressions), spread(episodes)


def by_expressions(timeline: Timeline) -> Counter[int]:
    """How many groups have so many different wordings of finding and place."""
    words: dict[str, set[str]] = {}
    for one in timeline.observations:
        words.setdefault(one.entity_group, set()).add(expression(one))
    return Counter(len(told) for told in words.values())


def expression(one: Observation) -> str:
    return " ".join([one.entity, *one.location]).lower()


def spread(counts: Counter[int]) -> str:
    """
    >>> spread(Counter([1, 1, 3]))
    '1:2, 3:1'
    """
    return ", ".join(f"{size}:{count}" for size, count in sorted(counts.items()))
