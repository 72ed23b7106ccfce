"""A language model as judge of two phrase lists: the CLEAR paper's third similarity."""

from collections.abc import Sequence

from overread.errors import AskFailed
from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.systems.base import Score
from overread.systems.clear.answers import Likeness
from overread.systems.clear.outcomes import Outcome, outcomes
from overread.systems.clear.schema import Table

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


def judge_score(client: Client, attribute: str, reference: Table, candidate: Table) -> Score:
    """The mean rating over the conditions positive on both sides; one without an answer fails the pair."""
    cells = [o for o in outcomes(reference, candidate) if o.attribute == attribute]
    if not cells:
        return Score(None, why="no condition is positive in both reports")
    ratings = judged(client, [(reference.id, o) for o in cells])
    lost = next((r for r in ratings if isinstance(r, Failure)), None)
    if lost is not None:
        raise AskFailed(f"{lost.stage}: {lost.reason}")
    rated = [float(r) for r in ratings if not isinstance(r, Failure)]
    counts = {f"{attribute}/sum": sum(rated), f"{attribute}/n": float(len(rated))}
    told = [{"condition": o.condition, "rating": r} for o, r in zip(cells, rated, strict=True)]
    return Score(sum(rated) / len(rated), counts=counts, detail={"ratings": told})
