"""Systems, metrics and commands of other packages, found by their entry points and loaded when asked for.

A package that does not load, or brings something else than it says, stops nobody who does not ask for it;
whoever asks is told in one line which package is at fault.
"""

from collections.abc import Callable
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Literal

from overread.errors import BrokenPlugin, OverreadError

EntryPointGroup = Literal["overread.systems", "overread.metrics", "overread.commands"]


class Plugin:
    """One entry point: who brings what under which name."""

    def __init__(self, entry: EntryPoint, rival: str = "") -> None:
        self.entry = entry
        self.rival = rival
        """Another package that brings the same name: neither can be meant."""

        self.name = entry.name
        self.package = entry.dist.name if entry.dist else entry.module
        self.version = entry.dist.version if entry.dist else "unknown"

    @property
    def release(self) -> str:
        """Package and version, for signatures."""
        return f"{self.package}-{self.version}"

    def load(self, check: Callable[["Plugin", Any], Any]) -> Any:
        """What the package brings, looked at by `check`; any trouble names the package."""
        if self.rival:
            raise self.broken(f"the package {self.rival} brings the same name; uninstall one of them")
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
def plugins(group: EntryPointGroup) -> dict[str, Plugin]:
    """Name → who brings it; nothing is imported by looking."""
    found: dict[str, Plugin] = {}
    for entry in sorted(entry_points(group=group), key=lambda one: (one.name, one.value)):
        one, before = Plugin(entry), found.get(entry.name)
        found[one.name] = (
            one if before is None or before.package == one.package else Plugin(entry, before.package)
        )
    return found


def unusable(group: EntryPointGroup, load: Callable[[str], Any]) -> dict[str, BrokenPlugin]:
    """What is registered and cannot be used, and why."""
    found = {}
    for name in plugins(group):
        try:
            load(name)
        except BrokenPlugin as error:
            found[name] = error
    return found
