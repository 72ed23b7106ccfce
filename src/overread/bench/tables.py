"""Figures as tables: for a terminal, for Markdown, for LaTeX."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from overread.bench.figures import FEW, Count, Standing
from overread.bench.readers import Reader
from overread.bench.run import Bench, Metrics
from overread.stats.bootstrap import Interval

if TYPE_CHECKING:
    from overread.bench.submission import Submission


def head(sets: Iterable[str]) -> list[str]:
    return ["metric", "overall", *sets, PAIRS, "laws broken", "s / 1,000 pairs"]


def row(
    one: "Standing | Submission", title: str, shares: Iterable[float | None], pairs: Count | None
) -> list[str]:
    """A metric with its share of right answers in each set, and of pairs in order."""
    laws = f"{one.laws_broken} of {one.laws}"
    return [
        title,
        within(one.overall),
        *map(percent, shares),
        percent(pairs.share if pairs else None),
        laws,
        cost(one.seconds),
    ]


PAIRS = "pairs in order"
"""Of the rankings: a whole order is seldom right, pairs of its candidates tell more."""


def pairs_in_order(one: Standing) -> str:
    found = ranked_pairs(one)
    return percent(found.share if found else None)


def ranked_pairs(one: Standing) -> Count | None:
    ranked = one.sets.get("rankings")
    return ranked.ordered if ranked else None


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


def rows(found: Metrics) -> list[list[str]]:
    return [
        row(
            one,
            one.metric.title,
            [one.sets[name].share.value for name in found.asked.sets],
            ranked_pairs(one),
        )
        for one in found.standings
    ]


def note(found: Metrics) -> str:
    told = ", ".join(f"{name} {count}" for name, count in found.asked.sets.items())
    sample = f" A sample of at most {found.asked.sample} a set." if found.asked.sample else ""
    about = f"Correct answers in per cent; overall is the mean of the sets. Items: {told}."
    return f"{about} Sets {found.asked.hash}.{sample}"


READ = ("entity", "status", "certainty", "triplet", "attributes", "evidence", "associate", "same_as")
READERS = ["reader", *READ, "sentences", "reports", "probes"]


def reader_row(one: Reader) -> list[str]:
    figures = [percent(found.value) if (found := one.figures[name]) else "–" for name in READ]
    probes = percent(one.probes["all"].share) if one.probes else "–"
    return [one.name, *figures, within(one.sentences), within(one.whole), probes]


def reader_note(found: Sequence[Reader]) -> str:
    first = found[0]
    return (
        f"F1 in per cent on {first.reports} annotated reports (sets {first.hash}); sentences and reports without a "
        "misreading; texts that probe language, without an error."
    )


def layer_lines(found: Sequence[Reader]) -> list[str]:
    lines = []
    for one in (one for one in found if one.layers):
        told = (f"{name} {within(f1) if f1 else '–'}" for name, f1 in one.layers.items())
        lines.append(f"{one.name}, F1 of the layers: {', '.join(told)}.")
    return lines


def terminal(found: Bench) -> str:
    from overread.validation.tables import table

    parts: list[str] = []
    if found.metrics:
        parts += [*table(tuple(head(found.metrics.asked.sets)), rows(found.metrics)), "", note(found.metrics)]
        own = found.metrics.private
        parts += [f"{s.metric.title}: {within(s.overall)} on the private part" for s in own]
    if found.readers:
        lines = table(tuple(READERS), [reader_row(one) for one in found.readers])
        parts += [
            *([""] if parts else []),
            *lines,
            "",
            reader_note(found.readers),
            *layer_lines(found.readers),
        ]
    return "\n".join(parts) + "\n"


def markdown(found: Bench) -> str:
    """Tables for a README or a pull request."""
    parts = [metrics_markdown(found.metrics)] if found.metrics else []
    if found.readers:
        table = grid(READERS, [reader_row(one) for one in found.readers])
        parts.append("\n\n".join([table, reader_note(found.readers), *layer_lines(found.readers)]) + "\n")
    return "\n".join(parts)


def metrics_markdown(found: Metrics) -> str:
    """Sets, then kinds of rankings and modalities."""
    parts = [grid(head(found.asked.sets), rows(found)), note(found)]
    for title, asked in (("Pairs in order, by kind of ranking", by_kind), ("By modality", by_modality)):
        names = list(dict.fromkeys(name for one in found.standings for name in asked(one)))
        if names:
            table = [
                [one.metric.title, *(asked(one).get(name, "–") for name in names)] for one in found.standings
            ]
            parts += [f"### {title}", grid(["metric", *names], table)]
    return "\n\n".join(parts) + "\n"


def by_kind(one: Standing) -> dict[str, str]:
    ranked = one.sets.get("rankings")
    return {name: percent(count.share) for name, count in ranked.pairs.items()} if ranked else {}


def by_modality(one: Standing) -> dict[str, str]:
    return {name: percent(count.share) for name, count in one.modalities.items() if count.asked >= FEW}


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
    parts = (
        [tabular(note(found.metrics), head(found.metrics.asked.sets), rows(found.metrics))]
        if found.metrics
        else []
    )
    if found.readers:
        parts.append(tabular(reader_note(found.readers), READERS, [reader_row(one) for one in found.readers]))
    return "\n".join(parts)


def tabular(about: str, names: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    body = [" & ".join(map(escaped, line)) + r" \\" for line in lines]
    first = " & ".join(map(escaped, names)) + r" \\"
    top = [rf"\begin{{tabular}}{{l{'r' * (len(names) - 1)}}}", r"\toprule", first, r"\midrule"]
    return "\n".join([f"% {about}", *top, *body, r"\bottomrule", r"\end{tabular}"]) + "\n"


def escaped(text: str) -> str:
    """
    >>> escaped("a_b & 5 %")
    'a\\\\_b \\\\& 5 \\\\%'
    """
    return "".join(ESCAPED.get(letter, letter) for letter in text)
