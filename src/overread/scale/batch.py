"""read_batch and score_batch: an Arrow table in, an Arrow table out, and nothing else touched."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from overread.errors import BadInput
from overread.extras import require
from overread.report import SECTION_NAMES, Report
from overread.runner.limits import Limits
from overread.runner.results.rows import Row
from overread.runner.run.pairs import Account, Pair, placed_beside
from overread.runner.run.scorer import Finished, Scorer
from overread.runner.settings import Settings
from overread.runner.views import (
    DoubtCount,
    Unread,
    Views,
    as_json,
    asked_views,
    doubts_of,
    lexicon_of,
    viewed,
)
from overread.sources import Source, from_records
from overread.sources.columns import plain, side_names, usual_names
from overread.systems.definitions import chosen
from overread.systems.registry import system as named

if TYPE_CHECKING:
    from overread.llm import Client, Failure

ColumnRoles = Mapping[str, str] | None
ViewRow = tuple[str, str | None, str | None]
"""A report's id, its view as JSON, and why there is none."""

ROW_NUMBERS = ("value", "precision", "recall")
ROW_COLUMNS = Row.__struct_fields__


def read_batch(
    table: Any,
    system: str = "lunguage",
    *,
    columns: ColumnRoles = None,
    lexicon: str | None = None,
    definitions: str = "wide",
    labels: str = "rules",
    limits: Limits | None = None,
    check: bool = False,
    doubts: DoubtCount | None = None,
    keep: bool = False,
) -> Any:
    """Reports → `id`, `view` (the JSON that `overread read` writes) and `failed`, in the same order.

    `keep` carries the table's other columns along (`carried`). `check` holds each reading against the judge; what was
    found is added to `doubts`.

    >>> import pyarrow as pa
    >>> made = read_batch(pa.table({"id": ["a"], "text": ["No edema."]}), "radsem")
    >>> made.column_names, made["failed"].to_pylist()
    (['id', 'view', 'failed'], [None])
    """
    words, meant, asked = lexicon_of(lexicon), chosen(definitions), named(system)
    bounds = limits or Limits()
    rows = []
    for one in reports_in(table.to_pylist(), columns):
        found = viewed(Views(one, words, meant, labels, check), asked, bounds)
        rows.append(row_of_view(one, found))
        if doubts is not None:
            doubts.add(doubts_of(found))
    made = views_table(rows)
    for name in carried(table.column_names, columns, made.column_names) if keep else ():
        made = made.append_column(name, table[name])
    return made


def asked_batch(table: Any, client: "Client", system: str, columns: ColumnRoles, limits: Limits) -> Any:
    """The same by language model: what cannot be read has its reason, and no view."""
    reports = list(reports_in(table.to_pylist(), columns))
    outcomes = asked_views(client, named(system), reports, limits)
    return views_table([row_of_view(*one) for one in zip(reports, outcomes, strict=True)])


def row_of_view(report: Report, found: "Any | Failure | Unread") -> ViewRow:
    if isinstance(found, Unread):
        return report.id, None, found.reason
    from overread.llm import Failure

    if isinstance(found, Failure):
        return report.id, None, f"{found.stage}: {found.reason}"
    return report.id, as_json(found).decode(), None


def views_table(rows: Sequence[ViewRow]) -> Any:
    pa = require("pyarrow", "parquet")
    kinds = pa.schema([(name, pa.string()) for name in ("id", "view", "failed")])
    return pa.table([list(cells) for cells in zip(*rows, strict=True)] or [[], [], []], schema=kinds)


def carried(names: Sequence[str], columns: ColumnRoles, made: Iterable[str]) -> list[str]:
    """The columns that are neither the id nor a text of a report, nor called as one that is made.

    >>> carried(["id", "report", "split", "site"], None, ["id", "view"])
    ['split', 'site']
    """
    texts = {
        *side_names("either"),
        *(n for role in ("id", "text", *SECTION_NAMES) for n in usual_names().get(role, ())),
    }
    stated = set((columns or {}).values())
    return [n for n in names if plain(n) not in texts and n not in stated and n not in set(made)]


def reports_in(rows: Sequence[Mapping[str, Any]], columns: ColumnRoles) -> Iterable[Report]:
    return from_records(rows, columns, name="the batch") if rows else ()


def score_batch(
    table: Any,
    metrics: Sequence[str] | None = None,
    *,
    columns: ColumnRoles = None,
    recipe: Settings | None = None,
    keep: bool = False,
) -> Any:
    """Pairs → one row per id × system × metric, as in results.jsonl; counts are JSON.

    `keep` gives every row the other columns of its pair. The table has an id, a reference and one or more candidates,
    under the names a table of pairs has.
    """
    from overread.runner.measures import choose

    scorer = Scorer(recipe or Settings(choose(metrics, patients=False), explain=False))
    pairs = pairs_in_rows(table.to_pylist(), columns)[0]
    units = list(map(scorer, pairs))
    made = rows_table(units)
    if not keep:
        return made
    source = [n for n, unit in enumerate(units) for _ in unit.rows]
    for name in carried(table.column_names, columns, made.column_names):
        made = made.append_column(name, table[name].take(source))
    return made


def pairs_in_rows(
    rows: Sequence[Mapping[str, Any]], columns: ColumnRoles, first: int = 0
) -> tuple[list[Pair], dict[str, Account]]:
    """The pairs of a table that has both sides in each row, and where its rows went."""
    if not rows:
        return [], {}
    asked = dict(columns or {})
    sides = [n for n in rows[0] if plain(n) in side_names("candidate") and n != asked.get("text")]
    if not sides:
        raise BadInput(
            f"No column is called candidate, prediction or generated; there are {', '.join(rows[0])}."
        )
    references = from_records(rows, asked, name="the references", side="reference")
    known = list(references)
    theirs = {s: from_records(rows, {**asked, "text": s}, name=s, side="candidate") for s in sides}
    said = {side: list(source) for side, source in theirs.items()}
    pairs = [
        Pair(first + n, one, {side: placed_beside(said[side][n], one) for side in sides})
        for n, one in enumerate(known)
    ]
    return pairs, {side: account(references, source) for side, source in theirs.items()}


def account(references: Source, source: Source) -> Account:
    n = references.count
    return Account(n, n, n, (), (), len(references.empty), len(source.empty))


def rows_table(units: Iterable[Finished]) -> Any:
    """Rows of results as an Arrow table."""
    pa = require("pyarrow", "parquet")
    text, number = pa.string(), pa.float64()
    kinds = pa.schema([(name, number if name in ROW_NUMBERS else text) for name in ROW_COLUMNS])
    rows = [row for unit in units for row in unit.rows]
    cells = {name: [getattr(row, name) for row in rows] for name in ROW_COLUMNS}
    cells["counts"] = [msgspec.json.encode(counts).decode() for counts in cells["counts"]]
    return pa.table(cells, schema=kinds)


def rows_of_table(table: Any) -> Iterator[Row]:
    """The same back again."""
    for cells in table.to_pylist():
        counts = msgspec.json.decode(cells.pop("counts"), type=dict[str, float])
        yield Row(**cells, counts=counts)
