"""Which of the fifty keywords a finding is: `keywords.tsv` lists them, `diseases.tsv` maps our concepts."""

from collections import defaultdict
from functools import cache, partial

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding
from overread.systems import tables
from overread.systems.tables import Wanted

LONGITUDINAL_WORDS = tables.word_sets("longitudinal")
table = partial(tables.row_tuples, "longitudinal")
longitudinal_constants = partial(tables.constants, "longitudinal")


class Located(Wanted, frozen=True, forbid_unknown_fields=True):
    """A place or a site may be inside the name: a rib fracture says its bone there."""

    def holds(self, finding: Finding) -> bool:
        named = self.relation in ("site", "location") and finding.site in self.values
        return named or super().holds(finding)


@cache
def keywords() -> tuple[str, ...]:
    """The fifty, in the order of the published list.

    >>> len(keywords()), keywords()[-1]
    (50, 'vascular redistribution')
    """
    return tuple(row[0] for row in table("keywords"))


@cache
def keyword_rows() -> dict[str, list[tuple[tuple[Located, ...], tuple[str, ...]]]]:
    """The lines of `diseases.tsv` by concept, or by `kind:` and a kind: tests, all of which must hold, and keywords.

    Usually there is no test and one keyword; there is none for concepts the list has no word for.
    """
    found = defaultdict(list)
    for concept, when, keyword, _reason in table("diseases"):
        named = () if keyword == "-" else tuple(keyword.split(" + "))
        found[concept].append((Located.read(when, " & "), named))
    return dict(found)


def diseases(finding: Finding) -> tuple[str, ...]:
    """The keywords of a finding: of what it implies, of its concept or the nearest more general one, or of its kind.

    The first row that fits counts.
    """
    above = [n for one in (finding.implies, finding.concept) if one for n in lexicon().ancestors(one)]
    for name in (*above, f"kind:{finding.kind}"):
        for tests, named in keyword_rows().get(name, ()):
            if all(test.holds(finding) for test in tests):
                return named
    return ()
