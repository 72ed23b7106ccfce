"""`overread validate ssree`: do metrics fall as a report gets worse?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.llm_options import LlmOptions, reading_by, takes_llm_options
from overread.cli.terminal.options import Encoding, Jobs, Quiet, known_reader, known_writer, metrics_option
from overread.cli.terminal.output import show

if TYPE_CHECKING:
    from overread.report import Report
    from overread.sources import Source
    from overread.validation.ssree import Chain

METRICS = ["radsem", "radsem-alt", "bleu-1", "rouge-l"]
"""Asked about when nobody says which: ours, and two that count words."""


@takes_llm_options
@takes_columns
def validate_ssree(
    reports: Annotated[Path | None, typer.Argument(help="Reports to build the five levels from.")] = None,
    levels: Annotated[
        Path | None,
        typer.Option(help="Existing levels instead: JSON lines with id, reference and L1 to L5."),
    ] = None,
    metric: Annotated[list[str] | None, metrics_option(METRICS)] = None,
    by: Annotated[
        str,
        typer.Option(
            "--by", callback=known_reader, help="Who reads and matches to score the levels: network or llm."
        ),
    ] = "network",
    built_by: Annotated[
        str,
        typer.Option(
            "--built-by",
            callback=known_writer,
            help="Who builds the levels: rules or llm (needs an endpoint).",
        ),
    ] = "rules",
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="Build from this many reports, sampled in proportion to modality."),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Write the levels as JSON lines.")] = None,
    picture: Annotated[Path | None, typer.Option(help="Write the heatmap of every metric as SVG.")] = None,
    draw_seed: Annotated[
        int, typer.Option("--draw-seed", help="Random seed of levels and confidence intervals.")
    ] = 0,
    resamples: Annotated[int, typer.Option(min=1, help="Bootstrap resamples of the reports.")] = 1000,
    jobs: Jobs = 1,
    json: Annotated[bool, typer.Option("--json", help="Figures and scores as JSON.")] = False,
    encoding: Encoding = None,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Score five increasingly degraded versions of each report; report how often each metric ranks them
    correctly.

    L1 is a paraphrase, L2 negates one abnormal finding, L3 two, L4 all, L5 inverts every sentence; the
    sentences of each level are recombined into prose.

        overread validate ssree --levels levels.jsonl --picture heatmap.svg

        overread validate ssree reports.csv --metric radsem --save levels.jsonl

        overread validate ssree reports.csv --sample 300 --built-by llm --save levels.jsonl
    """
    from overread.cli.terminal.progress import meter_for
    from overread.errors import BadInput
    from overread.formats import load
    from overread.runner.measures import choose
    from overread.validation.measured import Asking
    from overread.validation.ssree import heatmap, load_chains, render, save_chains, ssree
    from overread.whole import write

    if (reports is None) == (levels is None):
        raise BadInput("Give either reports to build levels from, or --levels with ready ones.")
    names = choose(metric or METRICS, patients=False)
    if levels is not None:
        chains = load_chains(levels)
    else:
        assert reports is not None
        chains = built(load(reports, columns, encoding=encoding), built_by, llm, draw_seed, sample, quiet)
    if save is not None:
        save_chains(save, chains)
    with (
        reading_by(by, llm, 6 * len(chains)) as client,
        meter_for(quiet, bar=client is None) as meter,
    ):
        found = ssree(chains, names, Asking(resamples, draw_seed, jobs, meter, client))
    if picture is not None:
        write(picture, heatmap(found).encode())
    show(found, lambda: render(found, len(chains)), json)


def built(
    source: "Source", by: str, llm: LlmOptions, seed: int, size: int | None, quiet: bool
) -> "list[Chain]":
    """Levels of the reports that have enough in them; how many were left out, and why, is told."""
    from overread.cli.terminal.progress import watched
    from overread.cli.terminal.voice import note
    from overread.errors import BadInput

    failures = 0
    reports = drawn(source, size, seed, quiet)
    if by == "rules":
        from overread.validation.ladder import chains

        made = chains(watched(iter(reports), quiet), seed)
    else:
        from overread.validation.ladder import chains_by_llm as asked

        with llm.client() as client:
            made, failed = asked(client, reports, seed)
        failures = len(failed)
        for reason in sorted({f"{one.stage}: {one.reason}" for one in failed}):
            note(reason)
    short = len(reports) - len(made) - failures
    if not made:
        raise BadInput(
            f"No report of {source.table.path} has three abnormal findings and a normal one; levels need them."
        )
    if not quiet:
        lost = f", {failures} by the language model's failure" if failures else ""
        note(f"{len(made)} of {len(reports)} reports; left out: {short} with too few findings{lost}")
    return made


def drawn(source: "Source", size: int | None, seed: int, quiet: bool) -> "list[Report]":
    """All reports, or a sample by modality; which modalities it has is told."""
    from collections import Counter

    from overread.cli.terminal.voice import note
    from overread.systems.radsem.by_rules import modality
    from overread.validation.sampling import sample

    reports = list(source)
    if size is None:
        return reports
    chosen = sample(reports, size, seed)
    if not quiet:
        kinds = Counter(modality(report) for report in chosen)
        told = ", ".join(f"{kinds[k]} {'of unknown modality' if k == '-' else k}" for k in sorted(kinds))
        note(f"{len(chosen)} of {len(reports)} reports drawn: {told}")
    return chosen
