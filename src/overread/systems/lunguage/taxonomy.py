"""The lexicon as LUNGUAGE's paper lays out its vocabulary (Table A.1, Figures A.2 to A.4): three tables of terms."""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, partial

from overread.lexicon.lexicon import Lexicon
from overread.systems.tables import facts_in

TaxonomyTerm = tuple[str, str, str, str]
"""One written form in its place: category (of an entity PF, CF and so on; of a place its system; of an attribute the
relation), subcategory (of a place its path through the body), the normalised term, and the term as it is written."""


divisions: Callable[[], dict[str, dict[str, str]]] = cache(partial(facts_in, "lunguage", "taxonomy.toml"))


def system_of(path: tuple[str, ...]) -> str:
    """
    >>> system_of(("thorax", "lung", "lower-lobe")), system_of(("thorax", "mediastinum", "heart")), system_of(())
    ('Respiratory', 'Cardiovascular', 'Other')
    """
    rows = divisions()["system"]
    beginnings = (" > ".join(path[:n]) for n in range(len(path), 0, -1))
    return next((rows[one] for one in beginnings if one in rows), "Other")


def vocabulary(words: Lexicon) -> dict[str, list[TaxonomyTerm]]:
    """The three tables by name."""
    found: dict[str, list[TaxonomyTerm]] = {"entities": [], "attributes": [], "locations": []}
    for row in words.rows:
        place = " > ".join(row.path) or "-"
        if row.table == "findings":
            concept = words.concepts[row.concept]
            sub = divisions()["own"].get(concept.name) or divisions()["subcategory"][concept.kind]
            found["entities"].append((concept.category, sub, concept.name, row.form))
        elif row.table == "locations":
            system = system_of((*row.path, row.concept))
            found["locations"].append((system, place, row.concept, row.form))
        else:
            found["attributes"].append((row.table, place, row.concept, row.form))
    return {name: sorted(terms) for name, terms in found.items()}


def term_counts(name: str, terms: Iterable[TaxonomyTerm]) -> dict[tuple[str, str], tuple[int, int]]:
    """Category and subcategory → terms normalised, and as written; of places the system alone."""
    placed = [(kind, "" if name == "locations" else sub, normalised) for kind, sub, normalised, _ in terms]
    normal, raw = (Counter((kind, sub) for kind, sub, _ in some) for some in ({*placed}, placed))
    return {key: (normal[key], raw[key]) for key in sorted(raw)}
