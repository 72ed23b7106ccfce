"""`terms.tsv`, `lexicon.tsv` and rated answers: what readers voted on terms, and the words they proposed."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from overread.errors import BadInput
from overread_review.exports.gold import gold_lines, settle
from overread_review.sheets import terms
from overread_review.sheets.sheet import standing
from overread_review.store.tables import Item, Proposal, Study, now, record
from overread_review.work.answers import Desk
from overread_review.work.decisions import answer_rows, case
from overread_review.work.studies import items_of

TABLES = {
    "findings": "finding", "locations": "thorax", "severity": "moderate", "improved": "moderate",
    "worsened": "moderate",
    "onset": "acute", "no_change": "none", "placement": "standard", "morphology": "condition",
    "distribution": "pattern", "measurement": "size", "comparison": "degree", "past_hx": "condition",
    "other_source": "external", "assessment_limitations": "technical",
}  # fmt: skip
"""Tables of the lexicon, with the path a new row begins with; whoever takes the row over mends it."""

COLUMNS = ("table", "id", "concept", "form", "path", "unless", "source", "side", "role", "radlex")


def propose(session: Session, at: Desk, words: str, table: str, concept: str, note: str) -> None:
    """Keep a proposal; the words must stand in the item."""
    form = " ".join(words.lower().replace("-", " ").split()).strip(".,;:")
    if not form or len(form) > 120 or form not in " ".join(flat(at)):
        raise BadInput("Propose words of this report, 120 characters at most.")
    if table not in TABLES:
        raise BadInput(f"A word goes to one of {', '.join(TABLES)}.")
    name = re.sub(r"[^a-z0-9]+", "-", concept.lower()).strip("-") or form.replace(" ", "-")
    row = Proposal(
        study=at.study.id, item=at.item.id, person=at.assignment.person, form=form, table=table, concept=name[:120],
        note=" ".join(note.split())[:400], created=now(),
    )  # fmt: skip
    session.add(row)
    session.flush()
    after = {"form": form, "table": table, "concept": name}
    record(session, "word proposed", "proposal", row.id, person=row.person, study=row.study, after=after)


def flat(at: Desk) -> list[str]:
    return [" ".join(part.text.lower().replace("-", " ").split()) for part in at.parts]


def suggested_rows(session: Session, study: Study) -> bytes:
    """The proposals of a study, once each, with how often and where they were met."""
    found: dict[tuple[str, str, str], list[Proposal]] = {}
    for one in session.scalars(select(Proposal).where(Proposal.study == study.id).order_by(Proposal.id)):
        found.setdefault((one.table, one.concept, one.form), []).append(one)
    lines = ["\t".join(COLUMNS)]
    for number, ((table, concept, form), proposals) in enumerate(found.items(), 1):
        notes = "; ".join(dict.fromkeys(p.note.replace("\t", " ") for p in proposals if p.note))
        source = f"review of {study.name}, {len(proposals)} times" + (f": {notes}" if notes else "")
        role = "zone" if table == "locations" else "-"
        lines.append(
            "\t".join((table, f"RV{number:04}", concept, form, TABLES[table], "-", source, "-", role, "-"))
        )
    return ("\n".join(lines) + "\n").encode()


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
    asked = [item.content["term"], item.content["category"]]
    return [*asked, *counts, line["decision"], how, line["normal"], line["to"], codes, log]


def each_once(told: list[dict[str, Any]], name: str) -> str:
    """What readers wrote, the most frequent first."""
    return " | ".join(text for text, _ in Counter(one[name] for one in told if one[name]).most_common())


def rated_lines(session: Session, study: Study) -> Iterator[dict[str, Any]]:
    """Every rated answer, for `overread validate clear-attributes`."""
    for line in gold_lines(session, study):
        yield from line["ratings"]
