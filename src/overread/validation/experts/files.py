"""Radiologists' judgements: one per rater and candidate, the items they make up, and the files that hold them.

Each layout of a file is known by its columns; any other table is read by flags.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from statistics import fmean

import msgspec
from msgspec import Struct

from overread.errors import BadInput, UnknownName
from overread.sources.table_files import Cells
from overread.validation.clear.files import named, rows_of

NAMELESS = "errors"
"""The category of errors that nobody named, and of a rater who found none."""


class Judgement(Struct, frozen=True):
    """One rater on one candidate."""

    study: str
    source: str
    """Where the candidate comes from: a system, or the metric that picked it; `-` when nobody says."""

    rater: str
    reference: str
    candidate: str
    errors: dict[str, float] = {}
    """Category → errors of any significance."""

    significant: dict[str, float] | None = None
    """Category → clinically significant errors; None where nobody told them apart."""

    rating: float | None = None
    """An overall mark, higher is better."""


class Item(Struct, frozen=True):
    """One candidate with all its raters."""

    study: str
    source: str
    reference: str
    candidate: str
    raters: dict[str, Judgement]


def items(found: Iterable[Judgement]) -> list[Item]:
    """Judgements gathered by study, source and candidate, in order of appearance."""
    gathered: dict[tuple[str, str, str], dict[str, Judgement]] = {}
    first: dict[tuple[str, str, str], Judgement] = {}
    for one in found:
        key = (one.study, one.source, one.candidate)
        own = gathered.setdefault(key, {})
        if one.rater in own:
            raise BadInput(
                f"Rater {one.rater!r} judges study {one.study!r}, source {one.source!r} twice; "
                "give each judgement once."
            )
        own[one.rater] = one
        first.setdefault(key, one)
    return [Item(key[0], key[1], first[key].reference, key[2], raters) for key, raters in gathered.items()]


def targets(found: Iterable[Item]) -> tuple[str, ...]:
    """What can be correlated with: all errors, significant ones, each category, the rating."""
    judged = [j for item in found for j in item.raters.values()]
    categories = sorted({c for j in judged for c in j.errors})
    counted = ["errors"] if categories else []
    categories = [c for c in categories if c != NAMELESS]
    counted += ["significant errors"] if any(j.significant is not None for j in judged) else []
    rated = ["rating"] if any(j.rating is not None for j in judged) else []
    return (*counted, *(f"category {c}" for c in categories if len(categories) > 1), *rated)


def amount(judgement: Judgement, target: str) -> float | None:
    """What one rater gives under one target, turned so that higher is better.

    >>> one = Judgement("1", "-", "r", "", "", {"1": 2.0, "2": 1.0}, {"1": 1.0}, 4.0)
    >>> [amount(one, t) for t in ("errors", "significant errors", "category 2", "rating")]
    [-3.0, -1.0, -1.0, 4.0]
    """
    if target == "rating":
        return judgement.rating
    if target == "errors":
        return -sum(judgement.errors.values()) if judgement.errors else None
    if target == "significant errors":
        return None if judgement.significant is None else -sum(judgement.significant.values())
    return -judgement.errors.get(target.removeprefix("category "), 0.0)


def mean_of(item: Item, target: str, without: str | None = None) -> float | None:
    """The mean over the raters, or over all but one."""
    given = [amount(j, target) for rater, j in item.raters.items() if rater != without]
    known = [v for v in given if v is not None]
    return fmean(known) if known else None


PAIR = re.compile(r"(?P<name>[^:=,;\n\d][^:=,;\n]*?)\s*[:=]\s*(?P<count>-?\d+(?:\.\d+)?)")
NUMBERS = re.compile(r"\s*\[?\s*\d+(?:\.\d+)?(?:\s*[,;\s]\s*\d+(?:\.\d+)?)*\s*\]?\s*")


def counts_in(cell: str, where: str) -> tuple[dict[str, float], dict[str, float] | None]:
    """Errors by category, and the significant ones where the categories say so.

    >>> counts_in("1, 0, 2", "row 1")
    ({'1': 1.0, '2': 0.0, '3': 2.0}, None)
    >>> counts_in("false finding (significant): 1; false finding (insignificant): 2", "row 1")
    ({'false finding': 3.0}, {'false finding': 1.0})
    """
    found = pairs_in(cell)
    if not found:
        raise BadInput(
            f"{where}: the cell {cell.strip()[:40]!r} holds no counts. "
            "Write `1, 0, 2`, `name: 1; other: 0` or a JSON object."
        )
    if any(count < 0 for _, count in found):
        raise BadInput(f"{where}: a count of errors cannot be negative.")
    return told_apart(found)


def pairs_in(cell: str) -> list[tuple[str, float]]:
    text = cell.strip()
    if text.startswith("{"):
        try:
            made = msgspec.json.decode(text.replace("'", '"'))
        except msgspec.DecodeError:
            made = None
        if isinstance(made, dict) and all(isinstance(v, int | float) for v in made.values()):
            return [(str(name), float(value)) for name, value in made.items()]
        return []
    if NUMBERS.fullmatch(text):
        return [(str(n), float(v)) for n, v in enumerate(re.findall(r"\d+(?:\.\d+)?", text), 1)]
    return [(m["name"].strip(), float(m["count"])) for m in PAIR.finditer(text)]


SIGNIFICANCE = re.compile(r"\W*\b(?:clinically\s+)?(in|non-?|not\s+)?significant\b\W*", re.IGNORECASE)


def told_apart(found: list[tuple[str, float]]) -> tuple[dict[str, float], dict[str, float] | None]:
    """All errors, and those whose category says `significant`."""
    errors: dict[str, float] = {}
    grave: dict[str, float] = {}
    for name, count in found:
        mark = SIGNIFICANCE.search(name)
        plain = SIGNIFICANCE.sub(" ", name).strip() or NAMELESS
        errors[plain] = errors.get(plain, 0.0) + count
        if mark is not None:
            grave[plain] = grave.get(plain, 0.0) + (0.0 if mark[1] else count)
    return errors, grave or None


class Opened(Struct, frozen=True):
    """One file: its name and its rows, each with its line."""

    path: Path
    rows: list[tuple[int, Cells]]

    @property
    def columns(self) -> frozenset[str]:
        return frozenset(self.rows[0][1]) if self.rows else frozenset()


def tables_in(path: Path) -> list[Path]:
    """The file, or the tables of the folder."""
    if not path.is_dir():
        return [path]
    return sorted(p for p in path.rglob("*") if p.suffix in (".csv", ".tsv", ".json", ".jsonl"))


def number(value: object, where: str) -> float:
    try:
        return float(str(value))
    except ValueError:
        raise BadInput(f"{where}: {str(value)[:30]!r} is not a number.") from None


CANDIDATES = ("radgraph", "bertscore", "s_emb", "bleu")
USUAL = {
    "study": ("study", "study_id", "study_number", "id", "case", "case_id", "image_id"),
    "source": ("source", "system", "model", "candidate_type", "type"),
    "rater": ("rater", "rater_index", "rater_id", "annotator", "reader", "radiologist"),
    "reference": tuple("reference reference_report gt gt_report ground_truth ref original report".split()),
    "candidate": tuple(
        "candidate candidate_report prediction pred generated hypothesis hyp error_report".split()
    ),
}
"""What a judgement begins with → names of its column."""

RATING = ("rating", "human_rating", "human_score", "score", "rate", "overall")
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

    def column(self, role: str, columns: frozenset[str]) -> str | None:
        """The column of that name; without one the usual, of which flags leave the texts alone to be found."""
        if self.given and role not in ("reference", "candidate"):
            return getattr(self, role)  # type: ignore[no-any-return]
        return getattr(self, role) or named(columns, USUAL[role])


def load_judgements(paths: Sequence[Path], flags: Flags | None = None) -> tuple[str, list[Judgement]]:
    """The layout's name and every judgement of the files; folders stand for the tables in them."""
    opened = [Opened(one, list(rows_of(one))) for path in paths for one in tables_in(path)]
    if not opened:
        raise BadInput(f"{', '.join(map(str, paths))} holds no table (CSV, TSV, JSON or JSONL).")
    if flags is not None and flags.given:
        return "by flags", [j for file in opened for j in by_flags(file, flags)]
    for name, (fits, read) in LAYOUTS.items():
        if all(any(fit(file.columns) for file in opened) for fit in fits):
            return name, list(read(opened))
    known = ", ".join(LAYOUTS)
    seen = ", ".join(sorted(opened[0].columns))
    raise BadInput(
        f"{opened[0].path}: no layout knows these columns ({seen}). Known layouts: {known}. "
        "Of any other table name --reference, --candidate and --errors or --rating."
    )


