"""What can be exported from a study, by file name."""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec import Struct
from sqlalchemy import select
from sqlalchemy.orm import Session

from overread.cli.terminal.output import json_lines
from overread.errors import UnknownName
from overread.systems.banks import MAKERS
from overread_review.exports.answers import answer_lines, preferences, rexval_errors, rexval_samples, wins
from overread_review.exports.archive import columns, study_archive
from overread_review.exports.gold import bank_lines, expert_lines, gold_lines, report_lines
from overread_review.exports.notation import corrected_files, reader_files, zipped
from overread_review.exports.words import rated_lines, suggested_rows, term_rows
from overread_review.sheets.registry import NAMES, sheet
from overread_review.store.tables import Audit, Study


class Export(Struct, frozen=True):
    """One file."""

    name: str
    about: str
    make: Callable[[Session, Study], bytes | dict[str, bytes] | Iterable[Any]]
    """Its bytes, the files of a folder by name, or rows for JSON lines."""

    families: tuple[str, ...] = ("correct",)
    sheets: tuple[str, ...] = ()
    """Kinds of work it is for; all of the family when empty."""

    admin: bool = False
    """Holds names, so only an administrator may have it."""

    def content(self, session: Session, study: Study) -> bytes:
        made = self.make(session, study)
        if isinstance(made, bytes):
            return made
        return zipped(made) if isinstance(made, dict) else json_lines(made)

    def written(self, session: Session, study: Study) -> dict[str, bytes]:
        """Content by path, as the command line writes it: a folder unpacked."""
        made = self.make(session, study)
        if not isinstance(made, dict):
            return {self.name: self.content(session, study)}
        folder = self.name.removesuffix(".zip")
        return {f"{folder}/{name}": content for name, content in made.items()}

    def fits(self, study: Study) -> bool:
        return sheet(study.sheet).family in self.families and (not self.sheets or study.sheet in self.sheets)


def audit(session: Session, study: Study) -> Iterable[Any]:
    found = session.scalars(select(Audit).where(Audit.study == study.id).order_by(Audit.id))
    return (columns(one) for one in found)


VIEWS = tuple(name for name in NAMES if name != "notation")
EVERY = ("correct", "judge", "compare")
EXPORTS: tuple[Export, ...] = (
    Export(
        "gold.jsonl",
        "Settled items, as overread read, follow and tags write them",
        gold_lines,
        sheets=VIEWS,
    ),
    Export(
        "notation.zip",
        "The notation files; settled reports corrected, the others as they were opened",
        corrected_files,
        sheets=("notation",),
    ),
    Export(
        "readers.zip",
        "The reports that each reader handed in, in notation, for overread corpus agree",
        reader_files,
        sheets=("notation",),
    ),
    Export(
        "experts.jsonl",
        "The same as experts' rows, for overread validate clear",
        expert_lines,
        sheets=("clear",),
    ),
    Export(
        "terms.tsv",
        "Votes on every term, the decision that stands, and the log",
        term_rows,
        sheets=("terms",),
    ),
    Export(
        "rated.jsonl",
        "Rated answers, for overread validate clear-attributes",
        rated_lines,
        sheets=("ratings",),
    ),
    Export("reports.jsonl", "The reports of settled items, for overread read and score", report_lines),
    Export(
        "bank.jsonl",
        "Worked examples for --examples of overread read --by llm",
        bank_lines,
        sheets=tuple(MAKERS),
    ),
    Export("lexicon.tsv", "Words proposed for the lexicon, for --lexicon", suggested_rows),
    Export("samples.csv", "References and candidates, in ReXVal's first layout", rexval_samples, ("judge",)),
    Export(
        "errors.csv",
        "Errors per rater, category and significance, in ReXVal's second layout",
        rexval_errors,
        ("judge",),
    ),
    Export("preferences.csv", "Each comparison: places, sides, seconds, repeats", preferences, ("compare",)),
    Export("wins.csv", "Win rates between systems with intervals", wins, ("compare",)),
    Export(
        "answers.jsonl",
        "Every reader's answer, and what was changed from the suggestion",
        answer_lines,
        EVERY,
    ),
    Export("audit.jsonl", "Who did what when, before and after", audit, EVERY, admin=True),
    Export("study.zip", "The whole study, to import elsewhere", study_archive, EVERY, admin=True),
)


def exports(study: Study, admin: bool) -> list[Export]:
    """What this study has for this person."""
    return [one for one in EXPORTS if one.fits(study) and (admin or not one.admin)]


def export(study: Study, name: str, admin: bool) -> Export:
    known = {one.name: one for one in exports(study, admin)}
    if name not in known:
        raise UnknownName("export of this study", name, known)
    return known[name]
