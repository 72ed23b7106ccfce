"""Answers with a shape: the schema a model is shown, and the reading of what it sends back.

Reading is lenient about what stands around the JSON and strict about the JSON itself.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

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
