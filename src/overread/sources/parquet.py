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
        with reading(self.path):
            self.path.open("rb").close()
        try:
            return module.ParquetFile(self.path, page_checksum_verification=True)
        except self.damage():
            raise BadInput(
                f"{self.path} is no Parquet file despite its name, or damaged; rewrite it."
            ) from None

    def damage(self) -> tuple[type[Exception], ...]:
        """Everything the library raises on bytes that are not as they were written."""
        return (
            require("pyarrow", "parquet").ArrowException,
            OSError,
            ValueError,
            KeyError,
            MemoryError,
            OverflowError,
        )

    def __iter__(self) -> Iterator[tuple[int, Cells]]:
        number = 0
        for rows in self.batches():
            for cells in rows:
                number += 1
                yield number, cells

    def batches(self) -> Iterator[list[Cells]]:
        """The rows, some at a time; damage that shows only now is told as such."""
        try:
            for batch in self.open().iter_batches(batch_size=BATCH):
                yield batch.to_pylist()
        except self.damage() as error:
            if isinstance(error, BadInput):
                raise
            raise BadInput(
                f"{self.path} is damaged: not all of its rows can be read. Write it anew."
            ) from None
