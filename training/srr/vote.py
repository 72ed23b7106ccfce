"""Whom to follow where the reading and the label head differ: settled on the part `validate`.

    python vote.py utterances.jsonl.gz ../../src/overread/systems/srrg/vote.json      # with overread installed

For each pair of answers (not spoken of, Present, Uncertain, Absent) the least likelihood is kept from which following
the network pays, a label lost to it counting as much as three gained: the utterances are harder than ordinary reports
on purpose, and on those rules are seldom wrong. 2 means never.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

from overread.systems.srrg.classifier import load_utterances
from overread.systems.srrg.labellers import UNSPOKEN, likely_labels as heard_in, likelihood
from overread.systems.srrg.labels import NO_FINDING
from overread.systems.srrg.classifier import load_utterances
from overread.systems.lunguage.annotations import SILENT
from overread.systems.srrg.labellers import likelihood
from overread.validation.srrg.labels import by_rules
from overread.validation.srrg.labels import by_rules

NEVER = 2.0
LOST = 3
"""How many labels set right make up for one set wrong."""

LEAST_CASES = 5
"""A pair of answers that is rarer than this stays with the rules."""

Case = tuple[float, int]
"""How likely the network held its answer; 1 where it alone was right, -1 where the rules alone were, 0 where neither."""


def threshold(cases: list[Case]) -> float:
    """
    >>> threshold([(0.9, 1), (0.9, 1), (0.8, 1), (0.7, 1), (0.6, -1), (0.55, 1)])
    0.7
    """
    best, gain, total = NEVER, 0, 0
    ordered = sorted(cases, reverse=True)
    for n, (likely, won) in enumerate(ordered):
        total += won if won > 0 else LOST * won
        last = n + 1 == len(ordered) or ordered[n + 1][0] < likely
        if last and total > gain:
            best, gain = likely, total
    return best if len(cases) >= LEAST_CASES else NEVER


def main() -> None:
    data, target = Path(sys.argv[1]), Path(sys.argv[2])
    rows = [row for row in load_utterances(data) if row.split == "validate"]
    texts = [row.text for row in rows]
    cases: dict[tuple[str, str], list[Case]] = defaultdict(list)
    for row, rules, heard in zip(rows, by_rules(texts), map(heard_in, texts), strict=True):
        truth = {one.label: one.status for one in row.labels if one.label != NO_FINDING}
        read = {one.label: one.status for one in rules if one.label != NO_FINDING}
        for name in {*read, *heard}:
            ours, theirs = read.get(name), heard[name].told if name in heard else None
            if ours != theirs:
                won = (truth.get(name) == theirs) - (truth.get(name) == ours)
                cases[ours or UNSPOKEN, theirs or UNSPOKEN].append((likelihood(heard.get(name), ours, theirs), won))
    table: dict[str, dict[str, float]] = {}
    for (ours, theirs), found in sorted(cases.items()):
        table.setdefault(ours, {})[theirs] = round(threshold(found), 2)
        right, wrong = (sum(won == side for _, won in found) for side in (1, -1))
        print(f"rules {ours:<10} network {theirs:<10} {len(found):>4} times: network right {right}, rules {wrong}, "
              f"followed from {table[ours][theirs]}")  # fmt: skip
    target.write_text(json.dumps(table, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
