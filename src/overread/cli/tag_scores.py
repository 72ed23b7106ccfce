"""Tag files checked and scored at the terminal: faults with their lines, scores as lines and tables."""

import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from overread.cli.voice import note, wrote
from overread.errors import BadInput, UnknownName
from overread.runner.whole import write_whole
from overread.systems.base import Score
from overread.systems.radsem.score import BY_NAME
from overread.systems.radsem.tag_file import Fault, read_tags

FEW = 20
"""So many records or fewer are shown one by one."""


class Scored(Struct, frozen=True):
    """One record under one metric: a line of the scores."""

    id: str
    metric: str
    score: Score

    def line(self) -> dict[str, Any]:
        return {"id": self.id, "metric": self.metric, **to_builtins(self.score)}


def tell_faults(path: Path, sound: int, faults: Sequence[Fault]) -> None:
    """Every fault on a line of its own, then the count."""
    for fault in faults:
        print(f"{path.name}, {fault}")
    kinds = dict.fromkeys(fault.kind for fault in faults)
    told = ", ".join(f"{sum(f.kind == kind for f in faults)} {kind}" for kind in kinds)
    note(f"{sound} sound records, {len(faults)} faults{f' ({told})' if told else ''}")


def metrics_of(wanted: Sequence[str] | None, alt: bool) -> list[str]:
    names = [part.strip() for one in wanted or () for part in one.split(",") if part.strip()]
    names += ["radsem-alt"] if alt else []
    for name in names:
        if name not in BY_NAME:
            raise UnknownName("metric over tags", name, BY_NAME)
    return list(dict.fromkeys(names)) or ["radsem"]


def score_file(path: Path, names: Sequence[str], output: Path | None, listed: bool) -> list[Scored]:
    """Every record under every metric; the whole file is sound or nothing is scored."""
    from msgspec.json import encode

    found = [
        Scored(tags.name, name, BY_NAME[name](tags)) for tags in read_tags(path, listed) for name in names
    ]
    if output is not None:
        try:
            write_whole(output, b"".join(encode(one.line()) + b"\n" for one in found))
        except OSError as error:
            raise BadInput(f"Cannot write {output}: {error.strerror}.") from error
        note(f"{len(found)} lines")
        wrote(output)
    return found


def show(
    found: Sequence[Scored], names: Sequence[str], path: Path, json: bool, resamples: int, seed: int
) -> None:
    """All lines as JSON, or a table: a few records one by one, the mean of many with its interval."""
    if json:
        from msgspec.json import encode

        for one in found:
            print(encode(one.line()).decode())
        return
    from rich.console import Console

    console = Console(width=None if sys.stdout.isatty() else 100)
    records = len(found) // len(names)
    if records <= FEW:
        console.print(each(found))
    console.print(means(found, names, path, resamples, seed))
    for name in names:
        why = Counter(one.score.why for one in found if one.metric == name and one.score.value is None)
        for reason, count in why.items():
            note(f"{name}: {count} of {records} undefined: {reason}.")


def each(found: Sequence[Scored]) -> Any:
    """A row per record and metric, with the counts of both classes."""
    from rich.table import Table

    grid = Table(pad_edge=False, box=None)
    for name in ("record", "metric"):
        grid.add_column(name, overflow="fold")
    for name in ("score", "P", "R", "abnormal", "normal"):
        grid.add_column(name, justify="right")
    for one in found:
        s = one.score
        figures = (f"{v:.3f}" if v is not None else "–" for v in (s.value, s.precision, s.recall))
        grid.add_row(one.id, one.metric, *figures, *(class_cell(s, name) for name in ("abnormal", "normal")))
    grid.caption = "abnormal, normal: matched credit − missed + invented"
    grid.caption_justify = "left"
    return grid


def class_cell(score: Score, name: str) -> str:
    """
    >>> counts = {"abnormal_matched": 1.5, "abnormal_missed": 2.0, "abnormal_invented": 0.0}
    >>> class_cell(Score(0.6, counts=counts), "abnormal")
    '1.5 −2 +0'
    """
    matched, missed, invented = (score.counts[f"{name}_{k}"] for k in ("matched", "missed", "invented"))
    return f"{matched:.3g} −{missed:.0f} +{invented:.0f}"


def means(found: Sequence[Scored], names: Sequence[str], path: Path, resamples: int, seed: int) -> Any:
    from rich.table import Table

    from overread.stats.bootstrap import mean_interval

    grid = Table(title=f"\n{path.name}", title_justify="left", pad_edge=False, box=None)
    grid.add_column("metric")
    for name in ("mean", "95 % interval", "records", "undefined"):
        grid.add_column(name, justify="right")
    for name in names:
        scores = [one.score.value for one in found if one.metric == name]
        values = [value for value in scores if value is not None]
        if values:
            i = mean_interval(values, resamples=resamples, seed=seed)
            told = (f"{i.value:.3f}", f"{i.low:.3f} to {i.high:.3f}")
        else:
            told = ("–", "–")
        grid.add_row(name, *told, str(len(scores)), str(len(scores) - len(values)))
    return grid
