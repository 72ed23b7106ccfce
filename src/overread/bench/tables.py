"""Figures as tables: for a terminal, for Markdown, for LaTeX."""

from collections.abc import Iterable, Sequence

from overread.bench.figures import Standing
from overread.bench.run import Metrics
from overread.stats.bootstrap import Interval


def columns(found: Metrics) -> list[str]:
    return list(found.asked.sets)


def head(found: Metrics) -> list[str]:
    return ["metric", "overall", *columns(found), "laws broken", "s / 1,000 pairs"]


def row(one: Standing, sets: Sequence[str]) -> list[str]:
    shares = [percent(one.sets[name].share.value) for name in sets]
    return [one.metric.title, within(one.overall), *shares, f"{one.laws_broken} of {one.laws}", cost(one.seconds)]


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
    return [row(one, columns(found)) for one in found.standings]


def note(found: Metrics) -> str:
    told = ", ".join(f"{name} {count}" for name, count in found.asked.sets.items())
    sample = f" A sample of at most {found.asked.sample} a set." if found.asked.sample else ""
    return f"Right answers in per cent; overall is the mean of the sets. Items: {told}. Sets {found.asked.hash}.{sample}"


def terminal(found: Metrics) -> str:
    from overread.validation.ssree_text import table

    lines = table(tuple(head(found)), rows(found))
    private = [f"{s.metric.title}: {within(s.overall)} on the private part" for s in found.private]
    return "\n".join([*lines, "", note(found), *private]) + "\n"


def markdown(found: Metrics) -> str:
    """Tables for a README or a pull request: sets, then kinds of rankings and modalities."""
    parts = [grid(head(found), rows(found)), note(found)]
    for title, asked in (("Rankings by kind", by_kind), ("By modality", by_modality)):
        names = list(dict.fromkeys(name for one in found.standings for name in asked(one)))
        if names:
            table = [[one.metric.title, *(asked(one).get(name, "–") for name in names)] for one in found.standings]
            parts += [f"### {title}", grid(["metric", *names], table)]
    return "\n\n".join(parts) + "\n"


def by_kind(one: Standing) -> dict[str, str]:
    ranked = one.sets.get("rankings")
    return {name: percent(count.share) for name, count in ranked.categories.items()} if ranked else {}


def by_modality(one: Standing) -> dict[str, str]:
    return {name: percent(count.share) for name, count in one.modalities.items()}


def grid(names: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """
    >>> print(grid(["metric", "right"], [["BLEU|4", "3"]]))
    | metric | right |
    |---|---:|
    | BLEU\\\\|4 | 3 |
    """
    told = [[cell.replace("|", "\\|") for cell in line] for line in ([*names], *lines)]
    first, *rest = (f"| {' | '.join(line)} |" for line in told)
    return "\n".join([first, "|---|" + "---:|" * (len(names) - 1), *rest])


ESCAPED = {"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "–": "--", "\\": r"\textbackslash{}"}


def latex(found: Metrics) -> str:
    """A table for booktabs."""
    body = [" & ".join(map(escaped, line)) + r" \\" for line in rows(found)]
    names = " & ".join(map(escaped, head(found))) + r" \\"
    top = [rf"\begin{{tabular}}{{l{'r' * (len(head(found)) - 1)}}}", r"\toprule", names, r"\midrule"]
    return "\n".join([f"% {note(found)}", *top, *body, r"\bottomrule", r"\end{tabular}"]) + "\n"


def escaped(text: str) -> str:
    """
    >>> escaped("a_b & 5 %")
    'a\\\\_b \\\\& 5 \\\\%'
    """
    return "".join(ESCAPED.get(letter, letter) for letter in text)
