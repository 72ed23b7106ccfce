"""Words that people proposed for the lexicon, as rows that `--lexicon FILE` takes, each with its source."""

import re

from sqlalchemy import select
from sqlalchemy.orm import Session

from overread.errors import BadInput
from overread_review.store.audit import record
from overread_review.store.tables import Proposal, Study, now
from overread_review.work.answers import Desk

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
    record(
        session,
        "word proposed",
        "proposal",
        row.id,
        person=at.assignment.person,
        study=at.study.id,
        after=after,
    )


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
