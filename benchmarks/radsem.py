"""How long does a pair of reports take by rules, from text to score?

    python benchmarks/radsem.py [--pairs 300]

Invented sentences about chest, abdomen, brain and knee, with sides, sizes and levels drawn at random, are put together
into reports of about 135 words by a fixed draw. Prints milliseconds a pair, on one core, for reading (which serves
every other system as well), for the atoms of sentences never met before, for those of sentences met before (reports
repeat themselves word for word), and for matching and scoring.
"""

import argparse
import random
import time
from collections.abc import Callable
from typing import TypeVar

from overread.reader import read
from overread.report import Report, parse
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.score import score

T = TypeVar("T")
WORDS = 135
SENTENCES = (
    "Scattered ground-glass and solid nodules of {size} mm are seen in the {side} lung, some with indistinct margins.",
    "The trachea and {side} main bronchus are patent.",
    "No node beyond {size} mm at the hila or in the mediastinum.",
    "Heart and pericardium are unremarkable.",
    "A small {side} pleural effusion of {size} mm is present.",
    "The liver shows multiple cystic low-density lesions, the largest measuring {size} mm.",
    "No dilatation of the intrahepatic or extrahepatic bile ducts beyond {size} mm.",
    "The {side} kidney is normal in size, with a calculus of {size} mm and no hydronephrosis.",
    "The {side} frontal lobe has patchy lesions of {size} mm, dark on T1WI and bright on T2WI and FLAIR.",
    "The ventricles and sulci are widened to {size} mm, and the midline is not shifted.",
    "The anterior and posterior cruciate ligaments of the {side} knee are intact.",
    "A linear high signal of {size} mm is seen in the posterior horn of the {side} medial meniscus.",
    "Osteophytes of {size} mm are present at the margins of the {side} distal femur, proximal tibia and patella.",
    "The disc at L{level}/{below} protrudes by {size} mm and compresses the thecal sac.",
)


def reports(count: int) -> list[Report]:
    """Reports of about `WORDS` words, always the same ones."""
    draw = random.Random(11)
    made = []
    for number in range(count):
        text = ""
        while len(text.split()) < WORDS:
            level = draw.randint(1, 4)
            size, side = draw.randint(10, 999) / 10, draw.choice(("left", "right"))
            text += draw.choice(SENTENCES).format(size=size, side=side, level=level, below=level + 1) + " "
        made.append(parse(text, f"r{number}"))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=300)
    pairs = parser.parse_args().pairs
    corpus = reports(2 * pairs)
    view(read(corpus[0]))  # tables and matchers are built once
    steps: dict[str, float] = {}
    readings = timed(steps, "reading", lambda: [read(report) for report in corpus])
    views = timed(steps, "atoms, new sentences", lambda: [view(reading) for reading in readings])
    timed(
        steps,
        "matching and scoring",
        lambda: [score(a, b) for a, b in zip(views[::2], views[1::2], strict=True)],
    )
    again: dict[str, float] = {}
    timed(again, "atoms, known sentences", lambda: [view(reading) for reading in readings[-200:]])
    for name, seconds in (*steps.items(), ("together", sum(steps.values()))):
        print(f"{name:<24}{seconds / pairs * 1000:7.2f} ms a pair")
    print(f"{'atoms, known sentences':<24}{again['atoms, known sentences'] / 100 * 1000:7.2f} ms a pair")
    print(f"{sum(len(v.atoms) for v in views) / len(views):.0f} atoms a report")


def timed(steps: dict[str, float], name: str, work: Callable[[], T]) -> T:
    start = time.perf_counter()
    done = work()
    steps[name] = time.perf_counter() - start
    return done


if __name__ == "__main__":
    main()
