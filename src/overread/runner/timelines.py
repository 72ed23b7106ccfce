"""A patient's studies → the timeline of what was found in them, by rules or by language model."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from overread.llm.outcome import Failure
from overread.reader import read
from overread.report import Patient, Study
from overread.runner.limits import Tell, unfailed, warned
from overread.runner.views import Views, answered, lexicon_of
from overread.systems.base import System
from overread.systems.lunguage.by_rules import view
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.schema import StudyView, Timeline

if TYPE_CHECKING:
    from overread.llm import Client


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
    from overread.systems.lunguage.follow_by_llm import History
    from overread.systems.lunguage.follow_by_llm import follow as asked

    (found,) = asked(client, [History(patient.id, tuple(studies))])
    made: Timeline = answered(found).timeline
    return made


def follow_by_rules(
    people: Sequence[Patient], gap: float, lexicon: Path | None, tell: Tell = warned
) -> list[Timeline]:
    """Their timelines; a patient with a report that cannot be read is named, and left out."""
    words = lexicon_of(lexicon)

    def followed(one: Patient) -> Timeline:
        studies = [StudyView(study_label(s), s.day, view(read(s.report, words))) for s in one.studies]
        return follow(one.id, studies, gap)

    return list(unfailed(people, followed, lambda one: f"patient {one.id}", tell))


def follow_by_llm(
    client: "Client", people: Sequence[Patient], gap: float, tell: Callable[[str], None]
) -> "tuple[list[Timeline], list[Failure]]":
    """Timelines of the patients a model could read and follow, and why there is none for the others.

    `tell` hears what had to be left out.
    """
    from overread.systems.lunguage.asking import Dropped
    from overread.systems.lunguage.by_llm import dropped_told, structure
    from overread.systems.lunguage.follow_by_llm import Followed, History
    from overread.systems.lunguage.follow_by_llm import follow as asked

    views_of = structure(client, [study.report for one in people for study in one.studies])
    views = {one.view.id: one.view for one in views_of if not isinstance(one, Failure)}
    whole = [one for one in people if all(study.report.id in views for study in one.studies)]
    histories = [
        History(one.id, tuple(StudyView(study_label(s), s.day, views[s.report.id]) for s in one.studies))
        for one in whole
    ]
    followed = asked(client, histories, gap)
    dropped = sum((one.dropped for one in views_of if not isinstance(one, Failure)), Dropped())
    settled = [one for one in followed if isinstance(one, Followed)]
    tell(
        f"Not in the text and dropped: {dropped_told(dropped)}. Observations the model put in no group: "
        f"{sum(one.left_over for one in settled)}, in several: {sum(one.repeated for one in settled)}, "
        f"in no episode: {sum(one.undated for one in settled)}."
    )
    failed = [one for one in (*views_of, *followed) if isinstance(one, Failure)]
    return [one.timeline for one in settled], failed


def study_label(study: Study) -> str:
    """What reference and candidate call a study: its own label, else its number."""
    return study.report.study or str(study.number)
