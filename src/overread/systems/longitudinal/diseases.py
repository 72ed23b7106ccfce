"""Which of the fifty keywords a finding is: `keywords.tsv` lists them, `diseases.tsv` maps our concepts."""

from collections import defaultdict
from functools import cache, partial

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding
from overread.systems import tables

WORDS = tables.word_sets("longitudinal")
table = partial(tables.rows, "longitudinal")
published = partial(tables.constants, "longitudinal")


class Test(Struct, frozen=True, forbid_unknown_fields=True):
    """What decides besides the concept: `relation=value,value`."""

    relation: str
    """`site`, or an attribute's relation."""

    values: frozenset[str]
    """Concepts of that attribute, or categories above them; one is enough."""

    def holds(self, finding: Finding) -> bool:
        if self.relation in ("site", "location") and finding.site in self.values:
            return True  # a rib fracture names its bone inside the entity
        return any(self.values & tables.names_of(a) for a in finding.values(self.relation))


class Row(Struct, frozen=True, forbid_unknown_fields=True):
    """One line of `diseases.tsv`."""

    tests: tuple[Test, ...]
    """All must hold; often there is none."""

    keywords: tuple[str, ...]
    """Usually one; none for concepts the list has no word for."""

    def fits(self, finding: Finding) -> bool:
        return all(test.holds(finding) for test in self.tests)


@cache
def keywords() -> tuple[str, ...]:
    """The fifty, in the order of the published list.

    >>> len(keywords()), keywords()[-1]
    (50, 'vascular redistribution')
    """
    return tuple(row[0] for row in table("keywords"))


@cache
def rows() -> dict[str, tuple[Row, ...]]:
    """The lines of `diseases.tsv` by concept, or by `kind:` and a kind; the first that fits counts."""
    found: dict[str, list[Row]] = defaultdict(list)
    for concept, when, keyword, _reason in table("diseases"):
        named = () if keyword == "-" else tuple(keyword.split(" + "))
        found[concept].append(Row(tests(when), named))
    return {concept: tuple(lines) for concept, lines in found.items()}


def tests(cell: str) -> tuple[Test, ...]:
    """
    >>> [(test.relation, sorted(test.values)) for test in tests("location=rib & morphology=old,healed")]
    [('location', ['rib']), ('morphology', ['healed', 'old'])]
    """
    parts = [] if cell == "-" else [part.split("=") for part in cell.split(" & ")]
    return tuple(Test(relation, frozenset(values.split(","))) for relation, values in parts)


def diseases(finding: Finding) -> tuple[str, ...]:
    """The keywords of a finding: of what it implies, of its concept or the nearest more general one, or of its kind."""
    known = rows()
    above = [n for one in (finding.implies, finding.concept) if one for n in lexicon().ancestors(one)]
    for name in (*above, f"kind:{finding.kind}"):
        fitting = next((row for row in known.get(name, ()) if row.fits(finding)), None)
        if fitting is not None:
            return fitting.keywords
    return ()
