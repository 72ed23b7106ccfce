"""Does a metric fall as a report gets worse? Five levels of corruption, each scored against the original.

L1 keeps the meaning, L2 denies one abnormal finding, L3 two, L4 all, L5 inverts every sentence.
A metric passes a chain when L1 > L2 > L3 > L4 > L5, strictly.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.runner.measures import measure
from overread.runner.meter import Meter
from overread.stats.bootstrap import RESAMPLES
from overread.stats.ranking import Ladder, ladder
from overread.validation.json_lines import load_lines
from overread.validation.measured import check_ids, values
from overread.whole import write_whole

if TYPE_CHECKING:
    from overread.llm import Client


class Chain(Struct, frozen=True):
    """A report and its five levels, best first; other fields of a line are passed over."""

    id: str
    reference: str
    L1: str
    L2: str
    L3: str
    L4: str
    L5: str

    @property
    def levels(self) -> tuple[str, ...]:
        return (self.L1, self.L2, self.L3, self.L4, self.L5)


class Ordered(Struct, frozen=True, forbid_unknown_fields=True):
    """How one metric orders the chains."""

    metric: str
    title: str
    ladder: Ladder | None
    """None when no chain could be scored throughout."""

    scores: dict[str, tuple[float, ...]]
    """Chain id → its five scores."""

    undefined: tuple[str, ...]
    """Chains with a level that has no score: left out and counted."""


def load_chains(path: Path) -> list[Chain]:
    """Chains from JSON lines with `id`, `reference` and `L1` … `L5`."""
    return load_lines(path, Chain, ("levels", "chain"), "id, reference and L1 to L5, all text")


def save_chains(path: Path, chains: Iterable[Chain]) -> None:
    """One JSON line per chain, as `load_chains` reads them."""
    save(path, b"".join(msgspec.json.encode(c) + b"\n" for c in chains))


def save(path: Path, content: bytes) -> None:
    try:
        write_whole(path, content)
    except OSError as error:
        raise BadInput(f"Cannot write {path}: {error.strerror}. Does its folder exist?") from error


def ssree(
    chains: Sequence[Chain],
    metrics: Iterable[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    jobs: int = 1,
    meter: Meter | None = None,
    client: "Client | None" = None,
) -> list[Ordered]:
    """Every metric on every chain."""
    check_ids((c.id for c in chains), "chains")
    names = list(metrics)
    rows = list(
        values(names, [(c.reference, *c.levels) for c in chains], jobs=jobs, meter=meter, client=client)
    )
    by_id = dict(zip((c.id for c in chains), rows, strict=True))
    return [ordered(name, {id: row[name] for id, row in by_id.items()}, resamples, seed) for name in names]


def ordered(name: str, rows: Mapping[str, tuple[float | None, ...]], resamples: int, seed: int) -> Ordered:
    scores = {id: tuple(v for v in row if v is not None) for id, row in rows.items()}
    whole = {id: row for id, row in scores.items() if len(row) == len(rows[id])}
    found = ladder(list(whole.values()), resamples=resamples, seed=seed) if whole else None
    undefined = tuple(id for id in rows if id not in whole)
    return Ordered(name, measure(name).title, found, whole, undefined)
