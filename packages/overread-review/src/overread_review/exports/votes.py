"""What readers voted on terms, and rated answers one a line."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy.orm import Session

from overread_review.exports.gold import gold_lines, settle
from overread_review.sheets import terms
from overread_review.sheets.sheet import standing
from overread_review.store.tables import Item, Study
from overread_review.work.decisions import answer_rows, case
from overread_review.work.studies import items_of

HEADER = ("term", "category", *terms.DECISIONS, "decision", "how", "normal", "to", "codes", "log")


def term_rows(session: Session, study: Study) -> bytes:
    """A table: votes for each decision, the one that stands (settled, else by majority), every code
    chosen and every logged edge case."""
    lines = ["\t".join(HEADER)]
    for item in items_of(session, study):
        lines.append("\t".join(" ".join(one.split()) for one in term_row(session, study, item)))
    return ("\n".join(lines) + "\n").encode()


def term_row(session: Session, study: Study, item: Item) -> list[str]:
    at = case(session, item, study)
    told = [terms.line(item.content, {}, standing(answer_rows(at, answer))) for answer in at.answers]
    votes = Counter(one["decision"] for one in told)
    found = settle(at)
    line: dict[str, Any] = {"decision": "", "normal": "", "to": ""}
    how: str = found.how
    if found.rows:
        line = terms.line(item.content, {}, standing(found.rows))
    elif votes and votes.most_common(1)[0][1] * 2 > len(told):
        name = votes.most_common(1)[0][0]
        own = [one for one in told if one["decision"] == name]
        same = {(one["normal"], one["to"]) for one in own}
        line, how = (own[0], "majority") if len(same) == 1 else (line, how)
    codes, log = (each_once(told, name) for name in ("code", "log"))
    counts = [str(votes[name]) for name in terms.DECISIONS]
    content = item.content
    return [
        content["term"],
        content["category"],
        *counts,
        line["decision"],
        how,
        line["normal"],
        line["to"],
        codes,
        log,
    ]


def each_once(told: list[dict[str, Any]], name: str) -> str:
    """What readers wrote, the most frequent first."""
    return " | ".join(text for text, _ in Counter(one[name] for one in told if one[name]).most_common())


def rated_lines(session: Session, study: Study) -> Iterator[dict[str, Any]]:
    """Every rated answer, for `overread validate clear-attributes`."""
    for line in gold_lines(session, study):
        yield from line["ratings"]
