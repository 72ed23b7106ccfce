"""Rankings → sentences beside the other report, with the words that are wrong in them and the words they go against.

    python faults.py --out faults.jsonl.gz ../../corpus/train

Both ways: in a sentence of a candidate the words of each error listed for it, in a sentence of the reference what the
candidate leaves out or says otherwise; and in what is shown of the other report the words that they go against. A
sentence of which the list does not tell whether it is wrong is left out.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from names import FAULTS
from support import BUDGETS, Statement, Told

from overread.corpus.rankings import Candidate, CandidateFault, Ranking, rankings
from overread.judge.beside import content, premise

HELD = 0.6
"""From this share of an error's words on, a sentence may tell the same error again."""

SIDES = {"missed": ("alone", None), "denied": ("denied", "denies"), "contradiction": ("other", "other")}
"""What an error is called in the reference, and in the candidate; most are called alike in both."""


class Mark(NamedTuple):
    """Words of a report that are at fault, and those of the other report that they go against."""

    kind: str
    words: str
    at: int
    against: str


def names(fault: CandidateFault) -> tuple[str, str | None]:
    if fault.kind == "false":
        return ("denies", "denied") if fault.instead else ("alone", "alone")
    return SIDES.get(fault.kind, (fault.kind, fault.kind))


def found(text: str, words: str) -> list[int]:
    return [m.start() for m in re.finditer(rf"(?<![a-z0-9]){re.escape(words.lower())}(?![a-z0-9])", text.lower())]


def near(told: Told, words: str, like: str) -> int:
    """Where words stand; of several places in the sentence that has most in common with another one."""
    sentence = {at: next((s.text for s in told.sentences if s.spans[0].start <= at < s.spans[0].end), "") for at in found(told.text, words)}
    return max(sentence, key=lambda at: len(content(sentence[at]) & content(like)), default=-1)


def around(told: Told, at: int) -> str:
    return next((s.text for s in told.sentences if s.spans[0].start <= at < s.spans[0].end), "")


def marks(ours: Told, theirs: Told, candidate: Candidate) -> tuple[list[Mark], list[Mark], list[str], list[str]]:
    """Of the reference and of the candidate; and words that may stand in either at a place nobody told."""
    reference, other, open_ours, open_theirs = [], [], [], []
    for fault in candidate.faults:
        here, there = names(fault)
        if fault.kind == "missed":
            reference += [Mark(here, fault.words, at, "") for at in found(ours.text, fault.words)]
            open_ours.append(fault.words)
            continue
        at = found(theirs.text, fault.words)
        assert there is not None
        other += [Mark(there, fault.words, n, fault.instead) for n in at]
        open_theirs.append(fault.words)
        if fault.instead:
            place = near(ours, fault.instead, around(theirs, at[0]) if at else fault.words)
            if place >= 0:
                reference.append(Mark(here, fault.instead, place, fault.words))
            open_ours += [fault.instead] if place >= 0 else [fault.instead, fault.words]
        else:
            open_ours.append(fault.words)
    return reference, other, open_ours, open_theirs


def rows(id: str, own: Told, other: Told, told: Sequence[Mark], doubtful: Sequence[str]) -> Iterator[dict[str, object]]:
    equal = {s.text for s in other.sentences}
    for n, one in enumerate(own.sentences):
        if not one.states or (one.text in equal and n % 10):
            continue
        inside = [m for m in told if one.spans[0].start <= m.at < one.spans[0].end]
        if not inside and any(again(one, words) for words in doubtful):
            continue
        yield row(id, own, one, other, inside)


def again(one: Statement, words: str) -> bool:
    own = content(words)
    return bool(own) and len(own & content(one.text)) >= HELD * len(own)


def row(id: str, own: Told, one: Statement, other: Told, inside: Sequence[Mark]) -> dict[str, object]:
    """With all of the other report, and with what only the other report has."""
    mine = {s.text for s in own.sentences}
    only = [s.text for s in other.sentences if s.text not in mine] or ["No other finding."]
    texts = [premise(one.text, only, BUDGETS[0])] * 2
    texts += [premise(one.text, [s.text for s in other.sentences], budget) for budget in BUDGETS[1:]]
    starts = [(m, m.at - one.spans[0].start) for m in inside]
    told = [[at, min(at + len(m.words), len(one.text)), FAULTS.index(m.kind)] for m, at in starts]
    against = [[place(text, m, one.text) for m in inside if m.against] for text in texts]
    return {"set": id, "texts": texts, "claim": one.text, "told": told, "against": [[x for x in some if x] for some in against]}


def place(text: str, mark: Mark, claim: str) -> list[int]:
    """Where the words that it goes against stand in what is shown; empty where they are not shown."""
    at = found(text, mark.against)
    return [at[0], at[0] + len(mark.against), FAULTS.index(mark.kind)] if at else []


def of_ranking(ranking: Ranking) -> Iterator[dict[str, object]]:
    ours = Told.of(ranking.reference)
    for candidate in ranking.candidates:
        theirs = Told.of(candidate.text)
        reference, other, open_ours, open_theirs = marks(ours, theirs, candidate)
        yield from rows(ranking.id, theirs, ours, other, open_theirs)
        yield from rows(ranking.id, ours, theirs, reference, open_ours)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", type=Path, nargs="*")
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    files = [f for one in a.files for f in (sorted(one.glob("*.rank")) if one.is_dir() else [one])]
    count = 0
    with gzip.open(a.out, "wt", encoding="utf-8") as out:
        for ranking in (one for path in files for one in rankings(path)[0]):
            for one in of_ranking(ranking):
                out.write(json.dumps(one) + "\n")
                count += 1
    print(f"{count} sentences")


if __name__ == "__main__":
    main()
