"""A folder of results → report.html: one file, no network, everything inside, its systems at a glance first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.json import encode
from msgspec.structs import replace

from overread.pages import charts, findings
from overread.pages.book import Book
from overread.pages.faults.fault import CLASSES, GRADES
from overread.pages.followed import followed
from overread.pages.render import asset, card, inline, packed_json, policy, script, template
from overread.pages.words import best_of, clinical, headline, kind, leader, sure
from overread.runner.results.columns import Subgroups, addresses, read_columns
from overread.runner.results.rows import Row
from overread.runner.results.standings import BINS
from overread.runner.results.summary import Ranking, Standing, Summary
from overread.runner.run.folder import PAGE, Results
from overread.stats.bootstrap import Interval, mean_interval
from overread.whole import whole, writing


def write_page(place: str | Path, jobs: int = 1) -> Path:
    """Write the page of a finished run beside its results; `jobs` processes draw its cases."""
    folder = Path(place)
    html = page(Results(folder), jobs)
    with writing(folder), whole(folder / PAGE) as file:
        file.write(html.encode())
    return folder / PAGE


def page(results: Results, jobs: int = 1) -> str:
    """The page as text."""
    summary, systems = results.summary, list(results.summary.accounts)
    html, book, main = template(), Book(results, systems, jobs), headline_metric(summary.metrics)
    patients = followed(results.details() if summary.patients else ())
    inputs = [  # without their places on this machine: the page is made to be shown
        replace(
            one, path=Path(one.path).name, understood=one.understood.replace(one.path, Path(one.path).name)
        )
        for one in results.manifest.inputs
    ]
    css, code = asset("page.css"), script()
    organ_lines = book.census.lines("organ")
    images = {id: found for id, found in addresses(results.place).items() if id in book.places}
    deaf: dict[str, list[str]] = {}
    for one in summary.metrics:
        if known := card(one.name):
            deaf.setdefault(known.deaf, []).append(one.title)
    text: str = html.render(
        summary=summary,
        manifest=results.manifest,
        inputs=inputs,
        systems=systems,
        reference_name=Path(inputs[0].path).stem,
        headline=first_words(book, summary),
        profiles=profiles(main, book),
        main_metric=main,
        subgroups=breakdowns(read_columns(results.place).groups, main.name, results.rows(), book),
        grades=GRADES,
        leaders={m.name: leader(m) for m in summary.metrics},
        certain={m.name: sure(m) for m in summary.metrics},
        deaf=deaf,
        boards=boards(summary.metrics),
        cards={m.name: card(m.name) for m in summary.metrics},
        titles={m.name: m.title for m in summary.metrics},
        failed=summary.failed,
        tests=any(m.differences for m in summary.metrics),
        book=book,
        heat_columns=findings.columns(organ_lines),
        finding_lines=book.census.lines("finding")[: findings.MOST_FINDINGS],
        organ_lines=organ_lines,
        findings=findings,
        bins=BINS,
        patients=list(patients),
        charts=charts,
        data=inline({**facts(results, book, list(patients)), "images": images}),
        blobs=[*book.blobs(), ("followed", packed_json(encode(patients)) if patients else "")],
        style=css,
        script=code,
        policy=policy(code, css, bool(images)),
    )
    return text


def first_words(book: Book, summary: Summary) -> str:
    """What a page says first: who leads; of a single system its score and what it gets wrong."""
    main = headline_metric(summary.metrics)
    if len(book.systems) > 1:
        first = best_of(main)
        level = (
            f"No system leads alone: {', '.join(first)} share the best {main.title} score." if first else ""
        )
        return headline(summary.metrics) or level
    (only,) = profiles(main, book)
    return profile_sentence(only, main.title, summary.draws.level, graded=book.source == "overread")


def boards(metrics: tuple[Ranking, ...]) -> list[tuple[str, list[Ranking]]]:
    """Metrics by what they look at, clinical content first; word overlap stands apart."""
    content = clinical(metrics)
    found: dict[str, list[Ranking]] = {}
    for one in sorted(metrics, key=lambda one: one not in content):
        found.setdefault(kind(one), []).append(one)
    return list(found.items())


def facts(results: Results, book: Book, patients: list[str]) -> dict[str, Any]:
    """What the script must know before anything is opened."""
    return {
        "systems": list(results.summary.accounts),
        "metrics": [facts_of(m) for m in results.summary.metrics],
        "classes": CLASSES,
        "source": book.source,
        "main": headline_metric(results.summary.metrics).name,
        "grades": GRADES,
        "fingerprint": results.manifest.inputs[0].sha256[:12],
        "batch": book.BATCH,
        "patients": patients,
        "level": results.summary.draws.level,
    }


def facts_of(m: Ranking) -> dict[str, Any]:
    differences = [
        [d.first, d.second, d.difference, d.low, d.high, d.p_randomisation_holm] for d in m.differences
    ]
    return {
        "name": m.name, "title": m.title, "about": m.about, "kind": kind(m), "unit": m.unit, "top": m.top,
        "direction": m.direction, "signature": m.signature,
        "scores": {s: [one.value, one.low, one.high] for s, one in m.systems.items()},
        "differences": differences,
    }  # fmt: skip


GRAVE = ("critical", "significant", "")
"""Significances that count for the commonest error; what nobody graded does too."""


class Profile(Struct, frozen=True):
    """A system at one glance."""

    system: str
    standing: Standing | None
    """Under the headline metric; None where that has no value for it."""

    levels: dict[str, int]
    commonest: str | None
    """The kind of error it makes most often, among those that matter."""

    commonest_count: int
    reports: int


def headline_metric(metrics: Sequence[Ranking]) -> Ranking:
    """The metric a reader looks at first: the error ledger's, else the first clinical one, else the first."""
    ordered = [*(m for m in metrics if m.name == "overread"), *clinical(metrics), *metrics]
    return ordered[0]


