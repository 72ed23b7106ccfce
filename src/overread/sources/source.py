"""A source: reports one at a time, and the description of where they come from."""

from collections.abc import Callable, Iterable, Iterator

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Report
from overread.sources.columns import Columns, Side, flag, listed


class Table(Struct, frozen=True, forbid_unknown_fields=True):
    """Where reports come from and which column was used for what."""

    path: str
    layout: str
    """`CSV table`, `Open-i XML folder`, …"""

    columns: Columns = Columns()
    """Empty for folders, whose reports have no columns."""

    unused: tuple[str, ...] = ()
    """Columns that say nothing to us."""

    def describe(self) -> str:
        """One line for the terminal.

        >>> Table("a.csv", "CSV table", Columns(id="uid", text="report"), ("age",)).describe()
        'a.csv (CSV table): id from uid, text from report; not used: age'
        """
        used = ", ".join(f"{role} from {column}" for role, column in self.columns.named().items())
        parts = [part for part in (used, f"not used: {listed(self.unused)}" if self.unused else "") if part]
        return f"{self.path} ({self.layout})" + (f": {'; '.join(parts)}" if parts else "")


class Again:
    """Reports that are read afresh each time they are iterated."""

    def __init__(self, start: Callable[[], Iterator[Report]]) -> None:
        self.start = start

    def __iter__(self) -> Iterator[Report]:
        return self.start()


class Source:
    """Reports in order, read from disk each time it is iterated; ids are checked on the way."""

    def __init__(self, table: Table, reports: Iterable[Report], side: Side = "either") -> None:
        self.table = table
        self.side = side
        self.reports = reports
        self.count = 0
        """Reports read by the latest complete pass."""

        self.empty: tuple[str, ...] = ()
        """Ids of reports without text in the latest complete pass: kept, not lost."""

    def __iter__(self) -> Iterator[Report]:
        seen: set[str] = set()
        empty = []
        remaining = iter(self.reports)
        for report in remaining:
            if report.id in seen:
                raise BadInput(self.duplicates(seen, report.id, remaining))
            seen.add(report.id)
            if not report.text.strip():
                empty.append(report.id)
            yield report
        if not seen:
            raise BadInput(f"{self.table.path} holds no reports; it has column names but no rows below them.")
        self.count, self.empty = len(seen), tuple(empty)

    def duplicates(self, seen: set[str], first: str, remaining: Iterator[Report]) -> str:
        """The first few ids that occur twice, found by reading on."""
        again = [first]
        for report in remaining:
            if report.id in seen and report.id not in again:
                again.append(report.id)
            seen.add(report.id)
            if len(again) == 3:
                break
        return (
            f"{self.table.path} has several rows with the same id ({', '.join(again)}); ids must be unique, "
            f"so drop the repeats or name another column with {flag('id', self.side)}."
        )
