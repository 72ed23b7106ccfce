"""Trained metrics of others: one model, here and not in every worker, asked for many pairs at once."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from overread.baselines import registry as baselines
from overread.baselines.base import Value, score_many
from overread.runner.failure import describe
from overread.runner.measures import Measure
from overread.runner.pairs import Pair
from overread.runner.recipe import Recipe
from overread.runner.rows import Row
from overread.runner.scorer import Finished, from_value, row
from overread.runner.text import body

BATCH = 64

Done = tuple[Pair, Finished]


def with_trained(done: Iterable[Done], measures: list[Measure], recipe: Recipe) -> Iterator[Done]:
    """The stream of finished pairs with the rows of trained metrics put in their place."""
    trained = [m for m in measures if m.family == "trained"]
    stream = iter(done)
    while batch := list(islice(stream, BATCH if trained else 1)):
        added = [more for m in trained for more in batch_rows([pair for pair, _ in batch], m, recipe)]
        for pair, finished in batch:
            own = [one for one in added if one.id == pair.reference.id]
            yield pair, replace(finished, rows=ordered([*finished.rows, *own], pair, recipe))


def batch_rows(pairs: list[Pair], m: Measure, recipe: Recipe) -> Iterator[Row]:
    """One trained metric on every candidate of a batch."""
    asked = [(pair, system) for pair in pairs for system in pair.candidates]
    references = [body(pair.reference, recipe.sections) for pair, _ in asked]
    candidates = [body(pair.candidates[system], recipe.sections) for pair, system in asked]
    for (pair, system), found in zip(asked, answers(m, references, candidates), strict=True):
        score = found if isinstance(found, str) else from_value(found)
        yield row(pair, system, m, score, pair.note(system))


def answers(m: Measure, references: list[str], candidates: list[str]) -> Sequence[Value | str]:
    """The values; where the package fails on a batch, what went wrong for each of its pairs."""
    try:
        return score_many(baselines.lookup(m.name), references, candidates)
    except Exception as error:
        return [describe(error)] * len(references)


def ordered(rows: list[Row], pair: Pair, recipe: Recipe) -> tuple[Row, ...]:
    """By system, then by metric as asked for."""
    systems = {name: n for n, name in enumerate(pair.candidates)}
    metrics = {name: n for n, name in enumerate(recipe.metrics)}
    return tuple(sorted(rows, key=lambda one: (systems[one.system], metrics[one.metric])))