def profiles(main: Ranking, book: Book) -> list[Profile]:
    census, found = book.census, []
    for system in census.kinds:
        kinds = {
            kind: sum(own.get(level, 0) for level in GRAVE) for kind, own in census.kinds[system].items()
        }
        count, commonest = max(((count, kind) for kind, count in kinds.items() if count), default=(0, None))
        levels = sum(census.kinds[system].values(), Counter())
        found.append(Profile(system, main.systems.get(system), levels, commonest, count, len(book.ids)))
    return found


def profile_sentence(one: Profile, title: str, level: float, graded: bool) -> str:
    """The same as a sentence, for a page of one system."""
    found, parts = one.standing, []
    if found is not None and found.value is not None:
        known = found.low is not None and found.high is not None
        interval = f" ({level:.0%} CI {found.low:.3f} to {found.high:.3f})" if known else ""
        parts.append(f"{one.system} scores {found.value:.3f}{interval} on {title}")
    if graded:
        counts = " and ".join(f"{one.levels.get(name, 0):,} {name}" for name in ("critical", "significant"))
        parts.append(f"{counts} errors in {one.reports:,} report{'s' if one.reports != 1 else ''}")
    if one.commonest:
        parts.append(f"most often: {one.commonest} ({one.commonest_count:,})")
    return f"{'; '.join(parts)}."


MOST_SUBGROUPS = 12
"""Values of a column in the table; rarer ones are put together."""

NONE, OTHERS = "not given", "others"


class SubgroupCell(Struct, frozen=True):
    """One system on the reports of one subgroup."""

    score: Interval | None
    """Mean over the reports that have a value."""

    serious: float
    """Critical and significant errors per report."""


class SubgroupLine(Struct, frozen=True):
    """One subgroup."""

    value: str
    reports: int
    systems: dict[str, SubgroupCell]


def breakdowns(
    groups: Subgroups, metric: str, rows: Iterable[Row], book: Book
) -> dict[str, list[SubgroupLine]]:
    """Every column that tells reports apart, with its subgroups."""
    values: dict[str, dict[str, float]] = {system: {} for system in book.systems}
    for row in rows:
        if row.metric == metric and row.unit == "report" and row.value is not None:
            values[row.system][row.id] = row.value
    found = {column: lines(by_id, values, book) for column, by_id in groups.items()}
    return {column: own for column, own in found.items() if len(own) > 1}


def lines(by_id: dict[str, str], values: dict[str, dict[str, float]], book: Book) -> list[SubgroupLine]:
    members: dict[str, list[str]] = {}
    for id, value in by_id.items():
        members.setdefault(value or NONE, []).append(id)
    ordered = sorted(members.items(), key=lambda one: (-len(one[1]), one[0]))
    if rare := [id for _, ids in ordered[MOST_SUBGROUPS:] for id in ids]:
        ordered[MOST_SUBGROUPS:] = [(OTHERS, rare)]
    return [
        SubgroupLine(
            value, len(ids), {system: cell(system, own, ids, book) for system, own in values.items()}
        )
        for value, ids in ordered
    ]


def cell(system: str, values: dict[str, float], ids: list[str], book: Book) -> SubgroupCell:
    scores = [values[id] for id in ids if id in values]
    verdicts = [book.verdicts[system][book.places[id]] for id in ids if id in book.places]
    serious = sum(one.level in ("critical", "significant") for found in verdicts for one in found.faults)
    interval = mean_interval(scores) if len(scores) > 1 else None
    return SubgroupCell(interval, serious / len(verdicts) if verdicts else 0.0)
