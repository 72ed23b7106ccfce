"""One line of results.jsonl: a number, what it was made of, or why there is none."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct, field

from overread.errors import BadInput

Unit = Literal["report", "patient"]
Direction = Literal["higher", "lower"]
State = Literal["scored", "undefined", "failed"]
Note = Literal["no candidate", "empty candidate", "empty reference", "both empty"]


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One id × system × metric.

    >>> Row("s1", "ours", "radsem", None, why="neither report names a finding").state
    'undefined'
    """

    id: str
    """Of the report; of the patient when `unit` is patient."""

    system: str
    metric: str
    value: float | None
    precision: float | None = None
    recall: float | None = None
    direction: Direction = "higher"
    """Which way is better."""

    counts: dict[str, float] = field(default_factory=dict)
    """Sufficient statistics: corpus score, interval and tests are sums over them."""

    why: str | None = None
    """Why the value is undefined."""

    failed: str | None = None
    """What went wrong where a value was expected."""

    note: Note | None = None
    """What was odd about the pair: a reference without a candidate is scored against an empty report."""

    unit: Unit = "report"
    patient: str | None = None

    @property
    def state(self) -> State:
        """Every row is in exactly one state, so that totals add up."""
        if self.failed is not None:
            return "failed"
        return "scored" if self.value is not None else "undefined"


def encode(rows: Iterable[Row]) -> bytes:
    """Rows as JSON lines."""
    return msgspec.json.Encoder().encode_lines(rows)


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a results file, one at a time."""
    decoder = msgspec.json.Decoder(Row)
    try:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    yield decoder.decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError):
                    raise BadInput(
                        f"{path}, line {number}: not a row of results; was the file edited or cut short? "
                        "Run the scoring again."
                    ) from None
    except FileNotFoundError:
        raise BadInput(f"There is no {path}; give the folder that `overread score` wrote.") from None
