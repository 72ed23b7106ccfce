"""The demo: studies over the bundled invented reports, and accounts to try every role."""

from collections.abc import Callable, Sequence
from random import Random

from msgspec import to_builtins
from msgspec.structs import replace
from sqlalchemy import select
from sqlalchemy.orm import Session

from overread import examples
from overread.runner.readings import find_errors
from overread_review.sheets.judge import ERROR, SIGNIFICANT
from overread_review.sheets.sheet import Content, Kind, Row, Value
from overread_review.site.sessions import hash_password
from overread_review.store.connect import Store
from overread_review.store.tables import Assignment, Item, Person, Study, now
from overread_review.work.answers import Desk, asked, desk, submit, unanswered
from overread_review.work.assign import assign
from overread_review.work.items import Files, make_items
from overread_review.work.studies import Dealing, count_items, create_study, join

PASSWORD = "overread-demo"
HINT = f"Sign in as reader-1, reader-2, curator or admin; password {PASSWORD}. Every report is invented."
FEW = 6
"""Items in each study: enough to see, few enough to finish."""

KINDS = {
    "lunguage": "Correct findings and links",
    "timeline": "Correct timelines",
    "radsem": "Correct finding sentences",
    "pairs": "Correct matched sentences",
    "clear": "Correct CLEAR tables",
    "srrg": "Correct structured reports",
    "longitudinal": "Correct comparing sentences",
    "notation": "Correct the corpus",
    "judge": "Judge candidates",
    "compare": "Compare two systems",
}
"""Every kind of work, with a name for its study."""


def show_demo(store: Store, say: Callable[[str], object]) -> str:
    """Make the demo once, say who can sign in, and where to begin."""
    with store.reading() as session:
        there = session.scalar(select(Person.id).where(Person.login == "reader-1"))
    if there is None:
        say("Making the demo: a study of each kind, with answers of two invented readers; about a minute …")
        make_demo(store, say)
    say(HINT)
    return "/login"


def make_demo(store: Store, say: Callable[[str], object] = lambda text: None) -> None:
    with examples.folder() as place:
        systems = tuple(place / f"{name}.jsonl" for name in examples.SYSTEMS)
        reports = place / examples.REFERENCES
        made = {}
        for number, (kind, name) in enumerate(KINDS.items(), 1):
            say(f"  {number} of {len(KINDS)}: {name}")
            several = {"judge": systems, "compare": systems[:2], "pairs": systems[:1]}.get(kind, ())
            metrics = ("radsem", "bleu-4") if kind == "judge" else ()
            source = place / examples.SLICE if kind == "notation" else reports
            made[kind] = make_items(kind, Files(source, several, metrics=metrics))
    with store.writing() as session:
        people = [account(login, name) for login, name in ACCOUNTS]
        people[-1].admin = True
        session.add_all(people)
        session.flush()
        for kind, name in KINDS.items():
            settings = Dealing(repeats=0.3 if kind == "compare" else 0.0, seed=1)
            study = create_study(
                session, name, kind, made[kind][:FEW], settings=settings,
                instructions=f"{name}. These reports are invented: change what you like.",
            )  # fmt: skip
            for person, role in zip(people, ("reader", "reader", "curator"), strict=False):
                join(session, study.id, person.id, role)
            dealt = session.get_one(Study, study.id)
            assign(session, dealt)
            hand_in(session, dealt)


ACCOUNTS = (
    ("reader-1", "First reader"),
    ("reader-2", "Second reader"),
    ("curator", "The curator"),
    ("admin", "Administrator"),
)


def account(login: str, name: str) -> Person:
    return Person(login=login, name=name, password=hash_password(PASSWORD), created=now())


ANSWERED = 4
"""Items of each study that are handed in, at most; the rest is left to whoever tries the demo."""

LEFT = 2
"""Items of each study that are left in any case."""

SLIP = 0.12
"""How often an invented reader answers otherwise."""

