"""What callers hand over from Python → sources: lists, dicts, frames, files. No frame library is imported."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from math import inf
from os import PathLike
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from overread.errors import BadInput, kind_of
from overread.formats import load
from overread.report import Report, parse
from overread.runner.containers import (
    answer_of,
    is_missing,
    is_numbered,
    is_series,
    is_stream,
    plain_cell,
    rows_of_cells,
    unpack_container,
)
from overread.runner.results.rows import Row
from overread.runner.view_files import source_of_views
from overread.sources import Source, Table, are_text_files, from_records, load_pairs, side_by_side
from overread.sources.columns import Side, candidates_among, plain, requested, side_names, usual_names
from overread.sources.load import ROW_NUMBER, pairs_in
from overread.sources.table_files import rows_in_memory

Reports = Any
"""A path; a list of texts, records or Reports; id → text; a table or column of pandas, polars, Arrow, DuckDB, numpy or
datasets; a Source."""


Roles = Mapping[str, str] | None
"""Role → column: `{"id": "accession", "text": "report"}`."""

ColumnNames = Mapping[str, str | Sequence[str]] | None
"""The same for candidates, of which one table may hold several: `{"text": ["ours", "theirs"]}`."""


def source_of(
    given: Reports, name: str, side: Side = "either", columns: Roles = None, encoding: str | None = None
) -> Source:
    """The reports behind whatever was given; texts in a list get their place as id.

    >>> [report.id for report in source_of(["Clear lungs.", "Edema."], "references")]
    ['0', '1']
    >>> [report.id for report in source_of({"a": "Clear lungs."}, "references")]
    ['a']
    """
    if isinstance(given, Source):
        return given
    if isinstance(given, (str, PathLike)):
        check_path(given, name)
        return source_of_views(Path(given)) or load(given, columns, encoding=encoding, side=side)
    check_several(given, name)
    found = unpack_container(given, name)
    if isinstance(found, Mapping):
        return from_texts(found.items(), name)
    return from_list(list(found), name, side, columns)


def is_there(given: str) -> bool:
    """Is this the name of a file? A report in its place may be longer than a name can be."""
    try:
        return Path(given).exists()
    except OSError:
        return False


def check_path(given: "str | PathLike[str]", name: str) -> None:
    """A single text is easily taken for a list of one; it is not repeated, as it may be a report."""
    if isinstance(given, str) and is_prose(given) and not is_there(given):
        raise BadInput(f"The {name} are one text, and no file has this name; put texts in a list: [text].")


def is_prose(given: str) -> bool:
    """
    >>> is_prose("Small effusion."), is_prose("my reports.csv"), is_prose("reports")
    (True, False, False)
    """
    words = len(given.split())
    return words > 2 or "\n" in given or (words == 2 and not Path(given).suffix)


def check_several(given: Reports, name: str) -> None:
    others = is_stream(given) or hasattr(given, "__array__") or hasattr(given, "collect")
    if not isinstance(given, Iterable) and not others:
        raise BadInput(
            f"The {name} are {kind_of(given)}; give a list of texts, id → text, records, a frame, or a path."
        )


def from_list(given: list[Any], name: str, side: Side, columns: Roles = None) -> Source:
    if not given:
        raise BadInput(f"The {name} are empty; give at least one report.")
    if all(isinstance(one, Report) for one in given):
        return Source(Table(name, "reports"), given)
    if all(isinstance(one, Mapping) for one in given):
        if all({"role", "content"} <= set(one) for one in given):
            raise BadInput(f"The {name} are messages of one chat; give a list of messages for each report.")
        return from_records(rows_of_cells(given), columns, name=name, side=side)
    return from_texts(((str(n), text) for n, text in enumerate(given)), name)


def from_texts(pairs: Iterable[tuple[Any, Any]], name: str) -> Source:
    """Ids with their texts; None and NaN stand for an empty report, which is counted."""
    reports = []
    for id, given in pairs:
        text = said_in(given)
        if text is not None and not isinstance(text, str):
            raise BadInput(
                f"The {name} hold a {type(text).__name__} under {id!r} where a text was expected; give lists of "
                "texts, id → text, records, or a frame."
            )
        reports.append(parse(text or "", str(id)))
    return Source(Table(name, "texts"), reports)


def said_in(given: Any) -> Any:
    """A plain cell, or what the assistant says last in a chat."""
    chat = isinstance(given, (list, tuple)) and given and all(isinstance(one, Mapping) for one in given)
    return answer_of(given) if chat else plain_cell(given)


def pairs_in_table(
    given: Reports, columns: Roles = None, named: ColumnNames = None, encoding: str | None = None
) -> tuple[Source, dict[str, Source]]:
    """A table with the reference in one column and a candidate in each of those that are called so or `named`.

    >>> first, systems = pairs_in_table([{"reference": "Edema.", "prediction": "No edema."}])
    >>> [report.text for report in first], list(systems)
    (['Edema.'], ['prediction'])
    """
    sides = (named or {}).get("text", [])
    sides = [sides] if isinstance(sides, str) else list(sides)
    if isinstance(given, (str, PathLike)):
        check_path(given, "references")
        return load_pairs(Path(given), columns, encoding=encoding, candidates=sides)
    check_several(given, "references")
    found = unpack_container(given, "pairs")
    rows = list(found) if not isinstance(found, (Mapping, Source)) else []
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise BadInput("Candidates are missing: score(references, candidates), or one table of pairs.")
    rows = rows_of_cells(rows)
    names = list(dict.fromkeys(name for row in rows for name in row))
    wanted = requested(columns)
    sides = sides or candidates_among(names, wanted)
    ours = wanted.text or next((n for n in names if plain(n) in side_names("reference")), None)
    if ours not in names or not sides or not set(sides) <= set(names):
        raise BadInput(
            "A table of pairs has a column reference and one called candidate or prediction (or name them: "
            f"columns={{'text': …}}, candidate_columns={{'text': …}}); here are {', '.join(names)}."
        )
    id = wanted.id or next((name for name in names if plain(name) in usual_names()["id"]), ROW_NUMBER)
    placed = [
        {ROW_NUMBER: str(n), **row, **{side: said_in(row.get(side)) for side in sides}}
        for n, row in enumerate(rows)
    ]
    return pairs_in(rows_in_memory(placed, "pairs"), replace(wanted, id=id, text=ours), sides)


def sources_of(
    references: Reports,
    candidates: Reports,
    columns: Roles = None,
    candidate_columns: ColumnNames = None,
    encoding: str | None = None,
    by_line: bool | None = None,
) -> tuple[Source, dict[str, Source]]:
    """Both sides, one system or several by name; text files on both are read line by line, side by side.

    >>> list(sources_of(["Clear."], {"ours": ["Clear."], "theirs": ["Edema."]})[1])
    ['ours', 'theirs']
    >>> list(sources_of(["Clear."], ["Clear."])[1])
    ['candidate']
    """
    if candidates is None:
        return pairs_in_table(references, columns, candidate_columns, encoding)
    references, given = unpack_once(references, "references"), unpack_once(candidates, "candidates")
    several = isinstance(given, Mapping) and bool(given) and not any(is_text(v) for v in given.values())
    named = {str(name): one for name, one in given.items()} if several else {"candidates": given}
    systems = named if several else ("candidate",)
    paths = [Path(one) for one in (references, *named.values()) if isinstance(one, (str, PathLike))]
    if len(paths) == len(named) + 1 and are_text_files(paths):
        first, *rest = side_by_side(paths, encoding, by_line)
        return first, dict(zip(systems, rest, strict=True))
    check_places(references, named)
    references, named = by_place_where_alike(references, named)
    theirs = column_names(candidate_columns) if candidate_columns is not None else columns
    first = source_of(references, "references", "reference", columns, encoding)
    made = [source_of(one, name, "candidate", theirs, encoding) for name, one in named.items()]
    return first, dict(zip(systems, made, strict=True))


def unpack_once(given: Reports, name: str) -> Reports:
    """Unpacked, since a stream can be read once; Series stay, as their index decides how they are joined."""
    if isinstance(given, (str, PathLike, Source)) or is_series(given):
        return given
    found = unpack_container(given, name)
    if isinstance(found, Mapping):
        return {k: v if is_text(v) else unpack_once(v, str(k)) for k, v in found.items()}
    return found


def column_names(named: ColumnNames) -> dict[str, str]:
    """The columns of a candidate's own table, where each role has one."""
    several = [role for role, column in (named or {}).items() if not isinstance(column, str)]
    if several:
        raise BadInput("Several columns of candidates are for one table of pairs: give the references alone.")
    return {role: str(column) for role, column in (named or {}).items()}


