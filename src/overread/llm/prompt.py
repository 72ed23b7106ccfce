"""Prompt files, and the messages of one question: standing words, the rendered prompt, examples, the repair turn.

A file has a header that says what goes in and what must come out, then plain words:

    ---
    inputs: [sentences]
    plain: [labels]
    output: StructuredReport
    ---
    List every statement that these sentences make, using the labels {{labels}}.

    {{sentences}}

`inputs` are texts from reports and are fenced as data; `plain` inputs (optional) are our own words, such as a
list of labels, and stand as they are. `output` names the Struct the answer must be.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from msgspec import Struct

from overread.errors import AskFailed
from overread.llm.examples import Example
from overread.llm.outcome import Message
from overread.llm.structured import Schema


def fenced(label: str, text: str) -> str:
    """`text` between two markers it cannot contain.

    The marker is a hash of the text, so it is the same on every run (answers can be cached), and a text that
    wants to close its own fence would have to contain its own hash.

    >>> print(fenced("report", "Clear lungs."))
    <<<report-9340540feb7e
    Clear lungs.
    report-9340540feb7e>>>
    """
    marker = f"{label}-{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
    return f"<<<{marker}\n{text}\n{marker}>>>"


HEADER = re.compile(r"---\n(?P<header>.*?)\n---\n(?P<body>.*)", re.DOTALL)
VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")


class Prompt(Struct, frozen=True):
    """One prompt file, checked."""

    name: str
    """`<system>/<file>`; also the stage in failure rows."""

    inputs: tuple[str, ...]
    plain: tuple[str, ...]
    output: str
    body: str
    hash: str
    """Of the whole file: part of the cache key and of score signatures."""

    package: str = ""
    """Where it ships; its bank of worked examples stands beside it."""

    def check(self, given: Mapping[str, str]) -> None:
        """An error unless `given` has exactly the variables of this prompt."""
        wanted = {*self.inputs, *self.plain}
        if missing := ", ".join(sorted(wanted - given.keys())):
            raise AskFailed(f"Prompt {self.name} needs {missing}, which was not given.")
        if unused := ", ".join(sorted(given.keys() - wanted)):
            raise AskFailed(f"Prompt {self.name} has no variable {unused}; its header must name it.")

    def render(self, given: Mapping[str, str]) -> str:
        """The words to send. One pass: `{{…}}` inside a report stays as it is written there."""
        self.check(given)

        def value(match: re.Match[str]) -> str:
            name = match[1]
            return given[name] if name in self.plain else fenced(name, given[name])

        return VARIABLE.sub(value, self.body)


@cache
def load_prompt(package: str, name: str) -> Prompt:
    """The file `prompts/<name>.md` inside `package`.

    >>> load_prompt("overread.llm", "repair").inputs
    ('problems',)
    """
    file = files(package).joinpath("prompts", f"{name}.md")
    if not file.is_file():
        raise AskFailed(f"There is no prompt file prompts/{name}.md in {package}.")
    return parse_prompt(file.read_text("utf-8"), f"{package.rsplit('.', 1)[-1]}/{name}", package)


def parse_prompt(text: str, name: str, package: str = "") -> Prompt:
    """A prompt from the text of its file; header and body must name the same variables."""
    found = HEADER.fullmatch(text.replace("\r\n", "\n"))
    if not found:
        raise AskFailed(f"Prompt {name} must begin with a header between two lines of ---.")
    lines = [line for line in found["header"].splitlines() if line.strip()]
    if any(":" not in line for line in lines):
        raise AskFailed(f"The header of prompt {name} has a line without a colon.")
    entries = (line.partition(":") for line in lines)
    header = {key.strip(): value.strip() for key, _, value in entries}
    if not {"inputs", "output"} <= header.keys() <= {"inputs", "plain", "output"}:
        raise AskFailed(
            f"The header of prompt {name} must have inputs and output, may have plain, and no more."
        )
    inputs, plain = (tuple(re.findall(r"\w+", header.get(kind, ""))) for kind in ("inputs", "plain"))
    prompt = Prompt(
        name=name,
        inputs=inputs,
        plain=plain,
        output=header["output"],
        body=found["body"].strip(),
        hash=hashlib.sha256(text.encode()).hexdigest(),
        package=package,
    )
    named, used = {*inputs, *plain}, set(VARIABLE.findall(prompt.body))
    if named != used:
        unused, unnamed = sorted(named - used), sorted(used - named)
        raise AskFailed(f"Prompt {prompt.name}: unused in the text: {unused}; not in the header: {unnamed}.")
    return prompt


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
        (f"Asked about: {one.about}\n" if one.about else "")
        + f"{fenced('material', one.text)}\nRight reply: {json.dumps(one.answer, ensure_ascii=False)}"
        for one in examples
    )
    return f"{_words('examples').render({'examples': shown})}\n\n{text}"


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
