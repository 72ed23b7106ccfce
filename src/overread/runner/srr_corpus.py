"""The files of an SRR corpus: views, utterances and statistics."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.json import encode

from overread.errors import BadInput
from overread.report import Report
from overread.runner.views import Unread, Views, unless_failed, words_of
from overread.runner.whole import make_folder, whole, write_whole
from overread.systems.definitions import chosen
from overread.systems.registry import system
from overread.systems.srrg.corpus import Statistics, labelled, split_of, summary
from overread.systems.srrg.schema import SrrgView

if TYPE_CHECKING:
    from overread.llm import Client, Failure

BATCH = 64
"""Reports asked about at once; what is finished is written."""

Reader = Callable[[Sequence[Report]], "Sequence[SrrgView | Failure | Unread]"]


def by_rules(lexicon: Path | None, definitions: str, labels: str) -> Reader:
    words, meant, srrg = words_of(str(lexicon) if lexicon else None), chosen(definitions), system("srrg")

    def viewed(report: Report) -> "SrrgView | Unread":
        return unless_failed(report.id, lambda: Views(report, words, meant, labels).of(srrg))

    return lambda reports: [viewed(report) for report in reports]


def by_llm(client: "Client") -> Reader:
    from overread.systems.srrg.by_llm import views

    return lambda reports: views(client, reports)


def write(
    reports: Iterable[Report],
    folder: Path,
    shares: dict[str, float],
    draw: int,
    reader: Reader,
    labelled_by: str,
) -> Statistics:
    """Read every report once and write as we go; every report has a line, here or among the failures."""
    found = Statistics()
    failed: list[Failure | Unread] = []
    try:
        make_folder(folder)
        with whole(folder / "reports.jsonl") as views, whole(folder / "utterances.jsonl") as lines:
            for report, made in read_in_batches(reports, reader):
                if not isinstance(made, SrrgView):
                    failed.append(made)
                    continue
                split = split_of(report.patient or report.id, shares, draw)
                views.write(encode(made) + b"\n")
                lines.writelines(encode(one) + b"\n" for one in labelled(made, split))
                found.add(made, split)
        found.failed = len(failed)
        if failed:
            write_whole(folder / "failures.jsonl", b"".join(encode(one) + b"\n" for one in failed))
        told = {"labelled_by": labelled_by} | summary(found)
        write_whole(folder / "statistics.json", msgspec.json.format(encode(told)) + b"\n")
    except OSError as error:
        raise BadInput(
            f"Cannot write to {folder}: {error.strerror}. Is it a folder you may write to?"
        ) from None
    return found


def read_in_batches(
    reports: Iterable[Report], reader: Reader
) -> "Iterator[tuple[Report, SrrgView | Failure | Unread]]":
    remaining = iter(reports)
    while batch := list(islice(remaining, BATCH)):
        yield from zip(batch, reader(batch), strict=True)
