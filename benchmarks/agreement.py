"""Do the two grains of reading say the same? Findings beside the statements that name them: there, or denied.

    python benchmarks/agreement.py                           # the composed sentences of tests/systems/radsem/parts
    OVERREAD_DATA=folder python benchmarks/agreement.py      # chest-film reports instead
    python benchmarks/agreement.py --reports mine.jsonl      # `text` of each line

A finding (LUNGUAGE, CLEAR, SRRG, longitudinal, ledger) and the statements of RadSEM are made from one text in two ways.
Where both name a word they should agree whether it is there. Counted are findings that are no organs, in the sections
RadSEM reads: the same, other, both ways (the statements say it is in one place and not in another), and those that no
statement names. By rules alone.
"""

import argparse
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from lines import rows
from reading import texts

from overread import judge
from overread.reader import Finding, Reading, read
from overread.reader.statements.interpret import Statement
from overread.report import parse
from overread.report.marks import origin
from overread.systems.radsem.by_rules import FINDINGS, SPOKEN, spoken

PARTS = Path(__file__).parent.parent / "tests" / "systems" / "radsem" / "parts" / "parts.jsonl"
REPORTS = 3000


def compared(reading: Reading) -> Iterator[str]:
    """One word for each finding: same, other, both ways, or unnamed."""
    statements = list(spoken(reading))
    heard = {s.index: s.span for s in reading.sentences if s.section in SPOKEN}
    for finding in reading.findings:
        span = heard.get(finding.sentence)
        if span is None or finding.kind in ("structure", "symptom", "history"):
            continue
        own = [s for s, (start, _), _ in statements if start == span.start]
        yield agreement(
            finding, {s.denied for s in own if names(s, span.of(reading.seen), span.start, finding)}
        )


def names(statement: Statement, text: str, start: int, finding: Finding) -> bool:
    """Does a word of the statement stand where the finding is named?"""
    for term in statement.terms:
        if term.start >= 0 and term.role in FINDINGS:
            first, last = start + origin(text, term.start), start + origin(text, term.end)
            if first < finding.span.end and finding.span.start < last:
                return True
    return False


def agreement(finding: Finding, denied: set[bool]) -> str:
    if len(denied) != 1:
        return "both ways" if denied else "unnamed"
    absent = finding.status == "negative" or finding.gone
    return "same" if denied == {absent} else "other"


def counted(reports: Iterable[str]) -> Counter[str]:
    return Counter(word for text in reports for word in compared(read(parse(text))))


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--reports", type=Path, help="a file of lines with `text`")
    asked = parser.parse_args()
    judge.use(False)
    if asked.reports is None and os.environ.get("OVERREAD_DATA"):
        found = counted(texts(REPORTS))
    else:
        found = counted(row["text"] for row in rows(asked.reports or PARTS, "text"))
    for name in ("same", "other", "both ways", "unnamed"):
        print(f"{name:<12}{found[name]:>8}")
    decided = found["same"] + found["other"]
    print(
        f"of {decided} findings that both decide {100 * found['same'] / max(decided, 1):.1f} % are the same"
    )


if __name__ == "__main__":
    main()
