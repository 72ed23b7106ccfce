"""Labellers of others as CLEAR tables: CheXbert's weights, and CheXpert's phrases from a user's own copy.

    FOLDER/mention/cardiomegaly.txt     phrases that name the condition, one a line
    FOLDER/unmention/cardiomegaly.txt   phrases beside which a mention does not count

These are the `phrases` of the released labeller. Its third part, patterns over dependency graphs, needs its parser;
here the finding that our reader read at the mention says whether it is denied or uncertain. A mention without one is
positive, as there. Positive before uncertain before negative, over all mentions of a report.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from overread.baselines.optional import NAMES, POSITIVE, UNCERTAIN, CheXbert
from overread.errors import BadInput
from overread.reader import Reading, read
from overread.report import Report
from overread.runner.limits import unfailed, warned
from overread.systems.clear.schema import CONDITIONS, PRESENCE, Cell, Condition, Level, Table
from overread.weights.folder import held

CHEXPERT_LEVELS: tuple[Level, ...] = ("confidently present", "neutral", "confidently absent")
"""Positive, uncertain, negative."""

OF_CLASSES: dict[int, Level] = {1: "confidently present", 2: "confidently absent", 3: "neutral"}


def chexbert() -> CheXbert:
    """The labeller in the folder that OVERREAD_MODELS names."""
    here = held("chexbert")
    if here is None:
        raise BadInput(
            "CheXbert's weights are not here. `overread models get chexbert --to FOLDER` puts them there, from a hub "
            "that you name or from a copy; then add --models FOLDER."
        )
    return CheXbert(here)


def by_chexbert(reports: Iterable[Report], labeller: CheXbert) -> dict[str, Table]:
    """A CLEAR table of each report, presence alone; what is blank is not mentioned."""
    found = {}
    for one in reports:
        told = dict(zip(NAMES, labeller.classes(one.text), strict=True))
        found[one.id] = Table(
            one.id, {name: presence_cell(OF_CLASSES.get(told[name])) for name in CONDITIONS}
        )
    return found


def presence_cell(level: Level | None) -> Cell:
    """Presence alone; None where nothing is said."""
    return Cell(PRESENCE[level or "neutral"], level or "neutral", level is not None)


def present(text: str, labeller: CheXbert) -> frozenset[str]:
    """The classes that are positive or uncertain."""
    told = zip(NAMES, labeller.classes(text), strict=True)
    return frozenset(name for name, said in told if said in (POSITIVE, UNCERTAIN))


Rules = dict[Condition, tuple[list[str], list[str]]]
"""Each condition's phrases in small letters: those that name it, and those beside which that does not count."""


def load_rules(folder: Path) -> Rules:
    """The thirteen conditions' phrases."""
    place = folder / "phrases" if (folder / "phrases").is_dir() else folder
    found: Rules = {}
    for condition in CONDITIONS:
        name = f"{condition.lower().replace(' ', '_')}.txt"
        path, beside = place / "mention" / name, place / "unmention" / name
        if not path.is_file():
            raise BadInput(
                f"{path} is not there. Give a folder with mention/ and unmention/, a file of phrases for each "
                "condition, as in the `phrases` of CheXpert's labeller."
            )
        found[condition] = phrase_lines(path), phrase_lines(beside) if beside.is_file() else []
    return found


def phrase_lines(path: Path) -> list[str]:
    return [line.strip().lower() for line in path.read_text("utf-8").splitlines() if line.strip()]


def by_phrases(reports: Iterable[Report], rules: Rules) -> dict[str, Table]:
    """A CLEAR table of each report, presence alone."""

    def table(report: Report) -> Table:
        reading = read(report)
        found = {name: list(levels(reading, *own)) for name, own in rules.items()}
        first = {name: min(said, key=CHEXPERT_LEVELS.index, default=None) for name, said in found.items()}
        return Table(report.id, {name: presence_cell(level) for name, level in first.items()})

    return {one.id: one for one in unfailed(reports, table, lambda r: r.id, warned)}


def levels(reading: Reading, mention: Iterable[str], unmention: Iterable[str]) -> Iterator[Level]:
    """What every mention of a condition says."""
    for span in (sentence.span for sentence in reading.sentences):
        text = reading.quote(span).lower()
        if not any(phrase in text for phrase in unmention):
            for start, phrase in ((span.start + text.find(one), one) for one in mention if one in text):
                yield level_at(reading, start, start + len(phrase))


def level_at(reading: Reading, start: int, end: int) -> Level:
    """The polarity of what was read at these words; positive where nothing was."""
    here = [f for f in reading.findings if f.span.start < end and start < f.span.end]
    positive, uncertain, negative = CHEXPERT_LEVELS
    if not here or any(f.status == "positive" and f.certainty == "definitive" for f in here):
        return positive
    return negative if all(f.status == "negative" for f in here) else uncertain
