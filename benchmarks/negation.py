"""How well do the scope rules tell denied from affirmed phrases?

    OVERREAD_DATA=folder python benchmarks/negation.py [--show 20]

Reads `negex_dev.jsonl` (sentence, phrase, Negated or Affirmed) from that folder. The phrases are given, as in the
published task: they are added to the lexicon as findings, so that only the scope rules are measured.
"""

import argparse
import os
import re
from pathlib import Path

from lines import rows

from overread.lexicon.lexicon import Lexicon, lexicon
from overread.lexicon.load import Row
from overread.lexicon.meanings import Concept
from overread.lexicon.words import phrase
from overread.reader import Reading, read
from overread.report import from_sections


def with_phrases(phrases: list[str]) -> Lexicon:
    """The shipped lexicon and the phrases of the task."""
    base = lexicon()
    forms = sorted({phrase(p) for p in phrases})
    rows = [
        Row(f"given-{n}", "findings", "given", form, ("finding",), (), "given")
        for n, form in enumerate(forms)
    ]
    concepts = {**base.concepts, "given": Concept("given", "finding", "PF", None, None)}
    return Lexicon((*rows, *base.rows), concepts)


def place(sentence: str, words: str) -> tuple[int, int]:
    """Where the phrase stands: the task writes it in capitals."""
    pattern = r"\W+".join(map(re.escape, words.upper().split()))
    found = re.search(pattern, sentence) or re.search(pattern, sentence, re.IGNORECASE)
    return found.span() if found else (0, 0)


def denied(reading: Reading, start: int, end: int) -> bool | None:
    """Status of the finding that shares most with the phrase; None when nothing was read there.

    The task counts `resolved` as negated; for us it is a positive finding that has improved.
    """
    near = [f for f in reading.findings if f.span.start < end and start < f.span.end]
    best = max(near, key=lambda f: min(end, f.span.end) - max(start, f.span.start), default=None)
    if best is None:
        return None
    resolved = any(a.path[:1] == ("extreme",) for a in best.values("improved"))
    return best.status == "negative" or resolved


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--show", type=int, default=0, help="print this many disagreements")
    shown = parser.parse_args().show
    folder = os.environ.get("OVERREAD_DATA")
    if not folder:
        raise SystemExit("Set OVERREAD_DATA to the folder that holds negex_dev.jsonl.")
    items = rows(Path(folder) / "negex_dev.jsonl", "id", "sentence", "phrase", "negation")
    words = with_phrases([i["phrase"] for i in items])
    hits = {"tp": 0, "fp": 0, "fn": 0, "tn": 0, "unread": 0}
    for item in items:
        report = from_sections({"findings": item["sentence"]}, item["id"])
        shift = report.text.find(item["sentence"])
        start, end = place(item["sentence"], item["phrase"])
        told = denied(read(report, words), start + shift, end + shift)
        hits["unread"] += told is None
        truth = item["negation"] == "Negated"
        hits["tp" if truth and told else "fn" if truth else "fp" if told else "tn"] += 1
        if truth != bool(told) and shown:
            shown -= 1
            print(item["negation"], told, "|", item["phrase"], "|", item["sentence"][:300])
    precision, recall = hits["tp"] / (hits["tp"] + hits["fp"]), hits["tp"] / (hits["tp"] + hits["fn"])
    print(f"{len(items)} phrases, {hits['unread']} not read as findings")
    f1 = 2 * precision * recall / (precision + recall)
    print(f"Negated: precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}")


if __name__ == "__main__":
    main()
