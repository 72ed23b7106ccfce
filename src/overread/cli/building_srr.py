"""The files of an SRR corpus: views, utterances and statistics."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec.json import encode

from overread.cli.reading import watched
from overread.errors import BadInput
from overread.report import Report
from overread.runner.whole import make_folder, whole, write_whole
from overread.sources import Source
from overread.systems.srrg.corpus import (
    Statistics,
    labelled,
    per_upper,
    split_of,
    summary,
)
from overread.systems.srrg.labels import NO_FINDING
from overread.systems.srrg.schema import HEADERS, SrrgView

if TYPE_CHECKING:
    from overread.llm import Client, Failure


BATCH = 64
"""Reports asked about at once; what is finished is written."""

Reader = Callable[[Sequence[Report]], "Sequence[SrrgView | Failure]"]


def by_rules(lexicon: Path | None, definitions: str, labels: str) -> Reader:
    from overread.runner.views import Views, words_of
    from overread.systems.definitions import chosen
    from overread.systems.registry import system

    words, meant, srrg = words_of(str(lexicon) if lexicon else None), chosen(definitions), system("srrg")
    return lambda reports: [Views(report, words, meant, labels).of(srrg) for report in reports]


def by_llm(client: "Client") -> Reader:
    from overread.systems.srrg.by_llm import views

    return lambda reports: views(client, reports)


def write(
    source: Source,
    folder: Path,
    shares: dict[str, float],
    draw: int,
    reader: Reader,
    labelled_by: str,
    quiet: bool,
) -> Statistics:
    """Read every report once and write as we go; every report has a line, here or among the failures."""
    found = Statistics()
    failed: list[Failure] = []
    try:
        make_folder(folder)
        with whole(folder / "reports.jsonl") as views, whole(folder / "utterances.jsonl") as lines:
            for report, made in read_in_batches(watched(iter(source), quiet), reader):
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
) -> "Iterator[tuple[Report, SrrgView | Failure]]":
    remaining = iter(reports)
    while batch := list(islice(remaining, BATCH)):
        yield from zip(batch, reader(batch), strict=True)


def show(found: Statistics) -> str:
    """The statistics as a table for the terminal."""
    told = sum(found.utterances.values())
    rows = [("reports", sum(found.reports.values())), ("  of them without a statement", found.empty)]
    rows += [(f"  {name}", count) for name, count in found.reports.items()]
    rows += [("utterances", told), ("  that discuss a disease", found.discussed)]
    rows += [(f"  {name}", count) for name, count in found.utterances.items()]
    rows += [("labels", sum(found.labels.values()))]
    lost = {
        "reports that failed": found.failed,
        "lines without a source, refused": found.refused,
        "lines without agreed labels, left out": found.dropped,
    }
    rows += [(name, count) for name, count in lost.items() if count]
    text = "".join(f"{name:<44}{count:>9,}\n" for name, count in rows)
    text += f"\n{'header':<44}{'bullets':>9}{'reports':>9}\n"
    for name in HEADERS:
        text += f"{name:<44}{found.headers[name]:>9,}{found.reports_with[name]:>9,}\n"
    text += f"\n{'upper label':<44}{'labels':>9}\n"
    for header, labels in per_upper(found).items():
        if header != NO_FINDING:
            text += f"{header}\n"
        text += "".join(
            f"{'' if header == NO_FINDING else '  '}{name:<42}{count:>9,}\n" for name, count in labels.items()
        )
    return text
