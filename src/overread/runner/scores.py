"""score() and what it returns: rows for frames, numbers for people, a table for notebooks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins
from msgspec.structs import replace

from overread.errors import BadInput, UnknownName
from overread.extras import require
from overread.report import SectionName
from overread.runner.given import (
    Reports,
    best,
    reference_sets,
    signature_of_best,
    source_of,
    sources_of,
    told_in_python,
)
from overread.runner.limits import ITEM_SECONDS, MAX_CHARACTERS, Limits
from overread.runner.measures import measure, measures_of, names
from overread.runner.meter import progress_shown
from overread.runner.readings import html_table
from overread.runner.results.columns import columns_of, write_columns
from overread.runner.results.conclusion import Counted, summarised
from overread.runner.results.rows import Row, board_of
from overread.runner.results.summary import Draws, Ranking, Summary, citation
from overread.runner.run.folder import Results
from overread.runner.run.job import Job, check_reader, check_ready, signatures_of
from overread.runner.run.pairs import Pairs
from overread.runner.run.run import Workforce, run, units
from overread.runner.run.workers import in_order
from overread.runner.settings import SCORED_SECTIONS, Settings
from overread.sources import Source

if TYPE_CHECKING:
    import pandas
    import polars

    from overread.llm import Client


class Scores:
    """Every row and what they come to."""

    def __init__(self, rows: list[Row], summary: Summary) -> None:
        self.rows = rows
        self.summary = summary

    def __getitem__(self, asked: str | tuple[str, str]) -> Any:
        """The score under a metric: `scores["radsem"]`, `scores["radsem", "ours"]`.

        Of several systems `scores["radsem"]` is system → score. None where a score is undefined.
        """
        metric, system = asked if isinstance(asked, tuple) else (asked, None)
        values = {name: one.value for name, one in self.ranking(metric).systems.items()}
        if system is not None and system not in values:
            raise KeyError(f"No system is called {system!r}; there are {', '.join(values)}.")
        if system is None and len(values) > 1:
            return values
        return values[system] if system is not None else next(iter(values.values()))

    def keys(self) -> list[str]:
        """Names of the metrics, so that `dict(scores)` is metric → score."""
        return [one.name for one in self.summary.metrics]

    def __iter__(self) -> Iterator[str]:
        return iter(self.keys())

    def __len__(self) -> int:
        return len(self.summary.metrics)

    def ranking(self, metric: str) -> Ranking:
        """Standings and tests of one metric."""
        found = {one.name: one for one in self.summary.metrics}
        if metric not in found:
            raise KeyError(f"{metric!r} was not scored; there are {', '.join(found)}.")
        return found[metric]

    def values(self, metric: str, system: str | None = None) -> list[float | None]:
        """One number per report (or patient) in the order of the references; None where undefined or failed.

        Of several systems one must be named.
        """
        systems = self.ranking(metric).systems
        if system is None and len(systems) > 1:
            raise BadInput(
                f"There are several systems; name one: values({metric!r}, {next(iter(systems))!r})."
            )
        return [r.value for r in self.rows if r.metric == metric and system in (None, r.system)]

    def to_dicts(self) -> list[dict[str, Any]]:
        """The rows as plain dicts: `pandas.DataFrame(scores.to_dicts())`, `polars.DataFrame(…)`."""
        return [{**to_builtins(row), "state": row.state} for row in self.rows]

    def to_pandas(self) -> "pandas.DataFrame":
        """The rows as a pandas frame."""
        made: pandas.DataFrame = require("pandas", "pandas").DataFrame(self.to_dicts())
        return made

    def to_polars(self) -> "polars.DataFrame":
        """The rows as a polars frame."""
        frame = require("polars", "polars").DataFrame
        made: polars.DataFrame = frame(self.to_dicts(), infer_schema_length=None)
        return made

    @property
    def signature(self) -> str:
        """One line that says how all numbers were made, to be cited beside them."""
        return citation(self.summary.metrics, self.summary.draws)

    def log_to(self, where: str, **more: Any) -> None:
        """Send the standings to an experiment tracker that is installed: `wandb` or `mlflow`."""
        if where not in TRACKERS:
            raise UnknownName("tracker", where, TRACKERS)
        scored = (row for row in self.table() if row["score"] is not None)
        numbers = {f"{row['metric']}/{row['system']}": row["score"] for row in scored}
        TRACKERS[where](numbers, self.signature, **more)

    def table(self) -> list[dict[str, Any]]:
        """One dict per metric and system: what `overread score` prints."""
        return [
            {"metric": m.name, "system": system, "score": one.value, "low": one.low, "high": one.high,
             "scored": one.scored, "undefined": one.undefined, "failed": one.failed}
            for m in self.summary.metrics
            for system, one in m.systems.items()
        ]  # fmt: skip

    def __repr__(self) -> str:
        lines = [
            f"{r['metric']:<20} {r['system']:<16} {three_digits(r['score'])}  n={r['scored']}"
            for r in self.table()
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        columns = ("metric", "system", "score", "95% CI", "scored", "undefined", "failed")
        interval = "{} – {}"
        rows = (
            (r["metric"], r["system"], three_digits(r["score"]),
             interval.format(three_digits(r["low"]), three_digits(r["high"])), *(str(r[name]) for name in columns[4:]))
            for r in self.table()
        )  # fmt: skip
        return html_table(columns, rows)


def three_digits(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def score(
    references: Reports,
    candidates: Reports = None,
    metrics: str | Iterable[str] | None = None,
    *,
    predictions: Reports = None,
    columns: Mapping[str, str] | None = None,
    candidate_columns: Mapping[str, str | Sequence[str]] | None = None,
    by: str = "network",
    client: "Client | None" = None,
    tokenisation: str | None = None,
    sections: tuple[SectionName, ...] = SCORED_SECTIONS,
    lexicon: str | None = None,
    definitions: str = "wide",
    labels: str = "rules",
    encoder: str = "embedded",
    models: str | None = None,
    error_weights: str | None = None,
    context: bool = True,
    check: bool = False,
    jobs: int = 1,
    resamples: int = Draws().resamples,
    shuffles: int = Draws().shuffles,
    seed: int = 0,
    output: str | Path | None = None,
    restart: bool = False,
    keep_failures: bool = False,
    item_seconds: float = ITEM_SECONDS,
    max_characters: int = MAX_CHARACTERS,
    progress: bool | None = None,
    groups: Sequence[str] = (),
    image: str | None = None,
) -> Scores:
    """Score candidates against references.

    Both may be lists of texts (matched by position), id → text (a pandas Series is one by its index), records, a table
    of pandas, polars, Arrow, DuckDB or datasets, or a path; `candidates` may also be system → any of these. One table
    alone holds pairs: columns `reference` and `candidate` (or prediction, generated, hypothesis …). `columns` names
    columns that are called otherwise (role → name: `{"id": "accession", "text": "report"}`), `candidate_columns` those
    of candidates where they differ. None and NaN are empty reports, and are counted. `metrics` is
    a name, several, or "all"; `predictions` is another word for `candidates`. `output` names a folder for the files
    that `overread score` writes; one that holds other results is left alone unless `restart` is given, and what failed
    there before is retried unless `keep_failures` is. `error_weights` (a TOML file) and `context=False` are for the
    metric overread, as in `errors`. A reference may be a list of texts: the best of them counts, and the signature says
    so. A candidate may be a chat, of which the assistant's last message counts. `progress` shows a bar; where it is not
    given, 200 pairs or more show one in a terminal. `groups` names columns of the references whose values are subgroups
    on the page of `output`, `image` one that names image files of the study, to be shown there. With `check` that page
    also shows what is doubtful in the readings.

    >>> score(["The lungs are clear."], ["Lungs are clear."], metrics=["rouge-l"])["rouge-l"]
    0.8571428571428571
    """
    if candidates is not None and predictions is not None:
        raise BadInput("candidates and predictions are two words for one thing; give one of them.")
    asked = (metrics,) if isinstance(metrics, str) else metrics
    first, *others = reference_sets(references)
    with told_in_python():
        sides = sources_of(
            first, predictions if candidates is None else candidates, columns, candidate_columns
        )
        more = [source_of(one, "references", "reference", columns) for one in others]
    settings = Settings(
        tuple(asked or ()), by, lexicon=lexicon, tokenisation=tokenisation, sections=tuple(sections),
        definitions=definitions, labels=labels, encoder=encoder, models=models, error_weights=error_weights,
        context=context, check=check,
    )  # fmt: skip
    job = Job(*sides, settings, draws=Draws(resamples, shuffles, seed))
    limits = Limits(item_seconds, max_characters)
    if output is None:
        with told_in_python():
            return in_memory(job, jobs, client, limits, more, progress)
    if more:
        raise BadInput("Several references per report are scored in memory only; leave out `output`.")
    place = Path(output)
    with told_in_python():
        shown = columns_of(job.references, groups, image)
        run(job, place, jobs=jobs, client=client, restart=restart, keep_failures=keep_failures, limits=limits)
    write_columns(place, shown)
    found = Results(place)
    return Scores(list(found.rows()), found.summary)


def in_memory(
    job: Job,
    jobs: int,
    client: "Client | None",
    limits: Limits,
    others: Sequence[Source] = (),
    progress: bool | None = None,
) -> Scores:
    """The same steps without a file; of several references for each report the best counts."""
    pairs = Pairs.gather(job.references, job.candidates)
    settings = replace(job.settled(pairs).asking(client), explain=False)
    check_ready(settings)
    check_reader(settings, client)
    counted = Counted(accounts=pairs.accounts)
    scorings: list[list[Row]] = []
    with progress_shown(progress, len(pairs)) as meter:
        for some in (pairs, *(Pairs.gather(other, job.candidates) for other in others)):
            found: list[Row] = []
            for unit in units(some, settings, Workforce(in_order, jobs, limits, client), meter):
                meter.advance()
                found += unit.rows
                if some is pairs:
                    counted.see(unit)
            scorings.append(found)
    rows = [best(some) for some in zip(*scorings, strict=True)]
    signatures = signatures_of(settings)
    if others:
        signatures = {name: signature_of_best(one, len(others) + 1) for name, one in signatures.items()}
    board = board_of(rows, rows, measures_of(settings))
    return Scores(rows, summarised(board, counted, settings, signatures, job.draws))


class Metric:
    """A metric by name, with its settings.

    >>> exact = Metric("rouge-l")
    >>> exact(["Clear lungs.", "Edema."], ["Clear lungs.", "No edema."])
    0.8333333333333333
    >>> exact.each(["Clear lungs.", "Edema."], ["Clear lungs.", "No edema."])
    [1.0, 0.6666666666666666]
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.name = name
        self.about = measure(name).about
        self.settings = settings

    def __call__(self, references: Any, candidates: Any) -> Any:
        """The score of all pairs together; system → score where several are given."""
        return self.scores(references, candidates)[self.name]

    def compute(self, *, predictions: Any, references: Any) -> dict[str, Any]:
        """As metrics of `evaluate` are asked; a reference may be a list of texts, of which the best counts.

        >>> Metric("rouge-l").compute(predictions=["Clear lungs."], references=["Clear lungs."])
        {'rouge-l': 1.0}
        """
        return {self.name: self.scores(references, predictions)[self.name]}

    def each(self, references: Any, candidates: Any) -> Sequence[float | None]:
        """One number a pair; None where it is undefined."""
        return self.scores(references, candidates).values(self.name)

    def scores(self, references: Any, candidates: Any) -> Scores:
        """With intervals and counts."""
        return score(references, candidates, self.name, **self.settings)

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.settings.items())
        return f"Metric({self.name!r}{settings})"


def metrics() -> dict[str, str]:
    """Every metric that can be scored here, with one line on what it measures.

    >>> metrics()["rouge-l"]
    'ROUGE-L, tokenisation: rouge'
    """
    return {name: measure(name).about for name in sorted(names())}


def to_wandb(numbers: dict[str, float], signature: str, **more: Any) -> None:
    wandb = require("wandb", "wandb")
    if getattr(wandb, "run", None) is None:
        wandb.init(**more)
    wandb.run.summary.update({"overread/signature": signature})
    wandb.log(numbers)


def to_mlflow(numbers: dict[str, float], signature: str, **more: Any) -> None:
    mlflow = require("mlflow", "mlflow")
    mlflow.set_tag("overread.signature", signature)
    mlflow.log_metrics(numbers, **more)


TRACKERS: dict[str, Callable[..., None]] = {"wandb": to_wandb, "mlflow": to_mlflow}
