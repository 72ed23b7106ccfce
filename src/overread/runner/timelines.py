"""A patient's studies on one side → the timeline that sequential metrics compare."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from overread.errors import AskFailed
from overread.report import Patient, Report
from overread.runner.view_files import ViewFile, relabelled
from overread.runner.views import Views
from overread.sources.days import in_order
from overread.systems.base import System
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.timeline import StudyView, Timeline

if TYPE_CHECKING:
    from overread.llm import Client


def patient_of(name: str, references: Iterable[Report]) -> Patient:
    """The studies in order of time, as the references date them."""
    return Patient(name, in_order(list(references)))


def timeline(
    patient: Patient, side: dict[str, Views], lunguage: System, client: "Client | None" = None
) -> Timeline:
    """One side's findings followed through the studies, by rules or by `client`; `side` has each report's views."""
    studies = [
        StudyView(str(study.number), study.day, side[study.report.id].of(lunguage))
        for study in patient.studies
    ]
    if client is None:
        return follow(patient.id, studies)
    from overread.llm import Failure
    from overread.systems.lunguage.follow_by_llm import History
    from overread.systems.lunguage.follow_by_llm import follow as asked

    (found,) = asked(client, [History(patient.id, tuple(studies))])
    if isinstance(found, Failure):
        raise AskFailed(f"{found.stage}: {found.reason}")
    return found.timeline


def given_timeline(patient: Patient, file: ViewFile) -> Timeline | None:
    """The timeline a file holds of this patient, its studies called as the references call them."""
    found = file.timelines.get(patient.id)
    labels = {study.report.id: str(study.number) for study in patient.studies}
    return relabelled(found, labels) if found else None
