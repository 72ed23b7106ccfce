"""Matching of very many sentences: block by block, by rules alone."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from overread.systems.blocks import blocks
from overread.systems.radsem.match import match, matching, tagged
from overread.systems.radsem.matching.contradictions import Refused, contradictions
from overread.systems.radsem.matching.hearing import NOTHING
from overread.systems.radsem.matching.relate import targets
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.tags import Findings, Tags

MOST = 120
"""Sentences of one report that are all held against all of the other; a long report has a hundred."""

Views = tuple[Atoms, Atoms]


def match_many(reference: Atoms, candidate: Atoms) -> Tags:
    """The tags of two views, however many sentences they hold."""
    parts = list(paired_blocks(reference, candidate))
    if len(parts) == 1:
        return match(reference, candidate)
    found = [tagged(a, b, matching(a.statements, b.statements), NOTHING) for a, b in parts]
    every = [tags.findings for tags in found]
    return Tags(
        name=reference.id,
        findings=Findings(
            tuple(pair for one in every for pair in one.pairs),
            tuple(loose for one in every for loose in one.unmatched_sentences),
        ),
        ref_sentences=tuple(a.text for a in reference.statements),
        gen_sentences=tuple(b.text for b in candidate.statements),
    )


def excluding(reference: Atoms, candidate: Atoms, missed: set[str], invented: set[str]) -> Iterator[Refused]:
    """Sentences that exclude each other, however many there are."""
    for a, b in paired_blocks(reference, candidate):
        yield from contradictions(a.statements, b.statements, missed, invented)


def paired_blocks(reference: Atoms, candidate: Atoms) -> Iterator[Views]:
    """The two views themselves, or parts of them that speak of the same things."""
    ours, theirs = reference.statements, candidate.statements
    if len(ours) <= MOST and len(theirs) <= MOST:
        yield reference, candidate
        return
    for one, two in blocks(keys(ours), keys(theirs), MOST):
        yield chosen(reference, one), chosen(candidate, two)


def chosen(view: Atoms, places: Sequence[int]) -> Atoms:
    if len(places) == len(view.statements):
        return view
    return replace(view, atoms=tuple(view.statements[n] for n in places), unread=())


def keys(atoms: Sequence[Atom]) -> list[str]:
    """What and where, whether affirmed or denied."""
    return [" ".join((*targets(a.finding), *a.sites)) for a in atoms]
