"""What can be exported from a study, by file name."""

from collections.abc import Callable, Iterable
from typing import Any

import msgspec
from msgspec import Struct
from sqlalchemy.orm import Session

from overread.errors import UnknownName
from overread.review.exports.gold import gold_lines
from overread.review.sheets.registry import sheet
from overread.review.store.tables import Study


class Export(Struct, frozen=True):
    """One file."""

    name: str
    about: str
    make: Callable[[Session, Study], bytes]
    families: tuple[str, ...] = ("correct",)
    sheets: tuple[str, ...] = ()
    """Kinds of work it is for; all of the family when empty."""

    admin: bool = False
    """Holds names, so only an administrator may have it."""

    def fits(self, study: Study) -> bool:
        return sheet(study.sheet).family in self.families and (not self.sheets or study.sheet in self.sheets)


def json_lines(rows: Iterable[Any]) -> bytes:
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def gold(session: Session, study: Study) -> bytes:
    return json_lines(gold_lines(session, study))


EXPORTS: tuple[Export, ...] = (
    Export("gold.jsonl", "Settled items, as overread read and follow write them, with their texts", gold),
)


def exports(study: Study, admin: bool) -> list[Export]:
    """What this study has for this person."""
    return [one for one in EXPORTS if one.fits(study) and (admin or not one.admin)]


def export(study: Study, name: str, admin: bool) -> Export:
    known = {one.name: one for one in exports(study, admin)}
    if name not in known:
        raise UnknownName("export of this study", name, known)
    return known[name]
