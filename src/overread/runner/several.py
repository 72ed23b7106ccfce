"""Several references per report: each candidate is scored against all of its report's, and the best score counts."""

from collections.abc import Mapping, Sequence
from typing import Any

from overread.errors import BadInput
from overread.runner.rows import Row


def alternatives(references: Any) -> list[Any]:
    """References with lists in them as plain ones, first the first of each list, then the second …

    A report with fewer than others has its last again. Plain references come back alone.

    >>> alternatives([["Clear.", "Normal."], "Edema."])
    [['Clear.', 'Edema.'], ['Normal.', 'Edema.']]
    >>> alternatives({"a": ["Clear."]}), alternatives(["Clear."])
    ([{'a': 'Clear.'}], [['Clear.']])
    """
    held = references.values() if isinstance(references, Mapping) else references
    if not isinstance(references, (list, tuple, Mapping)) or not any(map(is_several, held)):
        return [references]
    many = max(len(one) if is_several(one) else 1 for one in held)
    return [chosen(references, place) for place in range(max(1, many))]


def is_several(one: Any) -> bool:
    """A list of texts, which a chat is not."""
    return isinstance(one, (list, tuple)) and all(isinstance(text, str) for text in one)


def chosen(references: Any, place: int) -> Any:
    if isinstance(references, Mapping):
        return {id: at(one, place) for id, one in references.items()}
    return [at(one, place) for one in references]


def at(one: Any, place: int) -> Any:
    if not is_several(one):
        return one
    if not one:
        raise BadInput(
            "A report has an empty list of references; give it at least one, or None for an empty report."
        )
    return one[min(place, len(one) - 1)]


def best(first: Sequence[Row], second: Sequence[Row]) -> list[Row]:
    """Of two scorings of the same candidates the better row for each: a value beats none."""
    return [better(one, two) for one, two in zip(first, second, strict=True)]


def better(one: Row, two: Row) -> Row:
    """
    >>> better(Row("1", "s", "m", 0.2), Row("1", "s", "m", 0.4)).value
    0.4
    >>> better(Row("1", "s", "m", 2, direction="lower"), Row("1", "s", "m", None)).value
    2
    """
    if one.failed is not None or two.value is None or two.failed is not None:
        return one
    if one.value is None:
        return two
    return two if (two.value > one.value) == (one.direction == "higher") and two.value != one.value else one


def said(signature: str, many: int) -> str:
    """The signature of a score against the best of several references.

    >>> said("rouge-l|words:plain|version:1", 3)
    'rouge-l|words:plain|references:best-of-3|version:1'
    """
    settings, _, version = signature.rpartition("|")
    return f"{settings}|references:best-of-{many}|{version}"
