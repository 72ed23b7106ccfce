"""`overread read`: a view per report."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.columns import takes_columns
from overread.cli.llm_options import LlmOptions, takes_llm_options
from overread.cli.options import (
    ITEM_SECONDS,
    MAX_CHARACTERS,
    By,
    DefinitionSet,
    Encoding,
    Engine,
    ItemSeconds,
    Jobs,
    LabelSource,
    LexiconFile,
    MaxCharacters,
    NoJudge,
    Quiet,
    Resume,
    Shards,
    Share,
    ShareOf,
    check_shards,
)


@takes_llm_options
@takes_columns
def read(
    reports: Annotated[
        Path, typer.Argument(help="A table (CSV, TSV, JSONL, Parquet), a text file, or a folder of reports.")
    ],
    system: Annotated[
        str,
        typer.Option(
            "--as",
            help="View: lunguage, radsem, clear, srrg, longitudinal, ledger, or a system of another package.",
        ),
    ] = "lunguage",
    by: By = "rules",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write one JSON line per report here.")
    ] = None,
    encoding: Encoding = None,
    lexicon: LexiconFile = None,
    definitions: DefinitionSet = "wide",
    labels: LabelSource = "rules",
    share: Share = False,
    shards: Shards = None,
    resume: Resume = False,
    shard: ShareOf = None,
    engine: Engine = "local",
    jobs: Jobs = 1,
    item_seconds: ItemSeconds = ITEM_SECONDS,
    max_characters: MaxCharacters = MAX_CHARACTERS,
    no_judge: NoJudge = False,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Read reports and write one view per report.

    Without -o a handful of reports is shown as tables in a terminal; otherwise JSON lines go to standard output.
    A report past a limit of time or length has no line; it is counted, its reason is written beside the output
    (or to standard error), and the exit code is 1.

        overread read reports.csv --as clear -o clear.jsonl
        overread read reports/ --as clear --shards clear/ -j 8
    """
    from overread.runner.limits import Limits
    from overread.systems.srrg.labellers import check_labels, labelled_by

    check_shards(shards, resume, shard, engine, jobs)
    check_labels(labels, by, definitions, system)
    limits = Limits(item_seconds, max_characters)
    if shards is not None:
        from overread.cli.sharding import Wish, read_shards
        from overread.scale.order import Reading

        own = str(lexicon) if lexicon else None
        work = Reading(system, columns or {}, own, definitions, labels)
        read_shards(reports, work, by, Wish(shards, resume, shard, engine, jobs, quiet, limits, share))
        return
    from overread.cli.reading import defined_for, read_by_llm, read_by_rules
    from overread.errors import UnknownName
    from overread.runner.whole import share as shared
    from overread.sources import load
    from overread.systems.registry import system as named

    shared(share)
    source = load(reports, columns, encoding=encoding)
    chosen = labelled_by(defined_for(named(system), definitions, by), labels)
    if by == "rules":
        read_by_rules(source, chosen, lexicon, output, quiet, limits)
    elif by == "llm":
        read_by_llm(source, chosen, llm, output, quiet, limits)
    else:
        raise UnknownName("reader", by, ("rules", "llm"))
