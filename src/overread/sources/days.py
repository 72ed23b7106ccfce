"""Dates → days since a patient's first study; reports → patients with their studies in order."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime

from overread.errors import BadInput
from overread.report import Patient, Report, Study
from overread.sources.encoding import bad

FIRST_YEAR, LAST_YEAR = 1890, 2300
"""Of a study; some data sets move their dates into the future to hide them."""

MOST_DAYS = 366.0 * (LAST_YEAR - FIRST_YEAR)


def moment(written: str, where: str, line: int) -> datetime:
    """A date as written in a table: 2024-05-31, 20240531, either with a time.

    >>> moment("20240531", "t.csv", 2)
    datetime.datetime(2024, 5, 31, 0, 0)
    """
    try:
        found = datetime.fromisoformat(written.strip())
        plain = found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
    except (ValueError, OverflowError):
        told = "the date is not written like 2024-05-31 or 20240531; rewrite it so."
        raise bad(where, f"line {line}", told) from None
    if not FIRST_YEAR <= plain.year <= LAST_YEAR:
        told = f"the year {plain.year} cannot be that of a study ({FIRST_YEAR} to {LAST_YEAR}); correct the date."
        raise bad(where, f"line {line}", told)
    return plain


def number(written: str, where: str, line: int) -> float:
    """A day as written in a table."""
    try:
        found = float(written)
    except ValueError:
        raise bad(where, f"line {line}", "the day is not a number.") from None
    if not abs(found) <= MOST_DAYS:
        told = f"the day {written.strip()[:20]} cannot be one of a patient's life; correct it, or leave the cell empty."
        raise bad(where, f"line {line}", told)
    return found


DayOf = Callable[[str | None, datetime | None], float | None]
"""(patient, when) → the day; None where either is not known."""


def day_counter(dated: Iterable[tuple[str, datetime]]) -> DayOf:
    """Days since each patient's earliest date.

    >>> day = day_counter([("p", datetime(2024, 1, 2)), ("p", datetime(2024, 1, 1))])
    >>> day("p", datetime(2024, 1, 2, 12)), day("q", datetime(2024, 1, 2))
    (1.5, None)
    """
    first: dict[str | None, datetime] = {}
    for patient, when in dated:
        first[patient] = min(when, first.get(patient, when))

    def day(patient: str | None, when: datetime | None) -> float | None:
        return (when - first[patient]).total_seconds() / 86_400 if when and patient in first else None

    return day


def moment_of(date: str | None) -> datetime | None:
    """A date to reckon days from; a year or month alone is none.

    >>> moment_of("2024-05"), moment_of("2024-05-31")
    (None, datetime.datetime(2024, 5, 31, 0, 0))
    """
    if not date or len(date) < 10:
        return None
    try:
        return moment(date, "", 0)
    except (BadInput, OverflowError):
        return None


def patients(reports: Iterable[Report]) -> list[Patient]:
    """Reports grouped by patient, in order of first appearance; studies by day, else by study number.

    >>> from overread.report import parse
    >>> later, first = parse("", "b", patient="p", day=9.0), parse("", "a", patient="p", day=0.0)
    >>> [[study.report.id for study in patient.studies] for patient in patients([later, first])]
    [['a', 'b']]
    """
    grouped: dict[str, list[Report]] = {}
    for report in reports:
        if report.patient is None:
            raise BadInput(f"Report {report.id!r} has no patient; name their column with --patient.")
        grouped.setdefault(report.patient, []).append(report)
    return [Patient(name, numbered_studies(found)) for name, found in grouped.items()]


def numbered_studies(reports: list[Report]) -> tuple[Study, ...]:
    """A patient's studies, numbered; without days the number stands for the day."""
    dated = all(report.day is not None for report in reports)
    ordered = sorted(reports, key=(lambda report: report.day or 0.0) if dated else by_number)
    return tuple(Study(n, (r.day or 0.0) if dated else float(n), r) for n, r in enumerate(ordered, 1))


def by_number(report: Report) -> tuple[float, str]:
    """Studies 2 and 10 in that order; studies without a number after those with one, by name."""
    study = report.study or ""
    return (float(study), "") if study.isdecimal() else (float("inf"), study)
