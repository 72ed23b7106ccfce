"""Views that say what is doubtful in them: at the finding where a view has findings, else in one list."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.reader.check import check
from overread.reader.doubts import Doubt
from overread.runner.views import Views, encoded
from overread.systems.base import System
from overread.systems.lunguage.schema import StructuredReport


class Doubted(Struct, frozen=True):
    """A view of another system than LUNGUAGE, whose parts are no findings, and what is doubtful behind it."""

    view: Any
    doubts: tuple[Doubt, ...]


class Tally(Struct, forbid_unknown_fields=True):
    """Doubts counted as reports go by."""

    doubtful: int = 0
    reports: int = 0
    """Reports with something doubtful."""

    def add(self, doubts: Sequence[Doubt]) -> None:
        """Those of one report."""
        self.join(Tally(len(doubts), int(bool(doubts))))

    def join(self, other: "Tally") -> None:
        self.doubtful += other.doubtful
        self.reports += other.reports

    @property
    def told(self) -> str:
        """
        >>> Tally(3, 2).told
        '3 doubtful in 2 reports'
        """
        return f"{self.doubtful} doubtful in {self.reports} {'report' if self.reports == 1 else 'reports'}"


def joined(tallies: Iterable[Tally]) -> Tally:
    total = Tally()
    for one in tallies:
        total.join(one)
    return total


def checked(system: System) -> System:
    """The system with views that say what is doubtful in them."""
    return replace(system, by_rules=lambda reading: doubted(system.by_rules(reading), check(reading)))


def told(views: Views, system: System) -> Any:
    """The system's view of a report, with its doubts where the reading is to be checked."""
    view = views.of(system)
    return doubted(view, views.doubts) if views.check else view


def doubted(view: Any, doubts: tuple[Doubt, ...]) -> Any:
    """The view with its doubts."""
    if not isinstance(view, StructuredReport):
        return Doubted(view, doubts)
    own = {f.id for f in view.findings}
    findings = [replace(f, doubts=[d for d in doubts if d.finding == f.id]) for f in view.findings]
    return replace(view, findings=findings, doubts=[d for d in doubts if d.finding not in own])


def doubts_of(view: Any) -> tuple[Doubt, ...]:
    """The doubts a view carries, in the order of the text."""
    if isinstance(view, Doubted):
        return view.doubts
    if not isinstance(view, StructuredReport):
        return ()
    lists = [view.doubts, *(f.doubts for f in view.findings)]
    found = [d for one in lists if one is not msgspec.UNSET for d in one]
    return tuple(sorted(found, key=lambda d: (d.sentence, d.span)))


def as_json(view: Any) -> bytes:
    """A view as JSON, doubts and all."""
    if not isinstance(view, Doubted):
        return encoded(view)
    plain: dict[str, Any] = msgspec.json.decode(encoded(view.view))
    return msgspec.json.encode(plain | {"doubts": view.doubts})
