"""Radiologists' judgements: candidates with what each rater gave, and the files that hold them.

Each layout of a file is known by its columns; any other table is read by flags.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from overread.errors import BadInput, UnknownName
from overread.sources.table_files import Cells
from overread.validation.clear.files import named, rows_of
from overread.validation.shown import shipped

NAMELESS = "errors"
"""The category of errors that nobody named, and of a rater who found none."""

ErrorCount = tuple[str, float, float | None]
"""Category, its errors, and how many of them are clinically significant; None where nobody distinguished them."""


class RatedCandidate(Struct, frozen=True):
    """One candidate with what each of its raters gave; as it is read with one rater, then with all of them."""

    study: str
    source: str
    """Where the candidate comes from: a system, or the metric that picked it; `-` when nobody says."""

    reference: str
    candidate: str
    raters: dict[str, dict[str, float]]
    """Rater → target → what the rater gave, turned so that higher is better."""


def by_target(counts: Iterable[ErrorCount], rating: float | None = None) -> dict[str, float]:
    """What one rater gives: all errors, significant ones, each category, the rating; higher is better.

    >>> by_target([("1", 2.0, 1.0), ("2", 1.0, 0.0)], rating=4.0)
    {'errors': -3.0, 'category 1': -2.0, 'significant errors': -1.0, 'category 2': -1.0, 'rating': 4.0}
    """
    found: dict[str, float] = {}
    for category, errors, significant in counts:
        amounts = {"errors": errors, f"category {category}": errors, "significant errors": significant}
        for target, amount in amounts.items():
            if amount is not None and target != f"category {NAMELESS}":
                found[target] = found.get(target, 0.0) - amount
    return found if rating is None else found | {"rating": rating}


def gathered(found: Iterable[RatedCandidate]) -> list[RatedCandidate]:
    """All raters of a study, source and candidate in one item, in order of appearance."""
    items: dict[tuple[str, str, str], RatedCandidate] = {}
    for one in found:
        known = items.setdefault((one.study, one.source, one.candidate), replace(one, raters={})).raters
        if twice := known.keys() & one.raters.keys():
            raise BadInput(
                f"Rater {twice.pop()!r} judges study {one.study!r}, source {one.source!r} twice; "
                "give each judgement once."
            )
        known.update(one.raters)
    return list(items.values())


def targets(found: Iterable[RatedCandidate]) -> tuple[str, ...]:
    """What can be correlated with: all errors, significant ones, each category, the rating."""
    known = {target for item in found for given in item.raters.values() for target in given}
    categories = sorted(target for target in known if target.startswith("category "))
    order = ("errors", "significant errors", *(categories if len(categories) > 1 else ()), "rating")
    return tuple(target for target in order if target in known)


def mean_of(item: RatedCandidate, target: str, raters: Iterable[str] | None = None) -> float | None:
    """The mean over these raters, or over all; a category that a rater does not name has no errors."""
    unnamed = 0.0 if target.startswith("category ") else None
    given = [item.raters[one].get(target, unnamed) for one in (item.raters if raters is None else raters)]
    known = [v for v in given if v is not None]
    return fmean(known) if known else None


PAIR = re.compile(r"(?P<name>[^:=,;\n\d][^:=,;\n]*?)\s*[:=]\s*(?P<count>-?\d+(?:\.\d+)?)")
NUMBERS = re.compile(r"\s*\[?\s*\d+(?:\.\d+)?(?:\s*[,;\s]\s*\d+(?:\.\d+)?)*\s*\]?\s*")
SIGNIFICANCE = re.compile(r"\W*\b(?:clinically\s+)?(in|non-?|not\s+)?significant\b\W*", re.IGNORECASE)


def counts_in(cell: str, where: str) -> list[ErrorCount]:
    """Errors by category, and whether they are significant where the category says so.

    >>> counts_in("1, 0", "row 1")
    [('1', 1.0, None), ('2', 0.0, None)]
    >>> counts_in("false finding (significant): 1; false finding (insignificant): 2", "row 1")
    [('false finding', 1.0, 1.0), ('false finding', 2.0, 0.0)]
    """
    found = named_counts(cell.strip())
    if not found:
        raise BadInput(
            f"{where}: the cell {cell.strip()[:40]!r} holds no counts. "
            "Write `1, 0, 2`, `name: 1; other: 0` or a JSON object."
        )
    if any(count < 0 for _, count in found):
        raise BadInput(f"{where}: a count of errors cannot be negative.")
    counts: list[ErrorCount] = []
    for name, count in found:
        mark = SIGNIFICANCE.search(name)
        significant = None if mark is None else 0.0 if mark[1] else count
        counts.append((SIGNIFICANCE.sub(" ", name).strip() or NAMELESS, count, significant))
    return counts


def named_counts(text: str) -> list[tuple[str, float]]:
    if text.startswith("{"):
        try:
            return list(msgspec.json.decode(text.replace("'", '"'), type=dict[str, float]).items())
        except msgspec.DecodeError:
            return []
    if NUMBERS.fullmatch(text):
        return [(str(n), float(v)) for n, v in enumerate(re.findall(r"\d+(?:\.\d+)?", text), 1)]
    return [(m["name"].strip(), float(m["count"])) for m in PAIR.finditer(text)]


class Opened(Struct, frozen=True):
    """One file: its name and its rows, each with the place where it stands."""

    path: Path
    rows: list[tuple[str, Cells]]

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(self.rows[0][1]) if self.rows else frozenset()

    def has(self, needed: Iterable[str]) -> bool:
        """Is there a column for each of these, by its own name or a usual one?"""
        return all(n in self.columns or named(self.columns, KNOWN_COLUMNS.usual.get(n, ())) for n in needed)


def tables_in(path: Path) -> list[Path]:
    """The file, or the tables of the folder."""
    if not path.is_dir():
        return [path]
    return sorted(p for p in path.rglob("*") if p.suffix in (".csv", ".tsv", ".json", ".jsonl"))


def number_in_cell(value: object, where: str) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise BadInput(f"{where}: {str(value)[:30]!r} is not a number.") from None


class KnownColumns(Struct, frozen=True):
    """What `columns.toml` holds."""

    usual: dict[str, tuple[str, ...]]
    """What a column holds → its usual names."""

    layouts: dict[str, tuple[tuple[str, ...], ...]]
    """Layout → the columns that each of its files needs."""


KNOWN_COLUMNS = shipped("experts/columns.toml", KnownColumns)
JUDGEMENT_COLUMNS = ("study", "source", "rater", "reference", "candidate")
"""What a judgement begins with."""

COUNT = "rad_cat_count_"


class Flags(Struct, frozen=True):
    """Columns of a table that no layout knows."""

    reference: str | None = None
    candidate: str | None = None
    errors: tuple[str, ...] = ()
    significant: tuple[str, ...] = ()
    rating: str | None = None
    study: str | None = None
    source: str | None = None
    rater: str | None = None

    @property
    def given(self) -> bool:
        return bool(self.errors or self.significant or self.rating or self.reference or self.candidate)

    def completed(self, file: Opened, roles: Iterable[str]) -> "Flags":
        """With the usual columns of the file for roles that have none."""
        usual = {
            role: named(file.columns, KNOWN_COLUMNS.usual[role])
            for role in roles
            if getattr(self, role) is None
        }
        return replace(self, **usual)


def load_judgements(paths: Sequence[Path], flags: Flags | None = None) -> tuple[str, list[RatedCandidate]]:
    """The layout's name and every candidate of the files; folders stand for the tables in them."""
    tables = [one for path in paths for one in tables_in(path)]
    opened = [Opened(one, [(f"{one}, line {n}", row) for n, row in rows_of(one)]) for one in tables]
    if not opened:
        raise BadInput(f"{', '.join(map(str, paths))} holds no table (CSV, TSV, JSON or JSONL).")
    if flags is not None and flags.given:
        return "by flags", gathered(item for file in opened for item in by_flags(file, flags))
    for name, needed in KNOWN_COLUMNS.layouts.items():
        if all(any(file.has(columns) for file in opened) for columns in needed):
            return name, gathered(LAYOUTS[name](opened))
    known = ", ".join(LAYOUTS)
    seen = ", ".join(sorted(opened[0].columns))
    raise BadInput(
        f"{opened[0].path}: no layout knows these columns ({seen}). Known layouts: {known}. "
        "Of any other table name --reference, --candidate and --errors or --rating."
    )


