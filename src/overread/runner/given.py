"""What callers hand over from Python → sources: lists, dicts, frames, files. No frame library is imported."""

from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from overread.errors import BadInput
from overread.report import Report, parse
from overread.runner.view_files import source_of_views
from overread.sources import Source, Table, are_text_files, from_records, load, load_pairs, side_by_side
from overread.sources.columns import Side, plain, side_names, usual_names

Reports = Any
"""A path; a list of texts, records or Reports; id → text; a pandas, polars or Arrow table; a Source."""


def source_of(given: Reports, name: str, side: Side = "either") -> Source:
    """The reports behind whatever was given; texts in a list get their place as id.

    >>> [report.id for report in source_of(["Clear lungs.", "Edema."], "references")]
    ['0', '1']
    >>> [report.id for report in source_of({"a": "Clear lungs."}, "references")]
    ['a']
    """
    if isinstance(given, Source):
        return given
    if isinstance(given, (str, PathLike)):
        return source_of_views(Path(given)) or load(given, side=side)
    if isinstance(given, Mapping):
        return from_texts(given.items(), name)
    rows = records_of(given)
    if rows is not None:
        return from_records(rows, name=name, side=side)
    return from_list(list(given), name, side)


def records_of(given: Any) -> list[dict[str, Any]] | None:
    """The rows of a frame, told by what it can do: polars `to_dicts`, Arrow `to_pylist`, pandas `to_dict`."""
    if hasattr(given, "to_dicts"):
        return list(given.to_dicts())
    if hasattr(given, "columns") and hasattr(given, "to_pylist"):
        return list(given.to_pylist())
    if hasattr(given, "columns") and hasattr(given, "to_dict"):
        return [{k: None if is_nan(v) else v for k, v in row.items()} for row in given.to_dict("records")]
    return None


def from_list(given: list[Any], name: str, side: Side) -> Source:
    if not given:
        raise BadInput(f"The {name} are empty; give at least one report.")
    if all(isinstance(one, Report) for one in given):
        return Source(Table(name, "reports"), given)
    if all(isinstance(one, Mapping) for one in given):
        return from_records(given, name=name, side=side)
    return from_texts(((str(n), text) for n, text in enumerate(given)), name)


def from_texts(pairs: Iterable[tuple[Any, Any]], name: str) -> Source:
    """Ids with their texts; None and NaN stand for an empty report, which is counted."""
    reports = []
    for id, given in pairs:
        text = None if is_nan(given) else given
        if text is not None and not isinstance(text, str):
            raise BadInput(
                f"The {name} hold a {type(text).__name__} under {id!r} where a text was expected; give lists of "
                "texts, id → text, records, or a frame."
            )
        reports.append(parse(text or "", str(id)))
    return Source(Table(name, "texts"), reports)


def is_nan(value: Any) -> bool:
    """What pandas puts where a cell is empty.

    >>> is_nan(float("nan")), is_nan("nan"), is_nan(None)
    (True, False, False)
    """
    return isinstance(value, float) and value != value


def pairs_in(given: Reports) -> tuple[Source, dict[str, Source]]:
    """A table with the reference in one column and a candidate in each of the others.

    >>> first, systems = pairs_in([{"reference": "Edema.", "prediction": "No edema."}])
    >>> [report.text for report in first], list(systems)
    (['Edema.'], ['prediction'])
    """
    if isinstance(given, (str, PathLike)):
        return load_pairs(Path(given))
    rows = records_of(given)
    rows = list(given) if rows is None and not isinstance(given, Mapping) else rows
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        raise BadInput("Candidates are missing: score(references, candidates), or one table of pairs.")
    names = list(dict.fromkeys(str(name) for row in rows for name in row))
    sides = [name for name in names if plain(name) in side_names("candidate")]
    ours = next((name for name in names if plain(name) in side_names("reference")), None)
    if ours is None or not sides:
        raise BadInput(
            "A table of pairs has a column reference and one called candidate or prediction; "
            f"here are {', '.join(names)}."
        )
    id = next((name for name in names if plain(name) in usual_names()["id"]), None)
    keys = [str(row[id]) if id else str(n) for n, row in enumerate(rows)]
    patient = [name for name in names if name not in (ours, id, *sides)]
    records = [
        {"id": key, "text": row.get(ours) or "", **{n: row.get(n) for n in patient}}
        for key, row in zip(keys, rows, strict=True)
    ]
    return from_records(records, name="pairs"), {
        side: from_texts(zip(keys, (row.get(side) for row in rows), strict=True), side) for side in sides
    }


def sources_of(references: Reports, candidates: Reports) -> tuple[Source, dict[str, Source]]:
    """Both sides; text files on both are read line by line, side by side."""
    if candidates is None:
        return pairs_in(references)
    named = candidates if isinstance(candidates, Mapping) else {"candidate": candidates}
    paths = [one for one in (references, *named.values()) if isinstance(one, (str, PathLike))]
    if len(paths) == len(named) + 1 and are_text_files([Path(one) for one in paths]):
        first, *rest = side_by_side([Path(one) for one in paths])
        return first, dict(zip(map(str, named), rest, strict=True))
    check_lengths(references, candidates)
    return source_of(references, "references", "reference"), candidates_of(candidates)


def candidates_of(given: Reports) -> dict[str, Source]:
    """One system, or several by name.

    >>> list(candidates_of({"ours": ["Clear."], "theirs": ["Edema."]}))
    ['ours', 'theirs']
    >>> list(candidates_of(["Clear."]))
    ['candidate']
    """
    if (
        isinstance(given, Mapping)
        and given
        and not any(isinstance(v, str) or v is None for v in given.values())
    ):
        return {str(name): source_of(one, str(name), "candidate") for name, one in given.items()}
    return {"candidate": source_of(given, "candidates", "candidate")}


def check_lengths(references: Reports, candidates: Reports) -> None:
    """Lists are joined by place, so they must be equally long."""
    several = isinstance(candidates, Mapping)
    named = candidates.items() if several else [("candidates", candidates)]
    for name, one in named:
        if (
            isinstance(references, (list, tuple))
            and isinstance(one, (list, tuple))
            and len(one) != len(references)
        ):
            raise BadInput(
                f"There are {len(references)} references but {len(one)} {name}; lists are joined by place. "
                "Give id → text where reports are missing."
            )
