"""Does a metric prefer a synonymous rewrite to an antonymous one? Correct only when strictly higher.

Antonyms are near-copies of their originals, so a metric that prefers far words wins when the original asks. Each
triplet is therefore asked both ways: the original asks (as published), then the synonym asks for the original. The
mean of both is the figure that says something.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from overread.runner.measures import measure
from overread.stats.bootstrap import Interval, mean_interval
from overread.systems.radsem.published import published
from overread.validation.annotated import lines_by_id
from overread.validation.measured import Asking, values_by_metric
from overread.validation.tables import PUBLISHED, counted, figure, table, within

MOST_LISTED = 20
"""So many wrong triplets or fewer are named."""

RATE_EVAL_NOTE = "Published: 599 triplets of RaTE-Eval, GPT-5 reading and matching."


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
    balanced: Interval
    """Mean of both ways."""

    right: Interval
    """The original asks: synonym above antonym, as the RadSEM paper has it."""

    turned: Interval
    """The synonym asks: original above antonym."""

    kinds: dict[str, tuple[int, int]]
    """Kind → right both ways together, asked in all."""

    wrong: tuple[str, ...]
    """Triplets in which the antonym scores as high or higher, or a score is undefined, as published."""

    wrong_turned: tuple[str, ...]
    undefined: int
    """Triplets without a score one way or the other."""


def load_triplets(path: Path) -> list[Triplet]:
    """Triplets from JSON lines with `id`, `original`, `synonymous`, `antonymous` and perhaps `kind`."""
    shape = "is not as it should be. A line needs id, original, synonymous and antonymous, all text."
    return list(lines_by_id(path, Triplet, shape).values())


def rewrites(triplets: Sequence[Triplet], metrics: Iterable[str], how: Asking) -> list[Preferred]:
    """Every metric on every triplet, both ways."""
    texts = [(t.original, t.synonymous, t.antonymous) for t in triplets]
    texts += [(t.synonymous, t.original, t.antonymous) for t in triplets]
    found = []
    for name, rows in values_by_metric(metrics, texts, how).items():
        halves = rows[: len(triplets)], rows[len(triplets) :]
        ways = [[wins(*row) for row in half] for half in halves]
        both = [(one + two) / 2 for one, two in zip(*ways, strict=True)]
        balanced, right, turned = (
            mean_interval(way, resamples=how.resamples, seed=how.seed) for way in (both, *ways)
        )
        wrong = [tuple(t.id for t, good in zip(triplets, way, strict=True) if not good) for way in ways]
        asked = [t.kind for t in (*triplets, *triplets)]
        won = Counter(kind for kind, good in zip(asked, (*ways[0], *ways[1]), strict=True) if good)
        kinds = {kind: (won[kind], total) for kind, total in sorted(Counter(asked).items())}
        lost = sum(None in (*one, *two) for one, two in zip(*halves, strict=True))
        title = measure(name).title
        found.append(Preferred(name, title, balanced, right, turned, kinds, wrong[0], wrong[1], lost))
    return found


def wins(same: float | None, opposite: float | None) -> bool:
    """Does the synonym score strictly higher? Scores equal to twelve decimals are tied."""
    return same is not None and opposite is not None and round(same - opposite, 12) > 0


def render(found: Sequence[Preferred], triplets: int) -> str:
    """A column per metric: both ways first, then each way with what the RadSEM paper reports, then kinds."""
    rows = [
        ["both ways", str(2 * triplets), *(within(one.balanced) for one in found)],
        ["original asks", str(triplets), *(within(one.right) for one in found)],
        [PUBLISHED, "599", *(figure(published().rewrites.get(one.title)) for one in found)],
        ["synonym asks", str(triplets), *(within(one.turned) for one in found)],
    ]
    for kind, (_, total) in (found[0].kinds if found else {}).items():
        rows.append([kind, str(total), *(str(one.kinds[kind][0]) for one in found)])
    titles = [one.title for one in found]
    head = f"{counted(triplets, 'triplet')}; right when the same meaning scores strictly above the opposite"
    lines = [head, "", *table(("", "n", *titles), *rows)]
    rest = [f"{name} {share:.3f}" for name, share in published().rewrites.items() if name not in titles]
    if rest:
        lines += ["", f"published, not run here: {', '.join(rest)}"]
    lines.append("")
    for one in found:
        for asked, wrong in (("the original", one.wrong), ("the synonym", one.wrong_turned)):
            if 0 < len(wrong) <= MOST_LISTED:
                lines.append(f"{one.title} is wrong where {asked} asks on {', '.join(wrong)}")
        if one.undefined:
            lost = counted(one.undefined, "triplet")
            lines.append(f"{one.title}: {lost} without a score, counted as wrong")
    return "\n".join([*lines, RATE_EVAL_NOTE]) + "\n"
