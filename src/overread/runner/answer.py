"""What a policy wrote → the report in it."""

from collections.abc import Mapping, Sequence
from typing import Any

from overread.errors import BadInput
from overread.report.passed_over import TOKENS
from overread.runner.containers import is_missing

Completion = str | Sequence[Mapping[str, Any]] | Mapping[str, Any] | None
"""A text, or chat messages of which the assistant's last one counts; None is an empty report."""

THOUGHT = "</think>"


def answer_of(completion: Completion) -> str:
    """The text to be scored: no thinking aloud, no earlier turns, no special tokens at the end.

    >>> answer_of([{"role": "assistant", "content": "<think>Heart first.</think>Clear lungs."}])
    'Clear lungs.'
    >>> answer_of("<think>The heart seems")
    ''
    """
    return without_end_tokens(after_thought(text_of(completion)))


def text_of(completion: Completion) -> str:
    if isinstance(completion, str):
        return str(completion)
    if completion is None or is_missing(completion):
        return ""
    if isinstance(completion, Mapping):
        return content_of(completion)
    if not isinstance(completion, Sequence):
        raise BadInput(f"A completion is a {type(completion).__name__}; give a text or chat messages.")
    spoken: list[Any] = [message for message in completion if role_of(message) == "assistant"]
    return content_of(spoken[-1]) if spoken else ""


def role_of(message: Any) -> str:
    """Who speaks; a completion holds what the policy said, so who is not named is the assistant."""
    if not isinstance(message, Mapping):
        raise BadInput(f"A completion holds a {type(message).__name__} where a chat message was expected.")
    return str(message.get("role", "assistant"))


def content_of(message: Mapping[str, Any]) -> str:
    """The words of a message, whose content is a text or a list of parts."""
    content = message.get("content")
    if content is None or isinstance(content, str):
        return content or ""
    parts = content if isinstance(content, Sequence) else [content]
    return "".join(str(part.get("text") or "") for part in parts if isinstance(part, Mapping))


def after_thought(text: str) -> str:
    """What follows the thinking; nothing where the thinking never ends.

    >>> after_thought("Edema.</think> No edema.")
    'No edema.'
    """
    if THOUGHT in text:
        return text.rpartition(THOUGHT)[2].lstrip()
    return "" if text.lstrip().startswith("<think>") else text


def without_end_tokens(text: str) -> str:
    """The text before the special tokens that some trainers leave at its end, which metrics of words would count.

    >>> without_end_tokens("Clear lungs.<|im_end|><pad> <pad>"), without_end_tokens("Clear lungs. ")
    ('Clear lungs.', 'Clear lungs. ')
    """
    end = len(text)
    for token in reversed(list(TOKENS.finditer(text))):
        if text[token.end() : end].strip():
            break
        end = token.start()
    return text if end == len(text) else text[:end].rstrip()
