"""What is known beside written forms: concepts, cues, spellings, compounds, what is implied, and how words end."""

from collections.abc import Collection, Iterator
from functools import cache, lru_cache

from msgspec import Struct

from overread.errors import BadLexicon
from overread.lexicon.load import lines, table_text

CONCEPT_KINDS = frozenset("finding diagnosis structure device procedure generic symptom history".split())
KNOWN_CATEGORIES = frozenset({"PF", "CF", "OTH", "COF", "NCD", "PATIENT INFO"})
CUE_KINDS = frozenset("negation pseudo hedge link end recommend communicate technique prior".split())

GRADES = ("minimal", "mild", "moderate", "significant", "extreme")
"""Classes of degree, the least first."""


class Concept(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What a written form means, apart from its words."""

    name: str
    kind: str
    """finding, diagnosis, structure, device, procedure, generic, symptom or history."""

    category: str
    """PF, CF, OTH, COF, NCD or PATIENT INFO."""

    parent: str | None
    """The more general concept."""

    site: str | None
    """Where it is when the report does not say."""


FLAGS = frozenset({"recommend", "communicate", "technique", "prior"})
"""Kinds of cue that say something about the whole sentence and take no words away from the others."""


class Cue(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Words that turn, limit or join what stands around them."""

    id: str
    kind: str
    form: str
    reach: str
    """`after` or `before` (which side of the cue is touched), `both`, or `-`."""

    sense: str
    source: str


def read_concepts(text: str, file: str = "concepts.tsv") -> dict[str, Concept]:
    """The concept table, each name once, each parent known."""
    found: dict[str, Concept] = {}
    where: dict[str, int] = {}
    known = {"kind": CONCEPT_KINDS, "category": KNOWN_CATEGORIES}
    for number, cell in lines(text, file, (*Concept.__struct_fields__[1:], "concept", "source"), known):
        name = cell["concept"]
        if where.setdefault(name, number) != number:
            raise BadLexicon(file, number, f"concept {name!r} stands twice")
        parent, site = (None if cell[c] == "-" else cell[c] for c in ("parent", "site"))
        found[name] = Concept(name, cell["kind"], cell["category"], parent, site)
    for concept in found.values():
        if concept.parent is not None and concept.parent not in found:
            raise BadLexicon(file, where[concept.name], f"parent {concept.parent!r} is not a concept")
    return found


def read_cues(text: str, file: str = "cues.tsv") -> tuple[Cue, ...]:
    cells = lines(text, file, Cue.__struct_fields__, {"kind": CUE_KINDS})
    return tuple(Cue(**{k: cell[k] for k in Cue.__struct_fields__}) for _, cell in cells)


def read_compounds(text: str, concepts: Collection[str]) -> dict[tuple[str, str, str], str]:
    """(concept, relation, attribute concept) → the concept the two make together."""
    cells = of_concepts(
        text, "compounds.tsv", ("concept", "relation", "value", "becomes"), "concept becomes", concepts
    )
    return {(cell["concept"], cell["relation"], cell["value"]): cell["becomes"] for cell in cells}


def read_implied(text: str, concepts: Collection[str]) -> dict[tuple[str, str], str]:
    """(structure, what is said of it) → the finding they are together."""
    cells = of_concepts(text, "implied.tsv", ("thing", "said", "means"), "means", concepts)
    return {(cell["thing"], cell["said"]): cell["means"] for cell in cells}


def of_concepts(
    text: str, file: str, columns: tuple[str, ...], naming: str, concepts: Collection[str]
) -> Iterator[dict[str, str]]:
    """The rows of a table some columns of which name concepts."""
    for number, cell in lines(text, file, columns):
        if unknown := next((cell[column] for column in naming.split() if cell[column] not in concepts), None):
            raise BadLexicon(file, number, f"{unknown!r} is not a concept")
        yield cell


def read_spellings(text: str) -> dict[str, str]:
    rows = lines(text, "spellings.tsv", ("variant", "word"))
    return {cell["variant"]: cell["word"] for _, cell in rows}


class Ending(Struct, frozen=True):
    id: str
    forms: tuple[str, ...]
    """The ending, then its plurals."""

    means: str | None
    """The finding that the word names a kind of."""


@cache
def endings() -> tuple[Ending, ...]:
    """Every ending, longest first.

    >>> next(e for e in endings() if "omata" in e.forms).means
    'mass'
    """
    cells = (cell for _, cell in lines(table_text("endings"), "endings.tsv", ("id", "forms", "means")))
    found = [
        Ending(cell["id"], tuple(cell["forms"].split(",")), None if cell["means"] == "-" else cell["means"])
        for cell in cells
    ]
    return tuple(sorted(found, key=lambda one: -len(one.forms[0])))


@lru_cache(maxsize=4096)
def ending_of(word: str) -> Ending | None:
    """The ending that says what the word names.

    >>> ending_of("valvuloplasty").means
    'surgery'
    """
    return next((one for one in endings() if word.endswith(one.forms)), None)
