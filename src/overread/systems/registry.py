"""Systems by name, imported when asked for: ours, and those that other packages register as `overread.systems`."""

from functools import cache
from importlib import import_module
from typing import Any

from overread.errors import BrokenPlugin, UnknownName
from overread.plugins import Plugin, plugins, unusable
from overread.systems.base import Metric, System

SYSTEMS = ("lunguage", "radsem", "clear", "srrg", "longitudinal", "ledger", "fineradscore")
"""Ours; each is a folder here."""


def names() -> tuple[str, ...]:
    """Every system there is, ours first."""
    return (*SYSTEMS, *(name for name in plugins("overread.systems") if name not in SYSTEMS))


def system(name: str) -> System:
    """The system called `name`."""
    if name in SYSTEMS:
        found = import_module(f"overread.systems.{name}").SYSTEM
        assert isinstance(found, System)
        return found
    if name not in plugins("overread.systems"):
        raise UnknownName("system", name, names())
    return added_system(name)


@cache
def added_system(name: str) -> System:
    """The system another package brings."""
    found: System = plugins("overread.systems")[name].load(checked_system)
    return found


def checked_system(plugin: Plugin, found: Any) -> System:
    if not isinstance(found, System):
        raise plugin.broken(f"{plugin.entry.value} is no overread.systems.base.System")
    if found.name != plugin.name:
        raise plugin.broken(f"its System is called {found.name!r}; both must be the same")
    if plugin.name in SYSTEMS:
        raise plugin.broken("a system of that name is there already; choose another")
    taken = [metric.name for metric in found.metrics if metric.name in own_metrics()]
    if taken:
        raise plugin.broken(f"a metric called {taken[0]!r} is there already; choose another name")
    return found


@cache
def own_metrics() -> dict[str, tuple[System, Metric]]:
    return {m.name: (s, m) for s in map(system, SYSTEMS) for m in s.metrics}


def part(module: str | None, name: str) -> Any:
    """A function that a system's module may have; None where there is no module or no such function."""
    return getattr(import_module(module), name, None) if module else None


def explained_by(metric: str) -> System | None:
    """The system whose default metric it is; the page explains no other, as variants differ in arithmetic alone."""
    known = metrics().get(metric)
    return known[0] if known is not None and known[0].main == metric else None


def metrics() -> dict[str, tuple[System, Metric]]:
    """Every metric of every system, by its own name; those of packages that do not load are left out."""
    return own_metrics() | {m.name: (one, m) for one in added_systems() for m in one.metrics}


def added_systems() -> list[System]:
    """Those that load; `broken` has the others."""
    useless = broken()
    return [added_system(name) for name in plugins("overread.systems") if name not in useless]


def provider(metric: str) -> Plugin | None:
    """The package that a metric's system comes from; None for ours."""
    owners = (one.name for one in added_systems() for m in one.metrics if m.name == metric)
    return plugins("overread.systems").get(next(owners, ""))


def broken() -> dict[str, BrokenPlugin]:
    """Registered systems that cannot be used, and why."""
    return unusable("overread.systems", added_system)
