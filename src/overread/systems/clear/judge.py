"""A language model as judge of two phrase lists: the CLEAR paper's third similarity."""

from collections.abc import Sequence

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.systems.clear.answers import Likeness
from overread.systems.clear.outcomes import Outcome

PACKAGE = "overread.systems.clear"


def judged(client: Client, found: Sequence[tuple[str, Outcome]]) -> list[float | Failure]:
    """A score in 0 … 1 for each (report id, outcome with phrases on a side), or why there is none.

    Two empty lists agree and one empty list agrees with nothing: neither needs a judge.
    """
    prompt = load_prompt(PACKAGE, "judge")
    asked = [n for n, (_, o) in enumerate(found) if o.reference and o.candidate]
    items = [item(*found[n]) for n in asked]
    scores: list[float | Failure] = [float(not o.reference and not o.candidate) for _, o in found]
    for n, outcome in zip(asked, ask_many(client, prompt, items, Likeness), strict=True):
        scores[n] = outcome if isinstance(outcome, Failure) else outcome.value.score
    return scores


def item(id: str, outcome: Outcome) -> Item:
    return Item(
        f"{id}/{outcome.condition}/{outcome.attribute}",
        {"reference": listed(outcome.reference), "candidate": listed(outcome.candidate)},
    )


def listed(phrases: str | tuple[str, ...]) -> str:
    return "\n".join(f"- {phrase}" for phrase in phrases)