# ---- ReXVal
def rexval(files: Sequence[Opened]) -> Iterator[Judgement]:
    """Candidates in one file, counts of six raters in the other, joined by the number of the study."""
    texts = next(f for f in files if "gt_report" in f.columns)
    counts = next(f for f in files if "error_category" in f.columns)
    studies = numbered(texts, counts)
    found: dict[tuple[str, str, str], tuple[dict[str, float], dict[str, float]]] = {}
    for line, row in counts.rows:
        where = f"{counts.path}, line {line}"
        key = (str(row["study_number"]), str(row["candidate_type"]), str(row["rater_index"]))
        if key[0] not in studies or key[1] not in studies[key[0]]:
            raise BadInput(f"{where}: no report for study {key[0]!r}, candidate {key[1]!r}.")
        errors, grave = found.setdefault(key, ({}, {}))
        count, category = number(row["num_errors"], where), str(row["error_category"])
        heavy = count if is_true(row["clinically_significant"]) else 0.0
        errors[category] = errors.get(category, 0.0) + count
        grave[category] = grave.get(category, 0.0) + heavy
    for (study, source, rater), (errors, grave) in found.items():
        own = studies[study]
        yield Judgement(study, source, rater, str(own["gt_report"]), str(own[source]), errors, grave)


def numbered(texts: Opened, counts: Opened) -> dict[str, Cells]:
    """Study number → its reports: by a column of that name, else by place, from 0 or 1 as the counts have it."""
    if "study_number" in texts.columns:
        return {str(row["study_number"]): row for _, row in texts.rows}
    first = min((int(number(row["study_number"], str(counts.path))) for _, row in counts.rows), default=0)
    return {str(n): row for n, (_, row) in enumerate(texts.rows, first if first in (0, 1) else 0)}


