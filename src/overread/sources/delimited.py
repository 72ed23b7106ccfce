"""CSV and TSV files."""

import csv
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from overread.errors import BadInput
from overread.sources.columns import listed
from overread.sources.encoding import opened
from overread.sources.rows import Cells

LONGEST_CELL = 2**30
SHOWN = 3


class Delimited:
    """Rows under a header line; cells may be quoted and run over several lines."""

    def __init__(self, path: Path, encoding: str) -> None:
        self.where = str(path)
        self.path = path
        self.encoding = encoding
        with opened(path, encoding) as file:
            header = file.readline()
        if not header.strip("\r\n\ufeff \t"):
            raise BadInput(f"{path} is empty or its first line is; a table needs a line of column names.")
        self.delimiter = "\t" if path.suffix.lower() == ".tsv" else likely(header)
        self.kind = "TSV table" if self.delimiter == "\t" else "CSV table"
        self.names = tuple(name.strip() for _, cells in islice(self.lines(), 1) for name in cells)

    def lines(self) -> Iterator[tuple[int, list[str]]]:
        """Each row with the number of its first line."""
        csv.field_size_limit(LONGEST_CELL)
        with opened(self.path, self.encoding) as file:
            reader = csv.reader(file, delimiter=self.delimiter, strict=True)
            line = 1
            try:
                for cells in reader:
                    yield line, cells
                    line = reader.line_num + 1
            except csv.Error as error:
                raise BadInput(f"{self.where}, line {line}: {trouble(str(error))}") from None

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        for line, cells in islice(self.lines(), 1, None):
            if any(cells):
                self.check_length(line, cells)
                yield line, dict(zip(self.names, cells, strict=False))

    def check_length(self, line: int, cells: list[str]) -> None:
        """A row must have a cell for every column: what is not there is not the same as an empty cell."""
        if len(cells) < len(self.names):
            raise BadInput(self.short_rows())
        if any(cells[len(self.names) :]):
            raise BadInput(
                f"{self.where}, line {line}: {len(cells)} cells under {len(self.names)} columns "
                f"({listed(self.names)}); quote cells that hold {self.delimiter!r}."
            )

    def short_rows(self) -> str:
        """Every row that lacks cells, counted, the first few by their lines."""
        rows = islice(self.lines(), 1, None)
        short = [(line, len(cells)) for line, cells in rows if any(cells) and len(cells) < len(self.names)]
        told = ", ".join(f"line {line} has {count}" for line, count in short[:SHOWN])
        more = f" and {len(short) - SHOWN} more" if len(short) > SHOWN else ""
        return (
            f"{self.where}: {len(short)} row{'s have' if len(short) > 1 else ' has'} fewer cells than the "
            f"{len(self.names)} columns ({told}{more}). The file may have been cut short: correct these rows, and "
            "write an empty cell where there is no value."
        )


def trouble(reason: str) -> str:
    """What is wrong with a line, in words; the reader's own never quote it.

    >>> trouble("unexpected end of data")
    'a quotation mark stays open; double or close it.'
    """
    if "unexpected end" in reason or "expected after" in reason:
        return "a quotation mark stays open; double or close it."
    if "larger than field limit" in reason:
        return "a cell is longer than any report; is a quotation mark missing?"
    return f"not proper CSV ({reason}); save the table anew."


def likely(header: str) -> str:
    """The mark between cells: the commonest of comma, semicolon and tab in the header.

    >>> likely("id;report"), likely("id")
    (';', ',')
    """
    return max(",;\t", key=header.count)
