"""A map from our concepts to codes: the user's own, or the starter that is shipped."""

from functools import cache
from importlib.resources import as_file, files
from pathlib import Path

from msgspec import Struct, field

from overread.errors import BadInput
from overread.formats.annotated import Mark
from overread.formats.damage import bad
from overread.lexicon.lexicon import lexicon
from overread.sources.encoding import detect
from overread.sources.rows import Cells, cell
from overread.sources.table_files import Delimited

COLUMNS = ("concept", "system", "code", "display", "concept_id", "source_concept_id")
SYSTEMS = {
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
    rows = Delimited(path, detect(path))
    unknown = [name for name in rows.names if name not in COLUMNS]
    if "concept" not in rows.names or unknown:
        raise BadInput(
            f"{path} is no map of codes: its columns may be {', '.join(COLUMNS)}, the first always."
        )
    codings: dict[str, tuple[Coding, ...]] = {}
    omop: dict[str, tuple[int, int]] = {}
    terms: set[str] = set()
    for line, cells in rows:
        row = Row(path, line, cells)
        if row["concept"].startswith("term:"):
            terms.add(row["concept"])
        if row["code"]:
            codings[row["concept"]] = (*codings.get(row["concept"], ()), row.coding())
        if row["concept_id"] or row["source_concept_id"]:
            omop[row["concept"]] = (row.whole("concept_id"), row.whole("source_concept_id"))
    return Codes(codings, omop, frozenset(terms))


class Row:
    """One line of a map."""

    def __init__(self, path: Path, line: int, cells: Cells) -> None:
        self.path, self.line, self.cells = path, line, cells
        if not self["concept"]:
            raise self.wrong("the concept is missing.")

    def __getitem__(self, name: str) -> str:
        return cell(self.cells.get(name), str(self.path), self.line, name).strip()

    def wrong(self, problem: str) -> BadInput:
        return bad(self.path, f"line {self.line}", problem)

    def coding(self) -> Coding:
        system = SYSTEMS.get(self["system"].upper(), self["system"])
        if ":" not in system:
            raise self.wrong(f"the system must be a URL or one of {', '.join(SYSTEMS)}.")
        return Coding(system, self["code"], self["display"] or None)

    def whole(self, name: str) -> int:
        written = self[name] or "0"
        if not written.isdecimal() or int(written) >= 2**31:
            raise self.wrong(f"{name} must be a whole number below 2147483648.")
        return int(written)


def wording(mark: Mark) -> str:
    """The lexicon's form of what was read, `hemorrhagic stroke`; of a mark without one the words themselves."""
    known = forms()
    return next((known[one.rule] for one in mark.trace if one.rule in known), mark.entity.lower())


def is_narrower(mark: Mark) -> bool:
    """Whether the words say another thing than the name of their concept, as the starter tells."""
    return starter().name_of(mark) != mark.concept


@cache
def starter() -> Codes:
    return read_codes(Path(STARTER))


@cache
def forms() -> dict[str, str]:
    return {row.id: row.form for row in lexicon().rows if row.table == "findings"}


@cache
def finding_models() -> dict[str, str]:
    """Concept → id in the Open Imaging Finding Models, for those that have one (`finding_models.tsv`)."""
    text = (files("overread.formats") / "finding_models.tsv").read_text(encoding="utf-8")
    rows = [line.split("\t") for line in text.splitlines() if line and not line.startswith("#")]
    return {concept: model for concept, model, *_ in rows[1:]}
