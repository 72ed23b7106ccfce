"""Items put to a model, or to several: every item ends, in order, as an answer or as a failure row.

A question looks in the cache, asks, reads strictly, repairs once, keeps. Of several models a label is kept when k of n
give it.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Generic, TypeVar

import msgspec

from overread.errors import AskFailed
from overread.llm.budget import counts_so_far
from overread.llm.cache import key_of
from overread.llm.client import Client
from overread.llm.outcome import (
    Answer,
    Failure,
    FormatKind,
    Item,
    Message,
    Reply,
    Request,
    UnansweredError,
    UnusableError,
    objects_in,
    read_answer,
    schema_of,
    without_quotes,
)
from overread.llm.prompt import Prompt, opening, question_text, repair, wording_hash

T = TypeVar("T")
Check = Callable[[Item, T], list[str]]
"""Problems of a well-formed answer, in words for the model; quote report text only in quotation marks."""


class Question(Generic[T]):
    """One prompt, put to one model for one kind of answer."""

    def __init__(self, client: Client, prompt: Prompt, output: type[T], check: Check[T] | None) -> None:
        if output.__name__ != prompt.output:
            raise AskFailed(f"Prompt {prompt.name} answers with {prompt.output}, not with {output.__name__}.")
        self.client = client
        self.prompt = prompt
        self.output = output
        self.check = check
        self.schema = schema_of(output)
        self.bank = client.bank(prompt, output)
        self.place = (client.endpoint.name, client.model)
        self.constants = (*self.place, client.settings.sampling(), prompt.hash, wording_hash(), self.schema)
        self.formats = client.format_probe(key_of(self.schema))

    async def settle(self, item: Item) -> Answer[T] | Failure:
        """The item's answer, from the cache or from the model, or its failure."""
        material = "\n".join(item.inputs[name] for name in self.prompt.inputs)  # not our own lists of labels
        examples = self.bank.pick(material, item.patient, self.client.settings.shots, item.about)
        text = question_text(self.prompt, item.inputs, examples)
        key = key_of(*self.constants, text)
        async with self.client.turn(key), self.client.slots:
            kept = self._kept(item, key)
            if kept is not None:
                return kept
            try:
                value = await self._converse(item, text)
            except UnansweredError as error:
                return Failure(item.id, self.prompt.name, error.kind, error.reason, self.client.model)
            if self.client.cache:
                self.client.cache.put(key, *self.place, self.prompt.name, msgspec.json.encode(value))
            return Answer(item.id, value, cached=False)

    def record(self, outcome: Answer[T] | Failure) -> Answer[T] | Failure:
        """Count an outcome and move the progress bar on."""
        tally = self.client.tally
        if isinstance(outcome, Answer):
            tally.answered += 1
            tally.cached += outcome.cached
        elif outcome.kind != "waiting":  # that is neither answered nor failed; the endpoint counts it
            tally.failed += 1
            self.client.failures.append(outcome)
            self.client.check_refusals()
        if self.client.meter:
            self.client.meter.advance(counts_so_far(tally))
        return outcome

    async def _converse(self, item: Item, text: str) -> T:
        """Ask, and if the reply cannot be used say why and ask once more."""
        reply = await self._say(item, text, [])
        try:
            return self._read(item, reply)
        except UnusableError as error:
            turns = repair(reply.text, error.problems)
        self.client.tally.repairs += 1
        try:
            return self._read(item, await self._say(item, text, turns))
        except UnusableError as error:
            reasons = "; ".join(without_quotes(problem) for problem in error.problems)
            raise UnansweredError("unusable", f"Not usable after one repair: {reasons}") from None

    async def _say(self, item: Item, text: str, turns: list[Message]) -> Reply:
        async def send(kind: FormatKind) -> Reply:
            enforced = kind == "json_schema"
            request = Request(
                model=self.client.model,
                messages=opening(text, None if enforced else self.schema) + turns,
                format=kind,
                schema=self.schema,
                sampling=self.client.settings.sampling(),
                prompt=self.prompt.name,
                item=item.id,
            )
            return await self.client.complete(request)

        return await self.formats.ask(send, self._ignores)

    def _read(self, item: Item, reply: Reply) -> T:
        if reply.refused:
            raise UnansweredError("refused", "The model or its content filter declined to answer.")
        try:
            value = read_answer(reply.text, self.output)
        except UnusableError as error:
            if reply.finish == "length":
                raise UnusableError("The reply was cut off: be brief.", *error.problems) from None
            raise
        if self.check and (problems := self.check(item, value)):
            raise UnusableError(*problems)
        return value

    def _ignores(self, reply: Reply) -> bool:
        """Does the server not hold the model to the schema? A reply that was cut off cannot tell."""
        try:
            read_answer(reply.text, self.output)
            return False
        except UnusableError:
            complete = reply.finish in (None, "stop") and bool(reply.text.strip()) and not reply.refused
            return complete and (any(objects_in(reply.text)) or "{" not in reply.text)

    def _kept(self, item: Item, key: str) -> Answer[T] | None:
        """The answer on disk, unless the reader's check has changed its mind about it."""
        stored = self.client.cache.get(key) if self.client.cache else None
        if stored is None:
            return None
        try:
            value = msgspec.json.decode(stored, type=self.output)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return None  # the type has grown stricter since: ask again
        return None if self.check and self.check(item, value) else Answer(item.id, value, cached=True)


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
    client.expect(prompt.name, len(waiting))
    return client.run(_settle_all(question, waiting))


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


Label = TypeVar("Label", bound=Hashable)


def agreed(votes: Iterable[Iterable[Label]], at_least: int) -> list[Label]:
    """The labels that `at_least` voters give, in order of first appearance; a voter counts once per label.

    >>> agreed([["edema", "effusion"], ["effusion", "effusion"], ["nodule", "edema"]], at_least=2)
    ['edema', 'effusion']
    """
    counts = Counter(label for vote in votes for label in dict.fromkeys(vote))
    return [label for label, voters in counts.items() if voters >= at_least]


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
    needed = client.settings.agree or len(models) // 2 + 1
    if needed > len(models):
        raise AskFailed(f"{needed} models must agree, but only {len(models)} are named.")
    by_model = [ask_many(client.for_model(model), prompt, items, output, check=check) for model in models]
    decide = settle or agreed
    outcomes: list[Answer[list[Label]] | Failure] = []
    for ballot in zip(*by_model, strict=True):
        given = [one for one in ballot if isinstance(one, Answer)]
        if len(given) < needed:
            reason = f"{len(given)} of {len(ballot)} models answered; {needed} must agree."
            outcomes.append(Failure(ballot[0].item, prompt.name, "disagreement", reason))
        else:
            kept = decide([list(labels(one.value)) for one in given], needed)
            outcomes.append(Answer(ballot[0].item, kept, cached=all(one.cached for one in given)))
    client.failures.extend(one for one in outcomes if isinstance(one, Failure))
    return outcomes