def check_places(references: Reports, named: Mapping[str, Reports]) -> None:
    """Lists are matched by place, so they must be equally long, and a Series beside one must be numbered.

    So only if nothing was reordered or left out, which its index would show.
    """
    sides = {"references": references, **named}
    for name, one in sides.items():
        if is_series(one) and not is_numbered(one) and any(map(is_placed, sides.values())):
            raise BadInput(
                f"The {name} are a Series with an index of their own, the other side is a list without ids; "
                "give both an index, or lists on both sides (`.to_list()`) to match by position."
            )
        if is_placed(references) and is_placed(one) and len(one) != len(references):
            raise BadInput(
                f"{len(references)} references but {len(one)} {name}: lists are matched by position and must be "
                "equally long. Give id → text where reports are missing."
            )


def by_place_where_alike(
    references: Reports, named: dict[str, Reports]
) -> tuple[Reports, dict[str, Reports]]:
    """Two Series as lists where they have one index, which does not tell their texts apart."""
    sides = [references, *named.values()]
    if len(sides) != 2 or not all(map(is_series, sides)) or references.index.is_unique:
        return references, named
    if list(references.index) != list(sides[1].index):
        return references, named
    return references.to_list(), {name: one.to_list() for name, one in named.items()}


def is_text(value: Any) -> bool:
    return isinstance(value, str) or value is None or is_missing(value)


