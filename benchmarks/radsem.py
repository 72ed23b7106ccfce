"""How long does a pair of reports take by rules, from text to score?

    python benchmarks/radsem.py [--pairs 300]

Invented sentences about chest, abdomen, brain and knee are put together into reports of about 135 words by a fixed
draw. Prints milliseconds a pair for reading, for atoms, for matching and scoring, and together, on one core, and
the share of reading in it: reading serves every other system as well.
"""

import argparse
import random
import time

from overread.reader import read
from overread.report import Report, parse
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.score import score

WORDS = 135
SENTENCES = (
    "Scattered ground-glass and solid nodules are seen in both lungs, some with indistinct margins.",
    "The trachea and main bronchi are patent.",
    "No enlarged lymph nodes are seen in the hilar or mediastinal regions.",
    "The heart is normal in size and shape, and the pericardium is unremarkable.",
    "A small right pleural effusion is present, with no effusion on the left.",
    "The liver shows multiple cystic low-density lesions, the largest measuring 19 mm.",
    "No dilatation of the intrahepatic or extrahepatic bile ducts.",
    "Both kidneys are normal in size, without hydronephrosis or calculi.",
    "Patchy lesions with low signal on T1WI and high signal on T2WI are seen in the left frontal lobe.",
    "The ventricles and sulci are widened, and the midline is not shifted.",
    "The anterior and posterior cruciate ligaments are intact.",
    "A linear high signal is seen in the posterior horn of the medial meniscus.",
    "Osteophytes are present at the margins of the distal femur, proximal tibia and patella.",
    "The right costophrenic angle is sharp, while the left is blunted.",
)


def reports(count: int) -> list[Report]:
    """Reports of about `WORDS` words, always the same ones."""
    draw = random.Random(11)
    made = []
    for number in range(count):
        text = ""
        while len(text.split()) < WORDS:
            text += draw.choice(SENTENCES) + " "
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
    start = time.perf_counter()
    readings = [read(report) for report in corpus]
    read_at = time.perf_counter()
    views = [view(reading) for reading in readings]
    viewed_at = time.perf_counter()
    for one, two in zip(views[::2], views[1::2], strict=True):
        score(one, two)
    end = time.perf_counter()
    steps = {
        "reading": read_at - start,
        "atoms": viewed_at - read_at,
        "matching and scoring": end - viewed_at,
    }
    for name, seconds in (*steps.items(), ("together", end - start)):
        print(f"{name:<22}{seconds / pairs * 1000:7.2f} ms a pair")
    atoms = sum(len(v.atoms) for v in views) / len(views)
    print(f"{atoms:.0f} atoms a report; reading is {steps['reading'] / (end - start):.0%} of the time")


if __name__ == "__main__":
    main()
