"""Does a metric hear meaning instead of words, and does the judge alone? On the groups that are never trained on.

    python benchmarks/meaning.py                     # RadSEM and the judge, minutes
    python benchmarks/meaning.py --metric bleu-1     # another metric beside them
    python benchmarks/meaning.py --limit 100         # a look

Each group of `training/meaning` has an original, two statements that mean the same (far in words, near), two that
exclude it (near, far) and two that do neither. Groups whose id begins with g4 or g5 were written to be hard; those with
a report are its statements, told from the two that follow them there.
"""

import argparse
import gzip
import json
import zlib
from itertools import product
from pathlib import Path
from statistics import fmean
from typing import Any

import overread
from overread.judge import relation_of

GROUPS = Path(__file__).parent.parent / "training" / "meaning" / "groups.jsonl.gz"
RELATIONS = ("same", "opposite", "other")
Group = dict[str, Any]


def kept_for_testing() -> list[Group]:
    with gzip.open(GROUPS, "rt", encoding="utf-8") as lines:
        rows = list(map(json.loads, lines))
    return [row for row in rows if zlib.crc32(row["concept"].encode()) % 10 == 0]


def by_metric(groups: list[Group], metric: str) -> dict[str, float]:
    """How often a metric puts the same above the opposite and above what is neither; the mean of the four cells."""
    pairs = [(g["original"], text) for g in groups for name in RELATIONS for text in g[name]]
    found = overread.rewards([a for a, _ in pairs], [b for _, b in pairs], metric=metric, undefined=-1.0)
    value = dict(zip(pairs, found, strict=True))
    cells: dict[tuple[int, int], list[bool]] = {}
    above: list[bool] = []
    for g in groups:
        score = {name: [value[g["original"], text] for text in g[name]] for name in RELATIONS}
        for i, j in product(range(2), range(2)):
            cells.setdefault((i, j), []).append(score["same"][i] > score["opposite"][j] + 1e-9)
            above.append(score["same"][i] > score["other"][j] + 1e-9)
    denied = [value[g["original"], text] <= 0.05 for g in groups for text in g["opposite"]]
    shares = {cell: fmean(kept) for cell, kept in cells.items()}
    return {
        "same above opposite": fmean(shares.values()),
        "weakest cell": min(shares.values()),
        "opposites at 0": fmean(denied),
        "same above neither": fmean(above),
    }


def by_judge(groups: list[Group]) -> dict[str, float]:
    """What the network answers, asked in both orders."""
    right: list[bool] = []
    order: list[bool] = []
    for g in groups:
        asked = {name: [relation_of(g["original"], t) for t in g[name]] for name in RELATIONS}
        for n, name in enumerate(RELATIONS):
            right += [max(range(3), key=lambda k: answer[k]) == n for answer in asked[name]]
        leaning = {name: [a.same - a.opposite for a in asked[name]] for name in RELATIONS}
        order += [one > two for one, two in product(leaning["same"], leaning["opposite"])]
    return {"same above opposite": fmean(order), "same, opposite or neither": fmean(right)}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--metric", nargs="*", default=["radsem"])
    parser.add_argument("--limit", type=int)
    asked = parser.parse_args()
    every = kept_for_testing()
    kinds: dict[str, list[Group]] = {"groups": [], "hard groups": [], "statements of whole reports": []}
    for group in every:
        hard = "hard groups" if group["id"].startswith(("g4", "g5")) else "groups"
        kinds["statements of whole reports" if "report" in group else hard].append(group)
    for name, groups in kinds.items():
        part = groups[: asked.limit]
        print(f"{len(part)} {name}")
        for metric in asked.metric:
            show(metric, by_metric(part, metric))
        show("the judge alone", by_judge(part))


def show(name: str, figures: dict[str, float]) -> None:
    print(f"  {name}: " + ", ".join(f"{what} {share:.3f}" for what, share in figures.items()), flush=True)


if __name__ == "__main__":
    main()
