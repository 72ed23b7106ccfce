"""Files of radiologists' judgements: each layout known by its columns, or any table by flags."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from overread.errors import BadInput, UnknownName
from overread.validation.expert_counts import (
    NAMELESS,
    Judgement,
    Opened,
    counts_in,
    listed,
    named,
    number,
    opened_file,
)

Row = dict[str, str]
CANDIDATES = ("radgraph", "bertscore", "s_emb", "bleu")
REFERENCE = ("reference", "reference_report", "gt", "gt_report", "ground_truth", "ref", "original", "report")
CANDIDATE = (
    "candidate",
    "candidate_report",
    "prediction",
    "pred",
    "generated",
    "hypothesis",
    "hyp",
    "error_report",
)
RATING = ("rating", "human_rating", "human_score", "score", "rate", "overall")
STUDY = ("study", "study_id", "study_number", "id", "case", "case_id", "image_id")
SOURCE = ("source", "system", "model", "candidate_type", "type")
RATER = ("rater", "rater_index", "rater_id", "annotator", "reader", "radiologist")
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


def load_judgements(paths: Sequence[Path], flags: Flags | None = None) -> tuple[str, list[Judgement]]:
    """The layout's name and every judgement of the files; folders stand for the tables in them."""
    opened = [opened_file(path) for path in listed(paths)]
    if not opened:
        raise BadInput(f"{', '.join(map(str, paths))} holds no table (CSV, TSV, JSON or JSONL).")
    if flags is not None and flags.given:
        return "by flags", [j for file in opened for j in by_flags(file, flags)]
    for name, (fits, read) in LAYOUTS.items():
        if fits(opened):
            return name, list(read(opened))
    known = ", ".join(LAYOUTS)
    seen = ", ".join(sorted(opened[0].columns))
    raise BadInput(
        f"{opened[0].path}: no layout knows these columns ({seen}). Known layouts: {known}. "
        "Of any other table name --reference, --candidate and --errors or --rating."
    )


# ---- ReXVal
def is_rexval(files: Sequence[Opened]) -> bool:
    return any("gt_report" in f.columns and set(CANDIDATES) & f.columns for f in files) and any(
        {"error_category", "num_errors", "rater_index"} <= f.columns for f in files
    )


def rexval(files: Sequence[Opened]) -> Iterator[Judgement]:
    """Candidates in one file, counts of six raters in the other, joined by the number of the study."""
    texts = next(f for f in files if "gt_report" in f.columns)
    counts = next(f for f in files if "error_category" in f.columns)
    studies = numbered(texts, counts)
    found: dict[tuple[str, str, str], tuple[dict[str, float], dict[str, float]]] = {}
    for n, row in enumerate(counts.rows, 2):
        where = f"{counts.path}, row {n}"
        key = (row["study_number"], row["candidate_type"], row["rater_index"])
        if key[0] not in studies or key[1] not in studies[key[0]]:
            raise BadInput(f"{where}: no report for study {key[0]!r}, candidate {key[1]!r}.")
        errors, grave = found.setdefault(key, ({}, {}))
        count = number(row["num_errors"], where)
        category = row["error_category"]
        errors[category] = errors.get(category, 0.0) + count
        grave[category] = grave.get(category, 0.0) + (
            count if is_true(row["clinically_significant"]) else 0.0
        )
    for (study, source, rater), (errors, grave) in found.items():
        own = studies[study]
        yield Judgement(study, source, rater, own["gt_report"], own[source], errors, grave)


def numbered(texts: Opened, counts: Opened) -> dict[str, Row]:
    """Study number → its reports: by a column of that name, else by place, from 0 or 1 as the counts have it."""
    if "study_number" in texts.columns:
        return {row["study_number"]: row for row in texts.rows}
    first = min((int(number(row["study_number"], str(counts.path))) for row in counts.rows), default=0)
    return {str(n): row for n, row in enumerate(texts.rows, first if first in (0, 1) else 0)}


def is_true(value: Any) -> bool:
    """
    >>> [is_true(v) for v in ("True", "1", "yes", "False", "0", "")]
    [True, True, True, False, False, False]
    """
    return str(value).strip().lower() in ("true", "1", "1.0", "yes", "y", "significant")


# ---- RadEval reader study
def is_radeval(files: Sequence[Opened]) -> bool:
    return any({"annotator", "ground_truth", "prediction1", "annotation1"} <= f.columns for f in files)


def radeval(files: Sequence[Opened]) -> Iterator[Judgement]:
    """Three predictions a row, each with its counts in a cell; an empty annotation was not judged."""
    for file in files:
        for n, row in enumerate(file.rows, 2):
            study = f"{row.get('images_path') or row['ground_truth'][:80]}|{row.get('type', '')}"
            for k in (1, 2, 3):
                cell = str(row.get(f"annotation{k}") or "")
                if not cell.strip():
                    continue
                errors, grave = counts_in(cell, f"{file.path}, row {n}, annotation{k}")
                texts = row["ground_truth"], str(row.get(f"prediction{k}") or "")
                yield Judgement(study, f"prediction{k}", str(row["annotator"]), *texts, errors, grave)


# ---- chest-CT error pairs
def is_ct(files: Sequence[Opened]) -> bool:
    return any(any(c.startswith(COUNT) for c in f.columns) for f in files)


def chest_ct(files: Sequence[Opened]) -> Iterator[Judgement]:
    """A reference, a report with errors, and a count for each of six categories."""
    for file in files:
        categories = sorted(c for c in file.columns if c.startswith(COUNT))
        for n, row, texts in pairs(file):
            errors = {c.removeprefix(COUNT): number(row[c], f"{file.path}, row {n}") for c in categories}
            yield Judgement(*identity(file, row, n), *texts, errors)


