"""`overread validate ssree`: do metrics fall as a report gets worse?"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from overread.validation.ssree import Chain


def validate_ssree(
    reports: Annotated[
        Path | None, typer.Argument(help="Reports to build the five levels from, by rules.")
    ] = None,
    levels: Annotated[
        Path | None,
        typer.Option(help="Ready levels instead: JSON lines with id, reference and L1 to L5."),
    ] = None,
    metric: Annotated[
        list[str] | None, typer.Option(help="Metric by name; repeat for several. Default: radsem.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the levels that were built, as JSON lines.")
    ] = None,
    picture: Annotated[Path | None, typer.Option(help="Write the heatmap of every metric as SVG.")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the levels and of the intervals.")] = 0,
    resamples: Annotated[int, typer.Option(help="Bootstrap resamples of the reports.")] = 1000,
    json: Annotated[bool, typer.Option("--json", help="Figures and scores as JSON.")] = False,
) -> None:
    """Score five levels of ever worse reports and say how often each metric keeps their order.

    overread validate ssree --levels levels.jsonl --metric radsem --metric bleu-1 --picture heatmap.svg

    overread validate ssree reports.csv --metric radsem --save levels.jsonl
    """
    import msgspec

    from overread.runner.measures import choose
    from overread.validation.heatmap import heatmap
    from overread.validation.ssree import save_chains, ssree
    from overread.validation.ssree_text import render

    names = choose(metric or ["radsem"], patients=False)
    chains = chains_of(reports, levels, seed)
    if save is not None:
        save_chains(save, chains)
    found = ssree(chains, names, resamples=resamples, seed=seed)
    if picture is not None:
        picture.write_text(heatmap(found), encoding="utf-8")
    if json:
        typer.echo(msgspec.json.format(msgspec.json.encode(found)).decode())
    else:
        typer.echo(render(found, len(chains)), nl=False)


def chains_of(reports: Path | None, levels: Path | None, seed: int) -> "list[Chain]":
    """The levels of a file, or built from reports; exactly one of the two."""
    from overread.errors import BadInput
    from overread.sources import load
    from overread.validation.ladder import chains
    from overread.validation.ssree import load_chains

    if (reports is None) == (levels is None):
        raise BadInput("Give either reports to build levels from, or --levels with ready ones.")
    if levels is not None:
        return load_chains(levels)
    assert reports is not None
    made = chains(load(reports), seed)
    if not made:
        raise BadInput(
            f"No report of {reports} has three abnormal findings and a normal one; levels need them."
        )
    return made
