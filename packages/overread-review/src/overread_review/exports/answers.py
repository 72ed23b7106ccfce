"""What people did, item by item: answers, changes from the suggestion, judgements and preferences."""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from itertools import combinations
from random import Random
from string import ascii_uppercase
from typing import Any

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy.orm import Session

from overread.stats.bootstrap import Interval, mean_interval
from overread_review.sheets.compare import ranks
from overread_review.sheets.judge import counts
from overread_review.sheets.sheet import Row, sheet, standing
from overread_review.store.tables import Assignment, Item, Study, row_changes
from overread_review.work.answers import handed_in, plain, rows_given
from overread_review.work.studies import items_of


def reader_numbers(study: Study, done: Iterable[tuple[Assignment, Item]]) -> dict[int, int]:
    """Readers as numbers, drawn so that the order in which they joined does not tell who is who."""
    people = sorted({a.person for a, _ in done})
    return {person: n for n, person in enumerate(Random(study.created).sample(people, len(people)), 1)}


def answer_lines(session: Session, study: Study) -> Iterator[dict[str, Any]]:
    """Each reader's line, with the rows behind it and what was changed from the suggestion."""
    one = sheet(study.sheet)
    done = handed_in(session, study)
    number = reader_numbers(study, done)
    for assignment, item in done:
        content = {**item.content, "layout": assignment.layout}
        rows = rows_given(sheet(study.sheet), assignment, item)
        was, is_now = row_changes(
            plain(judged_alike(one.rows(content, item.suggestion))), plain(judged_alike(rows))
        )
        yield {
            "item": item.key, "reader": number[assignment.person], "repeat": assignment.repeat,
            "seconds": round(assignment.seconds, 1), "submitted": assignment.submitted, "suggested_by": item.source,
            "line": one.line(content, item.suggestion, standing(rows)),
            "changed": {"from": was, "to": is_now}, "opinion": assignment.opinion,
        }  # fmt: skip


def judged_alike(rows: Sequence[Row]) -> list[Row]:
    """Accepted or not yet looked at is no change of what is said."""
    return [replace(row, state="rejected" if row.state == "rejected" else "suggested") for row in rows]


def table(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> bytes:
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    return out.getvalue().encode()


# ---- ReXVal's two tables
def rexval_samples(session: Session, study: Study) -> bytes:
    """Study number and id, the reference, and each system's candidate in a column of its own."""
    items = items_of(session, study)
    systems = sorted({one.content["system"] for one in items})
    ids = study_numbers(items)
    texts = {(one.content["id"], one.content["system"]): one.content["candidate"] for one in items}
    references = {one.content["id"]: one.content["reference"] for one in items}
    rows = [[n, id, references[id], *(texts.get((id, s), "") for s in systems)] for id, n in ids.items()]
    return table(["study_number", "study_id", "gt_report", *systems], rows)


def study_numbers(items: Iterable[Item]) -> dict[str, int]:
    return {id: n for n, id in enumerate(dict.fromkeys(one.content["id"] for one in items))}


def rexval_errors(session: Session, study: Study) -> bytes:
    """Long: one row per study, candidate, rater, category (1–6) and significance, zeros included."""
    items = items_of(session, study)
    ids = study_numbers(items)
    done = [(a, i) for a, i in handed_in(session, study) if not a.repeat]
    number = reader_numbers(study, done)
    form = sheet(study.sheet)
    rows = [
        [ids[item.content["id"]], item.content["system"], number[a.person] - 1, category, significant, errors]
        for a, item in done
        for (category, significant), errors in counts(standing(rows_given(form, a, item))).items()
    ]
    names = "study_number candidate_type rater_index error_category clinically_significant num_errors"
    return table(names.split(), rows)


# ---- comparisons
def preferences(session: Session, study: Study) -> bytes:
    """One row per comparison and system: its place, the side it stood on, the seconds it took."""
    done = handed_in(session, study)
    number = reader_numbers(study, done)
    rows = []
    for a, item in done:
        told = [item.key, number[a.person], int(a.repeat)]
        for name, place in ranks(item.content, a.layout, rows_given(sheet(study.sheet), a, item)).items():
            side = ascii_uppercase[a.layout["order"].index(name)]
            rows.append([*told, name, f"{place:g}", side, f"{a.seconds:.0f}"])
    return table(["item", "reader", "repeat", "system", "place", "side", "seconds"], rows)


class Wins(Struct, frozen=True):
    """One system against another: comparisons won, tied and lost, and the win rate with its interval."""

    system: str
    against: str
    wins: int
    ties: int
    losses: int
    rate: Interval
    """Mean over items of the share of readers who prefer the system, ties counting half."""


def win_rates(session: Session, study: Study) -> list[Wins]:
    done = [(a, i) for a, i in handed_in(session, study) if not a.repeat]
    places = [(i.id, ranks(i.content, a.layout, rows_given(sheet(study.sheet), a, i))) for a, i in done]
    systems = sorted({name for _, one in places for name in one})
    return [won(one, other, places) for one, other in combinations(systems, 2)]


def won(one: str, other: str, places: Sequence[tuple[int, dict[str, float]]]) -> Wins:
    by_item: dict[int, list[float]] = {}
    for item, found in places:
        share = 0.5 + 0.5 * ((found[one] < found[other]) - (found[one] > found[other]))
        by_item.setdefault(item, []).append(share)
    said = [value for values in by_item.values() for value in values]
    rate = mean_interval([sum(values) / len(values) for values in by_item.values()])
    return Wins(one, other, said.count(1.0), said.count(0.5), said.count(0.0), rate)


def wins(session: Session, study: Study) -> bytes:
    """Per pair of systems: wins, ties, losses, and the win rate (ties half) with its interval over items."""
    rows = [
        [w.system, w.against, w.wins, w.ties, w.losses, *(f"{x:.4f}" for x in (w.rate.value, w.rate.low, w.rate.high))]
        for w in win_rates(session, study)
    ]  # fmt: skip
    return table(["system", "against", "wins", "ties", "losses", "win_rate", "low", "high"], rows)
