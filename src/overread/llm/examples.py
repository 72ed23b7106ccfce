"""Worked examples from a user's bank, chosen for each item by BM25.

A bank is a JSON-lines file: `{"text", "answer"}` and optionally `patient` and `stage` (a prompt such as
`radsem/atoms`; without it the example serves every prompt its answer fits).
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from overread.errors import BadInput
from overread.extras import require


class Example(Struct, frozen=True, forbid_unknown_fields=True):
    """A text and the right answer for it."""

    text: Annotated[str, Meta(pattern=r"\w\w")]
    answer: dict[str, Any]
    patient: str | None = None
    stage: str | None = None


class Bank:
    """The examples for one prompt, indexed once."""

    def __init__(self, examples: Sequence[Example]) -> None:
        self.examples = tuple(examples)

    def pick(self, text: str, patient: str | None, count: int) -> list[Example]:
        """The `count` examples nearest to `text`, best first; equals keep the order of the file.

        Passed over are the same patient's examples, and the very same text, which would give its answer.
        """
        words = _words([text])[0] if self.examples and count > 0 else []
        if not words:
            return []
        scores = self._index.get_scores(words)
        ranked = sorted(range(len(self.examples)), key=lambda i: (-float(scores[i]), i))
        near = (self.examples[i] for i in ranked if scores[i] > 0)
        allowed = (e for e in near if e.text != text and (patient is None or e.patient != patient))
        return [example for example, _ in zip(allowed, range(count), strict=False)]

    @cached_property
    def _index(self) -> Any:
        index = require("bm25s", "llm").BM25()
        index.index(_words([one.text for one in self.examples]), show_progress=False)
        return index


def _words(texts: list[str]) -> Any:
    """Tokens of each text. No stop words: "no" decides what a report says."""
    return require("bm25s", "llm").tokenize(texts, stopwords=[], return_ids=False, show_progress=False)


def load_examples(path: Path) -> list[Example]:
    """The lines of a bank; a line that cannot be used is an error with its number."""
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise BadInput(f"Cannot read the example bank {path}: {error.strerror}.") from None
    examples = []
    for number, line in enumerate(lines, 1):
        if line.strip():
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
