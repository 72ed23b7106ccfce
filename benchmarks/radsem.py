"""How long does a pair of reports take, from text to score?

    python benchmarks/radsem.py [--pairs 300]

Invented sentences about chest, abdomen, brain and knee, with sides, sizes and levels drawn at random, are put together
into reports of about 135 words by a fixed draw. Prints milliseconds of processor time a pair, on one core: for finding
sections and sentences, for the atoms of sentences never met before, and for matching and scoring; the median of several
rounds, each with new reports, and the best one. The last line is a pair in a process that searches memory for garbage
as seldom as the command does.
"""

import argparse
import random
import time
from collections.abc import Callable
from statistics import median
from typing import TypeVar

from overread.baselines.registry import lookup
from overread.reader import read
from overread.report import parse
from overread.runner.run.process import search_seldom
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.score import score

T = TypeVar("T")
WORDS = 135
WHOLE = "a pair, from text to score"
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


def texts(count: int, draw: random.Random) -> list[str]:
    """Reports of about `WORDS` words, always the same ones for a draw."""
    made = []
    for _ in range(count):
        text = ""
        while len(text.split()) < WORDS:
            level = draw.randint(1, 4)
            size, side = draw.randint(10, 9999) / 10, draw.choice(("left", "right"))
            text += draw.choice(SENTENCES).format(size=size, side=side, level=level, below=level + 1) + " "
        made.append(text)
    return made


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pairs", type=int, default=60, help="pairs in a round")
    parser.add_argument("--rounds", type=int, default=9)
    asked = parser.parse_args()
    draw = random.Random(11)
    view(read(parse(texts(1, draw)[0])))  # tables and matchers are built once
    rounds = [one_round(texts(2 * asked.pairs, draw)) for _ in range(asked.rounds)]
    search_seldom()
    as_command = [one_round(texts(2 * asked.pairs, draw)) for _ in range(asked.rounds)]
    print(f"{'ms a pair':<34}{'median':>8}{'best':>8}")
    for name in rounds[0]:
        tell(name, [1000 * r[name] / asked.pairs for r in rounds])
    tell("the same in `overread score`", [1000 * r[WHOLE] / asked.pairs for r in as_command])
    ratio = median(r[WHOLE] / r["BLEU-4 of the same pairs"] for r in rounds)
    print(f"a RadSEM pair takes as long as {ratio:.0f} pairs of BLEU-4")


def tell(name: str, taken: list[float]) -> None:
    print(f"{name:<34}{median(taken):8.2f}{min(taken):8.2f}")


def one_round(corpus: list[str]) -> dict[str, float]:
    steps: dict[str, float] = {}
    parsed = timed(steps, "sections and sentences", lambda: [parse(text) for text in corpus])
    readings = timed(steps, "reading", lambda: [read(report) for report in parsed])
    views = timed(steps, "atoms", lambda: [view(reading) for reading in readings])
    timed(
        steps,
        "matching and scoring",
        lambda: [score(a, b) for a, b in zip(views[::2], views[1::2], strict=True)],
    )
    steps[WHOLE] = sum(steps.values())
    bleu = lookup("bleu-4").score
    timed(
        steps,
        "BLEU-4 of the same pairs",
        lambda: [bleu(a, b) for a, b in zip(corpus[::2], corpus[1::2], strict=True)],
    )
    return steps


def timed(steps: dict[str, float], name: str, work: Callable[[], T]) -> T:
    start = time.process_time()
    done = work()
    steps[name] = time.process_time() - start
    return done


if __name__ == "__main__":
    main()
