"""Systems, metrics and commands of other packages, found by their entry points and loaded when asked for.

A package that does not load, or brings something else than it says, stops nobody who does not ask for it;
whoever asks is told in one line which package is at fault.
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from overread.errors import BrokenPlugin, OverreadError

Group = Literal["overread.systems", "overread.metrics", "overread.commands"]


class Plugin:
    """One entry point: who brings what under which name."""

    def __init__(self, entry: EntryPoint) -> None:
        self.entry = entry
        self.name = entry.name
        self.package = entry.dist.name if entry.dist else entry.module
        self.version = entry.dist.version if entry.dist else "unknown"

    @property
    def release(self) -> str:
        """Package and version, for signatures."""
        return f"{self.package}-{self.version}"

    def load(self, check: Callable[["Plugin", Any], Any]) -> Any:
        """What the package brings, looked at by `check`; any trouble names the package."""
        try:
            return check(self, self.entry.load())
        except BrokenPlugin:
            raise
        except OverreadError as error:
            raise self.broken(str(error)) from error
        except Exception as error:  # whatever a stranger's module may do while it is imported
            raise self.broken(
                f"{self.entry.value} does not load ({type(error).__name__}: {error})"
            ) from error

    def broken(self, problem: str) -> BrokenPlugin:
        return BrokenPlugin(self.package, self.version, self.entry.group, self.name, problem)


@cache
def plugins(group: Group) -> dict[str, Plugin]:
    """Name → who brings it; nothing is imported by looking."""
    found: dict[str, Plugin] = {}
    for entry in sorted(entry_points(group=group), key=lambda one: (one.name, one.value)):
        one = Plugin(entry)
        if one.name not in found or found[one.name].package == one.package:
            found[one.name] = one
        else:
            found[one.name] = Contested(one, found[one.name].package)
    return found


def unusable(group: Group, load: Callable[[str], Any]) -> dict[str, BrokenPlugin]:
    """What is registered and cannot be used, and why."""
    found = {}
    for name in plugins(group):
        try:
            load(name)
        except BrokenPlugin as error:
            found[name] = error
    return found


class Contested(Plugin):
    """A name that two packages claim: neither can be meant."""

    def __init__(self, one: Plugin, other: str) -> None:
        super().__init__(one.entry)
        self.other = other

    def load(self, check: Callable[[Plugin, Any], Any]) -> Any:
        raise self.broken(f"the package {self.other} brings the same name; uninstall one of them")
