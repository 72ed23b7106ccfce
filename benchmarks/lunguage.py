"""How long LUNGUAGESCORE takes on one core, with the embedded encoder.

    python benchmarks/lunguage.py

Prints the first score of a pair (every phrase new) and the next ones (phrases known), for reports of 10 to 80 findings
and for patients of 3 to 14 studies, and beside them what following the patient takes. Reports are invented.
"""

import argparse
import random
from statistics import median
from time import perf_counter

from overread.encoders.embedded import Embedded, Remembering
from overread.report.span import Span
from overread.systems.lunguage.follow import follow
from overread.systems.lunguage.schema import Quote, StructuredFinding, StructuredReport, StudyView
from overread.systems.lunguage.score import score_reports, score_timelines

ENTITIES = (
    "pleural effusion", "atelectasis", "opacity", "pneumothorax", "nodule", "heart size", "mediastinal contours",
    "endotracheal tube", "PICC", "consolidation", "edema", "rib fractures", "granuloma", "lungs", "vascular congestion",
)  # fmt: skip
WORDS = {
    "location": ("left", "right lower lobe", "bibasilar", "right apical", "left upper zone", "retrocardiac"),
    "severity": ("small", "moderate", "large", "trace"),
    "morphology": ("streaky", "patchy", "linear", "rounded"),
    "measurement": ("8 mm", "2.3 cm", "multiple", "normal"),
    "improved": ("decreased", "smaller", "has resolved"),
    "worsened": ("increased", "larger"),
    "no_change": ("unchanged", "stable", "again seen"),
}


def finding(chance: random.Random, number: int) -> StructuredFinding:
    named = {name: [chance.choice(words)] for name, words in WORDS.items() if chance.random() < 0.35}
    status = "positive" if chance.random() < 0.7 else "negative"
    return StructuredFinding(
        f"f{number}", "findings", Quote(0, 0, ""), chance.choice(ENTITIES), "PF", status, "definitive", named,
        spans={"entity": [Span(0, 1)]},
    )  # fmt: skip


def report(chance: random.Random, findings: int) -> StructuredReport:
    return StructuredReport("r", [finding(chance, number) for number in range(1, findings + 1)])


def patient(chance: random.Random, studies: int, findings: int) -> list[StudyView]:
    return [StudyView(str(n), 9.0 * n, report(chance, findings)) for n in range(1, studies + 1)]


def milliseconds(work, *arguments) -> float:
    start = perf_counter()
    work(*arguments)
    return 1000 * (perf_counter() - start)


def row(name: str, work, *arguments) -> None:
    """First with an encoder that has seen nothing, then again."""
    encoder = Remembering(Embedded())
    first = milliseconds(work, *arguments, encoder)
    again = [milliseconds(work, *arguments, encoder) for _ in range(7)]
    print(f"{name:<44}{first:>10.1f}{median(again):>10.1f}")


def main() -> None:
    argparse.ArgumentParser(description=__doc__.split("\n")[0]).parse_args()
    chance = random.Random(3)
    score_reports(report(chance, 2), report(chance, 2))  # loads lexicon and assignment
    print(f"{'milliseconds':<44}{'first':>10}{'again':>10}")
    for count in (10, 20, 40, 80):
        row(f"two reports of {count} findings", score_reports, report(chance, count), report(chance, count))
    for studies in (3, 6, 14):
        mine, theirs = patient(chance, studies, 10), patient(chance, studies, 10)
        timelines = follow("p", mine), follow("p", theirs)
        row(f"two patients of {studies} studies, {10 * studies} findings", score_timelines, *timelines)
        followed = median(milliseconds(follow, "p", mine) for _ in range(7))
        print(f"{'  following one of them':<44}{'':>10}{followed:>10.1f}")


if __name__ == "__main__":
    main()