def is_true(value: object) -> bool:
    """
    >>> [is_true(v) for v in ("True", "1", "yes", "False", "0", "")]
    [True, True, True, False, False, False]
    """
    return str(value).strip().lower() in ("true", "1", "1.0", "yes", "y", "significant")


# ---- RadEval reader study
def radeval(files: Sequence[Opened]) -> Iterator[Judgement]:
    """Three predictions a row, each with its counts in a cell; an empty annotation was not judged."""
    for file in files:
        for line, row in file.rows:
            study = f"{row.get('images_path') or str(row['ground_truth'])[:80]}|{row.get('type', '')}"
            for k in (1, 2, 3):
                cell = str(row.get(f"annotation{k}") or "")
                if not cell.strip():
                    continue
                errors, grave = counts_in(cell, f"{file.path}, line {line}, annotation{k}")
                texts = str(row["ground_truth"]), str(row.get(f"prediction{k}") or "")
                yield Judgement(study, f"prediction{k}", str(row["annotator"]), *texts, errors, grave)


# ---- chest-CT error pairs
def chest_ct(files: Sequence[Opened]) -> Iterator[Judgement]:
    """A reference, a report with errors, and a count for each of six categories."""
    for file in files:
        categories = sorted(c for c in file.columns if c.startswith(COUNT))
        for where, row, told in judgement_rows(file):
            errors = {c.removeprefix(COUNT): number(row[c], where) for c in categories}
            yield Judgement(*told, errors)


# ---- per-rater JSON
RATERS = ("raters", "ratings", "judgements", "annotations")


class Mistake(Struct, frozen=True):
    """An error as a rater lists it."""

    category: str = NAMELESS
    significant: bool = False


class Rater(Struct, frozen=True):
    """What one rater says of an item."""

    rater: str | int | None = None
    errors: list[Mistake] | None = None
    rating: float | None = None


