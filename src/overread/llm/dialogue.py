"""The messages of one question: standing words, the rendered prompt, examples, and the repair turn."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from overread.llm.endpoint import Message
from overread.llm.examples import Example
from overread.llm.fence import fenced
from overread.llm.prompt import Prompt, load_prompt
from overread.llm.structured import Schema

LONGEST_QUOTE = 8000
"""Characters of a bad reply that are shown back to the model."""


def _words(name: str) -> Prompt:
    return load_prompt("overread.llm", name)


def wording_hash() -> str:
    """Changes with any of the words every question shares; part of the cache key."""
    names = ("standing", "schema", "examples", "repair")
    return hashlib.sha256("".join(_words(name).hash for name in names).encode()).hexdigest()


def question_text(prompt: Prompt, inputs: Mapping[str, str], examples: Sequence[Example]) -> str:
    """The worked examples if there are any, then the prompt with its texts fenced."""
    text = prompt.render(inputs)
    if not examples:
        return text
    shown = "\n\n".join(
        f"{about(one)}{fenced('material', one.text)}\nRight reply: {json.dumps(one.answer, ensure_ascii=False)}"
        for one in examples
    )
    return f"{_words('examples').render({'examples': shown})}\n\n{text}"


def about(example: Example) -> str:
    return f"Asked about: {example.about}\n" if example.about else ""


def opening(question: str, schema: Schema | None) -> list[Message]:
    """The first turn; the schema is put in words where the server does not enforce it."""
    standing = _words("standing").render({})
    if schema is not None:
        words = _words("schema").render({"schema": json.dumps(schema, ensure_ascii=False)})
        standing = f"{standing}\n\n{words}"
    return [{"role": "system", "content": standing}, {"role": "user", "content": question}]


def repair(reply: str, problems: Sequence[str]) -> list[Message]:
    """The second and last turn: what the model wrote, and why it cannot be used."""
    listed = "\n".join(f"- {problem}" for problem in problems)
    request = {"role": "user", "content": _words("repair").render({"problems": listed})}
    shown = reply.strip()[:LONGEST_QUOTE]
    return [{"role": "assistant", "content": shown}, request] if shown else [request]
