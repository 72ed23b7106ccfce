"""Reports → patients with their studies in order."""

from collections.abc import Iterable

from overread.errors import BadInput
from overread.report import Patient, Report, Study


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
    return [Patient(name, in_order(found)) for name, found in grouped.items()]


def in_order(reports: list[Report]) -> tuple[Study, ...]:
    """A patient's studies, numbered; without days the number stands for the day."""
    dated = all(report.day is not None for report in reports)
    ordered = sorted(reports, key=by_day if dated else by_number)
    return tuple(Study(n, by_day(r) if dated else float(n), r) for n, r in enumerate(ordered, 1))


def by_day(report: Report) -> float:
    return report.day if report.day is not None else 0.0


def by_number(report: Report) -> tuple[float, str]:
    """Studies 2 and 10 in that order; studies without a number after those with one, by name."""
    study = report.study or ""
    return (float(study), "") if study.isdecimal() else (float("inf"), study)
