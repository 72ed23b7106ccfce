"""`overread validate` ssree, rewrites, trend-flips: does a score fall where the meaning does, and only there?"""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from msgspec import json as encoded

from overread.cli.terminal.llm_options import LlmOptions, reading_by
from overread.cli.terminal.options import (
    AtLeastOne,
    By,
    Columns,
    known_reader,
    known_writer,
    metrics_option,
    option,
    verb,
)
from overread.cli.terminal.output import show
from overread.cli.terminal.voice import note, warn, watched
from overread.cli.validate.injected import asking
from overread.encoders import load
from overread.errors import BadInput
from overread.runner.measures import choose
from overread.runner.timelines import follow_by_rules
from overread.runner.view_files import load_view_file, views_kind
from overread.sources import Source, patients
from overread.systems.lunguage.schema import Timeline
from overread.systems.radsem.by_rules import modality
from overread.validation import ladder, ssree
from overread.validation.lunguage import trend_flips
from overread.whole import write

OF_LEVELS = ["radsem", "radsem-alt", "bleu-1", "rouge-l"]
"""Asked about when nobody says which: ours, and two that count words; rewrites are not asked of variants."""

OF_REWRITES = ["radsem", "bleu-1", "rouge-l"]


@verb("validate ssree")
def validate_ssree(
    columns: Columns,
    llm: LlmOptions,
    reports: Path | None = None,
    levels: Path | None = None,
    metric: Annotated[list[str] | None, metrics_option(OF_LEVELS)] = None,
    by: Annotated[str, option(callback=known_reader)] = "network",
    built_by: Annotated[str, option(callback=known_writer)] = "rules",
    sample: Annotated[int | None, option(min=1)] = None,
    save: Path | None = None,
    picture: Path | None = None,
    draw_seed: int = 0,
    resamples: AtLeastOne = 1000,
    jobs: AtLeastOne = 1,
    json: bool = False,
) -> None:
    """Score five increasingly degraded versions of each report; report how often each metric ranks them
    correctly.

    L1 is a paraphrase, L2 negates one abnormal finding, L3 two, L4 all, L5 inverts every sentence; the
    sentences of each level are recombined into prose.

        overread validate ssree --levels levels.jsonl --picture heatmap.svg

        overread validate ssree reports.csv --metric radsem --save levels.jsonl

        overread validate ssree reports.csv --sample 300 --built-by llm --save levels.jsonl
    """
    if (reports is None) == (levels is None):
        raise BadInput("Give either reports to build levels from, or --levels with ready ones.")
    names = choose(metric or OF_LEVELS, patients=False)
    if reports is None:
        assert levels is not None
        chains = ssree.load_chains(levels)
    else:
        chains = built(columns.load(reports), built_by, llm, draw_seed, sample)
    if save is not None:
        ssree.save_chains(save, chains)
    with asking(resamples, draw_seed, jobs, by, llm, 6 * len(chains)) as how:
        found = ssree.ssree(chains, names, how)
    if picture is not None:
        write(picture, ssree.heatmap(found).encode())
    show(found, lambda: ssree.render(found, len(chains)), json)


def built(source: Source, by: str, llm: LlmOptions, seed: int, size: int | None) -> list[ssree.Chain]:
    """Levels of all reports, or of a sample by modality, that have enough in them; what was left out is told."""
    every = list(source)
    reports = every if size is None else ssree.sample(every, size, seed)
    if size is not None:
        kinds = Counter(map(modality, reports))
        told = (f"{kinds[k]} {'of unknown modality' if k == '-' else k}" for k in sorted(kinds))
        note(f"{len(reports)} of {len(every)} reports drawn: {', '.join(told)}")
    with reading_by(by, llm) as client:
        made, failed = (
            (ladder.chains(watched(reports), seed), [])
            if client is None
            else ladder.chains_by_llm(client, reports, seed)
        )
    for reason in sorted({f"{one.stage}: {one.reason}" for one in failed}):
        note(reason)
    if not made:
        raise BadInput(
            f"No report of {source.table.path} has three abnormal findings and a normal one; levels need them."
        )
    lost = f", {len(failed)} by the language model's failure" if failed else ""
    short = len(reports) - len(made) - len(failed)
    note(f"{len(made)} of {len(reports)} reports; left out: {short} with too few findings{lost}")
    return made


@verb("validate rewrites")
def validate_rewrites(
    triplets: Path,
    llm: LlmOptions,
    metric: Annotated[list[str] | None, metrics_option(OF_REWRITES)] = None,
    by: By = "network",
    draw_seed: int = 0,
    resamples: AtLeastOne = 1000,
    jobs: AtLeastOne = 1,
    json: bool = False,
) -> None:
    """Score a synonymous and an antonymous rewrite of each sentence, in both directions; count how often the
    synonym wins.

    overread validate rewrites triplets.jsonl --metric radsem,bleu-1
    """
    names = choose(metric or OF_REWRITES, patients=False)
    found = ssree.load_triplets(triplets)
    with asking(resamples, draw_seed, jobs, by, llm, 6 * len(found)) as how:
        outcome = ssree.rewrites(found, names, how)
    show(outcome, lambda: ssree.render_rewrites(outcome, len(found)), json)


@verb("validate trend-flips")
def validate_trend_flips(
    reports: Path,
    columns: Columns,
    encoder: str = "embedded",
    models: Path | None = None,
    json: bool = False,
) -> None:
    """Reverse every improvement and worsening and print how much single and sequential scores drop.

    overread validate trend-flips reports.csv
    """
    chosen = load(encoder, models)
    found = [trend_flips.trend_flips(timeline, chosen) for timeline in timelines_of(reports, columns)]
    if json:
        for one in found:
            typer.echo(encoded.encode(one).decode())
    else:
        typer.echo(trend_flips.render(found), nl=False)


def timelines_of(path: Path, columns: Columns) -> list[Timeline]:
    """Timelines as they stand in a file of them, else made by rules from the reports."""
    if views_kind(path) == "timeline":
        return list(load_view_file(str(path)).timelines.values())
    return follow_by_rules(patients(columns.load(path)), 90.0, None, warn)
