"""A validation of the longitudinal view as text: ours first, the published figures below."""

from collections.abc import Iterable, Mapping

from overread.stats.bootstrap import Interval
from overread.systems.longitudinal.published import published
from overread.validation.longitudinal import Agreement, Rates

COLUMNS = ("accuracy", "precision", "recall", "f1")


def render(found: Agreement, unmatched: int = 0) -> str:
    """Two tables, in per cent."""
    heading = f"Longitudinal view against people: {found.reports} reports, {found.sentences} sentences"
    left = [f"  {unmatched} gold reports without a view, not counted"] if unmatched else []
    parts = [
        "\n".join([heading, *left]),
        table("sentence compares", [("this reader", found.detection)], found.detection_interval, "detection"),
        detected(found),
        table(
            "progression",
            [("this reader, micro", found.progression), *((f"  {t}", r) for t, r in found.classes.items())],
            found.progression_interval,
            "progression",
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def detected(found: Agreement) -> str:
    """Where comparing sentences are missed: recall by the trend they tell."""
    told = {trend: counts for trend, counts in found.detected.items() if counts[1]}
    if not told:
        return ""
    rows = [line("comparing sentences found, by trend", ("found", "of", "missed", "recall"))]
    rows += [
        line(f"  {trend}", (str(n), str(total), str(total - n), percent(n / total)))
        for trend, (n, total) in told.items()
    ]
    return "\n".join(
        [*rows, "  published: Qwen2.5-32B misses 46 of 190 that tell of worsening and 9 of improvement"]
    )


def table(title: str, ours: Iterable[tuple[str, Rates]], interval: Interval | None, task: str) -> str:
    rows = [line(title, COLUMNS)]
    rows += [line(name, [percent(getattr(rates, c)) for c in COLUMNS]) for name, rates in ours]
    if interval is not None:
        rows.append(f"  95% CI of F1 over reports: {percent(interval.low)} to {percent(interval.high)}")
    for name, figures in published()[task]["systems"].items():
        rows.append(line(f"published: {name}", shown(figures)))
    return "\n".join([*rows, f"  published: {published()[task]['where']}"])


def shown(figures: Mapping[str, float]) -> list[str]:
    return [f"{figures[c]:.1f}" if c in figures else "–" for c in COLUMNS]


def line(name: str, cells: Iterable[str]) -> str:
    return f"{name:<36}" + "".join(f"{c:>11}" for c in cells)


def percent(share: float | None) -> str:
    """
    >>> percent(0.9251), percent(None)
    ('92.5', '–')
    """
    return "–" if share is None else f"{100 * share:.1f}"
