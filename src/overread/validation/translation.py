"""Reports in any language → English reports without identifiers, by a language model or from the user's own file.

A translation is refused where it lost a measurement or is not in English. What can tell who or when is cut out and
counted; that is a net below the translator, no substitute for de-identifying a corpus.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from overread.formats.lines import ReportLine
from overread.llm import Client, Item, answers, ask_many, failures, load_prompt
from overread.report import Report
from overread.report.passed_over import language
from overread.systems.srrg.bullets.identifiers import identifiers, without_identifiers

MEASURED = re.compile(
    r"(?<![\d.,])(\d+(?:[.,]\d+)?)\s*(?:[x×]\s*(\d+(?:[.,]\d+)?)\s*)*(?=(?:cm|mm|ml|%)(?!\w))"
)
DECIMAL = re.compile(r"\d+(?:[.,]\d+)?")


class Translated(Struct, frozen=True, forbid_unknown_fields=True):
    """What a language model is asked for."""

    text: str


class TranslatedCorpus(Struct, frozen=True):
    """All reports of a corpus."""

    reports: tuple[ReportLine, ...]
    refused: dict[str, str]
    """Id → why there is no translation of it."""

    cut: int
    """Identifiers that were still there, and were cut out."""


def by_llm(client: Client, reports: Sequence[Report]) -> TranslatedCorpus:
    """Every report as the model translates it; one that stays unusable is refused."""

    def check(item: Item, answer: Translated) -> list[str]:
        return faults(item.source.text, answer.text)

    items = [Item(r.id, {"report": r.text}, patient=r.patient, source=r) for r in reports]
    prompt = load_prompt("overread.validation", "translate")
    found = ask_many(client, prompt, items, Translated, check=check)
    outcome = translated(reports, {id: answer.text for id, answer in answers(found).items()})
    return replace(outcome, refused=outcome.refused | {one.item: one.reason for one in failures(found)})


def translated(reports: Iterable[Report], texts: Mapping[str, str]) -> TranslatedCorpus:
    """Every report with the translation of the same id, held against it."""
    made, refused, cut = [], {}, 0
    for report in reports:
        text = texts.get(report.id, "")
        if why := " ".join(faults(report.text, text)):
            refused[report.id] = why
            continue
        cut += len(identifiers(text))
        lines = (without_identifiers(line) if identifiers(line) else line for line in text.split("\n"))
        who = {name: getattr(report, name) for name in ("patient", "study", "day")}
        made.append(ReportLine(report.id, "\n".join(lines), **who))
    return TranslatedCorpus(tuple(made), refused, cut)


def faults(original: str, text: str) -> list[str]:
    """What makes a translation unusable, without a word of either text.

    >>> faults("Rundherd von 2,5 cm links.", "Left nodule of 25 mm.")
    ['1 of 1 measurements of the report are missing; write 2.5 cm as 2.5 cm.']
    >>> faults("Rundherd von 2,5 cm links.", "Left nodule of 2.5 cm.")
    []
    """
    if not text.strip():
        return ["There is no translation."]
    other, wanted, found = language(text), measured_numbers(original), measured_numbers(text)
    told = [f"The translation is not in English ({other})."] if other else []
    if lost := sum(number not in found for number in wanted):
        told.append(
            f"{lost} of {len(wanted)} measurements of the report are missing; write 2.5 cm as 2.5 cm."
        )
    return told


def measured_numbers(text: str) -> list[str]:
    """The numbers that have a unit, with a point: `2,5 x 3 cm` has two.

    >>> measured_numbers("2,5 x 3 cm on 3/4/2019")
    ['2.5', '3']
    """
    return [n.replace(",", ".") for found in MEASURED.finditer(text) for n in DECIMAL.findall(found[0])]
