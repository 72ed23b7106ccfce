"""The corpora we build: which reports they hold, in which split; the files of SRR, and of a longitudinal benchmark."""

import csv
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.json import encode

from overread.errors import BadInput
from overread.llm.outcome import Failure
from overread.report import Report
from overread.runner.run.workers import batches
from overread.runner.views import Unread
from overread.sources.encoding import reading
from overread.systems.longitudinal.benchmark import (
    SPLITS,
    Entry,
    Split,
    figures_table,
    statistics,
    statistics_picture,
)
from overread.systems.srrg.corpus import (
    REVIEWED,
    Labelled,
    Statistics,
    example,
    fingerprint,
    labelled,
    split_of,
    summary,
)
from overread.systems.srrg.schema import SectionOfInterest, SrrgView
from overread.whole import make_folder, whole, write_whole, writing

Drop = Callable[[Report], bool]


class Cohort(Struct, frozen=True, forbid_unknown_fields=True):
    """The reports chosen, and where the others went."""

    pilot: list[Report]
    sample: list[Report]
    steps: dict[str, int] = field(default_factory=dict)
    """What was done, in order → how many reports remain after it."""


def studies_between(text: str) -> range:
    """
    >>> studies_between("1-15"), studies_between("3")
    (range(1, 16), range(3, 4))
    """
    first, _, last = text.partition("-")
    try:
        found = range(int(first), int(last or first) + 1)
    except ValueError:
        found = range(0)
    if not found or found.start < 1:
        raise BadInput(f"--studies takes a number or two such as 1-15, not {text!r}.")
    return found


def without_body(report: Report) -> bool:
    """Has it neither findings nor an impression?"""
    return not any(section.sentences for section in report.section("findings", "impression"))


def choose_reports(
    reports: Iterable[Report],
    drops: dict[str, Drop],
    studies: range | None = None,
    patients: int | None = None,
    pilot: int = 0,
    take: int | None = None,
    draw: int = 0,
) -> Cohort:
    """Left out by each of `drops`, then by how many studies their patient has; then drawn, and told in order.

    Drawing `patients` keeps all studies of a patient; the pilot is drawn before the sample and is no part of it.
    """
    kept = list(reports)
    steps = {"reports": len(kept)}
    for why, drop in drops.items():
        kept = [one for one in kept if not drop(one)]
        steps[why] = len(kept)
    if studies is not None or patients is not None:
        kept = of_patients(kept, studies, patients, draw)
        span = (
            f"of patients with {studies.start} to {studies.stop - 1} studies" if studies is not None else ""
        )
        some = f"of {patients} patients drawn" if patients is not None else ""
        steps[", ".join(filter(None, (span, some)))] = len(kept)
    drawn = sorted(kept, key=lambda one: draw_number(one.id, draw))
    if pilot + (take or 0) > len(drawn):
        raise BadInput(f"{pilot + (take or 0)} reports are to be drawn, but only {len(drawn)} remain.")
    first, rest = drawn[:pilot], drawn[pilot:]
    second = rest if take is None else rest[:take]
    places = {one.id: n for n, one in enumerate(kept)}
    first, second = (sorted(part, key=lambda one: places[one.id]) for part in (first, second))
    return Cohort(
        first, second, steps | ({"drawn for the pilot": pilot} if pilot else {}) | {"drawn": len(second)}
    )


def of_patients(
    reports: Sequence[Report], studies: range | None, patients: int | None, draw: int
) -> list[Report]:
    if any(one.patient is None for one in reports):
        raise BadInput("Reports must name their patient for --studies and --patients; see --columns.")
    counts = Counter(str(one.patient) for one in reports)
    known = [name for name, count in counts.items() if studies is None or count in studies]
    if patients is not None and patients > len(known):
        raise BadInput(f"{patients} patients are to be drawn, but only {len(known)} remain.")
    chosen = set(sorted(known, key=lambda name: draw_number(name, draw))[:patients])
    return [one for one in reports if one.patient in chosen]


def draw_number(name: str, draw: int) -> bytes:
    """Always the same for a name and a draw, whatever else is in the corpus."""
    return sha256(f"{draw}|{name}".encode()).digest()


PATIENTS = ("patient", "patient_id", "subject_id", "subject")

SPLIT_NAMES: dict[str, Split] = {
    "train": "train", "test": "test", "validate": "validate", "validation": "validate", "valid": "validate",
    "val": "validate", "dev": "validate",
}  # fmt: skip


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


REPORTS = ("report", "id", "report_id", "study_id", "study")


