"""The files of the corpora we build: SRR's views, utterances and statistics, and a longitudinal benchmark."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct
from msgspec.json import encode

from overread.errors import BadInput
from overread.report import Report
from overread.runner.run.workers import batches
from overread.runner.views import Unread
from overread.systems.longitudinal.benchmark import SPLITS, Entry, Split, figures_table, picture, statistics
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
from overread.whole import make_folder, whole, write_whole

if TYPE_CHECKING:
    from overread.llm import Failure


ASKED_AT_ONCE = 64
"""Reports asked about at once; what is finished is written."""

BatchReader = Callable[[Sequence[Report]], "Iterable[SrrgView | Failure | Unread]"]


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
    reader: BatchReader,
    labelled_by: str,
    unique: bool = False,
    settled: Callable[[], None] = lambda: None,
) -> Statistics:
    """Read every report once and write as we go; every report has a line, here or among the failures.

    `settled` is called when all were read and before anything is there: it may still stop all of it.
    """
    found = Statistics()
    failed: list[Failure | Unread] = []
    with writable(folder):
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
    content = {f"{split}.jsonl": entry_lines(entries, split, keep_all) for split in SPLITS}
    content |= {"statistics.tsv": figures_table(found).encode(), "statistics.svg": picture(found).encode()}
    with writable(folder):
        for name, text in content.items():
            write_whole(folder / name, text)


def entry_lines(entries: list[Entry], split: Split, keep_all: bool) -> bytes:
    kept = (e for e in entries if e.split == split and (keep_all or e.longitudinal))
    return b"".join(encode(e) + b"\n" for e in kept)


@contextmanager
def writable(folder: Path) -> Iterator[None]:
    """The folder, made; what goes wrong with it is said."""
    try:
        make_folder(folder)
        yield
    except OSError as error:
        raise BadInput(
            f"Cannot write to {folder}: {error.strerror}. Is it a folder you may write to?"
        ) from None
