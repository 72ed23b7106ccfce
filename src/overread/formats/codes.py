"""Codes: a map from our concepts to them, and candidates for one from a user's own copy of a terminology.

A map is the user's own or the starter that is shipped. A name of a terminology is a candidate, for a person to choose
from, where it is a written form of the concept, whatever its case and punctuation; `Pneumonia, Viral` is also
`viral pneumonia`. Read from: UMLS (`MRCONSO.RRF`, English, not suppressed), RadLex or any other ontology as BioPortal
exports it (Class ID, Preferred Label, Synonyms), or a table with code and term.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import as_file, files
from itertools import groupby
from pathlib import Path

from msgspec import Struct, field

from overread.errors import BadInput
from overread.formats.annotated import Mark
from overread.lexicon.lexicon import Lexicon, lexicon
from overread.lexicon.words import phrase
from overread.sources.encoding import bad, detect, numbered
from overread.sources.table_files import Rows, delimited

MAP_COLUMNS = ("concept", "system", "code", "display", "concept_id", "source_concept_id")
CODE_SYSTEMS = {
    "SNOMED": "http://snomed.info/sct",
    "LOINC": "http://loinc.org",
    "RADLEX": "http://radlex.org",
    "ICD10": "http://hl7.org/fhir/sid/icd-10",
    "ICD10CM": "http://hl7.org/fhir/sid/icd-10-cm",
    "UMLS": "http://www.nlm.nih.gov/research/umls",
}
"""Short names a map may use for the systems' URLs."""


class Coding(Struct, frozen=True):
    """A code of somebody's terminology."""

    system: str
    code: str
    display: str | None = None


class Codes(Struct, frozen=True):
    """What a map says, by our name for a thing: `pleural-effusion`, `term:chylothorax`, `section:impression`."""

    codings: dict[str, tuple[Coding, ...]] = field(default_factory=dict)
    omop: dict[str, tuple[int, int]] = field(default_factory=dict)
    """Standard and source concept id; 0 for none, as OMOP has it."""

    terms: frozenset[str] = frozenset()
    """Wordings with a row of their own, coded or not: a concept may hold narrower things than its name says."""

    def name_of(self, mark: Mark) -> str | None:
        """The row that tells a finding's code: that of the wording that was read, else that of its concept."""
        term = f"term:{wording(mark)}"
        return term if term in self.terms else mark.concept

    def coding(self, name: str | None) -> tuple[Coding, ...]:
        return self.codings.get(name or "", ())

    def concept_ids(self, name: str | None) -> tuple[int, int]:
        return self.omop.get(name or "", (0, 0))


STARTER = "starter"
"""Named instead of a file: `starter_codes.csv`, ICD-10-CM as of April 2026, which its publisher gives to the public."""


def read_codes(path: Path | None) -> Codes:
    """A CSV or TSV with a column `concept` and `system`, `code`, `display` for FHIR or `concept_id`,
    `source_concept_id` for OMOP, or all of them."""
    if path is None:
        return Codes()
    if str(path) == STARTER:
        with as_file(files("overread.formats") / "starter_codes.csv") as shipped:
            return read_codes(shipped)
    rows = delimited(path, detect(path))
    unknown = [name for name in rows.names if name not in MAP_COLUMNS]
    if "concept" not in rows.names or unknown:
        raise BadInput(
            f"{path} is no map of codes: its columns may be {', '.join(MAP_COLUMNS)}, the first always."
        )
    codings: dict[str, tuple[Coding, ...]] = {}
    omop: dict[str, tuple[int, int]] = {}
    terms: set[str] = set()
    for line, cells in rows:
        row = {name: rows.value(line, cells, name).strip() for name in rows.names}
        if not row["concept"]:
            raise bad(path, f"line {line}", "the concept is missing.")
        if row["concept"].startswith("term:"):
            terms.add(row["concept"])
        if row.get("code"):
            system = CODE_SYSTEMS.get(row.get("system", "").upper(), row.get("system", ""))
            if ":" not in system:
                known = ", ".join(CODE_SYSTEMS)
                raise bad(path, f"line {line}", f"the system must be a URL or one of {known}.")
            coding = Coding(system, row["code"], row.get("display") or None)
            codings[row["concept"]] = (*codings.get(row["concept"], ()), coding)
        standard, source = ((name, row.get(name) or "") for name in MAP_COLUMNS[4:])
        if standard[1] or source[1]:
            omop[row["concept"]] = (whole_number(*standard, path, line), whole_number(*source, path, line))
    return Codes(codings, omop, frozenset(terms))


def whole_number(name: str, cell: str, path: Path, line: int) -> int:
    written = cell or "0"
    if not written.isdecimal() or int(written) >= 2**31:
        raise bad(path, f"line {line}", f"{name} must be a whole number below 2147483648.")
    return int(written)


def wording(mark: Mark) -> str:
    """The lexicon's form of what was read, `hemorrhagic stroke`; of a mark without one the words themselves."""
    known = forms()
    return next((known[one.rule] for one in mark.trace if one.rule in known), mark.entity.lower())


@cache
def starter() -> Codes:
    return read_codes(Path(STARTER))


@cache
def forms() -> dict[str, str]:
    return {row.id: row.form for row in lexicon().rows if row.table == "findings"}


@cache
def finding_models() -> dict[str, str]:
    """Concept → id in the Open Imaging Finding Models, for those that have one (`finding_models.tsv`)."""
    return {row["concept"]: row["model"] for row in shipped_table("finding_models.tsv")}


def shipped_table(name: str) -> list[dict[str, str]]:
    """The rows of a table (TSV) of this package."""
    text = files("overread.formats").joinpath(name).read_text("utf-8")
    said = (line for line in text.splitlines() if line and not line.startswith("#"))
    return list(csv.DictReader(said, delimiter="\t"))


