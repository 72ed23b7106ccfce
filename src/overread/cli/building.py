"""The files around a longitudinal benchmark: splits in, lines, table and picture out."""

import csv
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec.json import encode

from overread.cli.llm_options import LlmOptions
from overread.errors import BadInput, UnknownName
from overread.report import Report
from overread.runner.whole import make_folder, write_whole
from overread.sources.encoding import reading
from overread.systems.longitudinal.benchmark import SPLITS, Annotate, Entry, Split
from overread.systems.longitudinal.schema import LongitudinalReport, ViewSection
from overread.systems.longitudinal.statistics import statistics, table

PATIENTS = ("patient", "patient_id", "subject_id", "subject")
NAMES: dict[str, Split] = {
    "train": "train",
    "validate": "validate",
    "validation": "validate",
    "valid": "validate",
    "val": "validate",
    "dev": "validate",
    "test": "test",
}


@contextmanager
def annotator(
    by: str, lexicon: Path | None, llm: LlmOptions, sections: tuple[ViewSection, ...]
) -> Iterator[Annotate]:
    """The function that reads many reports, by rules or by language model."""
    if by == "rules":
        yield by_rules(lexicon, sections)
    elif by == "llm":
        from overread.systems.longitudinal.by_llm import views

        with llm.client() as client:
            yield lambda reports: answered(views(client, reports, sections))
    else:
        raise UnknownName("reader", by, ("rules", "llm"))


def by_rules(lexicon: Path | None, sections: tuple[ViewSection, ...]) -> Annotate:
    from overread.reader import read
    from overread.runner.views import words_of
    from overread.systems.longitudinal.by_rules import view

    words = words_of(str(lexicon) if lexicon else None)

    def annotate(reports: list[Report]) -> list[LongitudinalReport]:
        return [view(read(report, words), sections) for report in reports]

    return annotate


def answered(outcomes: Sequence[object]) -> list[LongitudinalReport | None]:
    """The views; a report without one is left out of the benchmark, and that is said."""
    found = [one if isinstance(one, LongitudinalReport) else None for one in outcomes]
    lost = found.count(None)
    if lost:
        print(f"{lost} of {len(found)} reports could not be read and are left out.", file=sys.stderr)
    return found


def percentages(text: str) -> dict[Split, float]:
    """
    >>> percentages("70, 10, 20")
    {'train': 70.0, 'validate': 10.0, 'test': 20.0}
    """
    try:
        train, validate, test = map(float, text.split(","))
    except ValueError:
        train = validate = test = -1.0
    if min(train, validate, test) < 0 or not train + validate + test:
        raise BadInput(f"--shares takes three numbers such as 80,10,10, not {text!r}.")
    return {"train": train, "validate": validate, "test": test}


def read_splits(path: Path) -> dict[str, Split]:
    """Patient → split from a CSV; rows of one patient must agree."""
    with reading(path), path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    names = {name.lower(): name for name in (rows[0] if rows else {})}
    patient = next((names[name] for name in PATIENTS if name in names), None)
    if patient is None or "split" not in names:
        raise BadInput(f"{path} needs a column split and one of {', '.join(PATIENTS)}.")
    found: dict[str, Split] = {}
    for number, row in enumerate(rows, 2):
        id, name = str(row[patient]).strip(), str(row[names["split"]]).strip().lower()
        if name not in NAMES:
            raise BadInput(f"{path}, line {number}: a split is train, validate or test.")
        if found.setdefault(id, NAMES[name]) != NAMES[name]:
            raise BadInput(f"{path}, line {number}: patient {id!r} is in two splits; a patient needs one.")
    return found


def write(folder: Path, entries: list[Entry], keep_all: bool) -> None:
    """A file of lines per split, and the table and the picture of all follow-up reports."""
    from overread.systems.longitudinal.picture import picture

    found = statistics(entries)
    content = {f"{split}.jsonl": lines(entries, split, keep_all) for split in SPLITS}
    content |= {"statistics.tsv": table(found).encode(), "statistics.svg": picture(found).encode()}
    try:
        make_folder(folder)
        for name, text in content.items():
            write_whole(folder / name, text)
    except OSError as error:
        raise BadInput(
            f"Cannot write to {folder}: {error.strerror}. Is it a folder you may write to?"
        ) from None


def lines(entries: list[Entry], split: Split, keep_all: bool) -> bytes:
    kept = (e for e in entries if e.split == split and (keep_all or e.longitudinal))
    return b"".join(encode(e) + b"\n" for e in kept)
