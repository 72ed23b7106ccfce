"""References and candidates joined by id, kept on disk so that memory does not grow with their number."""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.report import Report, parse
from overread.runner.results.rows import Note
from overread.sources import Source

JOIN_TABLES = """
CREATE TABLE reference (number INTEGER PRIMARY KEY, id TEXT UNIQUE, patient TEXT, report BLOB);
CREATE TABLE candidate (system TEXT, id TEXT, report BLOB, PRIMARY KEY (system, id)) WITHOUT ROWID;
CREATE INDEX by_patient ON reference (patient);
"""


MISSING = """
SELECT id FROM reference WHERE id NOT IN (SELECT id FROM candidate WHERE system = ?) ORDER BY number
"""
EXTRA = """
SELECT id FROM candidate WHERE system = ? AND id NOT IN (SELECT id FROM reference) ORDER BY id
"""
PATIENTS = """
SELECT patient, COUNT(*) FROM reference WHERE patient IS NOT NULL GROUP BY patient ORDER BY MIN(number)
"""


class Pair(Struct, frozen=True, forbid_unknown_fields=True):
    """A reference and what each system wrote for it."""

    number: int
    """Place among the references, from 0."""

    reference: Report
    candidates: dict[str, Report]
    """Every system is here; an empty report stands for one that is missing."""

    missing: tuple[str, ...] = ()
    """Systems that had no candidate with this id."""

    def note(self, system: str) -> Note | None:
        """What is odd about this pair."""
        if system in self.missing:
            return "no candidate"
        reference, candidate = (bool(r.text.strip()) for r in (self.reference, self.candidates[system]))
        if reference and candidate:
            return None
        return "empty candidate" if reference else "empty reference" if candidate else "both empty"


class Account(Struct, frozen=True, forbid_unknown_fields=True):
    """Where every row went: candidates = joined + extra, references = joined + missing."""

    references: int
    candidates: int
    joined: int
    missing: tuple[str, ...]
    """References without a candidate: scored against an empty report."""

    extra: tuple[str, ...]
    """Candidates without a reference: not scored."""

    empty_references: int
    empty_candidates: int


