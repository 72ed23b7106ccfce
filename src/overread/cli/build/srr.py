"""`overread build srr` and `longitudinal`: data sets from a corpus of reports."""

from pathlib import Path

import typer

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import By, Columns, OutputFolder, verb
from overread.cli.terminal.voice import voice, warn, watched, wrote
from overread.llm import Client
from overread.reader import read
from overread.report import Report
from overread.runner.datasets.corpora import (
    CorpusParts,
    percentages,
    read_ids,
    read_splits,
    write_benchmark,
    write_srr,
)
from overread.runner.settings import Settings
from overread.runner.views import Unread, lexicon_of, reader_of, unless_failed
from overread.sources import patients
from overread.systems.longitudinal import by_llm, by_rules
from overread.systems.longitudinal.benchmark import Annotate, build, figures_table, statistics
from overread.systems.longitudinal.schema import SECTIONS, LongitudinalReport, ViewSection
from overread.systems.srrg.corpus import Statistics, per_upper
from overread.systems.srrg.labellers import check_labels, marked
from overread.systems.srrg.labels import NO_FINDING
from overread.systems.srrg.schema import HEADERS


@verb("build srr")
def build_srr(
    reports: Path,
    output: OutputFolder,
    columns: Columns,
    llm: LlmOptions,
    shares: str = "80,10,10",
    draw: int = 0,
    splits: Path | None = None,
    reviewed: Path | None = None,
    unique: bool = False,
    by: By = "network",
    lexicon: Path | None = None,
    definitions: str = "wide",
    labels: str = "rules",
) -> None:
    """Structure a corpus and label every line of it, ready for training.

    Writes reports.jsonl (the output of `overread read --as srrg`), srrg-findings.jsonl and srrg-
    impression.jsonl (one section in the template and its split: the paper's two data sets), utterances.jsonl
    (text, labels, split) and statistics.json (including the labeller), and prints the counts by header and by
    upper label. With --by llm the first --model fills the template, the linter requests one correction and
    rejects lines without a source, and diseases and statuses are decided by majority vote of the models;
    lines without a majority and failed reports are counted (failures.jsonl).

        overread build srr corpus.csv -o corpus/

        overread build srr corpus.csv -o corpus/ --by llm --model one --model two --model three
    """
    check_labels(labels, by, definitions)
    source = columns.load(reports)
    parts = CorpusParts(
        {str(split): share for split, share in percentages(shares).items()},
        draw,
        read_splits(splits) if splits else None,
        read_ids(reviewed) if reviewed else frozenset(),
    )
    with reading_by(by, llm, None if by == "network" else len(list(source))) as client:
        words = str(lexicon) if lexicon else None
        settings = Settings(lexicon=words, definitions=definitions, labels=labels)
        reader = reader_of("srrg", settings, client)
        who = (marked(labels) or labels) if client is None else ", ".join(client.settings.models)
        settled = client.check_waiting if client is not None else lambda: None
        told = write_srr(watched(source), output, parts, reader, who, unique, settled)
    if not voice.quiet:
        typer.echo(counts_shown(told), nl=False)
        wrote(output, then=[f"overread train srr {output / 'utterances.jsonl'} --help"])


def counts_shown(found: Statistics) -> str:
    """The statistics as a table for the terminal."""
    rows = [("reports", sum(found.reports.values())), ("  of them without a statement", found.empty)]
    rows += [(f"  {name}", count) for name, count in found.reports.items()]
    for name, counts in found.examples.items():
        rows += [(f"SRRG-{name.capitalize()}", sum(counts.values()))]
        rows += [(f"  {split}", count) for split, count in counts.items()]
    rows += [
        ("utterances", sum(found.utterances.values())),
        ("  each counted once", len(found.unique)),
        ("  that discuss a disease", found.discussed),
        *((f"  {name}", count) for name, count in found.utterances.items()),
        ("labels", sum(found.labels.values())),
    ]
    lost = {
        "reports that failed": found.failed,
        "lines without a source, refused": found.refused,
        "lines without agreed labels, left out": found.dropped,
    }
    rows += [(name, count) for name, count in lost.items() if count]
    lines = [f"{name:<44}{count:>9,}" for name, count in rows]
    lines += ["", f"{'header':<44}{'bullets':>9}{'reports':>9}"]
    lines += [f"{name:<44}{found.headers[name]:>9,}{found.reports_with[name]:>9,}" for name in HEADERS]
    lines += ["", f"{'upper label':<44}{'labels':>9}"]
    for header, labels in per_upper(found).items():
        indent = "" if header == NO_FINDING else "  "
        lines += [header] if indent else []
        lines += [f"{indent}{name:<42}{count:>9,}" for name, count in labels.items()]
    return "\n".join(lines) + "\n"


@verb("build longitudinal")
def build_longitudinal(
    reports: Path,
    output: OutputFolder,
    columns: Columns,
    llm: LlmOptions,
    by: By = "network",
    splits: Path | None = None,
    shares: str = "80,10,10",
    draw: int = 0,
    with_impression: bool = False,
    keep_all: bool = False,
    lexicon: Path | None = None,
) -> None:
    """Follow-up reports annotated with comparisons, diseases and progressions, split by patient.

    Writes train.jsonl, validate.jsonl and test.jsonl, and statistics.tsv and statistics.svg about them.

        overread build longitudinal corpus.csv -o benchmark/
    """
    people = patients(columns.load(reports))
    given = read_splits(splits) if splits else None
    sections = SECTIONS if with_impression else SECTIONS[:1]
    with reading_by(by, llm) as client:
        entries = build(
            people, annotator(client, lexicon, sections), given, percentages(shares), draw, sections
        )
    write_benchmark(output, entries, keep_all)
    if not voice.quiet:
        typer.echo(figures_table(statistics(entries)), nl=False)
        wrote(output, then=[f"overread validate longitudinal {output / 'test.jsonl'} --views YOUR-VIEWS"])


def annotator(client: Client | None, lexicon: Path | None, sections: tuple[ViewSection, ...]) -> Annotate:
    """The function that reads many reports; one without a view is left out of the benchmark, and that is said."""
    words = lexicon_of(lexicon)

    def viewed(one: Report) -> object:
        return unless_failed(one.id, lambda: by_rules.view(read(one, words), sections))

    def annotate(reports: list[Report]) -> list[LongitudinalReport | None]:
        asked = by_llm.views(client, reports, sections) if client else map(viewed, reports)
        found: list[object] = list(asked)
        for one in found:
            if isinstance(one, Unread):
                warn(f"{one.item}: {one.reason}; left out.")
        made = [one if isinstance(one, LongitudinalReport) else None for one in found]
        if lost := made.count(None):
            warn(f"{lost} of {len(made)} reports could not be read and are left out.")
        return made

    return annotate
