"""Systems at a glance: headline score and errors of each, over all reports and by subgroup."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from overread.pages.book import Book
from overread.pages.findings import Census
from overread.pages.words import clinical
from overread.runner.results.columns import Subgroups
from overread.runner.results.rows import Row
from overread.runner.results.summary import Ranking, Standing
from overread.stats.bootstrap import Interval, mean_interval

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


def headline_metric(metrics: Sequence[Ranking]) -> Ranking:
    """The metric a reader looks at first: the error ledger's, else the first clinical one, else the first."""
    ordered = [*(m for m in metrics if m.name == "overread"), *clinical(metrics), *metrics]
    return ordered[0]


def profiles(metrics: Sequence[Ranking], census: Census, reports: int) -> list[Profile]:
    standings = headline_metric(metrics).systems
    found = []
    for system in census.kinds:
        kinds = {
            kind: sum(own.get(level, 0) for level in GRAVE) for kind, own in census.kinds[system].items()
        }
        count, commonest = max(((count, kind) for kind, count in kinds.items() if count), default=(0, None))
        levels = census.levels(system)
        found.append(Profile(system, standings.get(system), levels, commonest, count, reports))
    return found


def profile_sentence(one: Profile, title: str, level: float, graded: bool) -> str:
    """The same as a sentence, for a page of one system."""
    found, parts = one.standing, []
    if found is not None and found.value is not None:
        known = found.low is not None and found.high is not None
        interval = f" ({level:.0%} CI {found.low:.3f} to {found.high:.3f})" if known else ""
        parts.append(f"{one.system} scores {found.value:.3f}{interval} on {title}")
    if graded:
        counts = " and ".join(f"{one.levels.get(name, 0):,} {name}" for name in ("critical", "significant"))
        parts.append(f"{counts} errors in {one.reports:,} report{'s' if one.reports != 1 else ''}")
    if one.commonest:
        parts.append(f"most often: {one.commonest} ({one.commonest_count:,})")
    return f"{'; '.join(parts)}."


MOST_SUBGROUPS = 12
"""Values of a column in the table; rarer ones are put together."""

NONE, OTHERS = "not given", "others"


class SubgroupCell(Struct, frozen=True):
    """One system on the reports of one subgroup."""

    score: Interval | None
    """Mean over the reports that have a value."""

    serious: float
    """Critical and significant errors per report."""


class SubgroupLine(Struct, frozen=True):
    """One subgroup."""

    value: str
    reports: int
    systems: dict[str, SubgroupCell]


def breakdowns(
    groups: Subgroups, metric: str, rows: Iterable[Row], book: Book
) -> dict[str, list[SubgroupLine]]:
    """Every column that tells reports apart, with its subgroups."""
    values: dict[str, dict[str, float]] = {system: {} for system in book.systems}
    for row in rows:
        if row.metric == metric and row.unit == "report" and row.value is not None:
            values[row.system][row.id] = row.value
    found = {column: lines(by_id, values, book) for column, by_id in groups.items()}
    return {column: own for column, own in found.items() if len(own) > 1}


def lines(by_id: dict[str, str], values: dict[str, dict[str, float]], book: Book) -> list[SubgroupLine]:
    members: dict[str, list[str]] = {}
    for id, value in by_id.items():
        members.setdefault(value or NONE, []).append(id)
    ordered = sorted(members.items(), key=lambda one: (-len(one[1]), one[0]))
    if rare := [id for _, ids in ordered[MOST_SUBGROUPS:] for id in ids]:
        ordered[MOST_SUBGROUPS:] = [(OTHERS, rare)]
    return [
        SubgroupLine(
            value, len(ids), {system: cell(system, own, ids, book) for system, own in values.items()}
        )
        for value, ids in ordered
    ]


def cell(system: str, values: dict[str, float], ids: list[str], book: Book) -> SubgroupCell:
    scores = [values[id] for id in ids if id in values]
    verdicts = [book.verdicts[system][book.places[id]] for id in ids if id in book.places]
    serious = sum(one.level in ("critical", "significant") for found in verdicts for one in found.faults)
    interval = mean_interval(scores) if len(scores) > 1 else None
    return SubgroupCell(interval, serious / len(verdicts) if verdicts else 0.0)
