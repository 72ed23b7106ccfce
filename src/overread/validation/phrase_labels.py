"""CheXpert's labeller from a user's own copy of its rules: phrases from its files, polarity from our reading.

    FOLDER/mention/cardiomegaly.txt     phrases that name the condition, one a line
    FOLDER/unmention/cardiomegaly.txt   phrases beside which a mention does not count

These are the `phrases` of the released labeller. Its third part, patterns over dependency graphs, needs its parser;
here the finding that our reader read at the mention says whether it is denied or uncertain. A mention without one is
positive, as there. Positive before uncertain before negative, over all mentions of a report.
"""

from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.reader import Reading, read
from overread.report import Report
from overread.runner.limits import unfailed, warned
from overread.systems.clear.schema import CONDITIONS, PRESENCE, Cell, Condition, Level, Table

POSITIVE: Level = "confidently present"
UNCERTAIN: Level = "neutral"
NEGATIVE: Level = "confidently absent"
RANK: tuple[Level, ...] = (POSITIVE, UNCERTAIN, NEGATIVE)


class Rules(Struct, frozen=True):
    """The phrases of one condition, in small letters."""

    mention: tuple[str, ...]
    unmention: tuple[str, ...] = ()


def load_rules(folder: Path) -> dict[Condition, Rules]:
    """The thirteen conditions' phrases."""
    place = folder / "phrases" if (folder / "phrases").is_dir() else folder
    found = {}
    for condition in CONDITIONS:
        name = f"{condition.lower().replace(' ', '_')}.txt"
        path = place / "mention" / name
        if not path.is_file():
            raise BadInput(
                f"{path} is not there. Give a folder with mention/ and unmention/, a file of phrases for each "
                "condition, as in the `phrases` of CheXpert's labeller."
            )
        found[condition] = Rules(phrases(path), phrases(place / "unmention" / name))
    return found


def phrases(path: Path) -> tuple[str, ...]:
    if not path.is_file():
        return ()
    return tuple(filter(None, (line.strip().lower() for line in path.read_text("utf-8").splitlines())))


def tables(reports: Iterable[Report], rules: dict[Condition, Rules]) -> dict[str, Table]:
    """A CLEAR table of each report, presence alone."""
    return dict(unfailed(reports, lambda r: (r.id, table(read(r), rules)), lambda r: r.id, warned))


def table(reading: Reading, rules: dict[Condition, Rules]) -> Table:
    return Table(reading.report.id, {c: cell(levels(reading, rules[c])) for c in CONDITIONS})


def cell(found: set[Level]) -> Cell:
    level = next((one for one in RANK if one in found), UNCERTAIN)
    return Cell(PRESENCE[level], level, bool(found))


def levels(reading: Reading, rules: Rules) -> set[Level]:
    """What every mention of a condition says."""
    found: set[Level] = set()
    report = reading.report
    for section in report.sections:
        for sentence in section.sentences:
            text = sentence.span.of(report.text).lower()
            if any(phrase in text for phrase in rules.unmention):
                continue
            for phrase in rules.mention:
                if (at := text.find(phrase)) >= 0:
                    start = sentence.span.start + at
                    found.add(level_at(reading, start, start + len(phrase)))
    return found


def level_at(reading: Reading, start: int, end: int) -> Level:
    """The polarity of what was read at these words; positive where nothing was."""
    here = [f for f in reading.findings if f.span.start < end and start < f.span.end]
    if not here or any(f.status == "positive" and f.certainty == "definitive" for f in here):
        return POSITIVE
    return NEGATIVE if all(f.status == "negative" for f in here) else UNCERTAIN
