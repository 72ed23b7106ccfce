"""Several models asked the same: a label is kept when k of n give it."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from overread.errors import AskFailed
from overread.llm.asking import ask_many
from overread.llm.client import Client
from overread.llm.outcome import Answer, Failure, Item
from overread.llm.prompt import Prompt
from overread.llm.question import Check

T = TypeVar("T")
Label = TypeVar("Label", bound=Hashable)


def agreed(votes: Iterable[Iterable[Label]], at_least: int) -> list[Label]:
    """The labels that `at_least` voters give, in order of first appearance; a voter counts once per label.

    >>> agreed([["edema", "effusion"], ["effusion", "effusion"], ["nodule", "edema"]], at_least=2)
    ['edema', 'effusion']
    """
    counts = Counter(label for vote in votes for label in dict.fromkeys(vote))
    return [label for label, voters in counts.items() if voters >= at_least]


def majority(models: int) -> int:
    """More than half.

    >>> majority(1), majority(2), majority(3), majority(4)
    (1, 2, 2, 3)
    """
    return models // 2 + 1


def ask_panel(
    client: Client,
    prompt: Prompt,
    items: Sequence[Item],
    output: type[T],
    labels: Callable[[T], Iterable[Label]],
    *,
    check: Check[T] | None = None,
    settle: Callable[[Sequence[Sequence[Label]], int], list[Label]] | None = None,
) -> list[Answer[list[Label]] | Failure]:
    """Per item, the labels that enough of the client's models agree on.

    `settle(votes, enough)` decides in place of `agreed` where agreeing is more than giving the same label.

    `settings.agree` says how many are enough, most of them if not set. When so few models answer that nothing
    could be agreed on, the item fails: no label is not the same as no agreement.
    """
    models = client.settings.models
    needed = client.settings.agree or majority(len(models))
    if needed > len(models):
        raise AskFailed(f"{needed} models must agree, but only {len(models)} are named.")
    by_model = [ask_many(client.for_model(model), prompt, items, output, check=check) for model in models]
    decide = settle or agreed
    outcomes = [
        _verdict(prompt.name, ballot, labels, needed, decide) for ballot in zip(*by_model, strict=True)
    ]
    client.failures.extend(one for one in outcomes if isinstance(one, Failure))
    return outcomes


def _verdict(
    stage: str,
    ballot: Sequence[Answer[T] | Failure],
    labels: Callable[[T], Iterable[Label]],
    needed: int,
    decide: Callable[[Sequence[Sequence[Label]], int], list[Label]],
) -> Answer[list[Label]] | Failure:
    given = [one for one in ballot if isinstance(one, Answer)]
    item = ballot[0].item
    if len(given) < needed:
        reason = f"{len(given)} of {len(ballot)} models answered; {needed} must agree."
        return Failure(item, stage, "disagreement", reason)
    kept = decide([list(labels(one.value)) for one in given], needed)
    return Answer(item, kept, cached=all(one.cached for one in given))
