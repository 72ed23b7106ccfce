"""`overread tags score`, `check` and `curves`: a tag file, examined and scored."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from overread.cli.terminal.options import AtLeastOne
from overread.cli.terminal.output import file_or_json, json_lines, print_json, save
from overread.cli.terminal.verbs import verb
from overread.cli.terminal.voice import note, wrote
from overread.whole import write

if TYPE_CHECKING:
    from overread.systems.base import Score
    from overread.systems.radsem.tag_file import Scored


FEW_RECORDS = 20
"""So many records or fewer are shown one by one."""


@verb("tags score")
def score(
    tags: Path,
    metric: list[str] | None = None,
    alt: bool = False,
    output: Path | None = None,
    unlisted: bool = False,
    alpha: float | None = None,
    part_whole: str | None = None,
    details: str | None = None,
    adjustment: float | None = None,
    draw_seed: int = 0,
    resamples: AtLeastOne = 1000,
    json: bool = False,
) -> None:
    """Score a tag file. If a file has errors, all of them are listed, nothing is scored, and the exit code is
    2.

    overread tags score tags.jsonl

    overread tags score tags.jsonl --metric radsem,radsem-alt -o scores.jsonl
    """
    from overread.systems.radsem.published import published
    from overread.systems.radsem.tag_file import metrics_of, scored

    names = metrics_of(metric, alt)
    given = (alpha, part_whole, details, adjustment)
    constants = published().constants.changed(*given) if any(one is not None for one in given) else None
    output, json = file_or_json(output, json)
    found = scored(tags, names, not unlisted, constants)
    if output is not None:
        write(output, json_lines(one.line() for one in found))
        note(f"{len(found)} lines")
        wrote(output)
    show_scores(found, names, tags, json, resamples, draw_seed)


def show_scores(
    found: "Sequence[Scored]", names: Sequence[str], path: Path, json: bool, resamples: int, seed: int
) -> None:
    """All lines as JSON, or a table: a few records one by one, the mean of many with its interval."""
    if json:
        for one in found:
            print_json(one.line())
        return
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 100)
    records = len(found) // len(names)
    if records <= FEW_RECORDS:
        console.print(scores_one_by_one(found))
    console.print(mean_scores(found, names, path, resamples, seed))
    for name in names:
        why = Counter(one.score.why for one in found if one.metric == name and one.score.value is None)
        for reason, count in why.items():
            note(f"{name}: {count} of {records} undefined: {reason}.")


def scores_one_by_one(found: "Sequence[Scored]") -> Any:
    """A row per record and metric, with the counts of both classes."""
    from rich.table import Column

    from overread.cli.terminal.leaderboard import grid
    from overread.pages.words import score

    classes = ("abnormal", "normal")
    rows = (
        (one.id, one.metric, *map(score, (one.score.value, one.score.precision, one.score.recall)),
         *(class_cell(one.score, name) for name in classes))
        for one in found
    )  # fmt: skip
    words = [Column(name, overflow="fold") for name in ("record", "metric")]
    caption = "abnormal, normal: matched credit − missed + invented"
    return grid(words, ("score", "P", "R", *classes), rows, caption=caption, caption_justify="left")


def class_cell(score: "Score", name: str) -> str:
    """
    >>> from overread.systems.base import Score
    >>> counts = {"abnormal_matched": 1.5, "abnormal_missed": 2.0, "abnormal_invented": 0.0}
    >>> class_cell(Score(0.6, counts=counts), "abnormal")
    '1.5 −2 +0'
    """
    matched, missed, invented = (score.counts[f"{name}_{k}"] for k in ("matched", "missed", "invented"))
    return f"{matched:.3g} −{missed:.0f} +{invented:.0f}"


def mean_scores(
    found: "Sequence[Scored]", names: Sequence[str], path: Path, resamples: int, seed: int
) -> Any:
    from overread.cli.terminal.leaderboard import grid
    from overread.stats.bootstrap import mean_interval

    rows = []
    for name in names:
        scores = [one.score.value for one in found if one.metric == name]
        values = [value for value in scores if value is not None]
        mean = ["–", "–"]
        if values:
            i = mean_interval(values, resamples=resamples, seed=seed)
            mean = [f"{i.value:.3f}", f"{i.low:.3f} to {i.high:.3f}"]
        rows.append([name, *mean, str(len(scores)), str(len(scores) - len(values))])
    head = ("mean", "95% CI", "records", "undefined")
    return grid(["metric"], head, rows, title=f"\n{path.name}", title_justify="left")


@verb("tags check")
def check(tags: Path, unlisted: bool = False) -> None:
    """Validate every record of a tag file; errors are listed with line and type.

    Kinds: syntax (no JSON), field (missing, unknown or empty), label (not one of its words, or against the class of
    its pair), class (one pair in two classes), name (used twice), lost sentence (neither paired nor unmatched),
    unknown sentence (not of that report), tagged twice, listed twice. Exit code 1 when there is a fault.

        overread tags check tags.jsonl
    """
    from overread.systems.radsem.tag_file import examined

    sound, faults = examined(tags, listed=not unlisted)
    for fault in faults:
        print(f"{tags.name}, {fault}")
    kinds = Counter(fault.kind for fault in faults)
    told = ", ".join(f"{count} {kind}" for kind, count in kinds.items())
    note(f"{len(sound)} sound records, {len(faults)} faults{f' ({told})' if told else ''}")
    raise typer.Exit(1 if faults else 0)


@verb("tags curves")
def curves(output: Path) -> None:
    """Draw the paper's Figure 2: the abnormal F1 when one more finding is matched fully, partially or not at
    all.

    overread tags curves -o figure-2.svg
    """
    from overread.validation.radsem_curves import picture

    save(output, picture())
