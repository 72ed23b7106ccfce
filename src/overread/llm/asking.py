"""Ask a model about many items: every item ends, in order, as an answer or as a failure row."""

import asyncio
from collections.abc import Iterable, Sequence
from typing import TypeVar

from overread.llm.client import Client
from overread.llm.outcome import Answer, Failure, Item
from overread.llm.prompt import Prompt
from overread.llm.question import Check, Question

T = TypeVar("T")


def ask_many(
    client: Client,
    prompt: Prompt,
    items: Iterable[Item],
    output: type[T],
    *,
    check: Check[T] | None = None,
) -> list[Answer[T] | Failure]:
    """One outcome per item, in the order of the items.

    A prompt that does not fit the items or the output type is an error before any call. An answer that is no
    valid `output`, or in which `check` finds problems, is shown back to the model once; then the item fails.
    Ctrl-C stops at once; what was answered is in the cache.
    """
    waiting = list(items)
    for item in waiting:
        prompt.check(item.inputs)
    question = Question(client, prompt, output, check)
    client.meter.expect(prompt.name, len(waiting), client.tally)
    return client.run(_settle_all(question, waiting))


def ask(
    client: Client, prompt: Prompt, item: Item, output: type[T], *, check: Check[T] | None = None
) -> Answer[T] | Failure:
    """The outcome of a single item."""
    return ask_many(client, prompt, [item], output, check=check)[0]


async def _settle_all(question: Question[T], items: Sequence[Item]) -> list[Answer[T] | Failure]:
    outcomes: dict[int, Answer[T] | Failure] = {}
    queue = iter(enumerate(items))

    async def worker() -> None:
        for place, item in queue:
            outcomes[place] = question.record(await question.settle(item))

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(min(len(items), question.client.settings.concurrency)):
                group.create_task(worker())
    except BaseExceptionGroup as errors:
        raise errors.exceptions[0] from None
    return [outcomes[place] for place in range(len(items))]
