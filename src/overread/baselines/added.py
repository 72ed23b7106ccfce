"""Metrics over two texts that other packages register as `overread.metrics`."""

from collections.abc import Callable
from functools import cache
from typing import Any

from overread.baselines.base import Baseline, Value, mean, one_of_mean
from overread.errors import BrokenPlugin
from overread.plugins import Plugin, plugins, unusable


@cache
def baseline(name: str) -> Baseline:
    """The metric of that name, ready to use."""
    found: Baseline = plugins("overread.metrics")[name].load(checked_baseline)
    return found


def checked_baseline(plugin: Plugin, found: Any) -> Baseline:
    """A Baseline as it is; a function of two texts as one whose corpus score is the mean."""
    if isinstance(found, Baseline):
        if found.name != plugin.name:
            raise plugin.broken(f"its Baseline is called {found.name!r}; both must be the same")
        return found
    if not callable(found):
        raise plugin.broken(
            f"{plugin.entry.value} is neither a function of two texts nor an overread.baselines.Baseline"
        )
    return Baseline(plugin.name, plugin.name, "its own", of_function(plugin, found), mean)


def of_function(plugin: Plugin, function: Callable[[str, str], Any]) -> Callable[[str, str], Value]:
    """A number, None for undefined, or a whole Value."""

    def score(reference: str, candidate: str) -> Value:
        found = function(reference, candidate)
        if isinstance(found, Value):
            return found
        if found is None:
            return Value(None, f"{plugin.package} gives no value for this pair.")
        return one_of_mean(float(found))

    return score


def about(name: str) -> str:
    """One line for help pages: the first of the function's own description, else the title; and whose it is."""
    plugin = plugins("overread.metrics")[name]
    brought = plugin.entry.load()
    own = (getattr(brought, "__doc__", None) or "").strip().splitlines()
    told = baseline(name).title if isinstance(brought, Baseline) or not own else own[0].rstrip(".")
    return f"{told} (from {plugin.release})"


def broken() -> dict[str, BrokenPlugin]:
    """Registered metrics that cannot be used, and why."""
    return unusable("overread.metrics", baseline)
