"""`overread build longitudinal`: follow-up reports annotated with comparisons."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from overread.cli.terminal.llm_options import LlmOptions
from overread.cli.terminal.options import By, OutputFolder
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import voice, warn, wrote
from overread.runner.limits import unfailed

if TYPE_CHECKING:
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
    with annotator(by, lexicon, llm, sections) as annotate:
        entries = build(people, annotate, given, percentages(shares), draw, sections)
    write_benchmark(output, entries, keep_all)
    if not voice.quiet:
        typer.echo(figures_table(statistics(entries)), nl=False)
        wrote(output, then=[f"overread validate longitudinal {output / 'test.jsonl'} --views YOUR-VIEWS"])


@contextmanager
def annotator(
    by: str, lexicon: Path | None, llm: LlmOptions, sections: "tuple[ViewSection, ...]"
) -> "Iterator[Annotate]":
    """The function that reads many reports, by rules or by language model."""
    if by == "network":
        yield by_rules(lexicon, sections)
    else:
        from overread.systems.longitudinal.by_llm import views

        with llm.client() as client:
            yield lambda reports: answered(views(client, reports, sections))


def by_rules(lexicon: Path | None, sections: "tuple[ViewSection, ...]") -> "Annotate":
    from overread.reader import read
    from overread.runner.views import lexicon_of
    from overread.systems.longitudinal.by_rules import view

    words = lexicon_of(lexicon)

    def annotate(reports: "list[Report]") -> "list[LongitudinalReport | None]":
        numbered = list(enumerate(reports))
        made = unfailed(
            numbered, lambda one: (one[0], view(read(one[1], words), sections)), lambda one: one[1].id, warn
        )
        found = dict(made)
        return [found.get(n) for n, _ in numbered]

    return annotate


def answered(outcomes: Sequence[object]) -> "list[LongitudinalReport | None]":
    """The views; a report without one is left out of the benchmark, and that is said."""
    from overread.systems.longitudinal.schema import LongitudinalReport

    found = [one if isinstance(one, LongitudinalReport) else None for one in outcomes]
    lost = found.count(None)
    if lost:
        warn(f"{lost} of {len(found)} reports could not be read and are left out.")
    return found
