"""A path → the source behind it: a table, a folder, or a text file, which is one report or one a line."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from os import PathLike
from pathlib import Path

from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import Report, parse
from overread.sources.columns import Columns, Side, candidates_among, choose, has_ids, listed, requested
from overread.sources.encoding import detect, reading, stated_encoding, text_of
from overread.sources.excel import workbook
from overread.sources.layouts import FOLDERS, LAYOUTS, PREPARED, note_file, with_column
from overread.sources.source import Source, Table, TableReports
from overread.sources.table_files import Rows, delimited, json_list, jsonl_rows, parquet_table, rows_in_memory

WantedColumns = Columns | Mapping[str, str] | None
"""Which column holds what, as a caller says it; what is not said is found by name."""

ROW_NUMBER = "row number"
"""Stands for the id in a table of pairs that has none."""

FORMATS: dict[str, Callable[[Path, str], Rows]] = {
    ".csv": delimited,
    ".tsv": delimited,
    ".jsonl": jsonl_rows,
    ".ndjson": jsonl_rows,
    ".json": json_list,
    ".parquet": lambda path, _: parquet_table(path),
    ".xlsx": lambda path, _: workbook(path),
}


def load_source(
    path: str | PathLike[str],
    columns: WantedColumns = None,
    *,
    encoding: str | None = None,
    side: Side = "either",
) -> Source:
    """The reports of a table, a text file or a folder; `formats.load` also takes what hospitals and tools exchange."""
    place, wanted, chosen = Path(path), requested(columns), stated_encoding(encoding)
    with reading(place):
        place.stat()
    place = (note_file(place) or place) if place.is_dir() else place
    if place.is_dir():
        return folder(place, chosen)
    if place.suffix.lower() == ".txt":
        return whole_file_source(place, place.stem, chosen, "text file")
    return table_source(rows_of(place, chosen), wanted, side)


def load_pairs(
    path: Path, columns: WantedColumns = None, *, encoding: str | None = None, candidates: Sequence[str] = ()
) -> tuple[Source, dict[str, Source]]:
    """A table with the reference in one column and candidates in others, called so or named; column → candidates.

    Rows without an id column go by their number.
    """
    with reading(path):
        path.stat()
    if path.is_dir() or path.suffix.lower() == ".txt":
        raise BadInput(
            f"{path} is the only file and no table of pairs; name a file for each system after it."
        )
    rows, wanted = rows_of(path, stated_encoding(encoding)), requested(columns)
    missing = [name for name in candidates if name not in rows.names]
    if missing:
        raise BadInput(f"{path} has no column {missing[0]!r}; it has {listed(rows.names)}.")
    sides = list(candidates) or candidates_among(rows.names, wanted)
    if not sides:
        raise BadInput(
            f"{path} is the only file and has no column called candidate, prediction, generated or hypothesis; "
            f"name a file for each system after it. Its columns: {listed(rows.names)}."
        )
    if not wanted.id and not has_ids(rows.names):
        rows = with_column(rows, ROW_NUMBER, lambda line, _: str(line))
        wanted = replace(wanted, id=ROW_NUMBER)
    return pairs_in(rows, wanted, sides)


def pairs_in(rows: Rows, wanted: Columns, candidates: Sequence[str]) -> tuple[Source, dict[str, Source]]:
    """The references of a table, and its columns of candidates; column → candidates."""
    first = table_source(rows, wanted, "reference")
    return first, {side: table_source(rows, replace(wanted, text=side), "candidate") for side in candidates}


def rows_of(place: Path, encoding: str | None) -> Rows:
    kind = place.suffix.lower()
    if kind not in FORMATS:
        raise BadInput(f"{place} is not of a supported type; give {', '.join(FORMATS)}, .txt or a folder.")
    return FORMATS[kind](place, encoding or detect(place))


def from_records(
    records: Iterable[Mapping[str, object]],
    columns: WantedColumns = None,
    *,
    name: str = "records",
    side: Side = "either",
) -> Source:
    """Reports from rows in memory, such as `frame.to_dict("records")`.

    >>> [report.id for report in from_records([{"id": 7, "findings": "Clear lungs."}])]
    ['7']
    """
    return table_source(rows_in_memory(list(records), name), requested(columns), side)


def table_source(rows: Rows, wanted: Columns, side: Side = "either") -> Source:
    """The reports of a table in a published layout or with columns of usual names."""
    name = next((name for name, layout in LAYOUTS.items() if layout.fits(rows.names)), "")
    ready = PREPARED[name](rows) if name in PREPARED else rows
    columns = choose(ready.names, wanted, LAYOUTS[name].columns if name else {}, rows.where, side)
    used = set(columns.named().values())
    kind = f"{name}, {rows.kind}" if name else rows.kind
    unused = tuple(name for name in rows.names if name not in used)
    return Source(Table(rows.where, kind, columns, unused), TableReports(ready, columns), side)


def folder(path: Path, encoding: str | None) -> Source:
    """The reports in a folder, by what it holds."""
    for name, fits, reports in FOLDERS:
        if fits(path):
            return Source(Table(str(path), name), partial(reports, path, encoding))
    kinds = Counter(item.suffix.lower() for item in path.iterdir() if item.is_file())
    tables = sorted(kind for kind in kinds if kind in FORMATS)
    if tables:
        raise BadInput(f"{path} is a folder of {', '.join(tables)} files; name one of them.")
    raise BadInput(f"{path} holds no reports: no .txt, no Open-i .xml, no MIMIC-CXR tree.")


def are_text_files(paths: Sequence[Path]) -> bool:
    return all(path.suffix.lower() == ".txt" and path.is_file() for path in paths)


def side_by_side(
    paths: Sequence[Path], encoding: str | None = None, by_line: bool | None = None
) -> list[Source]:
    """Text files that belong together, the reference first: by line, or each as one report.

    Left to itself (`by_line` None) it takes files of equal length without a gap in the reference as files of
    lines, and asks where that is not clear.
    """
    stated = stated_encoding(encoding)
    if by_line is None:
        check_lines(paths, [text_lines(path, stated) for path in paths])
    if by_line is False:
        return [whole_file_source(path, paths[0].stem, stated) for path in paths]
    return [
        Source(Table(str(path), "text file, one report a line"), partial(line_reports, path, stated))
        for path in paths
    ]


def check_lines(paths: Sequence[Path], found: Sequence[list[str]]) -> None:
    """Refuse what may be a file of lines or a single report."""
    counts = [len(lines) for lines in found]
    odd = next((n for n, count in enumerate(counts) if count != counts[0]), None)
    if odd is not None:
        raise BadInput(
            f"{paths[0]} has {counts[0]} lines and {paths[odd]} has {counts[odd]}. With one report a line they "
            "must have as many; where each file is one report, say --whole-files."
        )
    gap = next((n for n, line in enumerate(found[0], 1) if not line.strip()), None)
    if gap is not None:
        raise BadInput(
            f"Line {gap} of {paths[0]} is empty. Say --lines where each line is a report, or --whole-files where "
            "each file is one."
        )


def text_lines(path: Path, encoding: str | None) -> list[str]:
    """The lines of a file; the newline at its end begins no further one."""
    text = text_of(path, encoding)
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def line_reports(path: Path, encoding: str | None) -> Iterator[Report]:
    """Each line a report, its number the id."""
    return (parse(line, str(n)) for n, line in enumerate(text_lines(path, encoding), 1))


def whole_file_source(
    path: Path, id: str, encoding: str | None, layout: str = "text file, one report"
) -> Source:
    return Source(Table(str(path), layout), lambda: iter([parse(text_of(path, encoding), id)]))
