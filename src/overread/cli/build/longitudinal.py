"""`overread build longitudinal`: follow-up reports annotated with comparisons."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import By, OutputFolder
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import voice, warn, wrote

if TYPE_CHECKING:
    from overread.llm import Client
    from overread.report import Report
    from overread.systems.longitudinal.benchmark import Annotate
    from overread.systems.longitudinal.schema import LongitudinalReport, ViewSection


@verb("build longitudinal")
def build_longitudinal(
    reports: Path,
    output: OutputFolder,
    by: By = "network",
    splits: Path | None = None,
    shares: str = "80,10,10",
    draw: int = 0,
    with_impression: bool = False,
    keep_all: bool = False,
    encoding: str | None = None,
    lexicon: Path | None = None,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Follow-up reports annotated with comparisons, diseases and progressions, split by patient.

    Writes train.jsonl, validate.jsonl and test.jsonl, and statistics.tsv and statistics.svg about them.

        overread build longitudinal corpus.csv -o benchmark/
    """
    from overread.formats import load
    from overread.runner.datasets.cohort import percentages, read_splits
    from overread.runner.datasets.corpora import write_benchmark
    from overread.sources import patients
    from overread.systems.longitudinal.benchmark import build
    from overread.systems.longitudinal.schema import SECTIONS
    from overread.systems.longitudinal.statistics import figures_table, statistics

    people = patients(load(reports, columns, encoding=encoding))
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


def annotator(
    client: "Client | None", lexicon: Path | None, sections: "tuple[ViewSection, ...]"
) -> "Annotate":
    """The function that reads many reports; one without a view is left out of the benchmark, and that is said."""
    from overread.reader import read
    from overread.runner.views import Unread, lexicon_of, unless_failed
    from overread.systems.longitudinal import by_llm, by_rules
    from overread.systems.longitudinal.schema import LongitudinalReport

    words = lexicon_of(lexicon)

    def viewed(one: "Report") -> object:
        return unless_failed(one.id, lambda: by_rules.view(read(one, words), sections))

    def annotate(reports: "list[Report]") -> "list[LongitudinalReport | None]":
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
