"""What every system is: a view of a reading, and metrics over two views."""

from collections.abc import Callable, Mapping
from typing import Any, Literal, Protocol

from msgspec import Struct, field

from overread.reader import Reading


class Score(Struct, frozen=True, forbid_unknown_fields=True):
    """One number and everything it was made of.

    >>> Score(None, why="neither report names a finding").value is None
    True
    """

    value: float | None
    """None when undefined; never 0, 0.5 or 1 by convention."""

    why: str | None = None
    """Why the value is undefined."""

    precision: float | None = None
    recall: float | None = None
    counts: dict[str, float] = field(default_factory=dict)
    """Sufficient statistics: the corpus score is a function of their sums."""

    higher_is_better: bool = True
    detail: Any = None
    """Pairs, missed, invented, contradicted — each with its words; plain JSON values."""


class Metric(Struct, frozen=True):
    """One way to score a candidate view against a reference view."""

    name: str
    about: str
    """One line for help pages: what the number means."""

    score: Callable[[Any, Any], Score]
    """(reference view, candidate view) → Score; pure, and blind to who read the report."""

    corpus: Callable[[Mapping[str, float]], float | None] | None = None
    """Corpus value from summed counts; None: the mean of the defined values."""

    laws: frozenset[str] = frozenset()
    """Properties it obeys, tested for every metric that declares them: identity, symmetric, bounded."""

    unit: Literal["report", "patient"] = "report"
    """What is compared: the views of two reports, or the timelines of a patient."""

    lower: bool = False
    """Is less better?"""

    asks: bool = False
    """Is a language model part of the metric itself, not only of the reading?"""

    negation: bool = True
    """Does it matter to the metric whether something is affirmed or denied?"""

    rates: Callable[[Mapping[str, float]], tuple[float, float] | None] | None = None
    """Precision and recall of a corpus from summed counts, for metrics that papers print with them."""


class SystemSettings(Protocol):
    """What a run may choose, as far as it changes what systems see or how they score."""

    @property
    def definitions(self) -> str: ...
    @property
    def labels(self) -> str: ...
    @property
    def encoder(self) -> str: ...
    @property
    def models(self) -> str | None: ...
    @property
    def error_weights(self) -> str | None: ...
    @property
    def context(self) -> bool: ...


class System(Struct, frozen=True):
    """A few named parts; nothing heavy is imported by looking at one."""

    name: str
    about: str
    view: type[Struct]
    by_rules: Callable[[Reading], Any]
    metrics: tuple[Metric, ...] = ()
    by_llm: str | None = None
    """Module that holds the reader by language model, imported when asked for."""

    render: str | None = None
    """Module with `render(view)`, a table for the terminal, imported when asked for."""

    titles: Mapping[str, str] = {}
    """Metric → its name as printed above a column; others are printed as they are typed."""

    default: str = ""
    """The metric that the system's own name stands for where a metric is asked for; empty: the first."""

    panel: str | None = None
    """Module of the system's part of the page, about its default metric: `panel(detail)` explains one score,
    `outcomes(detail)` is counted for the charts. Either may be missing; without `panel` the page lists the detail."""

    settings: str | None = None
    """Module that knows the settings of a run: `metrics(settings)` under them, none where they are the usual ones, and
    `marks(settings)`, what signatures say of them. Either may be missing."""

    next_step: str = ""
    """What people do with its views; said in the terminal when they are written."""

    def __repr__(self) -> str:
        return f"System({self.name!r}: {', '.join(metric.name for metric in self.metrics)})"

    @property
    def main(self) -> str:
        """The default metric by name; empty where the system has none."""
        return self.default or (self.metrics[0].name if self.metrics else "")
