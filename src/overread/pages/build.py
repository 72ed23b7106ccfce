"""A folder of results → report.html: one file, no network, everything inside."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from overread.pages import charts
from overread.pages.cases import cases, told
from overread.pages.followed import followed
from overread.pages.pack import batches, inline, packed
from overread.pages.words import headline, kind, leader, p_value, score
from overread.runner.folder import PAGE, Results
from overread.runner.manifest import Input
from overread.runner.standings import BINS
from overread.runner.whole import whole, writing

BATCH = 25
"""Pairs opened together when one of them is looked at."""


def write_page(place: Path) -> Path:
    """Write the page of a finished run beside its results."""
    html = page(Results(place))
    with writing(place), whole(place / PAGE) as file:
        file.write(html.encode())
    return place / PAGE


def page(results: Results) -> str:
    """The page as text."""
    summary = results.summary
    systems = list(summary.accounts)
    shown = [detail.id for detail in results.details() if detail.unit == "report"]
    listed, rows = cases(results.rows(), {id: n for n, id in enumerate(shown)}, systems)
    chunks = [packed(dict(batch)) for batch in batches(told(results.details(), rows), BATCH)]
    patients = followed(results.details())
    data = {
        "cases": listed,
        "batch": BATCH,
        "systems": systems,
        "metrics": metrics_of(results),
        "patients": list(patients),
    }
    style, script = asset("page.css"), asset("page.js")
    html: str = template().render(
        summary=summary,
        manifest=results.manifest,
        inputs=[without_folder(one) for one in results.manifest.inputs],
        policy=policy(style, script),
        systems=systems,
        reference_name=Path(results.manifest.inputs[0].path).stem,
        headline=headline(summary.metrics),
        leaders={m.name: leader(m) for m in summary.metrics},
        kinds={m.name: kind(m) for m in summary.metrics},
        several_kinds=len({kind(m) for m in summary.metrics}) > 1,
        titles={m.name: m.title for m in summary.metrics},
        failed=sum(one.failed for m in summary.metrics for one in m.systems.values()),
        tests=any(m.differences for m in summary.metrics),
        explained=len(shown),
        bins=BINS,
        has_patients=bool(patients),
        followed=packed(patients) if patients else "",
        charts=charts,
        data=inline(data),
        chunks=chunks,
        style=style,
        script=script,
    )
    return html


def policy(style: str, script: str) -> str:
    """What a browser may do with the page: its own style and script, by their hashes, and nothing from anywhere."""
    return (
        f"default-src 'none'; style-src {quoted_hash(style)}; script-src {quoted_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def quoted_hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def without_folder(one: Input) -> Input:
    """The file without its place on this machine: the page is made to be shown."""
    name = Path(one.path).name
    return replace(one, path=name, understood=one.understood.replace(one.path, name))


def metrics_of(results: Results) -> list[dict[str, Any]]:
    """What the script must know of each metric."""
    return [
        {
            "name": m.name,
            "title": m.title,
            "about": m.about,
            "unit": m.unit,
            "top": m.top,
            "direction": m.direction,
        }
        for m in results.summary.metrics
    ]


def asset(name: str) -> str:
    return (files("overread.pages") / "templates" / name).read_text(encoding="utf-8")


def template() -> Any:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("overread.pages"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["score"] = score
    environment.filters["p"] = p_value
    return environment.get_template("report.html.j2")
