"""read_batch and score_batch: an Arrow table in, an Arrow table out, and nothing else touched."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any

import msgspec

from overread.errors import BadInput
from overread.extras import require
from overread.llm.outcome import Failure
from overread.report import SECTION_NAMES, Report
from overread.runner.limits import Limits
from overread.runner.measures import choose
from overread.runner.results.conclusion import Counted
from overread.runner.results.rows import Row
from overread.runner.run.pairs import Account, Pair, Pairs
from overread.runner.run.scorer import Finished, Scorer
from overread.runner.settings import Settings
from overread.runner.views import DoubtCount, Unread, as_json, doubts_of, reader_of
from overread.sources import from_records
from overread.sources.columns import candidates_among, plain, requested, side_names, usual_names
from overread.sources.load import pairs_in
from overread.sources.table_files import rows_in_memory

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
    keep: bool = False,
) -> Any:
    """Reports → `id`, `view` (the JSON that `overread read` writes) and `failed`, in the same order.

    `keep` carries the table's other columns along (`carried`). `check` holds each reading against the judge.

    >>> import pyarrow as pa
    >>> made = read_batch(pa.table({"id": ["a"], "text": ["No edema."]}), "radsem")
    >>> made.column_names, made["failed"].to_pylist()
    (['id', 'view', 'failed'], [None])
    """
    settings = Settings(lexicon=lexicon, definitions=definitions, labels=labels, check=check)
    read = reader_of(system, settings, limits=limits or Limits())
    made, _ = viewed_rows(table.to_pylist(), columns, read)
    for name in carried(table.column_names, columns, made.column_names) if keep else ():
        made = made.append_column(name, table[name])
    return made


def viewed_rows(
    rows: Sequence[Mapping[str, Any]],
    columns: ColumnRoles,
    read: Callable[[Sequence[Report]], Iterable[Any]],
) -> tuple[Any, Counted]:
    """The views of a batch as a table, and what was counted."""
    reports = list(from_records(rows, columns, name="the batch")) if rows else []
    doubts, cells = DoubtCount(), []
    for report, found in zip(reports, read(reports), strict=True):
        cells.append(row_of_view(report, found))
        doubts.add(doubts_of(found))
    failed = Counter(reason for _, _, reason in cells if reason is not None)
    return table_of(cells, ("id", "view", "failed")), Counted(len(cells), dict(failed), doubts=doubts)


def row_of_view(report: Report, found: "Any | Failure | Unread") -> ViewRow:
    if isinstance(found, Unread):
        return report.id, None, found.reason
    if isinstance(found, Failure):
        return report.id, None, f"{found.stage}: {found.reason}"
    return report.id, as_json(found).decode(), None


def table_of(rows: Iterable[Iterable[Any]], names: Sequence[str]) -> Any:
    """Rows as an Arrow table: texts, and the numbers that results have."""
    pa = require("pyarrow", "parquet")
    kinds = pa.schema([(name, pa.float64() if name in ROW_NUMBERS else pa.string()) for name in names])
    return pa.Table.from_pylist([dict(zip(names, cells, strict=True)) for cells in rows], schema=kinds)


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


def score_batch(
    table: Any, metrics: Sequence[str] | None = None, *, columns: ColumnRoles = None, keep: bool = False
) -> Any:
    """Pairs → one row per id × system × metric, as in results.jsonl; counts are JSON.

    `keep` gives every row the other columns of its pair. The table has an id, a reference and one or more candidates,
    under the names a table of pairs has.
    """
    scorer = Scorer(Settings(choose(metrics, patients=False), explain=False))
    units = list(map(scorer, pairs_in_rows(table.to_pylist(), columns)[0]))
    made = rows_table(units)
    source = [n for n, unit in enumerate(units) for _ in unit.rows]
    for name in carried(table.column_names, columns, made.column_names) if keep else ():
        made = made.append_column(name, table[name].take(source))
    return made


def pairs_in_rows(
    rows: Sequence[Mapping[str, Any]], columns: ColumnRoles
) -> tuple[list[Pair], dict[str, Account]]:
    """The pairs of a table that has both sides in each row, and where its rows went."""
    if not rows:
        return [], {}
    found, wanted = rows_in_memory(rows, "the batch"), requested(columns)
    sides = candidates_among(found.names, wanted)
    if not sides:
        raise BadInput(
            f"No column is called candidate, prediction or generated; there are {', '.join(found.names)}."
        )
    with closing(Pairs.gather(*pairs_in(found, wanted, sides))) as pairs:
        return list(pairs), pairs.accounts


def rows_table(units: Iterable[Finished]) -> Any:
    """Rows of results as an Arrow table."""
    rows = [msgspec.structs.asdict(row) for unit in units for row in unit.rows]
    return table_of(
        ((row | {"counts": msgspec.json.encode(row["counts"]).decode()}).values() for row in rows),
        ROW_COLUMNS,
    )


def rows_of_table(table: Any) -> Iterator[Row]:
    """The same back again."""
    for cells in table.to_pylist():
        counts = msgspec.json.decode(cells.pop("counts"), type=dict[str, float])
        yield Row(**cells, counts=counts)
