"""Reports per second on one core: our reader and the peer rule engine medspaCy, in one run.

    python benchmarks/reading.py [--reports 300] [--peer /path/to/peer/bin/python]

medspaCy needs old versions of its own, so it lives in an environment of its own:

    python -m venv /tmp/peer && /tmp/peer/bin/pip install 'numpy<2' 'spacy<3.8' medspacy

Texts are `openi_dev.jsonl` from the folder in OVERREAD_DATA when that is set, else reports put together from
invented sentences. The peer runs its target matcher and ConText with its own rules, once with our finding terms alone
and once with every term our reader looks up (findings, places, attributes); both sides take turns, and the ratios of
the best rounds are printed. Our reader remembers sentences it has met in a run, as reports repeat each other; each
round begins with nothing remembered.
"""

import argparse
import json
import os
import random
import subprocess
import sys
from pathlib import Path
from time import process_time

from lines import rows

from overread.lexicon.lexicon import lexicon
from overread.reader import read
from overread.reader.hearing import encoded
from overread.report import parse

SENTENCES = (
    "The lungs are clear.",
    "There is neither consolidation nor effusion, and no pneumothorax.",
    "The cardiac silhouette and the mediastinum are unremarkable.",
    "Small left pleural effusion with adjacent atelectasis.",
    "Patchy right lower lobe opacity, possibly pneumonia.",
    "Degenerative changes of the thoracic spine.",
    "The right internal jugular catheter terminates in the mid SVC.",
    "Stable cardiomegaly without overt edema.",
    "There is a 7 mm calcified granuloma in the left upper lobe, unchanged.",
    "Mild interstitial prominence may represent chronic change.",
)


def invented(count: int) -> list[str]:
    chance = random.Random(7)
    return ["FINDINGS: " + " ".join(chance.choices(SENTENCES, k=8)) for _ in range(count)]


def texts(count: int) -> list[str]:
    folder = os.environ.get("OVERREAD_DATA")
    if not folder:
        return invented(count)
    found = rows(Path(folder) / "openi_dev.jsonl", "id")
    names = ("indication", "findings", "impression")
    return ["\n\n".join(f"{n.upper()}: {r[n]}" for n in names if r.get(n)) for r in found[:count]]


def ours(reports: list[str]) -> float:
    encoded.cache_clear()
    start = process_time()
    for text in reports:
        _ = read(parse(text)).findings
    return process_time() - start


def terms(every: bool) -> list[str]:
    """Our finding terms, or every term the reader looks up."""
    return sorted({row.form for row in lexicon().rows if every or row.table == "findings"})


def peer(python: str, reports: list[str], every: bool) -> float:
    """Processor seconds the peer needs for the same texts, its start-up not counted."""
    script = Path(__file__).with_name("peer_medspacy.py")
    done = subprocess.run(
        [python, str(script)],
        input=json.dumps({"terms": terms(every), "texts": reports}),
        capture_output=True,
        text=True,
    )
    if done.returncode:
        sys.exit(f"The peer failed: {done.stderr.strip()[-400:]}")
    return float(done.stdout.split()[-1])


def growth() -> None:
    """Seconds per thousand words as one report grows: flat when the cost is linear."""
    print("\nlength of one report and time per 1,000 words")
    for times in (10, 40, 160, 640):
        text = "FINDINGS: " + " ".join(SENTENCES * times)
        seconds = min(ours([text]) for _ in range(2))
        words = len(text.split())
        print(f"  {words:>7,} words  {1000 * seconds / words * 1000:7.2f} ms")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument(
        "--peer", default=os.environ.get("OVERREAD_PEER"), help="python of the medspaCy environment"
    )
    chosen = parser.parse_args()
    reports = texts(chosen.reports)
    ours(invented(20))
    mine: list[float] = []
    theirs: dict[bool, list[float]] = {False: [], True: []}
    for _ in range(chosen.rounds):
        mine.append(ours(reports))
        for every, seconds in theirs.items() if chosen.peer else ():
            seconds.append(peer(chosen.peer, reports, every))
    words = sum(len(t.split()) for t in reports) / len(reports)
    print(f"{len(reports)} reports of {words:.0f} words on average, best of {chosen.rounds} rounds, one core")
    print(f"  overread                      {len(reports) / min(mine):8.0f} reports/s")
    for every, seconds in theirs.items():
        name = f"medspaCy, {len(terms(every)):,} terms"
        if seconds:
            print(
                f"  {name:<29} {len(reports) / min(seconds):8.0f} reports/s, ratio {min(seconds) / min(mine):.1f}"
            )
    if not chosen.peer:
        print("  medspaCy was not measured: pass --peer (see --help)")
    growth()


if __name__ == "__main__":
    main()