# ---- ReXVal
def rexval(files: Sequence[Opened]) -> Iterator[RatedCandidate]:
    """Candidates in one file, counts of six raters in the other, joined by the number of the study."""
    texts = next(f for f in files if "gt_report" in f.columns)
    counts = next(f for f in files if "error_category" in f.columns)
    studies = studies_by_number(texts, counts)
    found: dict[tuple[str, str, str], list[ErrorCount]] = {}
    for where, row in counts.rows:
        study, source = str(row["study_number"]), str(row["candidate_type"])
        if source not in studies.get(study, ()):
            raise BadInput(f"{where}: no report for study {study!r}, candidate {source!r}.")
        count = number_in_cell(row["num_errors"], where)
        significant = count if is_true(row["clinically_significant"]) else 0.0
        told = found.setdefault((study, source, str(row["rater_index"])), [])
        told.append((str(row["error_category"]), count, significant))
    for (study, source, rater), each in found.items():
        texts_of = str(studies[study]["gt_report"]), str(studies[study][source])
        yield RatedCandidate(study, source, *texts_of, {rater: by_target(each)})


def studies_by_number(texts: Opened, counts: Opened) -> dict[str, Cells]:
    """Study number → its reports: by a column of that name, else by place, from 0 or 1 as the counts have it."""
    if "study_number" in texts.columns:
        return {str(row["study_number"]): row for _, row in texts.rows}
    first = min(
        (int(number_in_cell(row["study_number"], str(counts.path))) for _, row in counts.rows), default=0
    )
    return {str(n): row for n, (_, row) in enumerate(texts.rows, first if first in (0, 1) else 0)}


