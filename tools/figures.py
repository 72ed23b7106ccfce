"""Measure overread as shipped and write docs/figures.toml: every figure of accuracy that a page shows.

    python tools/figures.py            # all of it, about three minutes on two cores
    python tools/figures.py --only probes

Nothing is switched off, no option is set. The texts are invented and stand in this repository. Failures are counted
and not printed: whoever reads them measures nothing any more.
"""

import argparse
import sys
import tomllib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from overread.corpus import layered
from overread.corpus.agree import agreement, compare_reports
from overread.corpus.files import load_annotated, notation_files
from overread.corpus.reading import as_comparable, as_read
from overread.network.encoder import encoder
from overread.stats.bootstrap import f1_interval
from overread.validation.laws.law import bundled
from overread.validation.laws.readings import check_readings
from overread.validation.laws.scores import check_scores, scorer
from overread.validation.measured import Asking
from overread.version import __version__

ROOT = Path(__file__).parents[1]
FILE = ROOT / "docs" / "figures.toml"
TESTS = ROOT / "tests"
Rows = dict[str, str]
"""What is measured → the figure as it is shown."""


def shown(value: float | None) -> str:
    """
    >>> shown(0.9574), shown(1.0), shown(None)
    ('.957', '1.00', '–')
    """
    return "–" if value is None else "1.00" if value > 0.9995 else f"{value:.3f}".lstrip("0")


def corpus() -> Rows:
    """The test part of the corpus: the reading, with intervals over reports, and how far two annotations agree."""
    reports = [report for _, report in load_annotated(notation_files([ROOT / "corpus" / "test"]))]
    blind = [
        [report for _, report in load_annotated(notation_files([ROOT / "corpus" / "blind" / name]))]
        for name in ("first", "second")
    ]
    found: Rows = {}
    for name, films in (("films", True), ("others", False)):
        own = [r for r in reports if r.about["modality"].startswith("XR chest") == films]
        ids = {r.id for r in own}
        each = [agreement([one]) for one in compare_reports(map(as_comparable, own), as_read(own))]
        people = agreement(compare_reports(*([r for r in side if r.id in ids] for side in blind)))
        found[f"{name}, reports"] = str(len(own))
        for measure in ("entity", "status", "certainty", "triplet", "attributes", "evidence"):
            of = [tallies[measure] for tallies in each]
            read = f1_interval(of)
            found[f"{name}, {measure}"] = shown(read.value)
            found[f"{name}, {measure}, interval"] = f"{shown(read.low)}–{shown(read.high)}"
            found[f"{name}, {measure}, annotators"] = shown(people[measure].f1)
    return found


def views() -> Rows:
    """What each system's view says of the chest films of the test part that have layers."""
    gold = layered.layers_beside(ROOT / "corpus" / "test")
    found = layered.compared(gold)
    return {"films": str(len(gold))} | {name: shown(counts.f1) for name, counts in found.items()}


def probes() -> Rows:
    """Short texts over 24 phenomena of language, and whole reports of other kinds, settings and layouts."""
    sys.path.insert(0, str(ROOT / "benchmarks"))
    from language import measured

    sets = {
        "probes": TESTS / "judge" / "probes" / "probes.jsonl",
        "kinds": TESTS / "reader" / "kinds" / "kinds.jsonl",
        "settings": TESTS / "reader" / "settings" / "settings.jsonl",
        "layouts": TESTS / "reader" / "layouts" / "layouts.jsonl",
    }
    found: Rows = {}
    for name, path in sets.items():
        facts, whole, atoms, texts = measured(path)
        found |= {
            f"{name}, texts": str(texts),
            f"{name}, facts": shown(facts),
            f"{name}, whole texts": shown(whole),
            f"{name}, atoms": shown(atoms),
        }
    return found


def laws() -> Rows:
    """Breaks of the laws of readings, and of those of scores for the two metrics that rewards are made of."""
    reports = bundled()
    outcomes = check_readings(reports)
    for name, score in scorer(["overread", "radsem"], Asking()).items():
        outcomes += check_scores(score, reports, name)
    return {f"law {o.law}, {o.metric or 'reading'}: {o.name}": f"{o.broken} of {o.tried:,}" for o in outcomes}


PARTS: dict[str, Callable[[], Rows]] = {"corpus": corpus, "views": views, "probes": probes, "laws": laws}


def written(parts: dict[str, Rows]) -> str:
    judge = encoder()
    head = [
        "# Written by tools/figures.py; do not edit. Pages take their figures from here (docs/make_figures.py).",
        f'measured = "{datetime.now(UTC):%Y-%m-%d}"',
        f'version = "{__version__}"',
        f'network = "{judge.hash if judge else "off"}"',
    ]
    for name, rows in parts.items():
        head += ["", f"[{name}]", *(f'"{what}" = "{value}"' for what, value in rows.items())]
    return "\n".join(head) + "\n"


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument(
        "--only", choices=PARTS, action="append", help="measure this part alone and keep the others"
    )
    ap.add_argument("--print", action="store_true", help="print instead of writing the file")
    a = ap.parse_args()
    old = tomllib.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    wanted = a.only or list(PARTS)
    made = written({name: work() if name in wanted else old.get(name, {}) for name, work in PARTS.items()})
    print(made, end="") if a.print else FILE.write_text(made, "utf-8")


if __name__ == "__main__":
    main()