def is_placed(given: Reports) -> bool:
    """A list or a column without ids."""
    return isinstance(given, (list, tuple)) and bool(given) and all(is_text(plain_cell(one)) for one in given)


FLAG = re.compile(r"--(candidate-)?(id|text|findings|impression|patient|study|day|date)\b")


@contextmanager
def told_in_python() -> Iterator[None]:
    """Complaints name arguments where the command line would name flags."""
    try:
        yield
    except BadInput as error:
        raise BadInput(FLAG.sub(argument, str(error))) from None


def argument(flag: re.Match[str]) -> str:
    """
    >>> FLAG.sub(argument, "name it with --candidate-id")
    "name it with candidate_columns={'id': …}"
    """
    return f"{'candidate_columns' if flag[1] else 'columns'}={{{flag[2]!r}: …}}"


def reference_sets(references: Any) -> list[Any]:
    """References with lists in them as plain ones, first the first of each list, then the second …

    A report with fewer than others has its last again. Plain references come back alone.

    >>> reference_sets([["Clear.", "Normal."], "Edema."])
    [['Clear.', 'Edema.'], ['Normal.', 'Edema.']]
    >>> reference_sets({"a": ["Clear."]}), reference_sets(["Clear."])
    ([{'a': 'Clear.'}], [['Clear.']])
    """
    if not isinstance(references, (list, tuple, Mapping)):
        return [references]
    held = list(references.values() if isinstance(references, Mapping) else references)
    if not any(map(is_several, held)):
        return [references]
    if [] in map(list, filter(is_several, held)):
        raise BadInput(
            "A report has an empty list of references; give it at least one, or None for an empty report."
        )
    many = max(len(one) for one in held if is_several(one))
    sets = [[one[min(n, len(one) - 1)] if is_several(one) else one for one in held] for n in range(many)]
    return (
        [dict(zip(references, one, strict=True)) for one in sets] if isinstance(references, Mapping) else sets
    )


def is_several(one: Any) -> bool:
    """A list of texts, which a chat is not."""
    return isinstance(one, (list, tuple)) and all(isinstance(text, str) for text in one)


def best(rows: Sequence[Row]) -> Row:
    """Of one candidate scored against several references the best row: a value beats none.

    >>> best([Row("1", "s", "m", 0.2), Row("1", "s", "m", 0.4)]).value
    0.4
    >>> best([Row("1", "s", "m", 2, direction="lower"), Row("1", "s", "m", None)]).value
    2
    """
    if rows[0].failed is not None:
        return rows[0]
    sign = {"higher": 1, "lower": -1}
    return max(rows, key=lambda row: -inf if row.value is None else row.value * sign[row.direction])


def signature_of_best(signature: str, many: int) -> str:
    """The signature of a score against the best of several references.

    >>> signature_of_best("rouge-l|words:plain|version:1", 3)
    'rouge-l|words:plain|references:best-of-3|version:1'
    """
    settings, _, version = signature.rpartition("|")
    return f"{settings}|references:best-of-{many}|{version}"
