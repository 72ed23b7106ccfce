"""What goes in and what comes out: an item, a request and its reply, the answer and its shape, or why there is none.

A model is shown the schema of an answer. Reading what it sends back is lenient about what stands around the JSON and
strict about the JSON itself.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Generic, Literal, Protocol, TypeVar

import msgspec
from msgspec import Struct

from overread.errors import AskFailed

T = TypeVar("T")
Schema = dict[str, Any]

OBJECT_START = re.compile(r'\{\s*["}]')
QUOTED = re.compile(r"""(?<!\w)'[^']*'(?!\w)|"[^"]*"|“[^”]*”|(?<=unknown field )`[^`]*`""")

MOST_BROKEN = 200
"""Pieces that look like an object and are none, after which nothing more is looked for: each costs a walk through
the reply."""


class UnusableError(Exception):
    """A reply that is not an answer; `problems` say why, in words the model can act on."""

    def __init__(self, *problems: str) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


def schema_of(output: type[T]) -> Schema:
    """The JSON schema of a Struct, in the closed form that constrained decoding wants.

    The root is an object (not a reference), every property is required and none may be added.

    >>> class Vote(msgspec.Struct, forbid_unknown_fields=True):
    ...     label: str
    >>> schema_of(Vote)["properties"], schema_of(Vote)["additionalProperties"]
    ({'label': {'type': 'string'}}, False)
    """
    schema = msgspec.json.schema(output)
    definitions = schema.pop("$defs", {})
    root = definitions[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else schema
    if root.get("type") != "object" or "properties" not in root:
        raise AskFailed(
            f"{output.__name__} cannot be asked for: an answer must be a Struct with named fields."
        )
    for definition in definitions.values():
        if "properties" in definition and definition.get("additionalProperties") is not False:
            raise AskFailed(f"{definition.get('title')} accepts any field: add forbid_unknown_fields=True.")
    recursive = json.dumps(schema.get("$ref")) in json.dumps(definitions)
    others = {name: one for name, one in definitions.items() if one is not root or recursive}
    closed: Schema = _closed({**root, "$defs": others} if others else root)
    return closed


def _closed(node: Any) -> Any:
    """The schema without defaults, with every property required and every enumeration typed."""
    if isinstance(node, list):
        return [_closed(one) for one in node]
    if not isinstance(node, dict):
        return node
    closed = {key: _closed(value) for key, value in node.items() if key != "default"}
    if isinstance(node.get("properties"), dict):
        closed["properties"] = {name: _closed(value) for name, value in node["properties"].items()}
        closed["required"] = list(closed["properties"])
    if isinstance(node.get("enum"), list) and all(isinstance(one, str) for one in node["enum"]):
        closed["type"] = "string"
    return closed


def read_answer(text: str, output: type[T]) -> T:
    """The one answer in a reply, or `UnusableError`.

    Fences, prose around the object and a model's thinking aloud are passed over; two different valid objects
    are no answer.

    >>> class Vote(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    ...     label: str
    >>> read_answer('Sure! ```json\\n{"label": "edema"}\\n``` Anything else?', Vote)
    Vote(label='edema')
    """
    if not text.strip():
        raise UnusableError("The reply was empty.")
    valid: list[T] = []
    problems: list[str] = []
    for candidate in objects_in(text):
        try:
            value = msgspec.json.decode(candidate, type=output)
        except (msgspec.DecodeError, UnicodeEncodeError) as error:
            problems.append(str(error))
        else:
            if value not in valid:
                valid.append(value)
            if len(valid) > 1:
                break  # two are no answer already, and a reply may hold a hundred thousand
    if len(valid) == 1:
        return valid[0]
    if valid:
        raise UnusableError("The reply holds different answers; give one.")
    raise UnusableError(*(problems[:3] or ["The reply holds no complete JSON object."]))


def objects_in(text: str) -> Iterator[str]:
    """The outermost complete JSON objects of a reply; parts of one that was cut off do not count."""
    whole = text.strip()
    if whole.startswith("{"):
        with suppress(msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            msgspec.json.decode(whole)
            yield whole
            return
    text = whole.rsplit("</think>", 1)[-1]
    position = broken = 0
    while broken < MOST_BROKEN and (start := OBJECT_START.search(text, position)):
        try:
            _, position = json.JSONDecoder().raw_decode(text, start.start())
        except json.JSONDecodeError as error:
            if error.msg.startswith("Unterminated string"):
                return  # the rest is inside that string
            position = max(error.pos, start.end())
            broken += 1
        except (RecursionError, ValueError):  # nested or a number without end
            return
        else:
            yield text[start.start() : position]


def without_quotes(problem: str) -> str:
    """A problem as a failure row may keep it: what stands in quotes may come from a report and is left out.

    >>> without_quotes("Invalid enum value 'left base' - at `$.status`")
    'Invalid enum value … - at `$.status`'
    """
    return QUOTED.sub("…", problem)


FailureKind = Literal["transport", "rejected", "refused", "unusable", "budget", "disagreement", "waiting"]
"""In turn: no usable connection, the server refused, the model declined, not valid even after repair, budget
spent, too few models answered for a vote, written to a batch file and not answered yet."""


class Item(Struct, frozen=True):
    """One thing to ask about."""

    id: str
    """Names the item in failure rows; may be long-lived, so no report text."""

    inputs: Mapping[str, str]
    """A text for each variable of the prompt."""

    patient: str | None = None
    """Examples of the same patient are not shown."""

    about: str = ""
    """What is asked of the material where that varies: a condition, a disease; an example says its own."""

    source: Any = None
    """Whatever the reader wants back in its check; never sent."""


class Answer(Struct, Generic[T], frozen=True):
    """A valid answer."""

    item: str
    value: T
    cached: bool
    """Taken from disk, without a call."""


class Failure(Struct, frozen=True):
    """An item that has no answer: counted beside every score, never replaced by a default."""

    item: str
    stage: str
    """The prompt that was asked, e.g. `radsem/atoms`."""

    kind: FailureKind
    reason: str
    """In words, without report text."""

    model: str = ""


class UnansweredError(Exception):
    """Raised inside the layer when one item cannot be answered; becomes its `Failure`."""

    def __init__(self, kind: FailureKind, reason: str) -> None:
        super().__init__(reason)
        self.kind: FailureKind = kind
        self.reason = reason


def answers(outcomes: Iterable[Answer[T] | Failure]) -> dict[str, T]:
    """The answered items' values, by item id."""
    return {one.item: one.value for one in outcomes if isinstance(one, Answer)}


def failures(outcomes: Iterable[Answer[T] | Failure]) -> list[Failure]:
    """The items that have no answer."""
    return [one for one in outcomes if isinstance(one, Failure)]


Message = dict[str, str]
FormatKind = Literal["json_schema", "json_object", "none"]


class Request(Struct, frozen=True):
    """What is asked of the server, and (never sent) for which prompt and item."""

    model: str
    messages: list[Message]
    format: FormatKind
    schema: Schema
    sampling: Mapping[str, float | int]
    prompt: str
    item: str


class Usage(Struct, frozen=True):
    """Tokens of one reply."""

    tokens_in: int
    tokens_out: int
    estimated: bool = False


class Reply(Struct, frozen=True):
    """What the model wrote."""

    text: str
    usage: Usage
    finish: str | None = "stop"
    refused: bool = False


class TransientError(Exception):
    """Worth another try, after `wait` seconds where the server said so."""

    def __init__(self, reason: str, *, wait: float | None = None, unreachable: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.wait = wait
        self.unreachable = unreachable


class RejectedError(UnansweredError):
    """The server will not take this request as it is; another format may do."""

    def __init__(self, reason: str) -> None:
        super().__init__("rejected", reason)


class Endpoint(Protocol):
    """Who answers: a server, or replies recorded for a test."""

    name: str
    """Part of the cache key."""

    async def complete(self, request: Request) -> Reply:
        """One try: a reply, or one of the errors above, or AskFailed when no request can succeed."""

    async def close(self) -> None: ...
