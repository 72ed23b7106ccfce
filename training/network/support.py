"""Rankings → sentences and atoms of one report beside the other report, with how wrong each of them is.

    python support.py --out support.jsonl.gz ../../corpus/train

Both ways: a sentence of a candidate that holds no listed error is said by the reference, and a sentence of the
reference of which nothing is missed is said by the candidate; so with atoms. What the list of errors leaves open is
left out. Rankings of laws (`--laws`) whose candidates mean the same give sentences that are said.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from atoms import atoms
from overread.corpus.rankings import LEVELS, Candidate, Fault, rankings
from overread.judge.premise import content, premise
from overread.reader import read
from overread.report import parse
from overread.report.span import Span

SAID = 0
"""The first class; the levels of an error follow."""

BUDGETS = (50, 50, 100)
"""Words of the other report that are shown."""

SHORT = 50
"""The same where they are atoms."""


class Statement(NamedTuple):
    """A sentence or an atom, and the words of its report that say it."""

    text: str
    spans: tuple[Span, ...]

    def holds(self, report: str, words: str) -> bool:
        """Are some of the words among its own?"""
        at = report.lower().find(words.lower())
        return at >= 0 and any(at < span.end and at + len(words) > span.start for span in self.spans)


class Told(NamedTuple):
    """A report, as sentences and as atoms."""

    text: str
    sentences: tuple[Statement, ...]
    atoms: tuple[Statement, ...]

    @classmethod
    def of(cls, text: str) -> "Told":
        reading = read(parse(text))
        whole = tuple(Statement(reading.quote(s.span), (s.span,)) for s in reading.sentences)
        return cls(text, whole, tuple(Statement(one.text, one.spans) for one in atoms(reading)))


def level(fault: Fault) -> int:
    return 1 + LEVELS.index(fault.significance)


def of_candidate(candidate: Candidate, own: Sequence[Statement]) -> Iterator[tuple[Statement, int]]:
    """The candidate's statements: as wrong as the worst error in them."""
    faults = [f for f in candidate.faults if f.kind != "missed"]
    for one in own:
        yield one, max((level(f) for f in faults if one.holds(candidate.text, f.words)), default=SAID)


def of_reference(candidate: Candidate, text: str, own: Sequence[Statement]) -> Iterator[tuple[Statement, int]]:
    """The reference's statements: what is missed of them, or said otherwise."""
    for one in own:
        found, doubtful = [], False
        for f in candidate.faults:
            words = f.words if f.kind == "missed" else f.instead
            if words and one.holds(text, words):
                found.append(level(f))
            elif words and f.kind != "missed" and words.lower() not in text.lower():
                doubtful |= bool(content(one.text) & (content(words) | content(f.words)))
        if found or not doubtful:
            yield one, max(found, default=SAID)


def rows(path: Path) -> Iterator[dict[str, object]]:
    for ranking in rankings(path)[0]:
        ours = Told.of(ranking.reference)
        for candidate in ranking.candidates:
            theirs = Told.of(candidate.text)
            for grain in ("sentences", "atoms"):
                for one, answer in of_candidate(candidate, getattr(theirs, grain)):
                    yield row(ranking.id, grain, one, ours, answer)
                for one, answer in of_reference(candidate, ranking.reference, getattr(ours, grain)):
                    yield row(ranking.id, grain, one, theirs, answer)


def row(id: str, grain: str, one: Statement, other: Told, answer: int) -> dict[str, object]:
    """More or less of the other report, and for an atom its atoms too."""
    texts = [premise(one.text, [s.text for s in other.sentences], budget) for budget in BUDGETS]
    if grain == "atoms" and other.atoms:
        texts += [premise(one.text, [s.text for s in other.atoms], SHORT)] * len(BUDGETS)
    return {"set": id, "grain": grain, "texts": texts, "claim": one.text, "level": answer}


LAW = re.compile(r"^law (?:4|10)\nreference:(?P<reference>.*)\n(?:same|near):(?P<candidates>.*)", re.MULTILINE)
"""Rankings in which the candidates are all said to mean one thing."""


def lawful(path: Path) -> Iterator[dict[str, object]]:
    """Where that is what the reference says, sentences are said; both ways."""
    for found in LAW.finditer(path.read_text("utf-8")):
        reference, *others = (text.strip() for text in (found["reference"], *found["candidates"].split(" | ")))
        if reference in others:
            ours = Told.of(reference)
            for theirs in (Told.of(text) for text in others if text != reference):
                yield from (row(path.stem, "sentences", one, theirs, SAID) for one in ours.sentences)
                yield from (row(path.stem, "sentences", one, ours, SAID) for one in theirs.sentences)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", type=Path, nargs="+")
    ap.add_argument("--laws", type=Path, nargs="*", default=[], help="rankings of laws, as the tests of the ledger have them")
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    files = [f for one in a.files for f in (sorted(one.glob("*.rank")) if one.is_dir() else [one])]
    made = [row for path in files for row in rows(path)] + [row for path in a.laws for row in lawful(path)]
    with gzip.open(a.out, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in made)
    counts = [sum(row["level"] == n for row in made) for n in range(1 + len(LEVELS))]
    print(len(files), "files,", len(made), "sentences and atoms; said, none, minor, significant, critical:", counts)


if __name__ == "__main__":
    main()