CATEGORIES = {
    "missed finding": "missed finding",
    "false finding": "false finding",
    "wrong place": "wrong location",
    "device position": "wrong location",
    "wrong degree": "wrong severity",
    "wrong size": "wrong severity",
    "wrong certainty": "wrong severity",
    "vaguer": "wrong severity",
    "missed comparison": "missed comparison",
    "false comparison": "false comparison",
    "wrong direction": "false comparison",
}
"""Kind of error in the ledger → category of a judge; others are left out."""


def hand_in(session: Session, study: Study) -> None:
    """The first items of the study by both readers, with what comes back of them."""
    answered_items = min(ANSWERED, count_items(session, study.id) - LEFT)
    own = (
        select(Assignment.id)
        .join(Item, Item.id == Assignment.item)
        .where(Assignment.study == study.id, Item.number <= answered_items)
        .order_by(Assignment.position)
    )
    for id in session.scalars(own).all():
        at = desk(session, id)
        assert at is not None
        rng = Random(f"{study.sheet}/{at.item.key}/{at.assignment.person}/{at.assignment.repeat}")
        submit(session, at, at.assignment.version, answered(at, rng), seconds=rng.uniform(25, 140))


def answered(at: Desk, rng: Random) -> list[Row]:
    one = at.form
    if one.family == "judge":
        return judged(at.content, at.rows, rng)
    if one.family == "compare":
        return compared(at, rng)
    kinds = {kind.name: kind for kind in one.kinds}
    given = [corrected(kinds[row.kind], row, rng) for row in at.rows]
    return [accepted(row, row.values) for row in at.rows] if unanswered(at, given) else given


def accepted(row: Row, values: dict[str, Value]) -> Row:
    return replace(row, state="accepted", values=values)


def corrected(kind: Kind, row: Row, rng: Random) -> Row:
    """The suggested row, accepted; now and then with another choice."""
    values = dict(row.values)
    choices = [
        f for f in kind.fields
        if f.type == "choice" and f.required and f.compared != "none" and len(f.options) > 1 and asked(f.when, values)
        and not any(other.when and other.when[0] == f.name for other in kind.fields)
    ]  # fmt: skip
    if choices and rng.random() < SLIP:
        field = rng.choice(choices)
        values[field.name] = rng.choice([one for one in field.options if one != values.get(field.name)])
    return accepted(row, values)


def judged(content: Content, rows: Sequence[Row], rng: Random) -> list[Row]:
    """The ledger's errors, of which each reader overlooks a few, and a rating that goes by them."""
    found = find_errors(content["reference"], content["candidate"])
    known = [error for error in found if error.kind in CATEGORIES and rng.random() > SLIP]
    grave = sum(error.significance in ("critical", "significant") for error in known)
    rating = min(5, max(1, 5 - grave + rng.choice((0, 0, 1))))
    overall = [accepted(row, {**row.values, "rating": str(rating)}) for row in rows]
    return [*(error_row(n, error) for n, error in enumerate(known)), *overall]


def error_row(number: int, error: object) -> Row:
    held = to_builtins(error)
    serious = held["significance"] in ("critical", "significant")
    places = [
        (part, span[0], span[1])
        for part, side in enumerate(("reference", "candidate"))
        for span in held[side]
    ]  # fmt: skip
    values = {
        "category": CATEGORIES[held["kind"]],
        "significance": SIGNIFICANT[0] if serious else SIGNIFICANT[1],
        "words": held["finding"],
        "note": "",
    }
    return Row(f"e{number}", ERROR.name, "accepted", True, values, {"words": places})


def compared(at: Desk, rng: Random) -> list[Row]:
    """The candidate with the better ledger, unless they are close or the reader errs."""
    reference, candidates = at.content["reference"], at.content["candidates"]
    first, second = (find_errors(reference, candidates[name]).value for name in at.assignment.layout["order"])
    better = "tie" if abs(first - second) < 0.05 or rng.random() < SLIP else "A" if first > second else "B"
    return [accepted(row, {**row.values, "better": better}) for row in at.rows]