class Pairs:
    """All pairs of a run, in the order of the references.

    >>> from overread.sources import from_records
    >>> old, new = [{"id": 1, "text": "Clear."}, {"id": 2, "text": "Clear."}], [{"id": 1, "text": "Edema."}]
    >>> found = Pairs.gather(from_records(old), {"ours": from_records(new)})
    >>> [(pair.reference.id, pair.note("ours")) for pair in found]
    [('1', None), ('2', 'no candidate')]
    """

    def __init__(self, path: Path | None = None) -> None:
        self.database = sqlite3.connect(path or ":memory:")
        # A half-written join is thrown away and made again: safety against power cuts would only cost time.
        self.database.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + JOIN_TABLES)
        self.systems: tuple[str, ...] = ()
        self.accounts: dict[str, Account] = {}

    @classmethod
    def gather(cls, references: Source, candidates: Mapping[str, Source]) -> "Pairs":
        """The pairs of these files, in memory."""
        return cls().join(references, candidates)

    def join(self, references: Source, candidates: Mapping[str, Source]) -> "Pairs":
        """Read every file once."""
        self.systems = tuple(candidates)
        self.fill(
            "INSERT INTO reference (id, patient, report) VALUES (?, ?, ?)",
            ((r.id, r.patient, pack(r)) for r in references),
        )
        for system, source in candidates.items():
            self.fill("INSERT INTO candidate VALUES (?, ?, ?)", ((system, r.id, pack(r)) for r in source))
            self.accounts[system] = self.account(system, references, source)
            if not self.accounts[system].joined:  # the wrong files, or their ids are written differently
                missing, extra = self.accounts[system].missing, self.accounts[system].extra
                raise BadInput(
                    f"{references.table.path} and {source.table.path} have no id in common: {shown_ids(missing)} "
                    f"against {shown_ids(extra)}. {likely(missing, extra)}"
                )
        return self

    def fill(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        with self.database:
            self.database.executemany(statement, rows)

    def account(self, system: str, references: Source, source: Source) -> Account:
        missing, extra = self.ids(MISSING, system), self.ids(EXTRA, system)
        return Account(
            references=references.count,
            candidates=source.count,
            joined=references.count - len(missing),
            missing=missing,
            extra=extra,
            empty_references=len(references.empty),
            empty_candidates=len(set(source.empty) - set(extra)),
        )

    def ids(self, query: str, system: str) -> tuple[str, ...]:
        return tuple(id for (id,) in self.database.execute(query, (system,)))

    def __len__(self) -> int:
        (count,) = self.database.execute("SELECT COUNT(*) FROM reference").fetchone()
        return int(count)

    def __iter__(self) -> Iterator[Pair]:
        return self.where("TRUE")

    def missing_from(self, done: Callable[[int], bool]) -> Iterator[Pair]:
        """The pairs whose places are not done yet."""
        places = self.database.execute("SELECT number - 1 FROM reference ORDER BY number")
        return self.chosen(place for (place,) in places if not done(place))

    def chosen(self, numbers: Iterable[int]) -> Iterator[Pair]:
        """The pairs at these places."""
        return (pair for number in numbers for pair in self.where("number = ?", number + 1))

    def where(self, condition: str, *values: object) -> Iterator[Pair]:
        """The pairs of which this is so, in the order of the references."""
        query = f"SELECT number, id, report FROM reference WHERE {condition} ORDER BY number"
        rows = self.database.execute(query, values)
        return (self.pair(place - 1, id, unpack(packed)) for place, id, packed in rows)

    def pair(self, number: int, id: str, reference: Report) -> Pair:
        query = "SELECT report FROM candidate WHERE system = ? AND id = ?"
        found = {system: self.database.execute(query, (system, id)).fetchone() for system in self.systems}
        given = {system: unpack(row[0]) for system, row in found.items() if row is not None}
        candidates = {system: placed_beside(given.get(system), reference) for system in self.systems}
        return Pair(number, reference, candidates, tuple(s for s in self.systems if s not in given))

    def patients(self) -> list[tuple[str, int]]:
        """Patients in order of first appearance, each with the number of studies."""
        return self.database.execute(PATIENTS).fetchall()

    def of_patient(self, patient: str) -> list[Pair]:
        """One patient's pairs, in the order of the references."""
        return list(self.where("patient = ?", patient))

    def close(self) -> None:
        self.database.close()


def shown_ids(ids: tuple[str, ...]) -> str:
    return ", ".join(repr(id[:LONGEST_ID]) for id in ids[:2]) + (", …" if len(ids) > 2 else "")


def likely(references: Iterable[str], candidates: Iterable[str]) -> str:
    """Why two sets of ids do not meet, as far as can be told.

    >>> likely(["001", "002"], ["1.0", "2.0"])
    "Read as numbers they meet ('001' and '1.0'): write them alike on both sides."
    """
    for how, alike in WAYS_TO_MEET.items():
        known = {alike(id): id for id in references}
        met = next((id for id in candidates if alike(id) in known), None)
        if met is not None:
            return f"{how} they meet ({known[alike(met)]!r} and {met!r}): write them alike on both sides."
    return "Are these the right files? Name the columns of ids with --id and --candidate-id."


def as_number(id: str) -> str:
    """
    >>> as_number("001"), as_number("1.0"), as_number("s1")
    ('1', '1', 's1')
    """
    found = LEADING_ZEROS.fullmatch(id)
    return found[1] or "0" if found else id


LEADING_ZEROS = re.compile(r"0*(\d*)(?:\.0*)?")
LONGEST_ID = 60
WAYS_TO_MEET: dict[str, Callable[[str], str]] = {
    "Read as numbers": as_number,
    "Without regard to case": str.casefold,
    "Without folder and ending": lambda id: id.rsplit("/", 1)[-1].rsplit(".", 1)[0],
    "By their digits alone": lambda id: "".join(c for c in id if c.isdigit()) or id,
}
"""How ids that are the same to a person may differ to a program."""


def placed_beside(candidate: Report | None, reference: Report) -> Report:
    """The candidate, or an empty report in its stead, at the reference's place on the patient's timeline."""
    found = candidate if candidate is not None else parse("", reference.id)
    return replace(found, patient=reference.patient, study=reference.study, day=reference.day)


pack = msgspec.msgpack.Encoder().encode
unpack = msgspec.msgpack.Decoder(Report).decode
