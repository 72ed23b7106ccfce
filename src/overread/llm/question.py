"""One prompt put to one model: look in the cache, ask, read strictly, repair once, keep."""

from collections.abc import Callable
from typing import Generic, TypeVar

import msgspec

from overread.errors import AskFailed
from overread.llm.cache import Entry, key_of
from overread.llm.client import Client
from overread.llm.dialogue import opening, question_text, repair, wording_hash
from overread.llm.endpoint import FormatKind, Message, Reply, Request
from overread.llm.formats import Verdict
from overread.llm.outcome import Answer, Failure, Item, UnansweredError
from overread.llm.prompt import Prompt
from overread.llm.structured import UnusableError, objects_in, read_answer, schema_of, without_quotes

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
        place = (client.endpoint.name, client.model, client.settings.sampling())
        self.constants = (*place, prompt.hash, wording_hash(), self.schema)
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
            self._keep(key, value)
            return Answer(item.id, value, cached=False)

    def record(self, outcome: Answer[T] | Failure) -> Answer[T] | Failure:
        """Count an outcome and move the progress bar on."""
        tally = self.client.tally
        if isinstance(outcome, Failure) and outcome.kind == "waiting":
            pass  # neither answered nor failed; the endpoint counts it
        elif isinstance(outcome, Failure):
            tally.failed += 1
            self.client.failures.append(outcome)
            self.client.check_refusals()
        else:
            tally.answered += 1
            tally.cached += outcome.cached
        self.client.meter.advance(self.prompt.name)
        return outcome

    async def _converse(self, item: Item, text: str) -> T:
        """Ask, and if the reply cannot be used say why and ask once more."""
        reply = await self._say(item, text, [])
        try:
            return self._read(item, reply)
        except UnusableError as error:
            problems = error.problems
        self.client.tally.repairs += 1
        reply = await self._say(item, text, repair(reply.text, problems))
        try:
            return self._read(item, reply)
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

        return await self.formats.ask(send, self._judge)

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

    def _judge(self, reply: Reply) -> Verdict:
        """Did the server hold the model to the schema? A cut-off reply cannot tell."""
        try:
            read_answer(reply.text, self.output)
            return "kept"
        except UnusableError:
            complete = reply.finish in (None, "stop") and bool(reply.text.strip()) and not reply.refused
            whole = any(objects_in(reply.text)) or "{" not in reply.text
            return "ignored" if complete and whole else "unclear"

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

    def _keep(self, key: str, value: T) -> None:
        client = self.client
        if client.cache:
            answer = msgspec.json.encode(value)
            client.cache.put(Entry(key, client.endpoint.name, client.model, self.prompt.name, answer))
