"""Reports in any language → English reports without identifiers, by a language model or from the user's own file.

A translation is refused where it lost a measurement or is not in English. What can tell who or when is cut out and
counted; that is a net below the translator, no substitute for de-identifying a corpus.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report
from overread.report.passed_over import language
from overread.systems.srrg.bullets.identifiers import identifiers, without_identifiers

PACKAGE = "overread.validation"
MEASURED = re.compile(
    r"(?<![\d.,])(\d+(?:[.,]\d+)?)\s*(?:[x×]\s*(\d+(?:[.,]\d+)?)\s*)*(?=(?:cm|mm|ml|%)(?!\w))"
)
NUMBER = re.compile(r"\d+(?:[.,]\d+)?")


class Translated(Struct, frozen=True, forbid_unknown_fields=True):
    """What a language model is asked for."""

    text: str


class English(Struct, frozen=True, omit_defaults=True):
    """A report as a line of the file that is written."""

    id: str
    text: str
    patient: str | None = None
    study: str | None = None
    day: float | None = None


class Outcome(Struct, frozen=True):
    """All reports of a corpus."""

    reports: tuple[English, ...]
    refused: dict[str, str]
    """Id → why there is no translation of it."""

    cut: int
    """Identifiers that were still there, and were cut out."""


def by_llm(client: Client, reports: Sequence[Report]) -> Outcome:
    """Every report as the model translates it; one that stays unusable is refused."""

    def check(item: Item, answer: Translated) -> list[str]:
        return list(faults(item.source.text, answer.text))

    items = [Item(r.id, {"report": r.text}, patient=r.patient, source=r) for r in reports]
    answers = ask_many(client, load_prompt(PACKAGE, "translate"), items, Translated, check=check)
    told: dict[str, str | Failure] = {
        report.id: answer if isinstance(answer, Failure) else answer.value.text
        for report, answer in zip(reports, answers, strict=True)
    }
    return settled(reports, told)


def from_file(reports: Sequence[Report], translations: Mapping[str, str]) -> Outcome:
    """Every report with the translation of the same id, held against it."""
    return settled(reports, translations)


def settled(reports: Iterable[Report], told: Mapping[str, str | Failure]) -> Outcome:
    made, refused, cut = [], {}, 0
    for report in reports:
        text = told.get(report.id, "")
        why = [text.reason] if isinstance(text, Failure) else list(faults(report.text, text))
        if isinstance(text, Failure) or why:
            refused[report.id] = " ".join(why)
            continue
        cut += len(identifiers(text))
        plain = "\n".join(
            without_identifiers(line) if identifiers(line) else line for line in text.split("\n")
        )
        made.append(English(report.id, plain, report.patient, report.study, report.day))
    return Outcome(tuple(made), refused, cut)


def faults(original: str, text: str) -> Iterable[str]:
    """What makes a translation unusable, without a word of either text.

    >>> list(faults("Rundherd von 2,5 cm links.", "Left nodule of 25 mm."))
    ['1 of 1 measurements of the report are missing; write 2.5 cm as 2.5 cm.']
    >>> list(faults("Rundherd von 2,5 cm links.", "Left nodule of 2.5 cm."))
    []
    """
    if not text.strip():
        yield "There is no translation."
        return
    if other := language(text):
        yield f"The translation is not in English ({other})."
    wanted, found = measured(original), measured(text)
    missing = [number for number in wanted if number not in found]
    if missing:
        yield (
            f"{len(missing)} of {len(wanted)} measurements of the report are missing; write 2.5 cm as 2.5 cm."
        )


def measured(text: str) -> list[str]:
    """The numbers that have a unit, with a point: `2,5 x 3 cm` has two.

    >>> measured("2,5 x 3 cm on 3/4/2019")
    ['2.5', '3']
    """
    return [n.replace(",", ".") for found in MEASURED.finditer(text) for n in NUMBER.findall(found[0])]