def is_true(value: object) -> bool:
    """
    >>> [is_true(v) for v in ("True", "1", "yes", "False", "0", "")]
    [True, True, True, False, False, False]
    """
    return str(value).strip().lower() in ("true", "1", "1.0", "yes", "y", "significant")


# ---- RadEval reader study
def radeval(files: Sequence[Opened]) -> Iterator[RatedCandidate]:
    """Three predictions a row, each with its counts in a cell; an empty annotation was not judged."""
    for file in files:
        for where, row in file.rows:
            study = f"{row.get('images_path') or str(row['ground_truth'])[:80]}|{row.get('type', '')}"
            for k in (1, 2, 3):
                if (cell := str(row.get(f"annotation{k}") or "")).strip():
                    given = by_target(counts_in(cell, f"{where}, annotation{k}"))
                    texts = str(row["ground_truth"]), str(row.get(f"prediction{k}") or "")
                    yield RatedCandidate(study, f"prediction{k}", *texts, {str(row["annotator"]): given})


# ---- per-rater JSON
class Mistake(Struct, frozen=True):
    """An error as a rater lists it."""

    category: str = NAMELESS
    significant: bool = False


class Rater(Struct, frozen=True):
    """What one rater says of an item."""

    rater: str | int | None = None
    errors: list[Mistake] | None = None
    rating: float | None = None

    def counts(self) -> list[ErrorCount]:
        """Whoever lists no error has found none; without a list nothing was counted."""
        found: list[ErrorCount] = [(one.category, 1.0, float(one.significant)) for one in self.errors or ()]
        return found if found or self.errors is None else [(NAMELESS, 0.0, 0.0)]


