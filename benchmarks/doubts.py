"""Is what `overread read --check` doubts worth a second look? How many doubtful findings are wrong, how many others.

    python benchmarks/doubts.py                                  # tests/judge/probes
    python benchmarks/doubts.py other.jsonl                      # texts with facts, one object a line
    OVERREAD_DATA=folder python benchmarks/doubts.py --reports   # annotated reports: gold_dev.jsonl

A finding is wrong when no fact that names it is as it was read (`language.py` says how they are compared). Findings
that no fact names are counted, but are neither right nor wrong. Of annotated reports, a finding of the same words in
the same sentence must have the same status, certainty and trends.
Only counts are printed: whoever reads failures measures nothing any more.
"""

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from language import TEXTS, has_all_words, meant
from lines import rows

from overread.reader import Finding, Reading, read
from overread.reader.check import check
from overread.report import Report, from_sections, parse

Wrong = Callable[[Reading, Finding], bool | None]
"""Is a finding wrong? None where nobody says."""

TRENDS = ("improved", "worsened", "no_change")


def by_facts(row: dict[str, Any]) -> Wrong:
    def wrong(reading: Reading, finding: Finding) -> bool | None:
        said = f"{finding.entity} {' '.join(a.text for a in finding.values('location'))}"
        known = [
            f
            for f in row["facts"]
            if has_all_words(finding.entity if f["status"] == "none" else said, f["what"])
        ]
        told = [f for f in known if f["status"] != "none"]
        return not any(meant(finding, f) for f in told) if known else None

    return wrong


def by_annotation(row: dict[str, Any]) -> Wrong:
    def wrong(reading: Reading, finding: Finding) -> bool | None:
        sentence = reading.text(reading.sentences[finding.sentence].span).strip()
        same = {s["i"] for s in row["sentences"] if sentence in s["text"]}
        told = [
            g for g in row["findings"] if g["i"] in same and g["entity"].lower() == finding.entity.lower()
        ]
        return not any(annotated(finding, g) for g in told) if told else None

    return wrong


def annotated(finding: Finding, gold: dict[str, Any]) -> bool:
    trends = all(bool(finding.values(name)) == bool(gold["attributes"].get(name)) for name in TRENDS)
    return (finding.status, finding.certainty) == (gold["status"], gold["certainty"]) and trends


def texts(path: Path) -> Iterator[tuple[Report, Wrong]]:
    for row in rows(path, "id", "text", "facts"):
        yield parse(row["text"], row["id"]), by_facts(row)


def reports(path: Path) -> Iterator[tuple[Report, Wrong]]:
    for row in rows(path, "id", "findings_section", "sentences", "findings"):
        sections = {"findings": row["findings_section"], "impression": row.get("impression_section")}
        yield from_sections({k: v for k, v in sections.items() if v}, row["id"]), by_annotation(row)


def count(report: Report, wrong: Wrong, into: Counter[tuple[str, str]]) -> None:
    reading = read(report)
    doubtful = {d.finding for d in check(reading)}
    for finding in reading.findings:
        group = "doubtful" if finding.id in doubtful else "others"
        verdict = wrong(reading, finding)
        into[group, "all"] += 1
        into[group, "judged"] += verdict is not None
        into[group, "wrong"] += bool(verdict)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", type=Path, nargs="?", default=TEXTS)
    parser.add_argument(
        "--reports", action="store_true", help="annotated reports in the folder OVERREAD_DATA"
    )
    given = parser.parse_args()
    folder = os.environ.get("OVERREAD_DATA")
    if given.reports and not folder:
        sys.exit("Set OVERREAD_DATA to the folder that holds gold_dev.jsonl.")
    source = reports(Path(folder or "") / "gold_dev.jsonl") if given.reports else texts(given.texts)
    counts: Counter[tuple[str, str]] = Counter()
    start = time.perf_counter()
    many = 0
    for report, wrong in source:
        count(report, wrong, counts)
        many += 1
    show(counts)
    print(f"{1000 * (time.perf_counter() - start) / many:.0f} ms a text, read and checked")


def show(counts: Counter[tuple[str, str]]) -> None:
    total = sum(counts[group, "all"] for group in ("doubtful", "others"))
    print(f"{'findings':<34}{'all':>6}{'share':>8}{'judged':>8}{'wrong':>7}{'share':>8}")
    for group in ("doubtful", "others"):
        every, judged, wrong = (counts[group, name] for name in ("all", "judged", "wrong"))
        print(
            f"{group:<34}{every:>6}{every / max(total, 1):>8.3f}{judged:>8}{wrong:>7}{wrong / max(judged, 1):>8.2f}"
        )


if __name__ == "__main__":
    main()
