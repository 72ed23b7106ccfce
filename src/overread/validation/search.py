"""Which setting of a search is best: the mean of its folds' development scores (CLEAR, Table 7)."""

from collections.abc import Iterable
from pathlib import Path
from statistics import fmean, stdev

from msgspec import Struct

from overread.errors import BadInput
from overread.validation.clear.files import rows_of
from overread.validation.tables import figure, in_columns


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


def render(found: Iterable[Tried]) -> str:
    rows = [(one.setting, str(one.folds), figure(one.mean), figure(one.deviation)) for one in found]
    lines = [in_columns(row, 28, 6, 9, 8) for row in (("setting", "folds", "mean", "±"), *rows)]
    return "\n".join(lines) + "\n"