def per_rater(files: Sequence[Opened]) -> Iterator[RatedCandidate]:
    """Each item with its raters: a list of errors with category and significance, and perhaps a rating of 1 to 5."""
    for file in files:
        column = named(file.columns, KNOWN_COLUMNS.usual["raters"]) or ""
        for where, row, _, item in judged_rows(file, Flags().completed(file, JUDGEMENT_COLUMNS)):
            try:
                raters = msgspec.convert(row[column] or [], list[Rater], strict=False)
            except msgspec.ValidationError as error:
                raise BadInput(
                    f"{where}: {column} must be a list of objects with `rating`, or with `errors` of `category` and "
                    f"`significant` ({error})."
                ) from None
            for k, one in enumerate(raters, 1):
                rater = str(k if one.rater is None else one.rater)
                yield replace(item, raters={rater: by_target(one.counts(), one.rating)})


# ---- a judgement a row: chest-CT error pairs, RaTE-Eval and any table with ratings under usual names, by flags
def chest_ct(files: Sequence[Opened]) -> Iterator[RatedCandidate]:
    """A reference, a report with errors, and a count for each of six categories."""
    for file in files:
        counts = tuple(sorted(c for c in file.columns if c.startswith(COUNT)))
        yield from by_columns(file, Flags(errors=counts).completed(file, JUDGEMENT_COLUMNS))


def rated(files: Sequence[Opened]) -> Iterator[RatedCandidate]:
    """Pairs with a human rating; each file or folder is a task of its own."""
    for file in files:
        flags = Flags().completed(file, (*JUDGEMENT_COLUMNS, "rating"))
        if flags.rating is not None and flags.reference is not None:
            yield from by_columns(file, flags, file.path.parent.name if len(files) > 1 else "-")


def by_flags(file: Opened, flags: Flags) -> Iterator[RatedCandidate]:
    one_each = (name for name in asdict(flags).values() if isinstance(name, str))
    for name in (*flags.errors, *flags.significant, *one_each):
        if name not in file.columns:
            raise UnknownName(f"column in {file.path.name}", name, file.columns)
    if not (flags.errors or flags.significant or flags.rating):
        raise BadInput("Name what the raters gave: --errors, --significant or --rating.")
    return by_columns(file, flags.completed(file, ("reference", "candidate")))


def by_columns(file: Opened, flags: Flags, source: str = "-") -> Iterator[RatedCandidate]:
    """A judgement a row, with its counts and its rating in these columns."""
    for where, row, rater, item in judged_rows(file, flags, source):
        errors = flags.errors or flags.significant
        counts: list[ErrorCount] = [
            (name.removeprefix(COUNT), number_in_cell(row[name], where), None) for name in errors
        ]
        counts += [(NAMELESS, 0.0, number_in_cell(row[name], where)) for name in flags.significant]
        rating = number_in_cell(row[flags.rating], where) if flags.rating else None
        yield replace(item, raters={rater: by_target(counts, rating)})


def judged_rows(
    file: Opened, flags: Flags, source: str = "-"
) -> Iterator[tuple[str, Cells, str, RatedCandidate]]:
    """Each row: where it stands, its cells, its rater, and its candidate without what the rater gave."""
    for side in ("reference", "candidate"):
        if getattr(flags, side) is None:
            raise BadInput(f"{file.path} has no column for the {side}; name it with --{side}.")
    columns = {role: getattr(flags, role) for role in JUDGEMENT_COLUMNS}
    for where, row in file.rows:
        missing = {"study": where, "source": source, "rater": "1"}
        told = {role: str(row[name] or "") if name else missing[role] for role, name in columns.items()}
        rater = told.pop("rater")
        yield where, row, rater, RatedCandidate(**told, raters={})


LAYOUTS: dict[str, Callable[[Sequence[Opened]], Iterator[RatedCandidate]]] = {
    "ReXVal": rexval,
    "RadEval reader study": radeval,
    "chest-CT error pairs": chest_ct,
    "per-rater JSON": per_rater,
    "RaTE-Eval": rated,
}
"""How each layout of `columns.toml` is read."""
