"""A folder of results → report.html: one file, no network, everything inside."""

from pathlib import Path
from typing import Any

from msgspec.json import encode
from msgspec.structs import replace

from overread.pages import charts, findings
from overread.pages.book import Book
from overread.pages.faults.fault import CLASSES, GRADES
from overread.pages.followed import followed
from overread.pages.profiles import breakdowns, headline_metric, profile_sentence, profiles
from overread.pages.render import asset, card, inline, packed_json, policy, script, template
from overread.pages.words import best_of, clinical, headline, kind, leader, sure
from overread.runner.results.columns import addresses, read_columns
from overread.runner.results.standings import BINS
from overread.runner.results.summary import Ranking, Summary
from overread.runner.run.folder import PAGE, Results
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
    html, book = template(), Book(results, systems, jobs)
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
        profiles=profiles(summary.metrics, book.census, len(book.ids)),
        main_metric=headline_metric(summary.metrics),
        subgroups=breakdowns(
            read_columns(results.place).groups,
            headline_metric(summary.metrics).name,
            results.rows(),
            book,
        ),
        grades=GRADES,
        leaders={m.name: leader(m) for m in summary.metrics},
        certain={m.name: sure(m) for m in summary.metrics},
        deaf=deaf,
        boards=boards(summary.metrics),
        cards={m.name: card(m.name) for m in summary.metrics},
        titles={m.name: m.title for m in summary.metrics},
        failed=sum(one.failed for m in summary.metrics for one in m.systems.values()),
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
    (only,) = profiles(summary.metrics, book.census, len(book.ids))
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
