"""Notation files written back: as settled, as each reader has them, and into the folder they were opened from."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from sqlalchemy.orm import Session

from overread.corpus.writing import pieces
from overread.errors import BadInput
from overread_review.exports.answers import reader_numbers
from overread_review.exports.gold import gold_line, settled
from overread_review.sheets.sheet import sheet
from overread_review.store.tables import Item, Study
from overread_review.work.answers import handed_in, rows_given
from overread_review.work.studies import items_of

Files = dict[str, bytes]
"""Content by path below the folder of the export."""


def zipped(files: Mapping[str, bytes]) -> bytes:
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as file:
        for name, content in files.items():
            file.writestr(name, content)
    return out.getvalue()


def put_together(found: list[tuple[str, str]]) -> Files:
    """Files of the pieces that belong in them, in order."""
    texts: dict[str, str] = {}
    for name, piece in found:
        texts[name] = texts.get(name, "") + piece
    return {name: text.encode() for name, text in texts.items()}


def corrections(session: Session, study: Study) -> list[tuple[str, str, str]]:
    """Every report in order: its file, how it was opened, how it is settled; open ones are as they were opened."""
    found = []
    for one in settled(session, study):
        opened = one.item.content["notation"]
        told = gold_line(study, one) if one.rows else {"file": one.item.content["file"], "notation": opened}
        found.append((told["file"], opened, told["notation"]))
    return found


def corrected_files(session: Session, study: Study) -> Files:
    """All files of the slice; byte for byte as they were opened where nothing was corrected."""
    return put_together([(file, now) for file, _, now in corrections(session, study)])


def reader_files(session: Session, study: Study) -> Files:
    """What each reader handed in, in a folder of their own, for `overread corpus agree`."""
    form, done = sheet(study.sheet), handed_in(session, study)
    items = items_of(session, study)
    files: Files = {}
    for person, number in sorted(reader_numbers(study, done).items(), key=lambda one: one[1]):
        own = {
            item.id: form.line(item.content, item.suggestion, rows_given(form, one, item))
            for one, item in done
            if one.person == person and not one.repeat
        }
        begun = {line["file"] for line in own.values()}
        held = [(i.content["file"], own[i.id]["notation"] if i.id in own else heading(i)) for i in items]
        mine = put_together([(file, piece) for file, piece in held if file in begun])
        files |= {f"reader-{number}/{name}": content for name, content in mine.items()}
    return files


def heading(item: Item) -> str:
    """What a report that is left out says of those below it."""
    lines = str(item.content["notation"]).splitlines(keepends=True)
    return "".join(line for line in lines if line.startswith("%"))


def write_back(session: Session, study: Study, place: Path) -> dict[Path, int]:
    """Put corrected reports where they were opened from, and touch nothing else; how many in which file.

    `place` is the folder or the file that the study was made of. Nothing is written if one of the reports was
    changed there in the meantime.
    """
    folder = place.parent if place.is_file() else place
    new: dict[Path, tuple[str, int]] = {}
    for file, opened, now in corrections(session, study):
        if opened != now:
            path = folder / file
            text, count = new.get(path) or (read(path), 0)
            new[path] = exchanged(text, opened, now, path), count + 1
    for path, (text, _) in new.items():
        path.write_bytes(text.encode())
    return {path: count for path, (_, count) in new.items()}


def read(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(
            f"Cannot read {path}: {error}. Give --back the file or folder that the study was made of."
        ) from None


def exchanged(text: str, opened: str, now: str, path: Path) -> str:
    held = pieces(text)
    if now in held:
        return text
    if opened not in held:
        name = next(line for line in opened.splitlines() if line.startswith("# "))
        raise BadInput(
            f"{path}: report {name[2:]} has changed since the study was made; nothing was written. "
            "Export with -o and merge the two by hand."
        )
    held[held.index(opened)] = now
    return "".join(held)
