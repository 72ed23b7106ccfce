"""Packages of strangers, as pip would leave them: a module and a dist-info folder, in a place on the path."""

from textwrap import dedent

import pytest

from overread import plugins
from overread.baselines import registry as baselines
from overread.systems import registry

TOY = '''
"""Counts words of fright."""

from msgspec import Struct, structs

from overread.systems.base import Metric, Score, System
from overread.systems.panel import Panel


class Frights(Struct, frozen=True):
    id: str
    words: list[str]


def view(reading):
    said = reading.report.text.lower()
    return Frights(reading.report.id, [word for word in ("mass", "fracture", "effusion") if word in said])


def score(reference, candidate):
    matched = [w for w in reference.words if w in candidate.words]
    missed = [w for w in reference.words if w not in candidate.words]
    invented = [w for w in candidate.words if w not in reference.words]
    total = 2 * len(matched) + len(missed) + len(invented)
    if not total:
        return Score(None, "nothing frightening on either side")
    detail = {"matched": matched, "missed": missed, "invented": invented}
    return Score(2 * len(matched) / total, counts={"matched": len(matched), "total": total}, detail=detail)


def panel(detail):
    return Panel(f"Shock: {', '.join(detail['missed'])}")


def outcomes(detail):
    for kind in ("matched", "missed", "invented"):
        yield from (("Frights (toy)", word, kind) for word in detail[kind])


SYSTEM = System(
    name="fright", about="words that frighten", view=Frights, by_rules=view,
    metrics=(Metric("fright-f1", "F1 of frightening words", score),), titles={"fright-f1": "Fright"},
)
EXPLAINED = structs.replace(
    SYSTEM, name="shock", metrics=(Metric("shock-f1", "the same, explained", score),), panel="toy_frights"
)


def same_length(reference, candidate):
    """Shorter text by longer text, in characters."""
    longer = max(len(reference), len(candidate))
    return min(len(reference), len(candidate)) / longer if longer else None
'''


def install(place, package, version, code, entries):
    """What `pip install` leaves behind, without pip."""
    (place / f"{package}.py").write_text(dedent(code))
    info = place / f"{package}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    lines = "\n".join(f"[{group}]\n" + "\n".join(lines) for group, lines in entries.items())
    (info / "entry_points.txt").write_text(lines + "\n")


def forget():
    for known in (plugins.plugins, registry.added_system, baselines.of_plugin):
        known.cache_clear()


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """A function that installs a package for the length of a test."""
    place = tmp_path / "site-packages"
    place.mkdir()
    monkeypatch.syspath_prepend(str(place))

    def run(package, code, version="1.2", **groups):
        entries = {f"overread.{group}": lines for group, lines in groups.items()}
        install(place, package, version, code, entries)
        forget()

    yield run
    forget()


@pytest.fixture
def toy(installed):
    """A package with a system and a metric."""
    installed(
        "toy_frights",
        TOY,
        systems=["fright = toy_frights:SYSTEM", "shock = toy_frights:EXPLAINED"],
        metrics=["same-length = toy_frights:same_length"],
    )
