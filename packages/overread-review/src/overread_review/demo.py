"""The demo: studies over the bundled invented reports, and accounts to try every role."""

from collections.abc import Callable

from sqlalchemy import select

from overread import examples
from overread_review.demo_answers import hand_in
from overread_review.site.passwords import hash_password
from overread_review.store.connect import Store
from overread_review.store.tables import Person, Study, now
from overread_review.work.assign import assign
from overread_review.work.items import Files, make_items
from overread_review.work.studies import create_study, join

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
            settings = {"overlap": 2, "repeats": 0.3 if kind == "compare" else 0.0, "seed": 1}
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
