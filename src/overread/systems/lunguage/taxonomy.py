"""The lexicon as LUNGUAGE's paper lays out its vocabulary (Table A.1, Figures A.2 to A.4): three tables of terms."""

import tomllib
from collections import Counter
from collections.abc import Iterable
from functools import cache

from msgspec import Struct

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.meanings import Concept
from overread.systems.tables import text_in

OTHER = "Other"
NOT_ATTRIBUTES = ("findings", "locations")


class Term(Struct, frozen=True):
    """One written form in its place."""

    category: str
    """Of an entity PF, CF and so on; of a place its system; of an attribute the relation."""

    subcategory: str
    """Of a place its path through the body."""

    normalised: str
    raw: str


@cache
def divisions() -> dict[str, dict[str, str]]:
    return tomllib.loads(text_in("lunguage", "taxonomy.toml"))


def subcategory(concept: Concept) -> str:
    return divisions()["own"].get(concept.name) or divisions()["subcategory"][concept.kind]


def system_of(path: tuple[str, ...]) -> str:
    """
    >>> system_of(("thorax", "lung", "lower-lobe")), system_of(("thorax", "mediastinum", "heart")), system_of(())
    ('Respiratory', 'Cardiovascular', 'Other')
    """
    rows = divisions()["system"]
    beginnings = (" > ".join(path[:n]) for n in range(len(path), 0, -1))
    return next((rows[one] for one in beginnings if one in rows), OTHER)


def entities(words: Lexicon) -> list[Term]:
    rows = [(words.concepts[row.concept], row.form) for row in words.rows if row.table == "findings"]
    return sorted_terms(Term(c.category, subcategory(c), c.name, form) for c, form in rows)


def locations(words: Lexicon) -> list[Term]:
    rows = [row for row in words.rows if row.table == "locations"]
    return sorted_terms(
        Term(system_of((*row.path, row.concept)), " > ".join(row.path) or "-", row.concept, row.form)
        for row in rows
    )


def attributes(words: Lexicon) -> list[Term]:
    rows = [row for row in words.rows if row.table not in NOT_ATTRIBUTES]
    return sorted_terms(Term(row.table, " > ".join(row.path) or "-", row.concept, row.form) for row in rows)


def sorted_terms(found: Iterable[Term]) -> list[Term]:
    return sorted(found, key=lambda t: (t.category, t.subcategory, t.normalised, t.raw))


def vocabulary(words: Lexicon) -> dict[str, list[Term]]:
    """The three tables by name."""
    return {"entities": entities(words), "attributes": attributes(words), "locations": locations(words)}


def counted(name: str, terms: Iterable[Term]) -> dict[tuple[str, str], tuple[int, int]]:
    """Category and subcategory → terms normalised, and as written; of places the system alone."""
    places = name == "locations"
    seen = {(t.category, "" if places else t.subcategory, t.normalised) for t in terms}
    normal = Counter((category, sub) for category, sub, _ in seen)
    raw = Counter((t.category, "" if places else t.subcategory) for t in terms)
    return {key: (normal[key], raw[key]) for key in sorted(raw)}
