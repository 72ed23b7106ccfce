"""The bench as a page: one file, no network, in the style of the page of a run."""

import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from math import floor, log10
from typing import Any

from overread.bench.figures import Count, Standing
from overread.bench.run import Bench
from overread.bench.sets import CANARY, SETS, VERSION
from overread.bench.tables import READ, columns, cost, percent, within
from overread.pages.render import asset, card, policy, template
from overread.version import __version__

HERE = "overread.bench"
WIDTH, HEIGHT, MARGIN = 720.0, 300.0, 34.0
APART, NEAR, GAP = 13.0, 60.0, 14.0
"""Between two labels of the chart, at least; points whose labels share a column; from point to label."""


def page(found: Bench) -> str:
    """The page as text."""
    css, code = asset("page.css") + asset("bench.css", HERE), asset("theme.js", HERE)
    standings = found.metrics.standings if found.metrics else ()
    text: str = template("bench.html.j2", HERE).render(
        found=found.metrics,
        readers=found.readers,
        read=READ,
        standings=standings,
        numbers={one.metric.name: n for n, one in enumerate(standings, 1)},
        headline=headline(standings),
        sets={name: SETS[name][0] for name in (found.metrics.asked.sets if found.metrics else ())},
        boards=boards(standings),
        chart=chart(standings),
        deaf={one.metric.name: known.deaf for one in standings if (known := card(one.metric.name))},
        percent=percent,
        within=within,
        cost=cost,
        step=heat_step,
        width=WIDTH,
        height=HEIGHT,
        margin=MARGIN,
        version=VERSION,
        overread=__version__,
        canary=CANARY,
        style=css,
        script=code,
        policy=policy(code, css),
    )
    return text


def headline(standings: Sequence[Standing]) -> str:
    """The first and, where chance could explain its lead, who stands beside it."""
    if not standings:
        return ""
    first, *others = standings
    share = percent(first.overall.value)
    told = f"{first.metric.title} answers {share}% of the questions correctly: the mean over {len(first.sets)} sets"
    near = [one.metric.title for one in others if one.overall.high >= first.overall.low]
    if near:
        return f"{told}; the intervals of {', '.join(near)} overlap with it."
    return f"{told}; no other interval overlaps." if others else f"{told}."


def heat_step(share: float) -> int:
    """Of the heat scale, 0 to 9."""
    return min(9, round(9 * share))


Board = tuple[str, str, list[str], dict[str, dict[str, Count]]]
"""A table metric × something: title, note, columns, and metric → column → count."""


def boards(standings: Sequence[Standing]) -> Iterator[Board]:
    """Those of `boards.toml` that have something in them."""
    told = tomllib.loads((files("overread.bench") / "boards.toml").read_text("utf-8"))
    for name, board in told.items():
        cells = {one.metric.name: one.counts(name) for one in standings}
        if shown := columns(cells.values()):
            yield board["title"], board["note"], shown, cells


def free(wanted: float, taken: Sequence[float]) -> float:
    """The nearest height, up or down, at which a label covers no other.

    >>> free(50.0, [50.0]), free(50.0, [50.0, 63.0])
    (63.0, 37.0)
    """
    tries = (wanted + sign * step * APART for step in range(40) for sign in (1, -1))
    return next((one for one in tries if all(abs(one - other) >= APART for other in taken)), wanted)


def chart(standings: Sequence[Standing]) -> dict[str, list[Any]] | None:
    """Ability against cost on a scale of tens: ticks, and points with their labels, those of points that stand close
    together in one column; None where no metric was timed."""
    timed = [
        (n, one, max(one.seconds, 1e-3)) for n, one in enumerate(standings, 1) if one.seconds is not None
    ]
    if not timed:
        return None
    low = floor(log10(min(seconds for *_, seconds in timed)))
    high = max(low + 1, -floor(-log10(max(seconds for *_, seconds in timed))))

    def across(exponent: float) -> float:
        return MARGIN + (WIDTH - 2 * MARGIN) * (exponent - low) / (high - low)

    points: list[dict[str, Any]] = []
    for n, one, seconds in timed:
        x, y = across(log10(seconds)), (HEIGHT - MARGIN) * (1 - one.overall.value)
        turned = x > WIDTH * 0.6  # the label stands to the left of its point
        label = free(y, [p["label"] for p in points if p["turned"] == turned])
        placed = {"x": round(x, 1), "y": round(y, 1), "label": round(label, 1), "turned": turned}
        points.append({"number": n, "title": one.metric.title, **placed})
    for point in points:
        near = [p["x"] for p in points if p["turned"] == point["turned"] and abs(p["x"] - point["x"]) < NEAR]
        point["at"] = min(near) - GAP if point["turned"] else max(near) + GAP
    return {
        "points": points,
        "ticks": [(round(across(e), 1), f"{10.0**e:g} s") for e in range(low, high + 1)],
    }
