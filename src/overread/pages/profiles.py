"""One line per system: its headline score with its interval, its errors by significance, and its commonest one."""

from collections.abc import Sequence

from msgspec import Struct

from overread.pages.findings import Census
from overread.pages.words import clinical
from overread.runner.results.summary import Ranking, Standing

GRAVE = ("critical", "significant", "")
"""Significances that count for the commonest error; what nobody graded does too."""


class Profile(Struct, frozen=True):
    """A system at one glance."""

    system: str
    standing: Standing | None
    """Under the headline metric; None where that has no value for it."""

    levels: dict[str, int]
    commonest: str | None
    """The kind of error it makes most often, among those that matter."""

    commonest_count: int
    reports: int

    @property
    def per_report(self) -> float:
        return sum(self.levels.values()) / self.reports if self.reports else 0.0


def headline_metric(metrics: Sequence[Ranking]) -> Ranking:
    """The metric a reader looks at first: the error ledger's, else the first clinical one, else the first."""
    ordered = [*(m for m in metrics if m.name == "overread"), *clinical(metrics), *metrics]
    return ordered[0]


def profiles(metrics: Sequence[Ranking], census: Census, reports: int) -> list[Profile]:
    ranking = headline_metric(metrics)
    return [profile(system, ranking, census, reports) for system in census.systems]


def profile(system: str, ranking: Ranking, census: Census, reports: int) -> Profile:
    kinds = {kind: sum(own.get(level, 0) for level in GRAVE) for kind, own in census.kinds[system].items()}
    kinds = {kind: count for kind, count in kinds.items() if count}
    commonest = max(kinds, key=lambda kind: (kinds[kind], kind), default=None)
    return Profile(
        system,
        ranking.systems.get(system),
        census.levels[system],
        commonest,
        kinds.get(commonest, 0) if commonest else 0,
        reports,
    )


def told(one: Profile, title: str, level: float, graded: bool) -> str:
    """The same as a sentence, for a page of one system."""
    found, parts = one.standing, []
    if found is not None and found.value is not None:
        parts.append(f"{one.system} scores {found.value:.3f}{interval(found, level)} on {title}")
    if graded:
        counts = " and ".join(f"{one.levels.get(name, 0):,} {name}" for name in ("critical", "significant"))
        parts.append(f"{counts} errors in {one.reports:,} report{'s' if one.reports != 1 else ''}")
    if one.commonest:
        parts.append(f"most often: {one.commonest} ({one.commonest_count:,})")
    return f"{'; '.join(parts)}."


def interval(found: Standing, level: float) -> str:
    if found.low is None or found.high is None:
        return ""
    return f" ({level:.0%} CI {found.low:.3f} to {found.high:.3f})"
