"""A second reading of the utterances: draw lines to label anew, then hold the two labellings against each other.

    python reread.py draw utterances.jsonl.gz --first 180 --second 180 --third 60 > texts.tsv
    python reread.py compare utterances.jsonl.gz second-reading.jsonl

`draw` writes ids and texts without their labels; a reader adds {"report": id, "labels": {label: status}} lines without having
seen those. `compare` counts lines that agree whole, F1 of the labels, and labels of both that have the same status.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterable
from pathlib import Path

WRITERS = ("first", "second", "third")
PARENTS = frozenset({"Consolidation", "Air space opacity"})
Labels = dict[str, str | None]
"""Label → status."""


def utterances(path: Path) -> dict[str, dict]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return {row["report"]: row for row in map(json.loads, file)}


def drawn(rows: dict[str, dict], counts: dict[str, int], seed: int) -> list[str]:
    rng = random.Random(seed)
    found = [
        id
        for writer, count in counts.items()
        for id in rng.sample([id for id in rows if id.startswith(f"{writer}-")], count)
    ]
    rng.shuffle(found)
    return found


def labels_of(row: dict, without: Iterable[str] = ()) -> Labels:
    """Of a line as it was written, or as it was read again."""
    found = row["labels"]
    if isinstance(found, list):
        found = {one["label"]: one.get("status") for one in found}
    return {name: status for name, status in found.items() if name not in without}


def agreement(pairs: list[tuple[Labels, Labels]]) -> str:
    """
    >>> agreement([({"Edema": "Present"}, {"Edema": "Absent"}), ({"Hernia": "Absent"}, {"Hernia": "Absent"})])
    '2 lines: 50.0 % agree whole, F1 of labels 1.000, status of shared labels 50.0 %'
    """
    shared = [(a[name], b[name]) for a, b in pairs for name in a.keys() & b.keys()]
    given = sum(len(a) + len(b) for a, b in pairs)
    whole = sum(a == b for a, b in pairs) / len(pairs)
    same = sum(a == b for a, b in shared) / len(shared)
    f1 = 2 * len(shared) / given
    return f"{len(pairs)} lines: {whole:.1%} agree whole, F1 of labels {f1:.3f}, status of shared labels {same:.1%}".replace(
        "%", " %"
    )


def compare(rows: dict[str, dict], again: list[dict]) -> None:
    for name, without in (("all labels", frozenset()), ("leaves alone", PARENTS)):
        for writers in (WRITERS, *((one,) for one in WRITERS)):
            pairs = [
                (labels_of(rows[one["report"]], without), labels_of(one, without))
                for one in again
                if one["report"].partition("-")[0] in writers
            ]
            print(f"{name}, {' and '.join(writers)}: {agreement(pairs)}")
    for one in again:
        first, second = labels_of(rows[one["report"]]), labels_of(one)
        if first != second:
            print(rows[one["report"]]["text"], "| written:", first, "| read:", second)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("do", choices=("draw", "compare"))
    ap.add_argument("utterances", type=Path)
    ap.add_argument("again", type=Path, nargs="?", help="compare: the second reading")
    ap.add_argument("--seed", type=int, default=20261116)
    for writer in WRITERS:
        ap.add_argument(f"--{writer}", type=int, default=0, help="draw: how many lines of this writer")
    a = ap.parse_args()
    rows = utterances(a.utterances)
    if a.do == "draw":
        for id in drawn(rows, {writer: getattr(a, writer) for writer in WRITERS}, a.seed):
            print(id, rows[id]["text"], sep="\t")
    else:
        compare(rows, [json.loads(line) for line in a.again.read_text("utf-8").splitlines()])


if __name__ == "__main__":
    main()
