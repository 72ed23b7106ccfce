"""What can be exported from a study, by file name."""

import tomllib
from collections.abc import Callable, Iterable, Iterator
from importlib.resources import files
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
from overread_review.sheets.sheet import NAMES, sheet
from overread_review.store.tables import Audit, Study


class Export(Struct, frozen=True):
    """One file."""

    name: str
    about: str
    make: Callable[[Session, Study], bytes | dict[str, bytes] | Iterable[Any]]
    """Its bytes, the files of a folder by name, or rows for JSON lines."""

    families: tuple[str, ...]
    sheets: tuple[str, ...]
    """Kinds of work it is for; all of the family when empty."""

    admin: bool
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


MADE_BY = (
    gold_lines, corrected_files, reader_files, expert_lines, term_rows, rated_lines, report_lines, bank_lines,
    suggested_rows, rexval_samples, rexval_errors, preferences, wins, answer_lines, audit, study_archive,
)  # fmt: skip
SHEET_GROUPS = {"views": tuple(name for name in NAMES if name != "notation"), "banks": tuple(MAKERS)}


def catalogue() -> Iterator[Export]:
    """What `exports.toml` lists, in its order."""
    makers = {one.__name__: one for one in MADE_BY}
    for name, row in tomllib.loads(
        (files("overread_review.exports") / "exports.toml").read_text("utf-8")
    ).items():
        sheets = row.get("sheets", ())
        known = SHEET_GROUPS[sheets] if isinstance(sheets, str) else tuple(sheets)
        families = tuple(row.get("families", ("correct",)))
        yield Export(name, row["about"], makers[row["make"]], families, known, row.get("admin", False))


EXPORTS = tuple(catalogue())


def exports(study: Study, admin: bool) -> list[Export]:
    """What this study has for this person."""
    return [one for one in EXPORTS if one.fits(study) and (admin or not one.admin)]


def export(study: Study, name: str, admin: bool) -> Export:
    known = {one.name: one for one in exports(study, admin)}
    if name not in known:
        raise UnknownName("export of this study", name, known)
    return known[name]
