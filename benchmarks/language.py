"""How much of difficult language is read as meant? Short texts over 24 phenomena, one line for each.

    python benchmarks/language.py                     # tests/judge/probes, with the judge
    python benchmarks/language.py other.jsonl

A fact counts when a finding of that word has its status (one that has gone may be positive and improved), and, where
the fact names them, its side, certainty, degree and change. An atom counts when RadSEM calls what is there abnormal and
what is not normal. No failure is printed: whoever reads them measures nothing any more.
"""

import argparse
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from lines import rows

from overread.bench.readers import has_all_words, meant, misheard, wrong
from overread.reader import read
from overread.report import parse
from overread.systems.radsem import SYSTEM as RADSEM

TEXTS = Path(__file__).parent.parent / "tests" / "judge" / "probes" / "probes.jsonl"
__all__ = ["TEXTS", "has_all_words", "meant", "misheard", "wrong"]

Shares = dict[str, tuple[list[bool], list[bool], list[bool]]]
"""Phenomenon → texts that are right throughout, facts, atoms."""


def shares_of(path: Path) -> Shares:
    shares: Shares = defaultdict(lambda: ([], [], []))
    for row in rows(path, "id", "text", "facts"):
        reading = read(parse(row["text"], row["id"]))
        atoms = RADSEM.by_rules(reading)
        facts = [not wrong(reading, fact) for fact in row["facts"]]
        heard = [misheard(atoms, fact, row["facts"]) for fact in row["facts"]]
        right = [not h for h in heard if h is not None]
        for name in (row.get("phenomenon", "texts"), "all"):
            for into, new in zip(shares[name], ([all(facts + right)], facts, right), strict=True):
                into += new
    return shares


def measured(path: Path) -> tuple[float, float, float, int]:
    """Share of facts, of whole texts and of atoms that are right, and how many texts there are."""
    whole, facts, right = shares_of(path)["all"]
    return fmean(facts), fmean(whole), fmean(right or [True]), len(whole)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("texts", type=Path, nargs="?", default=TEXTS)
    shares = shares_of(parser.parse_args().texts)
    print(f"{'phenomenon':<24}{'texts':>6}{'whole':>8}{'facts':>8}{'atoms':>8}")
    for name in sorted(shares, key=lambda n: (n == "all", n)):
        whole, facts, right = shares[name]
        print(
            f"{name:<24}{len(whole):>6}{fmean(whole):>8.2f}{fmean(facts):>8.2f}{fmean(right or [True]):>8.2f}"
        )


if __name__ == "__main__":
    main()
