"""Rankings → sentences of one report beside the other report, with how wrong each of them is.

    python support.py --out support.jsonl.gz ../../corpus/train/rankings

Both ways: a sentence of a candidate that holds no listed error is said by the reference, and a sentence of the
reference of which nothing is missed is said by the candidate. What the list of errors leaves open is left out.
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path

from names import FAULTS
from overread.corpus.rankings import LEVELS, Candidate, Fault, rankings
from overread.judge.premise import content, premise
from overread.reader import read
from overread.report import parse

SAID = 0
"""The first class; the levels of an error follow."""

BUDGETS = (50, 50, 100)
"""Words of the other report that are shown."""

Sentence = tuple[int, int, str]


def sentences(text: str) -> list[Sentence]:
    reading = read(parse(text))
    return [(s.span.start, s.span.end, text[s.span.start : s.span.end]) for s in reading.sentences]


def level(fault: Fault) -> int:
    return 1 + LEVELS.index(fault.significance)


def holds(sentence: Sentence, text: str, words: str) -> bool:
    """Do the words stand, in part at least, in the sentence?"""
    at = text.lower().find(words.lower())
    return at >= 0 and at < sentence[1] and at + len(words) > sentence[0]


def of_candidate(candidate: Candidate, own: list[Sentence]) -> Iterator[tuple[str, int, int]]:
    """The candidate's sentences: as wrong as the worst error in them, and of what kind that is."""
    faults = [f for f in candidate.faults if f.kind != "missed"]
    for one in own:
        here = [f for f in faults if holds(one, candidate.text, f.words)]
        worst = max(here, key=level, default=None)
        yield (one[2], SAID, -1) if worst is None else (one[2], level(worst), FAULTS.index(worst.kind))


def of_reference(candidate: Candidate, text: str, own: list[Sentence]) -> Iterator[tuple[str, int, int]]:
    """The reference's sentences: what is missed of them, or said otherwise."""
    for one in own:
        found, doubtful = [], False
        for f in candidate.faults:
            words = f.words if f.kind == "missed" else f.instead
            if words and holds(one, text, words):
                found.append(level(f))
            elif words and f.kind != "missed" and words.lower() not in text.lower():
                doubtful |= bool(content(one[2]) & (content(words) | content(f.words)))
        if found or not doubtful:
            yield one[2], max(found, default=SAID), -1


def rows(path: Path) -> Iterator[dict[str, object]]:
    for ranking in rankings(path)[0]:
        ours = sentences(ranking.reference)
        for candidate in ranking.candidates:
            theirs = sentences(candidate.text)
            asked = [(ours, *one) for one in of_candidate(candidate, theirs)]
            asked += [(theirs, *one) for one in of_reference(candidate, ranking.reference, ours)]
            for other, sentence, answer, kind in asked:
                texts = [premise(sentence, [t for *_, t in other], budget) for budget in BUDGETS]
                yield {"set": ranking.id, "texts": texts, "claim": sentence, "level": answer, "kind": kind}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", type=Path, nargs="+")
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    files = [f for one in a.files for f in (sorted(one.glob("*.rank")) if one.is_dir() else [one])]
    made = [row for path in files for row in rows(path)]
    with gzip.open(a.out, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in made)
    counts = [sum(row["level"] == n for row in made) for n in range(1 + len(LEVELS))]
    print(len(files), "files,", len(made), "sentences; said, none, minor, significant, critical:", counts)


if __name__ == "__main__":
    main()
