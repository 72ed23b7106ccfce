"""Does a metric prefer a synonymous rewrite to an antonymous one? Correct only when strictly higher."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.runner.measures import measure
from overread.stats.bootstrap import RESAMPLES, Interval, mean_interval
from overread.systems.radsem.published import published
from overread.validation.measured import asked
from overread.validation.ssree_text import table, within


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
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"Cannot read the rewrites {path}: {error}.") from error
    found = [triplet(line, f"{path.name}, line {n}") for n, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise BadInput(f"{path.name} holds no triplet; write one JSON line each.")
    return found


def triplet(line: bytes, place: str) -> Triplet:
    try:
        return msgspec.json.decode(line, type=Triplet)
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise BadInput(f"{place}: {error}. A line needs id, original, synonymous and antonymous.") from error


def rewrites(
    triplets: Sequence[Triplet], metrics: Iterable[str], *, resamples: int = RESAMPLES, seed: int = 0
) -> list[Preferred]:
    """Every metric on every triplet."""
    return [preferred(name, triplets, resamples, seed) for name in metrics]


def preferred(name: str, triplets: Sequence[Triplet], resamples: int, seed: int) -> Preferred:
    ask = asked(name, [t.original for t in triplets])
    right: dict[str, bool] = {}
    undefined = 0
    for t in triplets:
        same, opposite = ask(t.original, t.synonymous), ask(t.original, t.antonymous)
        undefined += same is None or opposite is None
        right[t.id] = same is not None and opposite is not None and round(same - opposite, 12) > 0
    kinds = {
        kind: (sum(right[t.id] for t in triplets if t.kind == kind), sum(t.kind == kind for t in triplets))
        for kind in sorted({t.kind for t in triplets})
    }
    interval = mean_interval([float(right[t.id]) for t in triplets], resamples=resamples, seed=seed)
    wrong = tuple(id for id, good in right.items() if not good)
    return Preferred(name, measure(name).title, interval, kinds, wrong, undefined)


def render(found: Sequence[Preferred], triplets: int) -> str:
    """Ours with 95 % intervals, by kind, and what the RadSEM paper reports."""
    kinds = list(found[0].kinds) if found else []
    rows = [[one.title, within(one.right), *(f"{a}/{b}" for a, b in one.kinds.values())] for one in found]
    lines = [f"{triplets} triplets; right when the synonym scores strictly above the antonym", ""]
    lines += table(("metric", "right", *kinds), rows)
    undefined = [f"{one.title}: {one.undefined} triplets without a score" for one in found if one.undefined]
    lines += ["", *undefined] if undefined else []
    lines += ["", "As published (599 triplets, GPT-5 reading):", ""]
    lines += table(
        ("metric", "right"), ([name, f"{share:.3f}"] for name, share in published().rewrites.items())
    )
    return "\n".join(lines) + "\n"