LANGUAGE, CUI, TERM_TEXT, SUPPRESSED = 1, 0, 14, 16
"""Columns of MRCONSO.RRF."""

RANK, PREFERRED = (2, 4, 6), ("P", "PF", "Y")
"""The columns that say which name of a concept is the preferred one, and what they say."""

LONGEST_TERM = 80
"""Letters of a name; no written form of ours is longer."""


Name = tuple[Coding, str]
"""A code, and one of its names."""


class Candidate(Struct, frozen=True):
    """A code, and how many written forms of the thing it names."""

    coding: Coding
    forms: int
    own: bool
    """Is it called as the thing itself is?"""


def names_in(path: Path) -> Iterator[Name]:
    """Every name of a terminology."""
    if path.suffix.lower() == ".rrf":
        return umls(path)
    rows = delimited(path, detect(path))
    if {"Class ID", "Preferred Label"} <= set(rows.names):
        return bioportal(rows)
    if {"code", "term"} <= set(rows.names):
        return term_table(rows)
    raise BadInput(
        f"{path} is no terminology known here. Give MRCONSO.RRF of UMLS, a BioPortal export (Class ID, Preferred "
        "Label, Synonyms), or a table with the columns code, term and perhaps system."
    )


def umls(path: Path) -> Iterator[Name]:
    """MRCONSO.RRF is sorted by concept; each name comes with the concept's preferred one."""
    for concept, rows in groupby(atoms(path), lambda cells: cells[CUI]):
        found = list(rows)
        preferred = next((cells for cells in found if tuple(cells[n] for n in RANK) == PREFERRED), found[0])
        coding = Coding(CODE_SYSTEMS["UMLS"], concept, preferred[TERM_TEXT])
        yield from ((coding, cells[TERM_TEXT]) for cells in found if len(cells[TERM_TEXT]) <= LONGEST_TERM)


def atoms(path: Path) -> Iterator[list[str]]:
    for number, line in numbered(path):
        cells = line.rstrip("\n").split("|")
        if len(cells) <= SUPPRESSED:
            raise bad(path, f"line {number}", f"MRCONSO.RRF has 18 columns; here are {len(cells)}.")
        if cells[LANGUAGE] == "ENG" and cells[SUPPRESSED] == "N":
            yield cells


def bioportal(rows: Rows) -> Iterator[Name]:
    for _, row in rows:
        if str(row.get("Obsolete") or "").lower() == "true":
            continue
        place, _, code = str(row["Class ID"] or "").replace("#", "/").rpartition("/")
        label = str(row["Preferred Label"] or "")
        system = CODE_SYSTEMS["RADLEX"] if "radlex" in place.lower() else place
        for name in (label, *str(row.get("Synonyms") or "").split("|")):
            yield Coding(system, code, label), name


def term_table(rows: Rows) -> Iterator[Name]:
    for _, row in rows:
        system, term = str(row.get("system") or ""), str(row["term"] or "")
        yield Coding(CODE_SYSTEMS.get(system.upper(), system), str(row["code"] or ""), term), term


def look_up_keys(name: str) -> Iterator[str]:
    """A name as it is looked up.

    >>> list(look_up_keys("Pneumonia, Viral")), list(look_up_keys("Pleural-Effusion"))
    (['pneumonia viral', 'viral pneumonia'], ['pleural effusion'])
    """
    yield look_up_key(name)
    head, comma, rest = name.partition(", ")
    if comma and ", " not in rest:
        yield look_up_key(f"{rest} {head}")


def look_up_key(name: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))


def forms_of(words: Lexicon) -> dict[str, list[str]]:
    """What a map of codes may name → its written forms, its own name first: concepts, and places as `location:…`."""
    found = {name: [name] for name in words.concepts}
    for row in words.rows:
        if row.table == "findings":
            found[row.concept].append(row.form)
        elif row.table == "locations":
            found[f"location:{row.form.lower()}"] = [row.form]
    return found


def forms_like(term: str, words: Lexicon) -> list[str]:
    """A term and, where the lexicon knows it, every other form of its concept: `PTX` is also looked up as pneumothorax.

    >>> from overread.lexicon.lexicon import lexicon
    >>> forms_like("PTX", lexicon())[:2], forms_like("zorgle", lexicon())
    (['PTX', 'pneumothorax'], ['zorgle'])
    """
    row = words.described("findings", phrase(term))
    concept = None if row is None else row.concept
    return [term, *filter(None, [concept]), *(one.form for one in words.rows if one.concept == concept)]


def candidates(
    things: Mapping[str, Sequence[str]], names: Iterable[Name], most: int = 5
) -> dict[str, list[Candidate]]:
    """For each thing the codes that may mean it, the likeliest first; an empty list where nothing is called so."""
    wanted: dict[str, set[str]] = {}
    for thing, forms in things.items():
        for form in forms:
            wanted.setdefault(look_up_key(form), set()).add(thing)
    hits: dict[str, dict[tuple[str, str], tuple[Coding, set[str]]]] = {thing: {} for thing in things}
    for coding, name in names:
        for written in look_up_keys(name):
            for thing in wanted.get(written, ()):
                hits[thing].setdefault((coding.system, coding.code), (coding, set()))[1].add(written)
    found = {}
    for thing, (name, *_) in things.items():
        own = look_up_key(name)
        some = [Candidate(coding, len(forms), own in forms) for coding, forms in hits[thing].values()]
        found[thing] = sorted(some, key=lambda one: (not one.own, -one.forms, one.coding.code))[:most]
    return found
