"""Are the lines of an error ledger the errors that the writer of a ranking listed?

    .venv/bin/python benchmarks/error_lines.py corpus/rankings/r01-1.rank [--show]

A line is right where it stands on the words of a listed error that no line before it told, and calls it by its kind
or a wrong description; `kind` is a listed error called otherwise, `twice` one that is told already, and `wrong` a line
that stands on no listed error. Recall is the share of listed errors with a right line. Writers list what they changed,
so a true line that they did not think of counts as wrong: compare two versions rather than trust the figure.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import overread
from overread.corpus.rankings import Candidate, CandidateFault, rankings
from overread.report.span import Span
from overread.systems.ledger.ledger import Error

NAMED = {
    "missed": {"missed finding", "vaguer", "missed comparison"},
    "false": {"false finding", "more specific", "false comparison", "self-contradiction"},
    "denied": {"missed finding", "false finding"},
    "side": {"wrong place"},
    "place": {"wrong place", "device position"},
    "severity": {"wrong degree"},
    "size": {"wrong size"},
    "certainty": {"wrong certainty"},
    "change": {"wrong direction", "missed comparison", "false comparison"},
    "device": {"device position", "wrong device", "wrong place", "missed finding", "false finding"},
    "contradiction": {"self-contradiction", "false finding", "missed finding"},
}
"""Kinds of line that name each kind of listed error; what is not here may be called anything."""

BESIDE = {"repeated sentence", "missed recommendation"}


def names(error: Error, fault: CandidateFault) -> bool:
    return error.kind == "wrong description" or error.kind in NAMED.get(fault.kind, {error.kind})


def place(text: str, words: str) -> tuple[Span, ...]:
    at = text.lower().find(words.lower()) if words else -1
    return (Span(at, at + len(words)),) if at >= 0 else ()


def phrases(text: str, spans: tuple[Span, ...]) -> tuple[Span, ...]:
    """Mentions with the attributes that the reading gives them."""
    reading = overread.read(text)
    whole = {f.span: [f.span, *(a.span for a in f.attributes)] for f in reading.findings}
    told = [whole.get(span, [span]) for span in spans]
    return tuple(Span(min(s.start for s in some), max(s.end for s in some)) for some in told)


def touch(one: tuple[Span, ...], other: tuple[Span, ...]) -> bool:
    return any(a.start < b.end and b.start < a.end for a in one for b in other)


def judged(reference: str, candidate: Candidate) -> Iterator[tuple[str, Error]]:
    """Every line of the ledger with what it is."""
    listed = [
        (f, place(reference, f.words if f.kind == "missed" else f.instead), place(candidate.text, f.words))
        for f in candidate.faults
    ]
    told: set[int] = set()
    for error in overread.errors(reference, candidate.text):
        if error.kind in BESIDE:
            continue
        ours, theirs = phrases(reference, error.reference), phrases(candidate.text, error.candidate)
        near = [n for n, (_, a, b) in enumerate(listed) if touch(ours, a) or touch(theirs, b)]
        fitting = [n for n in near if names(error, listed[n][0])]
        new = [n for n in fitting if n not in told]
        told.update(new[:1])
        yield "right" if new else "twice" if fitting else "kind" if near else "wrong", error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", type=Path, nargs="+")
    parser.add_argument(
        "--show", action="store_true", help="the lines that are not right, with their reports"
    )
    asked = parser.parse_args()
    total: Counter[str] = Counter()
    for ranking in (one for path in asked.files for one in rankings(path)[0]):
        for candidate in ranking.candidates:
            lines = list(judged(ranking.reference, candidate))
            total.update(verdict for verdict, _ in lines)
            total.update(lines=len(lines), listed=len(candidate.faults), pairs=1)
            doubtful = [verdict for verdict, error in lines if error.uncertain]
            total.update({"uncertain": len(doubtful), "uncertain right": doubtful.count("right")})
            if asked.show and any(verdict != "right" for verdict, _ in lines):
                print(f"\n{ranking.id}\n  {ranking.reference}\n  {candidate.text}")
                print(*(f"  listed: {f.kind} | {f.words} | {f.instead}" for f in candidate.faults), sep="\n")
                print(
                    *(f"  {v:6} {e.kind} | {e.reference_says} | {e.candidate_says}" for v, e in lines),
                    sep="\n",
                )
    print(dict(total))
    print(f"precision {total['right'] / total['lines']:.3f}, recall {total['right'] / total['listed']:.3f}")
    sure, right = total["lines"] - total["uncertain"], total["right"] - total["uncertain right"]
    doubtful = f"{total['uncertain right']} of {total['uncertain']} uncertain ones"
    print(
        f"right: {right} of {sure} lines that are not called uncertain ({right / max(1, sure):.3f}), {doubtful}"
    )


if __name__ == "__main__":
    main()
