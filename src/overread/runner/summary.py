"""summary.json: standings with intervals, tests between systems, how metrics relate, and what was odd."""

from msgspec import Struct

from overread.runner.breakdown import Tally
from overread.runner.pairs import Account
from overread.runner.rows import Direction, Unit
from overread.stats.bootstrap import LEVEL, RESAMPLES
from overread.stats.paired import SHUFFLES


class Draws(Struct, frozen=True, forbid_unknown_fields=True):
    """How intervals and tests were drawn."""

    resamples: int = RESAMPLES
    shuffles: int = SHUFFLES
    seed: int = 0
    level: float = LEVEL


class Standing(Struct, frozen=True, forbid_unknown_fields=True):
    """One system under one metric; scored + undefined + failed = total."""

    value: float | None
    """The score of all items together."""

    low: float | None
    high: float | None
    mean: float | None
    """Plain mean over scored items; the same as `value` where that is a mean."""

    total: int
    scored: int
    undefined: int
    failed: int
    why: dict[str, int]
    """Reasons for undefined values, and how often each."""

    failures: dict[str, int]
    quartiles: tuple[float, ...]
    """Smallest, first quartile, median, third quartile, largest; empty where nothing was scored."""

    histogram: tuple[int, ...]
    """Scored items in equal bins from 0 to the metric's `top`."""

    precision: float | None = None
    recall: float | None = None
    """Of all items together, for metrics that have them."""


class Difference(Struct, frozen=True, forbid_unknown_fields=True):
    """Two systems on the same items; `first` minus `second`."""

    first: str
    second: str
    difference: float
    low: float | None
    high: float | None
    p_bootstrap: float
    p_randomisation: float
    p_bootstrap_holm: float
    """Corrected for all the pairs of systems compared under this metric."""

    p_randomisation_holm: float


class Ranking(Struct, frozen=True, forbid_unknown_fields=True):
    """One metric: every system's standing and the tests between them."""

    name: str
    title: str
    about: str
    family: str
    unit: Unit
    direction: Direction
    pooled: bool
    """Is the score of many made from summed counts? Otherwise it is their mean."""

    signature: str
    top: float
    """Upper end of the histogram: 1 for a share, else the largest value seen."""

    systems: dict[str, Standing]
    differences: tuple[Difference, ...]


class Correlation(Struct, frozen=True, forbid_unknown_fields=True):
    """Spearman's rank correlation between metrics over the reports both define."""

    metrics: tuple[str, ...]
    values: tuple[tuple[float | None, ...], ...]
    items: tuple[tuple[int, ...], ...]
    """How many reports each number rests on."""

    pearson: tuple[tuple[float | None, ...], ...] = ()
    """Pearson's correlation of the same scores, as LUNGUAGE's paper has it (Figure D.1); none in older summaries."""


class Summary(Struct, frozen=True, forbid_unknown_fields=True):
    """summary.json."""

    reports: int
    patients: int
    accounts: dict[str, Account]
    """System → where the rows of its file went."""

    notes: dict[str, dict[str, int]]
    """System → how many pairs were odd, by kind."""

    draws: Draws
    drawn: str
    """What was drawn again: `patients` or `reports`."""

    metrics: tuple[Ranking, ...]
    correlation: dict[str, Correlation]
    """Per system, and over `all` of them."""

    breakdown: dict[str, Tally]
    """System → group → name → outcome → how often."""

    def __repr__(self) -> str:
        names = ", ".join(self.accounts)
        return f"Summary({self.reports} reports, systems: {names}, {len(self.metrics)} metrics)"