# ---- per-rater JSON
def is_per_rater(files: Sequence[Opened]) -> bool:
    return any({"raters", "ratings", "judgements", "annotations"} & f.columns for f in files)


def per_rater(files: Sequence[Opened]) -> Iterator[Judgement]:
    """Each item with its raters: a list of errors with category and significance, and perhaps a rating of 1 to 5."""
    for file in files:
        column = named(file.columns, ("raters", "ratings", "judgements", "annotations")) or ""
        for n, row, texts in pairs(file):
            study, source, _ = identity(file, row, n)
            for k, one in enumerate(row[column] or [], 1):
                where = f"{file.path}, item {n}, rater {k}"
                if not isinstance(one, Mapping):
                    raise BadInput(f"{where}: expected an object with `errors` or `rating`.")
                errors, grave = listed_errors(one.get("errors"), where)
                rating = None if one.get("rating") is None else number(one["rating"], where)
                yield Judgement(study, source, str(one.get("rater", k)), *texts, errors, grave, rating)


def listed_errors(found: Any, where: str) -> tuple[dict[str, float], dict[str, float] | None]:
    if found is None:
        return {}, None
    if not isinstance(found, list) or not all(isinstance(e, Mapping) for e in found):
        raise BadInput(f"{where}: `errors` must be a list of objects with `category` and `significant`.")
    errors: dict[str, float] = {NAMELESS: 0.0} if not found else {}
    grave: dict[str, float] = {}
    for e in found:
        category = str(e.get("category") or e.get("kind") or NAMELESS)
        errors[category] = errors.get(category, 0.0) + 1
        heavy = is_true(e.get("significant", e.get("clinically_significant", e.get("significance", ""))))
        grave[category] = grave.get(category, 0.0) + heavy
    return errors, grave


# ---- RaTE-Eval, and any table with ratings under usual names
def is_rated(files: Sequence[Opened]) -> bool:
    return any(
        named(f.columns, REFERENCE) and named(f.columns, CANDIDATE) and named(f.columns, RATING)
        for f in files
    )


def rated(files: Sequence[Opened]) -> Iterator[Judgement]:
    """Pairs with a human rating; each file or folder is a task of its own."""
    for file in files:
        rating = named(file.columns, RATING)
        if rating is None or named(file.columns, REFERENCE) is None:
            continue
        for n, row, texts in pairs(file):
            study, source, rater = identity(file, row, n)
            told = source if source != "-" else file.path.parent.name if len(files) > 1 else "-"
            yield Judgement(study, told, rater, *texts, rating=number(row[rating], f"{file.path}, row {n}"))


def pairs(file: Opened) -> Iterator[tuple[int, dict[str, Any], tuple[str, str]]]:
    """Each row with its two texts."""
    reference, candidate = named(file.columns, REFERENCE), named(file.columns, CANDIDATE)
    if reference is None or candidate is None:
        side = "reference" if reference is None else "candidate"
        raise BadInput(f"{file.path} has no column for the {side}; name it with --{side}.")
    for n, row in enumerate(file.rows, 2):
        yield n, row, (str(row[reference] or ""), str(row[candidate] or ""))


def identity(file: Opened, row: Mapping[str, Any], n: int) -> tuple[str, str, str]:
    """Study, source and rater; the row itself where a column is missing."""
    study, source, rater = (named(file.columns, names) for names in (STUDY, SOURCE, RATER))
    return (
        str(row[study]) if study else f"{file.path.stem}-{n}",
        str(row[source]) if source else "-",
        str(row[rater]) if rater else "1",
    )


# ---- by flags
def by_flags(file: Opened, flags: Flags) -> Iterator[Judgement]:
    wanted = [flags.reference, flags.candidate, *flags.errors, *flags.significant, flags.rating, flags.study]
    for name in (*wanted, flags.source, flags.rater):
        if name is not None and name not in file.columns:
            raise UnknownName(f"column in {file.path.name}", name, file.columns)
    if not (flags.errors or flags.significant or flags.rating):
        raise BadInput("Name what the raters gave: --errors, --significant or --rating.")
    reference = flags.reference or named(file.columns, REFERENCE)
    candidate = flags.candidate or named(file.columns, CANDIDATE)
    if reference is None or candidate is None:
        raise BadInput("Name the texts: --reference and --candidate.")
    for n, row in enumerate(file.rows, 2):
        where = f"{file.path}, row {n}"
        errors = {name: number(row[name], where) for name in (flags.errors or flags.significant)}
        grave = {name: number(row[name], where) for name in flags.significant} if flags.significant else None
        rating = number(row[flags.rating], where) if flags.rating else None
        study = str(row[flags.study]) if flags.study else str(n)
        source = str(row[flags.source]) if flags.source else "-"
        rater = str(row[flags.rater]) if flags.rater else "1"
        yield Judgement(study, source, rater, str(row[reference]), str(row[candidate]), errors, grave, rating)


LAYOUTS: dict[
    str, tuple[Callable[[Sequence[Opened]], bool], Callable[[Sequence[Opened]], Iterator[Judgement]]]
] = {
    "ReXVal": (is_rexval, rexval),
    "RadEval reader study": (is_radeval, radeval),
    "chest-CT error pairs": (is_ct, chest_ct),
    "per-rater JSON": (is_per_rater, per_rater),
    "RaTE-Eval": (is_rated, rated),
}
