"""Worked examples from a user's bank, chosen for each item by BM25.

A bank is a JSON-lines file: `{"text", "answer"}` and optionally `patient` and `stage` (a prompt such as
`radsem/atoms`; without it the example serves every prompt its answer fits), and `about`, the condition or disease asked
about. A small bank of invented examples ships beside the prompts of every system.
"""

import re
from collections.abc import Sequence
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from overread.errors import BadInput
from overread.extras import require
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
        words = _words([without_cues(text)])[0] if self.examples and count > 0 else []
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
        index.index(_words([without_cues(one.text) for one in self.examples]), show_progress=False)
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


def _words(texts: list[str]) -> Any:
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
