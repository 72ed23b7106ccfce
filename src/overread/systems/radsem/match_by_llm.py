"""Two views + client → Tags: sentences matched by a language model, the record checked as strictly as a file.

    for outcome in tags(client, [(reference, candidate)]):
        ...  # a Tags for score_tags, or the Failure that says why there is none

Sentences are asked for by number, and their class is known already; those in no pair are without a partner. An answer
that names a sentence that does not exist, mislabels a pair or matches what cannot both be true gets the layer's one
repair turn; if it is still wrong the pair of reports fails: nothing of it is scored.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct, structs

from overread.errors import AskFailed
from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.systems.base import Score
from overread.systems.radsem.schema import Atom, Atoms, Normality
from overread.systems.radsem.score import ALTERNATIVE, scored
from overread.systems.radsem.tags import Details, Relationship, SentencePair, Tags, record
from overread.systems.radsem.tags import problems as record_problems

MATCH_PROMPTS = "overread.systems.radsem"
Views = tuple[Atoms, Atoms]


class Link(Struct, frozen=True, forbid_unknown_fields=True):
    """A pair of sentences by their numbers, with its labels."""

    ref: int
    gen: int
    anatomical_relationship: Relationship
    asserted_abnormality_relationship: Relationship | None
    negated_abnormality_relationship: Relationship | None
    details_of_abnormality_relationship: Details | None


class Matched(Struct, frozen=True, forbid_unknown_fields=True):
    """The pairs; every sentence that stands in none is without a partner."""

    pairs: list[Link]


def tags(client: Client, pairs: Sequence[Views], alt: bool = False) -> list[Tags | Failure]:
    """One tag record, or one failure, per pair of views, in order; where a side is empty nobody is asked.

    With `alt` the question is that of RadSEM-Alt: each candidate sentence has one reference sentence at most.
    """
    asked = [match_item(views) for views in pairs if both_have_atoms(views)]
    prompt = load_prompt(MATCH_PROMPTS, "match-alt" if alt else "match")
    check = alt_problems if alt else match_problems
    outcomes = iter(ask_many(client, prompt, asked, Matched, check=check))
    found: list[Tags | Failure] = []
    for views in pairs:
        outcome = next(outcomes) if both_have_atoms(views) else None
        if isinstance(outcome, Failure):
            found.append(outcome)
        else:
            found.append(tagged(views, Matched([]) if outcome is None else outcome.value))
    return found


def score(client: Client, name: str, reference: Atoms, candidate: Atoms) -> Score:
    """The variant called `name`, its sentences matched by a language model; an error when it could not."""
    (found,) = tags(client, [(reference, candidate)], alt=name.startswith(ALTERNATIVE))
    if isinstance(found, Failure):
        raise AskFailed(f"{found.stage}: {found.reason}")
    return scored(name, reference, candidate, found)


def both_have_atoms(views: Views) -> bool:
    return all(view.atoms for view in views)


def match_item(views: Views) -> Item:
    reference, candidate = views
    inputs = {"reference": numbered_atoms(reference.atoms), "candidate": numbered_atoms(candidate.atoms)}
    return Item(reference.id, inputs, source=views)


def numbered_atoms(atoms: Iterable[Atom]) -> str:
    return "\n".join(f"{n}. ({atom.normality}) {atom.text}" for n, atom in enumerate(atoms, 1))


def match_problems(item: Item, answer: Matched) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    reference, candidate = item.source
    refs, gens = [p.ref for p in answer.pairs], [p.gen for p in answer.pairs]
    outside = [f"There is no reference sentence {n}." for n in refs if not 1 <= n <= len(reference.atoms)]
    outside += [f"There is no candidate sentence {n}." for n in gens if not 1 <= n <= len(candidate.atoms)]
    if outside:
        return outside
    refused = [told for link in answer.pairs for told in contradicting(item.source, link)]
    return refused or [one.text for one in record_problems(tagged(item.source, answer))]


def alt_problems(item: Item, answer: Matched) -> list[str]:
    """As above, and candidate sentences that stand in several pairs."""
    taken = Counter(pair.gen for pair in answer.pairs)
    twice = [
        f"Candidate sentence {n} stands in {k} pairs; keep its best one." for n, k in taken.items() if k > 1
    ]
    return twice or match_problems(item, answer)


def contradicting(views: Views, link: Link) -> Iterator[str]:
    """A pair that can never be: normal with abnormal, left with right."""
    a, b = views[0].atoms[link.ref - 1], views[1].atoms[link.gen - 1]
    named = f"Reference sentence {link.ref} and candidate sentence {link.gen} cannot both be true"
    if a.normality != b.normality:
        yield f"{named}: one is normal, one abnormal. They must not be a pair."
    elif a.side != b.side and "-" not in (a.side, b.side):
        yield f"{named}: one is left, one right. They must not be a pair."


def tagged(views: Views, answer: Matched) -> Tags:
    """The answer as a tag record, numbers turned into sentences."""
    refs, gens = (view.atoms for view in views)
    pairs = (
        (link.ref - 1, link.gen - 1, pair_of_link(link, refs[link.ref - 1], gens[link.gen - 1]))
        for link in answer.pairs
    )
    return record(*views, pairs)


def pair_of_link(link: Link, a: Atom, b: Atom) -> SentencePair:
    """The pair with its labels; it is normal only when both sentences are."""
    _, _, *labels = structs.astuple(link)
    normality: Normality = "normal" if a.normality == b.normality == "normal" else "abnormal"
    return SentencePair(a.text, b.text, normality, *labels)
