"""One metric as a function: lists of texts in, a number out."""

from collections.abc import Sequence
from typing import Any

from overread.runner.measures import measure, names
from overread.runner.scores import Scores, score


class Metric:
    """A metric by name, with its settings.

    >>> exact = Metric("rouge-l")
    >>> exact(["Clear lungs.", "Edema."], ["Clear lungs.", "No edema."])
    0.8333333333333333
    >>> exact.each(["Clear lungs.", "Edema."], ["Clear lungs.", "No edema."])
    [1.0, 0.6666666666666666]
    """

    def __init__(self, name: str, **settings: Any) -> None:
        self.name = name
        self.about = measure(name).about
        self.settings = settings

    def __call__(self, references: Any, candidates: Any) -> Any:
        """The score of all pairs together; system → score where several are given."""
        return self.scores(references, candidates)[self.name]

    def compute(self, *, predictions: Any, references: Any) -> dict[str, Any]:
        """As metrics of `evaluate` are asked; a reference may be a list of texts, of which the best counts.

        >>> Metric("rouge-l").compute(predictions=["Clear lungs."], references=["Clear lungs."])
        {'rouge-l': 1.0}
        """
        return {self.name: self.scores(references, predictions)[self.name]}

    def each(self, references: Any, candidates: Any) -> Sequence[float | None]:
        """One number a pair; None where it is undefined."""
        return self.scores(references, candidates).values(self.name)

    def scores(self, references: Any, candidates: Any) -> Scores:
        """With intervals and counts."""
        return score(references, candidates, self.name, **self.settings)

    def __repr__(self) -> str:
        settings = "".join(f", {name}={value!r}" for name, value in self.settings.items())
        return f"Metric({self.name!r}{settings})"


def metrics() -> dict[str, str]:
    """Every metric that can be scored here, with one line on what it measures.

    >>> metrics()["rouge-l"]
    'ROUGE-L, tokenisation: rouge'
    """
    return {name: measure(name).about for name in sorted(names())}
