"""A candidate asked about every disease that its reference compares, as the longitudinal paper does.

The candidate's comparing sentences are taken together, and each reference disease is asked for: which way did it
go, or is it not mentioned? By rules the answer is the candidate's own progression of that disease, else that of a
keyword of the same family (`relatives.tsv`: a reference's lung opacity is a candidate's consolidation). By language
model it is the answer to the third question.
"""

from collections.abc import Sequence
from functools import cache

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.systems.longitudinal.by_llm import Trend
from overread.systems.longitudinal.diseases import table
from overread.systems.longitudinal.schema import TRENDS, ComparedSentence, LongitudinalReport, Progression
from overread.systems.longitudinal.score import Progressions, counted, labels, verdicts

PACKAGE = "overread.systems.longitudinal"
Ways = dict[Progression, list[ComparedSentence]]
Pair = tuple[LongitudinalReport, LongitudinalReport]


@cache
def families() -> dict[str, str]:
    return {keyword: family for keyword, family, _reason in table("relatives")}


def by_rules(reference: LongitudinalReport, candidate: LongitudinalReport) -> Progressions:
    """What the candidate says of each disease of the reference."""
    own = labels(candidate)
    return {disease: answer for disease in labels(reference) if (answer := told(own, disease))}


def told(own: Progressions, disease: str) -> Ways | None:
    """Its own label, else that of the only relatives with a label."""
    if disease in own:
        return own[disease]
    family = families().get(disease)
    near = [name for name in own if family is not None and families().get(name) == family]
    ways = {way for name in near for way in own[name]}
    return own[near[0]] if len(ways) == 1 else None


def by_llm(client: Client, pairs: Sequence[Pair]) -> list[Progressions | Failure]:
    """The same by a language model: one question for each disease of each reference."""
    questions = [
        (n, disease) for n, (reference, candidate) in enumerate(pairs) for disease in labels(reference)
        if candidate.compared()
    ]  # fmt: skip
    items = [
        Item(f"{pairs[n][1].id}/{d}", {"sentence": spoken(pairs[n][1]), "disease": d}, about=d)
        for n, d in questions
    ]
    found: list[Progressions | Failure] = [{} for _ in pairs]
    outcomes = ask_many(client, load_prompt(PACKAGE, "progression"), items, Trend)
    for (n, disease), outcome in zip(questions, outcomes, strict=True):
        so_far = found[n]
        if isinstance(so_far, Failure):
            continue
        if isinstance(outcome, Failure):
            found[n] = outcome
        elif outcome.value.progression in TRENDS:
            so_far[disease] = {outcome.value.progression: list(pairs[n][1].compared())}
    return found


def spoken(candidate: LongitudinalReport) -> str:
    return " ".join(sentence.text for sentence in candidate.compared())


def counts(reference: LongitudinalReport, answers: Progressions) -> dict[str, float]:
    """Decisions over the reference's labels, ready to be summed."""
    return counted(verdicts(labels(reference), answers))
