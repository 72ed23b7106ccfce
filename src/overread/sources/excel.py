"""Excel workbooks: the first sheet, its first row as column names."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO
from xml.etree.ElementTree import Element, ParseError, iterparse, parse
from zipfile import BadZipFile, ZipFile

from overread.errors import BadInput
from overread.sources.encoding import reading
from overread.sources.table_files import Cells, Rows

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
LARGEST_PART = 2**30
"""Bytes of one unpacked part of the workbook."""

DAY_ZERO = datetime(1899, 12, 30)
DATES = {*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)}
"""Built-in number formats that show dates."""


def workbook(path: Path) -> Rows:
    """Rows of the first sheet, one at a time."""
    header = next(sheet_lines(path), (0, []))[1]
    if not any(header):
        raise BadInput(f"{path} is empty or its first row is; a table needs a row of column names.")
    names = tuple(str(name or "").strip() for name in header)

    def rows() -> Iterator[tuple[int, Cells]]:
        for line, cells in sheet_lines(path):
            if line > 1 and any(one not in (None, "") for one in cells):
                yield line, dict(zip(names, cells, strict=False))

    return Rows(str(path), "Excel table", names, rows)


def sheet_lines(path: Path) -> Iterator[tuple[int, list[object]]]:
    """Number and cells of each row, from 1; damage is said in words."""
    try:
        with reading(path), ZipFile(path) as book:
            shared, dates = "xl/sharedStrings.xml", date_styles(book)
            known = root_of(book, shared) if shared in book.namelist() else ()
            texts = [rich_text(one) for one in known]  # cells point to them by number
            with book_part(book, first_sheet(book)) as file:
                for _, row in iterparse(file):
                    if row.tag == f"{MAIN}row":
                        yield int(row.get("r", "0")), row_cells(row, texts, dates)
                        row.clear()
    except (BadZipFile, ParseError, OSError, KeyError, ValueError, IndexError, OverflowError):
        raise BadInput(f"{path} is no Excel workbook (.xlsx), or damaged; save it again.") from None


def book_part(book: ZipFile, name: str) -> IO[bytes]:
    if book.getinfo(name).file_size > LARGEST_PART:
        raise BadInput(f"{book.filename} holds more than a gigabyte of cells; save it as CSV.")
    return book.open(name)


def root_of(book: ZipFile, name: str) -> Element:
    """A part of the workbook as a tree."""
    with book_part(book, name) as file:
        return parse(file).getroot()


def first_sheet(book: ZipFile) -> str:
    sheet = next(root_of(book, "xl/workbook.xml").iter(f"{MAIN}sheet"), None)
    targets = {one.get("Id"): one.get("Target", "") for one in root_of(book, "xl/_rels/workbook.xml.rels")}
    target = targets[sheet.get(RELATION) if sheet is not None else None]
    return target.lstrip("/") if target.startswith("/") else f"xl/{target}"


def rich_text(element: Element) -> str:
    """All runs of a rich text, without the reading aids that some languages add."""
    runs = [element, *element.findall(f"{MAIN}r")]
    return "".join(one.text or "" for run in runs for one in run.findall(f"{MAIN}t"))


def date_styles(book: ZipFile) -> set[str]:
    """Styles of cells that show a number as a date."""
    if "xl/styles.xml" not in book.namelist():
        return set()
    root = root_of(book, "xl/styles.xml")
    own = {
        int(one.get("numFmtId", "0"))
        for one in root.iter(f"{MAIN}numFmt")
        if re.search(r"[yd]", re.sub(r'"[^"]*"|\[[^\]]*\]', "", one.get("formatCode", "")), re.IGNORECASE)
    }
    formats = root.find(f"{MAIN}cellXfs")
    shown = [] if formats is None else [int(one.get("numFmtId", "0")) for one in formats]
    return {str(n) for n, style in enumerate(shown) if style in DATES | own}


def row_cells(row: Element, texts: list[str], dates: set[str]) -> list[object]:
    """The cells of a row by column; those that are not written are None."""
    found: list[object] = []
    for one in row.findall(f"{MAIN}c"):
        column = number_of(one.get("r", "")) or len(found) + 1
        found += [None] * (column - 1 - len(found))
        found.append(value_of(one, texts, dates))
    return found


def number_of(place: str) -> int:
    """
    >>> number_of("A1"), number_of("Z7"), number_of("AB12")
    (1, 26, 28)
    """
    number = 0
    for letter in place.rstrip("0123456789"):
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


def value_of(cell: Element, texts: list[str], dates: set[str]) -> object:
    kind, written = cell.get("t", "n"), cell.findtext(f"{MAIN}v")
    inline = cell.find(f"{MAIN}is")
    if inline is not None:
        return rich_text(inline)
    if written is None:
        return None
    if kind == "s":
        return texts[int(written)]
    if kind in ("str", "d", "e"):
        return written
    if kind == "b":
        return "true" if written == "1" else "false"
    if cell.get("s", "") in dates:
        return DAY_ZERO + timedelta(days=float(written))
    return float(written)
