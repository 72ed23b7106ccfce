"""Figures as tables: for a terminal, for Markdown, for LaTeX."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from overread.bench.figures import FEW, Count, Standing
from overread.bench.readers import Reader
from overread.bench.run import Bench
from overread.stats.bootstrap import Interval
from overread.validation.tables import table

if TYPE_CHECKING:
    from overread.bench.submission import Submission


class Table(Struct, frozen=True):
    """The figures of one track: rows under a line of names, and what to know about them."""

    head: list[str]
    rows: list[list[str]]
    notes: list[str]


def head(sets: Iterable[str]) -> list[str]:
    return ["metric", "overall", *sets, "pairs in order", "laws broken", "s / 1,000 pairs"]


def row(one: "Standing | Submission", title: str, sets: Iterable[str]) -> list[str]:
    """A metric with its share of right answers in each set, and of pairs in order."""
    shares = [one.figures[name].value if name in one.figures else None for name in sets]
    pairs = one.pairs.share if one.pairs else None
    laws = f"{one.laws_broken} of {one.laws}"
    return [title, within(one.overall), *map(percent, [*shares, pairs]), laws, cost(one.seconds)]


def percent(share: float | None) -> str:
    """
    >>> percent(0.655), percent(None)
    ('66', '–')
    """
    return "–" if share is None else f"{100 * share:.0f}"


def within(one: Interval) -> str:
    """
    >>> within(Interval(0.5, 0.41, 0.6, 0.95, 1000))
    '50 (41–60)'
    """
    return f"{percent(one.value)} ({percent(one.low)}–{percent(one.high)})"


def cost(seconds: float | None) -> str:
    """
    >>> cost(0.23), cost(61.6), cost(None)
    ('0.23', '62', '–')
    """
    return "–" if seconds is None else f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.2g}"


def tables(found: Bench) -> Iterator[Table]:
    """Of the metrics, and of the readers."""
    if found.metrics:
        asked, standings = found.metrics.asked, found.metrics.standings
        told = ", ".join(f"{name} {count}" for name, count in asked.sets.items())
        note = (
            f"Correct answers in per cent; overall is the mean of the sets. Items: {told}. Sets {asked.hash}."
        )
        sample = f" A sample of at most {asked.sample} a set." if asked.sample else ""
        rows = [row(one, one.metric.title, asked.sets) for one in standings]
        yield Table(head(asked.sets), rows, [note + sample])
    if found.readers:
        note = (
            f"F1 in per cent on {found.readers[0].reports} annotated reports (sets {found.readers[0].hash}); "
            "sentences and reports without a misreading; texts that probe language, without an error."
        )
        layers = [line for one in found.readers for line in layer_lines(one)]
        names = ["reader", *READ, "sentences", "reports", "probes"]
        yield Table(names, list(map(reader_row, found.readers)), [note, *layers])


READ = ("entity", "status", "certainty", "triplet", "attributes", "evidence", "associate", "same_as")


def reader_row(one: Reader) -> list[str]:
    figures = [percent(found.value) if (found := one.figures[name]) else "–" for name in READ]
    probes = percent(one.probes["all"].share) if one.probes else "–"
    return [one.name, *figures, within(one.sentences), within(one.whole), probes]


def layer_lines(one: Reader) -> list[str]:
    """The line of a reader that was compared with layers."""
    told = ", ".join(f"{name} {within(f1) if f1 else '–'}" for name, f1 in one.layers.items())
    return [f"{one.name}, F1 of the layers: {told}."] if told else []


def terminal(found: Bench) -> str:
    blocks = [[*table(one.head, *one.rows), "", *one.notes] for one in tables(found)]
    for one in found.metrics.private if found.metrics else ():
        blocks[0].append(f"{one.metric.title}: {within(one.overall)} on the private part")
    return "\n\n".join(map("\n".join, blocks)) + "\n"


def markdown(found: Bench) -> str:
    """Tables for a README or a pull request; of metrics also kinds of rankings and modalities."""
    blocks = [[grid(one.head, one.rows), *one.notes] for one in tables(found)]
    if found.metrics:
        kinds, modalities = (
            {one.metric.title: getattr(one, name) for one in found.metrics.standings}
            for name in ("kinds", "modalities")
        )
        if any(kinds.values()):
            blocks[0] += ["### Pairs in order, by kind of ranking", shares(kinds, 1)]
        if columns(modalities.values()):
            blocks[0] += ["### By modality", shares(modalities)]
    return "\n".join("\n\n".join(block) + "\n" for block in blocks)


def columns(cells: Iterable[Mapping[str, Count]], least: int = FEW) -> list[str]:
    """The names of which enough was asked."""
    told = (name for row in cells for name, count in row.items() if count.asked >= least)
    return list(dict.fromkeys(told))


def shares(cells: Mapping[str, Mapping[str, Count]], least: int = FEW) -> str:
    """A row for each metric, a column for each name."""
    names = columns(cells.values(), least)
    lines = (
        [metric, *(percent(counts[name].share if name in counts else None) for name in names)]
        for metric, counts in cells.items()
    )
    return grid(["metric", *names], lines)


def grid(names: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """
    >>> print(grid(["metric", "right"], [["BLEU|4", "3"]]))
    | metric | right |
    |---|---:|
    | BLEU\\|4 | 3 |
    """
    told = [[cell.replace("|", "\\|") for cell in line] for line in ([*names], *lines)]
    first, *rest = (f"| {' | '.join(line)} |" for line in told)
    return "\n".join([first, "|---|" + "---:|" * (len(names) - 1), *rest])


ESCAPED = {"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "–": "--", "\\": r"\textbackslash{}"}


def latex(found: Bench) -> str:
    """A table for booktabs of each track."""
    return "\n".join(map(tabular, tables(found)))


def tabular(one: Table) -> str:
    first, *body = (" & ".join(map(escaped, line)) + r" \\" for line in [one.head, *one.rows])
    top = [rf"\begin{{tabular}}{{l{'r' * (len(one.head) - 1)}}}", r"\toprule", first, r"\midrule"]
    return "\n".join([f"% {one.notes[0]}", *top, *body, r"\bottomrule", r"\end{tabular}"]) + "\n"


def escaped(text: str) -> str:
    """
    >>> escaped("a_b & 5 %")
    'a\\\\_b \\\\& 5 \\\\%'
    """
    return "".join(ESCAPED.get(letter, letter) for letter in text)
