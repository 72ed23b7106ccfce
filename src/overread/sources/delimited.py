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
            except csv.Error:
                raise BadInput(
                    f"{self.where}, line {line}: a quotation mark stays open; double or close it."
                ) from None

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        for line, cells in islice(self.lines(), 1, None):
            if any(cells):
                yield line, self.row(line, cells)

    def row(self, line: int, cells: list[str]) -> Cells:
        if any(cells[len(self.names) :]):
            raise BadInput(
                f"{self.where}, line {line}: {len(cells)} cells under {len(self.names)} columns "
                f"({listed(self.names)}); quote cells that hold {self.delimiter!r}."
            )
        return dict(zip(self.names, [*cells, *[""] * (len(self.names) - len(cells))], strict=False))


def likely(header: str) -> str:
    """The mark between cells: the commonest of comma, semicolon and tab in the header.

    >>> likely("id;report"), likely("id")
    (';', ',')
    """
    return max(",;\t", key=header.count)
