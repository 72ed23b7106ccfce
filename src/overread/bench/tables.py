"""Figures as tables for a terminal, for Markdown, for LaTeX; one metric's as a file for bench/results/, and the
leaderboard of all that were sent."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from overread.bench.figures import FEW, Count, Standing
from overread.bench.run import Bench, Metrics
from overread.bench.sets import CANARY, SETS, VERSION
from overread.errors import BadInput
from overread.pages.render import template
from overread.stats.bootstrap import Interval
from overread.validation.shown import table
from overread.whole import write_whole

UNFIT = re.compile(r"[^a-z0-9]+")


class Submission(Struct, frozen=True, forbid_unknown_fields=True):
    """What the leaderboard must know."""

    name: str
    version: str
    url: str
    settings: str
    """The signature: everything that decides the numbers."""

    family: str
    bench: str
    sets: dict[str, str]
    """Set → hash of its items."""

    asked: dict[str, int]
    overall: Interval
    figures: dict[str, Interval]
    pairs: Count | None
    """Pairs of candidates of the rankings that stand in the right order."""

    kinds: dict[str, Count]
    """The same by kind of ranking."""

    modalities: dict[str, Count]
    laws_broken: int
    laws: int
    seconds: float | None
    money: float | None
    unscored: int
    sample: int | None = None
    canary: str = CANARY


Track = tuple[list[str], list[list[str]], list[str]]
"""The figures of one track: a line of names, the rows under it, and what to know about them."""


def head(sets: Iterable[str]) -> list[str]:
    return ["metric", "overall", *sets, "pairs in order", "laws broken", "s / 1,000 pairs"]


def row(one: Standing | Submission, title: str, sets: Iterable[str]) -> list[str]:
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


def tables(found: Bench) -> Iterator[Track]:
    """Of the metrics, and of the readers."""
    if found.metrics:
        asked, standings = found.metrics.asked, found.metrics.standings
        told = ", ".join(f"{name} {count}" for name, count in asked.sets.items())
        note = (
            f"Correct answers in per cent; overall is the mean of the sets. Items: {told}. Sets {asked.hash}."
        )
        sample = f" A sample of at most {asked.sample} a set." if asked.sample else ""
        rows = [row(one, one.metric.title, asked.sets) for one in standings]
        yield head(asked.sets), rows, [note + sample]
    if found.readers:
        note = (
            f"F1 in per cent on {found.readers[0].reports} annotated reports (sets {found.readers[0].hash}); "
            "sentences and reports without a misreading; texts that probe language, without an error."
        )
        notes, rows = [note], []
        for one in found.readers:
            shown = [percent(f1.value if (f1 := one.figures[name]) else None) for name in READ]
            probes = percent(one.probes["all"].share if one.probes else None)
            rows.append([one.name, *shown, within(one.sentences), within(one.whole), probes])
            if one.layers:
                told = ", ".join(f"{name} {within(f1) if f1 else '–'}" for name, f1 in one.layers.items())
                notes.append(f"{one.name}, F1 of the layers: {told}.")
        yield ["reader", *READ, "sentences", "reports", "probes"], rows, notes


READ = ("entity", "status", "certainty", "triplet", "attributes", "evidence", "associate", "same_as")


def terminal(found: Bench) -> str:
    blocks = [[*table(names, *rows), "", *notes] for names, rows, notes in tables(found)]
    for one in found.metrics.private if found.metrics else ():
        blocks[0].append(f"{one.metric.title}: {within(one.overall)} on the private part")
    return "\n\n".join(map("\n".join, blocks)) + "\n"


def markdown(found: Bench) -> str:
    """Tables for a README or a pull request; of metrics also kinds of rankings and modalities."""
    blocks = [[grid(names, rows), *notes] for names, rows, notes in tables(found)]
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


ESCAPED = str.maketrans({
    "&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "–": "--", "\\": r"\textbackslash{}",
})  # fmt: skip


def latex(found: Bench) -> str:
    """A table for booktabs of each track."""
    blocks = []
    for names, rows, notes in tables(found):
        lines = ([cell.translate(ESCAPED) for cell in line] for line in [names, *rows])
        first, *body = (" & ".join(line) + r" \\" for line in lines)
        top = [rf"\begin{{tabular}}{{l{'r' * (len(names) - 1)}}}", r"\toprule", first, r"\midrule"]
        blocks.append([f"% {notes[0]}", *top, *body, r"\bottomrule", r"\end{tabular}"])
    return "\n".join("\n".join(block) + "\n" for block in blocks)


def submission(one: Standing, found: Metrics, version: str, url: str) -> Submission:
    """What a standing has under the same names, and whose it is, asked what."""
    same = {name: getattr(one, name) for name in Submission.__struct_fields__ if hasattr(one, name)}
    own = {
        "name": one.metric.title, "version": version, "url": url, "settings": one.metric.signature,
        "family": one.metric.family, "bench": VERSION, "sets": found.asked.hashes, "asked": found.asked.sets,
        "sample": found.asked.sample,
    }  # fmt: skip
    return Submission(**(same | own))


def write_submissions(found: Metrics, folder: Path, version: str, url: str) -> list[Path]:
    """A file for each metric, named after it."""
    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for one in found.standings:
        path = folder / f"{UNFIT.sub('-', one.metric.name.lower()).strip('-')}.json"
        text = msgspec.json.format(msgspec.json.encode(submission(one, found, version, url)), indent=1)
        write_whole(path, text + b"\n")
        written.append(path)
    return written


def submissions(folder: Path) -> Iterator[Submission]:
    """Those of this version of the bench; a file that is none is an error."""
    for path in sorted(folder.glob("*.json")):
        try:
            one = msgspec.json.decode(path.read_bytes(), type=Submission)
        except msgspec.DecodeError as error:
            raise BadInput(f"{path} is no submission: {error}.") from None
        if one.bench == VERSION:
            yield one


def order(found: Sequence[Submission]) -> list[Submission]:
    return sorted(found, key=lambda one: (-one.overall.value, one.name))


def comparable(found: Sequence[Submission]) -> list[Submission]:
    """Those of the sets that most were asked, asked in full."""
    whole = [one for one in found if one.sample is None]
    marks = Counter(tuple(sorted(one.sets.items())) for one in whole)
    if not marks:
        return []
    [(asked, _)] = marks.most_common(1)
    return order([one for one in whole if tuple(sorted(one.sets.items())) == asked])


def ranking(found: Sequence[Submission]) -> str:
    """A row for each, best first."""
    sets = [name for name in SETS if any(name in one.figures for one in found)]
    told = [f"{one.name} {one.version}".strip() for one in found]
    titles = [f"[{name}]({one.url})" if one.url else name for name, one in zip(told, found, strict=True)]
    return grid(head(sets), (row(one, title, sets) for one, title in zip(found, titles, strict=True)))


def leaderboard(folder: Path) -> str:
    """The page."""
    every = list(submissions(folder))
    found = comparable(every)
    asked = found[0].asked.items() if found else ()
    page: str = template("leaderboard.md.j2", "overread.bench").render(
        ranking=ranking(found) if found else "",
        questions=", ".join(f"{name} {count}" for name, count in asked),
        modalities=shares({one.name: one.modalities for one in found}),
        others=[f"{one.name} ({within(one.overall)})" for one in order([o for o in every if o not in found])],
        version=VERSION,
        canary=CANARY,
    )
    return page + "\n"