def per_rater(files: Sequence[Opened]) -> Iterator[Judgement]:
    """Each item with its raters: a list of errors with category and significance, and perhaps a rating of 1 to 5."""
    for file in files:
        column = named(file.columns, RATERS) or ""
        for where, row, (study, source, _, reference, candidate) in judgement_rows(file):
            try:
                raters = msgspec.convert(row[column] or [], list[Rater], strict=False)
            except msgspec.ValidationError as error:
                raise BadInput(
                    f"{where}: {column} must be a list of objects with `rating`, or with `errors` of `category` and "
                    f"`significant` ({error})."
                ) from None
            for k, one in enumerate(raters, 1):
                name = str(k if one.rater is None else one.rater)
                told = study, source, name, reference, candidate
                yield Judgement(*told, *mistake_counts(one.errors), one.rating)


def mistake_counts(found: list[Mistake] | None) -> tuple[dict[str, float], dict[str, float] | None]:
    if found is None:
        return {}, None
    errors: dict[str, float] = {NAMELESS: 0.0} if not found else {}
    grave: dict[str, float] = {}
    for one in found:
        errors[one.category] = errors.get(one.category, 0.0) + 1
        grave[one.category] = grave.get(one.category, 0.0) + one.significant
    return errors, grave


# ---- RaTE-Eval, and any table with ratings under usual names
def rated(files: Sequence[Opened]) -> Iterator[Judgement]:
    """Pairs with a human rating; each file or folder is a task of its own."""
    for file in files:
        rating = named(file.columns, RATING)
        if rating is None or named(file.columns, USUAL["reference"]) is None:
            continue
        for where, row, (study, source, rater, reference, candidate) in judgement_rows(file):
            task = source if source != "-" else file.path.parent.name if len(files) > 1 else "-"
            told = study, task, rater, reference, candidate
            yield Judgement(*told, rating=number(row[rating], where))


USUAL_NAMES = Flags()

Told = tuple[str, str, str, str, str]
"""Study, source, rater, reference and candidate."""


def judgement_rows(file: Opened, flags: Flags = USUAL_NAMES) -> Iterator[tuple[str, Cells, Told]]:
    """Each row: where it stands, its cells, and what a judgement begins with."""
    columns = {role: flags.column(role, file.columns) for role in USUAL}
    for side in ("reference", "candidate"):
        if columns[side] is None:
            raise BadInput(f"{file.path} has no column for the {side}; name it with --{side}.")
    for line, row in file.rows:
        missing = {"study": f"{file.path.stem}-{line}", "source": "-", "rater": "1"}
        study, source, rater, reference, candidate = (
            missing[role] if name is None else str(row[name] or "") for role, name in columns.items()
        )
        yield f"{file.path}, line {line}", row, (study, source, rater, reference, candidate)


# ---- by flags
def by_flags(file: Opened, flags: Flags) -> Iterator[Judgement]:
    wanted = [flags.reference, flags.candidate, *flags.errors, *flags.significant, flags.rating, flags.study]
    for name in (*wanted, flags.source, flags.rater):
        if name is not None and name not in file.columns:
            raise UnknownName(f"column in {file.path.name}", name, file.columns)
    if not (flags.errors or flags.significant or flags.rating):
        raise BadInput("Name what the raters gave: --errors, --significant or --rating.")
    for where, row, told in judgement_rows(file, flags):
        errors = {name: number(row[name], where) for name in (flags.errors or flags.significant)}
        grave = {name: number(row[name], where) for name in flags.significant} if flags.significant else None
        yield Judgement(*told, errors, grave, number(row[flags.rating], where) if flags.rating else None)


COUNTS = {"error_category", "num_errors", "rater_index"}
READER_STUDY = {"annotator", "ground_truth", "prediction1", "annotation1"}
Fits = Callable[[frozenset[str]], object]
"""Are these the columns of one file of the layout?"""

LAYOUTS: dict[str, tuple[tuple[Fits, ...], Callable[[Sequence[Opened]], Iterator[Judgement]]]] = {
    "ReXVal": ((lambda c: "gt_report" in c and c & set(CANDIDATES), lambda c: c >= COUNTS), rexval),
    "RadEval reader study": ((lambda c: c >= READER_STUDY,), radeval),
    "chest-CT error pairs": ((lambda c: any(name.startswith(COUNT) for name in c),), chest_ct),
    "per-rater JSON": ((lambda c: c & set(RATERS),), per_rater),
    "RaTE-Eval": (
        (lambda c: all(named(c, names) for names in (USUAL["reference"], USUAL["candidate"], RATING)),),
        rated,
    ),
}
