"""Words of a sentence as terms: places, findings, qualities and the small words between them."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from overread.lexicon.words import Word, split
from overread.reader.sizes import sizes
from overread.reader.statements.vocabulary import Entry, Path, Vocabulary, stem

NAMED = frozenset(
    "site head quality shape normal abnormal aspect up down detail seq measure open compound change".split()
)
"""Roles that carry meaning; the others stand between them."""

BRACKETED = frozenset({"measure", "detail", "site"})
"""What may stand in brackets within a noun phrase: a size, a segment."""

CODE = re.compile(r"[sctlmvp]\d{1,2}[ab]?")
SEGMENT = re.compile(r"s[1-8]")
"""A segment of the liver or the lung where the sentence speaks of segments; else a sacral vertebra."""

MAGNETIC = re.compile(r"signal|intens|weighted|t[12]wi?\b|flair|dwi|mri?\b", re.IGNORECASE)
"""Words beside which T1 and T2 are sequences and not vertebrae."""

IMAGE = re.compile(r"(?:im|img|image|images|slice|series|se|section|score)\d*")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
DASHES = frozenset("-‐‑")


class Term(NamedTuple):
    """One word or phrase and its part in the statement."""

    role: str
    sense: tuple[str, ...]
    site: Path
    side: str
    kind: str
    form: str
    start: int
    end: int

    @property
    def place(self) -> bool:
        """Does it name a place of its own, not only a direction or a part?"""
        return bool(self.site) and self.kind not in ("dir", "part")


Taken = tuple[Entry, int, int]


def terms(text: str, vocabulary: Vocabulary) -> list[Term]:
    """The terms of one sentence, in order; their places count from its beginning."""
    found = [w for w in split(text) if w.form not in DASHES]
    spelled = vocabulary.spelled
    forms = [spelled(w.form) for w in found]
    taken: list[Taken | None] = [None] * len(found)
    take_measures(text, found, taken)
    take_forms(text, forms, taken, vocabulary)
    made = joined(found, forms, taken, vocabulary)
    return list(unbracketed(made)) if "(" in text or "[" in text else made


def take_measures(text: str, found: list[Word], taken: list[Taken | None]) -> None:
    for start, end in sizes(text):
        inner = [i for i, w in enumerate(found) if w.start < end and start < w.end]
        if inner:
            place = (Entry("measure", (measure(text[start:end]),)), inner[0], inner[-1] + 1)
            taken[inner[0] : inner[-1] + 1] = [place] * len(inner)


def take_forms(text: str, forms: list[str], taken: list[Taken | None], vocabulary: Vocabulary) -> None:
    """Longest first; of equals a finding before a place (`chest tube`), a noun before an adjective."""
    segmental = "egment" in text
    weight = vocabulary.weights
    found = vocabulary.matcher.spans(forms)
    ranked = [
        ((first - last) * 100_000 + weight[id(rows)] + first, first, last, rows)
        for first, last, rows in found
    ]
    ranked.sort()
    for _, first, last, rows in ranked:
        if taken[first] is not None or (last - first > 1 and any(taken[first:last])):
            continue
        entry = rows[-1]
        if entry.role == "seq" and entry.sense[0] in ("t1", "t2") and not MAGNETIC.search(text):
            entry = Entry("site", (), ("spine", "thoracic-spine", entry.sense[0]), "-", "noun")
        elif segmental and last - first == 1 and SEGMENT.fullmatch(forms[first]):
            entry = unknown(forms[first])
        if last - first == 1:
            taken[first] = (entry, first, last)
        else:
            taken[first:last] = [(entry, first, last)] * (last - first)


def joined(
    found: list[Word], forms: list[str], taken: list[Taken | None], vocabulary: Vocabulary
) -> list[Term]:
    made: list[Term] = []
    new = tuple.__new__  # a sentence has dozens of them
    index = 0
    while index < len(found):
        place, form, last = taken[index], forms[index], index + 1
        if place is None:
            entry = vocabulary.prefixed(form) or unknown(form)
        else:
            entry, _, last = place
            if last > index + 1:
                form = " ".join(forms[index:last])
        made.append(new(Term, (*entry, form, found[index].start, found[last - 1].end)))
        index = last
    return made


@lru_cache(maxsize=8192)
def unknown(form: str) -> Entry:
    """A word no table knows: a code such as S8, punctuation, or an open word that stands for itself."""
    if CODE.fullmatch(form):
        return Entry("site", (), (form,), "-", "part")
    if not form[0].isalpha():
        return Entry("stop" if form in ";:.?!()[]" else "ignore")
    return Entry("open", (f"~{stem(form)}",)) if len(form) > 2 else Entry("ignore")


def unbracketed(found: list[Term]) -> Iterator[Term]:
    """Terms without image numbers in brackets, and without brackets around a size or a place."""
    index = 0
    while index < len(found):
        term = found[index]
        end = closing(found, index) if term.form in ("(", "[") else None
        inner = found[index + 1 : end] if end is not None else []
        if any(IMAGE.fullmatch(w) for t in inner for w in t.form.split()):
            inner = []
        if end is not None and all(t.role not in NAMED or t.role in BRACKETED for t in inner):
            yield from (t for t in inner if t.role in BRACKETED)
            index = end + 1
        else:
            yield term
            index += 1


def closing(found: list[Term], index: int) -> int | None:
    return next((n for n in range(index, len(found)) if found[n].form in (")", "]")), None)


def measure(text: str) -> str:
    """A size in millimetres, whatever its wording.

    >>> measure("approximately 3.1 x 2.3 cm"), measure("2-4 mm in diameter"), measure("about 30 %")
    ('31x23mm', '2x4mm', '30%')
    """
    unit = next((u for u in ("mm", "cm", "%") if u in text), "")
    scale = 10 if unit == "cm" else 1
    numbers = "x".join(f"{float(n) * scale:g}" for n in NUMBER.findall(text))
    return f"{numbers}{'mm' if unit == 'cm' else unit}"
