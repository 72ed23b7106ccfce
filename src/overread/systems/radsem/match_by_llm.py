"""Two views + client → Tags: sentences matched by a language model, the record checked as strictly as a file.

    for outcome in tags(client, [(reference, candidate)]):
        ...  # a Tags for score_tags, or the Failure that says why there is none

Sentences are asked for by number. An answer that leaves one out, names one twice over or mislabels a pair gets the
layer's one repair turn; if it is still wrong the pair of reports fails: nothing of it is scored.
"""

from collections.abc import Iterable, Sequence

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.systems.radsem.answers import Link, Loose, Matched
from overread.systems.radsem.schema import Atom, Atoms
from overread.systems.radsem.tags import Findings, Pair, Tags, Unmatched
from overread.systems.radsem.tags import problems as record_problems

PACKAGE = "overread.systems.radsem"
Views = tuple[Atoms, Atoms]


def tags(client: Client, pairs: Sequence[Views]) -> list[Tags | Failure]:
    """One tag record, or one failure, per pair of views, in order."""
    outcomes = ask_many(
        client, load_prompt(PACKAGE, "match"), [item(p) for p in pairs], Matched, check=problems
    )
    return [
        outcome if isinstance(outcome, Failure) else record(views, outcome.value)
        for views, outcome in zip(pairs, outcomes, strict=True)
    ]


def item(views: Views) -> Item:
    reference, candidate = views
    inputs = {"reference": numbered(reference.atoms), "candidate": numbered(candidate.atoms)}
    return Item(reference.id, inputs, source=views)


def numbered(atoms: Iterable[Atom]) -> str:
    return "\n".join(f"{n}. {atom.text}" for n, atom in enumerate(atoms, 1)) or "(no sentences)"


def problems(item: Item, answer: Matched) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    reference, candidate = item.source
    refs = [*(p.ref for p in answer.pairs), *(u.number for u in answer.unmatched_ref)]
    gens = [*(p.gen for p in answer.pairs), *(u.number for u in answer.unmatched_gen)]
    outside = [f"There is no reference sentence {n}." for n in refs if not 1 <= n <= len(reference.atoms)]
    outside += [f"There is no candidate sentence {n}." for n in gens if not 1 <= n <= len(candidate.atoms)]
    return outside or list(record_problems(record(item.source, answer)))


def record(views: Views, answer: Matched) -> Tags:
    """The answer as a tag record, numbers turned into sentences."""
    refs, gens = (tuple(atom.text for atom in view.atoms) for view in views)
    pairs = tuple(paired(link, refs, gens) for link in answer.pairs)
    loose = [unmatched(one, refs, "Ref") for one in answer.unmatched_ref]
    loose += [unmatched(one, gens, "Gen") for one in answer.unmatched_gen]
    return Tags(views[0].id, Findings(pairs, tuple(loose)), refs, gens)


def paired(link: Link, refs: Sequence[str], gens: Sequence[str]) -> Pair:
    return Pair(
        refs[link.ref - 1],
        gens[link.gen - 1],
        link.normality,
        link.anatomical_relationship,
        link.asserted_abnormality_relationship,
        link.negated_abnormality_relationship,
        link.details_of_abnormality_relationship,
    )


def unmatched(one: Loose, sentences: Sequence[str], side: str) -> Unmatched:
    return Unmatched(sentences[one.number - 1], "Ref" if side == "Ref" else "Gen", one.normality)