def read_ids(path: Path) -> frozenset[str]:
    """Ids of reports: one a line, or a CSV with one of the usual columns."""
    with reading(path), path.open(encoding="utf-8-sig", newline="") as file:
        lines = [line for line in file.read().splitlines() if line.strip()]
    if not lines:
        raise BadInput(f"{path} names no report.")
    header = [name.strip().lower() for name in lines[0].split(",")]
    column = next((header.index(name) for name in REPORTS if name in header), None)
    if column is None and len(header) > 1:
        raise BadInput(f"{path} needs a column {' or '.join(REPORTS)}, or one id a line.")
    rows = list(csv.reader(lines[column is not None :]))
    return frozenset(row[column or 0].strip() for row in rows if len(row) > (column or 0))


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
        if name not in SPLIT_NAMES:
            raise BadInput(f"{path}, line {number}: a split is train, validate or test.")
        if found.setdefault(id, SPLIT_NAMES[name]) != SPLIT_NAMES[name]:
            raise BadInput(f"{path}, line {number}: patient {id!r} is in two splits; a patient needs one.")
    return found


ASKED_AT_ONCE = 64
"""Reports asked about at once; what is finished is written."""


class CorpusParts(Struct, frozen=True):
    """Which part of the corpus a report belongs to."""

    shares: dict[str, float]
    draw: int = 0
    given: dict[str, Split] | None = None
    """Patient → split, where there are official ones."""

    reviewed: frozenset[str] = frozenset()
    """Ids of reports that people went over: a part of their own."""

    def of(self, report: Report) -> str:
        if report.id in self.reviewed:
            return REVIEWED
        if self.given is None:
            return split_of(report.patient or report.id, self.shares, self.draw)
        found = self.given.get(report.patient or "", self.given.get(report.id))
        if found is None:
            raise BadInput(
                f"The splits say nothing of patient {report.patient or report.id!r}; give every patient one."
            )
        return found


def write_srr(
    reports: Iterable[Report],
    folder: Path,
    parts: CorpusParts,
    reader: Callable[[Sequence[Report]], Iterable[SrrgView | Failure | Unread]],
    labelled_by: str,
    unique: bool = False,
    settled: Callable[[], None] = lambda: None,
) -> Statistics:
    """Read every report once and write as we go; every report has a line, here or among the failures.

    `settled` is called when all were read and before anything is there: it may still stop all of it.
    """
    found = Statistics()
    failed: list[Failure | Unread] = []
    with writing(folder):
        make_folder(folder)
        with (
            whole(folder / "reports.jsonl") as views,
            whole(folder / "utterances.jsonl") as lines,
            whole(folder / "srrg-findings.jsonl") as findings,
            whole(folder / "srrg-impression.jsonl") as impression,
        ):
            told: dict[SectionOfInterest, Any] = {"findings": findings, "impression": impression}
            read = (zip(batch, reader(batch), strict=True) for batch in batches(reports, ASKED_AT_ONCE))
            for report, made in chain.from_iterable(read):
                if not isinstance(made, SrrgView):
                    failed.append(made)
                    continue
                split = parts.of(report)
                views.write(encode(made) + b"\n")
                for section, file in told.items():
                    if (one := example(made, section, split, report.patient or "")) is not None:
                        file.write(encode(one) + b"\n")
                said = labelled(made, split)
                lines.writelines(encode(one) + b"\n" for one in (fresh(said, found) if unique else said))
                found.add(made, split)
            settled()
        found.failed = len(failed)
        if failed:
            write_whole(folder / "failures.jsonl", b"".join(encode(one) + b"\n" for one in failed))
        counts = {"labelled_by": labelled_by} | summary(found)
        write_whole(folder / "statistics.json", msgspec.json.format(encode(counts)) + b"\n")
    return found


def fresh(said: Iterable[Labelled], found: Statistics) -> Iterator[Labelled]:
    """Utterances that nobody has said before: a text stands once, in the split of the report that says it first."""
    here: set[str] = set()
    for one in said:
        mark = fingerprint(one.text)
        if mark not in found.unique and mark not in here:
            here.add(mark)
            yield one


def write_benchmark(folder: Path, entries: list[Entry], keep_all: bool) -> None:
    """A file of lines per split, and the table and the picture of all follow-up reports."""
    found = statistics(entries)
    kept = [one for one in entries if keep_all or one.longitudinal]
    content = {
        f"{split}.jsonl": b"".join(encode(one) + b"\n" for one in kept if one.split == split)
        for split in SPLITS
    }
    content |= {
        "statistics.tsv": figures_table(found).encode(),
        "statistics.svg": statistics_picture(found).encode(),
    }
    with writing(folder):
        make_folder(folder)
        for name, text in content.items():
            write_whole(folder / name, text)
