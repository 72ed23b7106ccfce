"""A patient's studies on one side → the timeline that sequential metrics compare."""

from collections.abc import Iterable

from overread.report import Patient, Report
from overread.runner.views import Views
from overread.sources.patients import in_order
from overread.systems.base import System
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.timeline import StudyView, Timeline


def patient_of(name: str, references: Iterable[Report]) -> Patient:
    """The studies in order of time, as the references date them."""
    return Patient(name, in_order(list(references)))


def timeline(patient: Patient, side: dict[str, Views], lunguage: System) -> Timeline:
    """One side's findings followed through the studies; `side` has the views of each report id."""
    studies = [
        StudyView(str(study.number), study.day, side[study.report.id].of(lunguage))
        for study in patient.studies
    ]
    return follow(patient.id, studies)
