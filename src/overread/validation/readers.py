"""Several readers on one gold file as one table, a row for each model, number of examples and use of cues; and which
setting of a search is best: the mean of its folds' development scores (CLEAR, Table 7).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from statistics import fmean, stdev

from msgspec import Struct

from overread.errors import BadInput
from overread.validation.clear.files import rows_of
from overread.validation.shown import Amount, bars, figure, table

Figures = dict[str, float | None]


class Reader(Struct, frozen=True):
    """One way to read: rules, or a model asked in one manner."""

    name: str
    shots: int | None = None
    cues: bool | None = None

    @property
    def label(self) -> str:
        """
        >>> Reader("small", 5, False).label, Reader("network").label
        ('small, 5 shots, no cues', 'network')
        """
        shots = "" if self.shots is None else f", {self.shots} shots"
        cues = "" if self.cues is None else ", cues" if self.cues else ", no cues"
        return f"{self.name}{shots}{cues}"


class ReaderRow(Struct, frozen=True):
    reader: Reader
    read: int
    """Items it gave an answer for."""

    figures: Figures


def reader_grid(models: Sequence[str], shots: Sequence[int], cues: Sequence[bool]) -> Iterator[Reader]:
    """Every model in every manner; cues are named only where both are tried.

    >>> [one.label for one in reader_grid(["m"], [0, 5], [True])]
    ['m, 0 shots', 'm, 5 shots']
    """
    for model, count, shown in product(models, shots, cues):
        yield Reader(model, count, shown if len(cues) > 1 or not shown else None)


def render(title: str, rows: Sequence[ReaderRow], published: Mapping[str, Figures], of: int) -> str:
    """The table as text, published figures below."""
    columns = list(dict.fromkeys(name for row in rows for name in row.figures))
    told = [(row.reader.label, f"{row.read}/{of}", row.figures) for row in rows]
    told += [(name, "", figures) for name, figures in published.items()]
    cells = [(name, read, *(figure(figures.get(c)) for c in columns)) for name, read, figures in told]
    return "\n".join([title, *table(("reader", "read", *columns), *cells)]) + "\n"


def reader_bars(title: str, rows: Sequence[ReaderRow], published: Mapping[str, Figures]) -> str:
    """A panel for each column, a bar for each reader; published ones paler."""
    columns = list(dict.fromkeys(name for row in rows for name in row.figures))
    panels = {}
    for column in columns:
        panels[column] = {row.reader.label: Amount(row.figures.get(column)) for row in rows} | {
            name: Amount(figures[column], ours=False)
            for name, figures in published.items()
            if column in figures
        }
    return bars(title, panels, top=1.0)


# ---- settings of a search
class Tried(Struct, frozen=True, forbid_unknown_fields=True):
    """One setting on the folds it was run on."""

    setting: str
    folds: int
    mean: float
    deviation: float | None
    """Between folds; None where there is one."""


def load_results(path: Path, score: str) -> dict[str, dict[str, float]]:
    """Setting → fold → score."""
    found: dict[str, dict[str, float]] = {}
    for line, row in rows_of(path):
        place = f"{path}, line {line}"
        setting, fold = str(row.get("setting") or ""), str(row.get("fold") or "")
        try:
            value = float(str(row[score]))
        except (KeyError, ValueError):
            raise BadInput(f"{place}: {score} is missing or no number.") from None
        if not setting or not fold:
            raise BadInput(f"{place}: setting and fold are needed, as search.jsonl has them.")
        if found.setdefault(setting, {}).setdefault(fold, value) is not value:
            raise BadInput(f"{place}: fold {fold} of {setting} stands there twice.")
    if not found:
        raise BadInput(f"{path} holds no results.")
    return found


def ranked(results: dict[str, dict[str, float]], lower: bool = False) -> list[Tried]:
    """Best first; a setting that lacks a fold others have comes last, as it cannot be compared.

    >>> [one.setting for one in ranked({"a": {"1": 0.5}, "b": {"1": 0.4, "2": 0.6}, "c": {"1": 0.7, "2": 0.5}})]
    ['c', 'b', 'a']
    """
    every = {fold for folds in results.values() for fold in folds}
    tried = []
    for name, folds in results.items():
        scores = list(folds.values())
        tried.append(Tried(name, len(scores), fmean(scores), stdev(scores) if len(scores) > 1 else None))
    return sorted(
        tried, key=lambda one: (one.folds < len(every), one.mean if lower else -one.mean, one.setting)
    )


def render_search(found: Iterable[Tried]) -> str:
    rows = ((one.setting, str(one.folds), figure(one.mean), figure(one.deviation)) for one in found)
    return "\n".join(table(("setting", "folds", "mean", "±"), *rows)) + "\n"
