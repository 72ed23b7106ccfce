"""Prompt files, worked examples for them, and the messages of one question.

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

A bank of worked examples is a JSON-lines file: `{"text", "answer"}` and optionally `patient` and `stage` (a prompt such
as `radsem/atoms`; without it the example serves every prompt its answer fits), and `about`, the condition or disease
asked about. They are chosen for each item by BM25. A small bank of invented ones ships beside the prompts of every
system.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from overread.errors import AskFailed, BadInput
from overread.extras import require
from overread.llm.outcome import Message, Schema
from overread.sources.encoding import numbered


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A text and the right answer for it."""

    text: Annotated[str, Meta(pattern=r"\w\w")]
    answer: dict[str, Any]
    patient: str | None = None
    stage: str | None = None
    about: str = ""


class Bank:
    """The examples for one prompt, indexed once."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = tuple(examples)

    def pick(self, text: str, patient: str | None, count: int, about: str = "") -> list[Example]:
        """The `count` examples nearest to `text`, best first; equals keep the order of the file.

        Passed over are the same patient's examples, and the same text, or nearly the same, whatever its id: it would
        give the answer away. Examples about the same condition come before others.
        """
        words = _tokens([without_cues(text)])[0] if self.examples and count > 0 else []
        if not words:
            return []
        scores = self._index.get_scores(words)
        other = [bool(about) and one.about != about for one in self.examples]
        ranked = sorted(range(len(self.examples)), key=lambda i: (other[i], -float(scores[i]), i))
        near = (self.examples[i] for i in ranked if scores[i] > 0)
        allowed = (
            e for e in near if not nearly_same(e.text, text) and (patient is None or e.patient != patient)
        )
        return [example for example, _ in zip(allowed, range(count), strict=False)]

    @cached_property
    def _index(self) -> Any:
        index = require("bm25s", "llm").BM25()
        index.index(_tokens([without_cues(one.text) for one in self.examples]), show_progress=False)
        return index


CUE_LINES = re.compile(r"^\s*cues: .*$\n?", re.MULTILINE)
SAME = 95.0
"""Per cent of letters from which two texts are nearly the same."""


def without_cues(text: str) -> str:
    """The report's own words: without the cues that are shown beneath a sentence.

    >>> without_cues("1. Small effusion.\\n   cues: Small (severity)\\n2. Clear.")
    '1. Small effusion.\\n2. Clear.'
    """
    return CUE_LINES.sub("", text)


def nearly_same(one: str, other: str) -> bool:
    """Are two texts the same, or nearly?

    >>> nearly_same("Lungs are clear.", "lungs are  clear"), nearly_same("Lungs are clear.", "Left effusion.")
    (True, False)
    """
    from rapidfuzz.fuzz import ratio

    plain = [" ".join(re.findall(r"\w+", without_cues(text).lower())) for text in (one, other)]
    return ratio(*plain, score_cutoff=SAME) > 0


@cache
def shipped_examples(package: str) -> tuple[Example, ...]:
    """The invented examples beside a package's prompts; none where it ships none."""
    file = files(package).joinpath("prompts", "bank.jsonl") if package else None
    if file is None or not file.is_file():
        return ()
    return tuple(msgspec.json.decode(line, type=Example) for line in file.read_bytes().splitlines() if line)


def _tokens(texts: list[str]) -> Any:
    """Tokens of each text. No stop words: "no" decides what a report says."""
    return require("bm25s", "llm").tokenize(texts, stopwords=[], return_ids=False, show_progress=False)


def load_examples(path: Path) -> list[Example]:
    """The lines of a bank; a line that cannot be used is an error with its number."""
    examples = []
    for number, line in numbered(path):
        try:
            examples.append(msgspec.json.decode(line, type=Example))
        except msgspec.DecodeError:
            raise BadInput(
                f'{path}, line {number}: not an example. Each line is {{"text": …, "answer": {{…}}}}, '
                "with patient and stage if you like."
            ) from None
    return examples


def bank_for(stage: str, output: type[Any], examples: Sequence[Example]) -> Bank:
    """The examples that serve a prompt; one that names it but does not fit its answer is an error."""
    fitting = []
    for number, example in enumerate(examples, 1):
        if example.stage not in (None, stage):
            continue
        try:
            msgspec.convert(example.answer, output)
            fitting.append(example)
        except msgspec.ValidationError:
            if example.stage == stage:
                raise BadInput(
                    f"Example {number} of the bank is not a valid {output.__name__} for {stage}."
                ) from None
    if not fitting and examples and all(one.stage is None for one in examples):
        raise BadInput(f"No example of the bank is a valid {output.__name__}, which {stage} asks for.")
    return Bank(fitting)


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
