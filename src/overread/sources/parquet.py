"""Parquet files, in batches (extra `parquet`)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from overread.errors import BadInput
from overread.extras import require
from overread.sources.encoding import reading
from overread.sources.rows import Cells

BATCH = 1024


class Parquet:
    """Rows of a Parquet file; memory holds one batch."""

    kind = "Parquet table"

    def __init__(self, path: Path) -> None:
        self.where = str(path)
        self.path = path
        self.names = tuple(self.open().schema_arrow.names)

    def open(self) -> Any:
        module = require("pyarrow.parquet", "parquet")
        invalid = require("pyarrow", "parquet").ArrowInvalid
        with reading(self.path):
            try:
                return module.ParquetFile(self.path)
            except invalid:
                raise BadInput(f"{self.path} is no Parquet file despite its name; rewrite it.") from None

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        number = 0
        for batch in self.open().iter_batches(batch_size=BATCH):
            for cells in batch.to_pylist():
                number += 1
                yield number, cells
