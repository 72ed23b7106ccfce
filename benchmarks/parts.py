"""Does a composed sentence say what its plain parts say? RadSEM between the two, by area of the body.

    python benchmarks/parts.py                      # tests/systems/radsem/parts
    python benchmarks/parts.py --set unread         # those whose failures nobody has looked at
    python benchmarks/parts.py --set read --show 20 # what is lost or added in the others

Each line of the file is a sentence as radiologists dictate it and the simplest sentences that together say the same,
written by others. 1 is a sentence read without loss, addition or misplacement. With `--show` the worst are printed:
whoever looks at the unread ones measures nothing with them any more, so they are not shown.
"""

import argparse
from collections import defaultdict
from pathlib import Path
from statistics import fmean
from typing import Any

from lines import rows

from overread.reader import read
from overread.report import parse
from overread.systems.base import Score
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.score import score

TEXTS = Path(__file__).parent.parent / "tests" / "systems" / "radsem" / "parts" / "parts.jsonl"


def alike(case: dict[str, Any]) -> Score:
    """RadSEM of the sentence against its parts."""
    return score(view(read(parse(" ".join(case["parts"])))), view(read(parse(case["text"]))))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--set", choices=("read", "unread"), help="only these; all by default")
    parser.add_argument("--show", type=int, default=0, help="print so many of the worst that may be read")
    asked = parser.parse_args()
    cases = [c for c in rows(TEXTS, "text") if asked.set in (None, c["set"])]
    found = [alike(case) for case in cases]
    by_area: dict[str, list[int]] = defaultdict(list)
    for n, case in enumerate(cases):
        by_area[case["area"]].append(n)
    print(f"{'':14} {'sentences':>9} {'RadSEM':>7}")
    for area, places in [*by_area.items(), ("all", list(range(len(cases))))]:
        print(f"{area:14} {len(places):>9} {fmean(found[n].value or 0.0 for n in places):>7.3f}")
    worst = sorted((s.value or 0.0, n) for n, s in enumerate(found) if cases[n]["set"] == "read")
    for value, n in worst[: asked.show]:
        detail = found[n].detail
        print(
            f"\n{value:.2f}  {cases[n]['text']}\n  lost   {detail['missed']}\n  added  {detail['invented']}"
        )


if __name__ == "__main__":
    main()
