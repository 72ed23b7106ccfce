"""How many sentences a second do the rules annotate, beside the published language model?

    python benchmarks/longitudinal.py [--sentences 20000]

Invented sentences are put together into follow-up reports by a fixed draw, read in one process, and annotated.
Prints sentences per second of reading and annotating together, of annotating alone, and the ratio to the
published seconds per sentence of a 32-billion-parameter model on one A100 (which classified only).
"""

import argparse
import random
import time

from overread.reader import Reading, read
from overread.report import Report, parse
from overread.systems.longitudinal.by_rules import view
from overread.systems.longitudinal.schema import longitudinal_constants

SENTENCES = (
    "The heart is mildly enlarged, unchanged.",
    "Small left pleural effusion has decreased since the prior exam.",
    "No pneumothorax.",
    "New patchy opacity at the right base, suspicious for pneumonia.",
    "The right PICC ends in the lower SVC.",
    "The endotracheal tube has been removed.",
    "Mild interstitial edema is slightly worse.",
    "There is no focal consolidation, pleural effusion or pneumothorax.",
    "Calcified granuloma in the left upper lobe is again seen.",
    "Degenerative changes of the thoracic spine.",
    "Lung volumes are low with bibasilar atelectasis.",
    "The mediastinal contours are stable and within normal limits.",
)


def reports(sentences: int, per_report: int = 8) -> list[Report]:
    """Reports of `per_report` sentences each, always the same ones."""
    draw = random.Random(7)
    texts = (" ".join(draw.choices(SENTENCES, k=per_report)) for _ in range(sentences // per_report))
    return [parse(f"FINDINGS: {text}", f"r{n}") for n, text in enumerate(texts)]


def whole(report: Report) -> Reading:
    reading = read(report)
    _ = reading.findings  # worked out now, not when the view asks
    return reading


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sentences", type=int, default=20_000)
    corpus = reports(parser.parse_args().sentences)
    view(read(corpus[0]))  # tables and matcher are built once, not per sentence
    start = time.perf_counter()
    readings: list[Reading] = [whole(report) for report in corpus]
    middle = time.perf_counter()
    views = [view(reading) for reading in readings]
    end = time.perf_counter()
    sentences = sum(len(one.sentences) for one in views)
    rate = sentences / (end - start)
    model, seconds = next(iter(longitudinal_constants()["seconds_per_sentence"]["systems"].items()))
    print(
        f"{sentences:,} sentences in {len(corpus):,} reports, {sum(len(v.compared()) for v in views):,} compare"
    )
    print(f"reading and annotating: {rate:,.0f} sentences a second ({1000 / rate:.3f} ms each)")
    print(f"annotating alone:       {sentences / (end - middle):,.0f} sentences a second")
    print(f"published, {model}: {seconds} s a sentence; this is {rate * seconds:,.0f} times as fast")


if __name__ == "__main__":
    main()
