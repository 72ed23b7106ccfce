"""The files of an SRR corpus: views, utterances and statistics."""

from pathlib import Path

import msgspec
from msgspec.json import encode

from overread.cli.reading import watched
from overread.errors import BadInput
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
from overread.systems.srrg.schema import HEADERS


def write(
    source: Source,
    folder: Path,
    shares: dict[str, float],
    draw: int,
    lexicon: Path | None,
    quiet: bool,
    definitions: str = "wide",
) -> Statistics:
    """Read every report once and write as we go; every report has a line, even one without words."""
    from overread.reader import read
    from overread.runner.views import words_of
    from overread.systems.definitions import chosen
    from overread.systems.srrg.by_rules import view

    words = words_of(str(lexicon) if lexicon else None)
    meant = chosen(definitions)
    found = Statistics()
    try:
        make_folder(folder)
        with whole(folder / "reports.jsonl") as views, whole(folder / "utterances.jsonl") as lines:
            for report in watched(iter(source), quiet):
                made = view(read(report, words), meant)
                split = split_of(report.patient or report.id, shares, draw)
                views.write(encode(made) + b"\n")
                lines.writelines(encode(one) + b"\n" for one in labelled(made, split))
                found.add(made, split)
        write_whole(folder / "statistics.json", msgspec.json.format(encode(summary(found))) + b"\n")
    except OSError as error:
        raise BadInput(
            f"Cannot write to {folder}: {error.strerror}. Is it a folder you may write to?"
        ) from None
    return found


def show(found: Statistics) -> str:
    """The statistics as a table for the terminal."""
    told = sum(found.utterances.values())
    rows = [("reports", sum(found.reports.values())), ("  of them without a statement", found.empty)]
    rows += [(f"  {name}", count) for name, count in found.reports.items()]
    rows += [("utterances", told), ("  that discuss a disease", found.discussed)]
    rows += [(f"  {name}", count) for name, count in found.utterances.items()]
    rows += [("labels", sum(found.labels.values()))]
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
