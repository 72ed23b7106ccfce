"""rewards(): a batch of pairs in, a list of floats out, for training."""

from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Literal, Unpack, overload

from overread.errors import BadInput
from overread.runner.containers import Completion, is_series
from overread.runner.given import is_several
from overread.runner.measures import REWARD, check_equal
from overread.trainers.reward import Reward, Rewarder, ScoringSettings, reference_text, weights_of

if TYPE_CHECKING:
    from overread.llm import Client

Metrics = str | Sequence[str] | Mapping[str, float]
References = Sequence[str | Sequence[str] | None]


@overload
def rewards(
    references: References,
    candidates: Sequence[Completion],
    metric: Metrics = REWARD,
    *,
    weights: Sequence[float] | None = None,
    undefined: float | Literal["raise"] = 0.0,
    client: "Client | None" = None,
    **settings: Unpack[ScoringSettings],
) -> list[float]: ...


@overload
def rewards(
    references: References,
    candidates: Sequence[Completion],
    metric: Metrics = REWARD,
    *,
    weights: Sequence[float] | None = None,
    undefined: None,
    client: "Client | None" = None,
    **settings: Unpack[ScoringSettings],
) -> list[float | None]: ...


def rewards(
    references: References,
    candidates: Sequence[Completion],
    metric: Metrics = REWARD,
    *,
    weights: Sequence[float] | None = None,
    undefined: float | Literal["raise"] | None = 0.0,
    client: "Client | None" = None,
    **settings: Unpack[ScoringSettings],
) -> list[float] | list[float | None]:
    """One number per pair, larger is better (a metric where lower is better is returned with its sign turned).

    A reference is a text, or a list of texts of which the one that earns most counts. A candidate is a text, a chat
    completion (a list of messages, of which the assistant's last counts) or None, an empty report. `metric` is a name,
    several names (with `weights`) or name → weight; the reward is the weighted mean of those that have a value. A pair
    without any gets `undefined`: a number, None, or "raise" for an error. A pair on which a metric fails is always an
    error. Equal references are read once. Of the settings of `score` it takes tokenisation, sections, lexicon,
    definitions, labels, by and client, and, for the metric overread, `error_weights` (a hospital's own table, TOML) and
    `context=False`. Safe to call from several threads.

    >>> rewards(["Clear lungs.", "Small left effusion."], ["Clear lungs.", "Edema."], metric="rouge-l")
    [1.0, 0.0]
    >>> rewards(["Clear lungs."], [[{"role": "assistant", "content": "Clear lungs."}]], {"rouge-l": 3, "rouge-1": 1})
    [1.0]
    """
    check_equal(references, candidates)
    check_order(references, candidates)
    chosen = weights_of(metric, weights)
    rewarder = Rewarder(chosen, inf, client, **settings)

    def earned(place: int, given: str | Sequence[str] | None, candidate: Completion) -> float | None:
        said = rewarder.said(candidate)
        texts = list(given) if is_several(given) and given else [given]
        found = [rewarder.earned(reference_text(one) or "", said, f" on pair {place}") for one in texts]
        values = [one.value if one.value is not None else instead(one, place) for one in found]
        return max((value for value in values if value is not None), default=None)

    def instead(found: Reward, place: int) -> float | None:
        if undefined == "raise":
            why = next(iter(found.why.values()), "")
            raise BadInput(f"{', '.join(chosen)} has no value for pair {place}: {why}.")
        return None if undefined is None else float(undefined)

    return [earned(n, one, two) for n, (one, two) in enumerate(zip(references, candidates, strict=True))]


def check_order(references: object, candidates: object) -> None:
    """Rewards go by place; two Series in another order than each other would be paired wrongly."""
    if is_series(references) and is_series(candidates) and not references.index.equals(candidates.index):  # type: ignore[attr-defined]
        raise BadInput(
            "The references and candidates are Series in different orders; align them "
            "(`candidates.reindex(references.index)`), since rewards go by place."
        )
