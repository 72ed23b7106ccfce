"""Does a metric prefer a synonymous rewrite to an antonymous one? Correct only when strictly higher."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from overread.runner.measures import measure
from overread.runner.meter import Meter
from overread.stats.bootstrap import RESAMPLES, Interval, mean_interval
from overread.systems.radsem.published import published
from overread.validation.json_lines import load_lines
from overread.validation.measured import check_ids, values
from overread.validation.ssree_text import PUBLISHED, counted, table, within

if TYPE_CHECKING:
    from overread.llm import Client

FEW = 20
"""So many wrong triplets or fewer are named."""

KEY = "Published: 599 triplets of RaTE-Eval, GPT-5 reading and matching."


class Triplet(Struct, frozen=True):
    """An original, the same meaning in other words, the opposite in nearly the same words."""

    id: str
    original: str
    synonymous: str
    antonymous: str
    kind: str = "-"
    """What is turned: negation, side, normality …; other fields of a line are passed over."""


class Preferred(Struct, frozen=True, forbid_unknown_fields=True):
    """How often one metric prefers the synonym."""

    metric: str
    title: str
    right: Interval
    kinds: dict[str, tuple[int, int]]
    """Kind → right, all."""

    wrong: tuple[str, ...]
    """Triplets in which the antonym scores as high or higher, or a score is undefined."""

    undefined: int


def load_triplets(path: Path) -> list[Triplet]:
    """Triplets from JSON lines with `id`, `original`, `synonymous`, `antonymous` and perhaps `kind`."""
    return load_lines(path, Triplet, ("rewrites", "triplet"), "id, original, synonymous and antonymous")


def rewrites(
    triplets: Sequence[Triplet],
    metrics: Iterable[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    jobs: int = 1,
    meter: Meter | None = None,
    client: "Client | None" = None,
) -> list[Preferred]:
    """Every metric on every triplet."""
    check_ids((t.id for t in triplets), "triplets")
    names = list(metrics)
    texts = [(t.original, t.synonymous, t.antonymous) for t in triplets]
    rows = list(values(names, texts, jobs=jobs, meter=meter, client=client))
    return [preferred(name, triplets, [row[name] for row in rows], resamples, seed) for name in names]


def preferred(
    name: str,
    triplets: Sequence[Triplet],
    rows: Sequence[tuple[float | None, ...]],
    resamples: int,
    seed: int,
) -> Preferred:
    right = [wins(*row) for row in rows]
    kinds: dict[str, tuple[int, int]] = {}
    for t, good in zip(triplets, right, strict=True):
        won, total = kinds.get(t.kind, (0, 0))
        kinds[t.kind] = (won + good, total + 1)
    interval = mean_interval([float(good) for good in right], resamples=resamples, seed=seed)
    wrong = tuple(t.id for t, good in zip(triplets, right, strict=True) if not good)
    undefined = sum(None in row for row in rows)
    return Preferred(name, measure(name).title, interval, dict(sorted(kinds.items())), wrong, undefined)


def wins(same: float | None, opposite: float | None) -> bool:
    """Does the synonym score strictly higher? Scores equal to twelve decimals are tied."""
    return same is not None and opposite is not None and round(same - opposite, 12) > 0


def render(found: Sequence[Preferred], triplets: int) -> str:
    """A column per metric: kinds first, then all with 95 % intervals, and what the RadSEM paper reports."""
    kinds = list(found[0].kinds) if found else []
    known = [published().rewrites.get(one.title) for one in found]
    rows = [
        [kind, str(found[0].kinds[kind][1]), *(str(one.kinds[kind][0]) for one in found)] for kind in kinds
    ]
    rows.append(["all", str(triplets), *(within(one.right) for one in found)])
    rows.append([PUBLISHED.strip(), "599", *("–" if v is None else f"{v:.3f}" for v in known)])
    lines = [f"{counted(triplets, 'triplet')}; right when the synonym scores strictly above the antonym", ""]
    lines += table(("kind", "n", *(one.title for one in found)), rows)
    lines += [*others(found), "", *(note for one in found for note in notes(one)), KEY]
    return "\n".join(lines) + "\n"


def others(found: Sequence[Preferred]) -> list[str]:
    """Published shares of metrics that were not asked for."""
    rest = {k: v for k, v in published().rewrites.items() if k not in {one.title for one in found}}
    told = ", ".join(f"{name} {share:.3f}" for name, share in rest.items())
    return ["", f"published, not run here: {told}"] if rest else []


def notes(one: Preferred) -> list[str]:
    """Which triplets went wrong, where they are few, and which have no score."""
    found = []
    if 0 < len(one.wrong) <= FEW:
        found.append(f"{one.title} is wrong on {', '.join(one.wrong)}")
    if one.undefined:
        found.append(f"{one.title}: {counted(one.undefined, 'triplet')} without a score, counted as wrong")
    return found
