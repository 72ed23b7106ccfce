"""The six layers of chest films: what overread's views have in common with the annotated ones.

| layer | one thing that is counted |
|---|---|
| LUNGUAGE | a finding's attribute with its value, alike in letters |
| RadSEM | an atomic sentence with its normality |
| CLEAR | a condition with its presence, of those that are spoken of |
| SRR labels | a label with its status, in its sentence |
| SRRG template | a header that is filled |
| longitudinal | a disease with its trend, in its sentence |
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.corpus.build import line_of
from overread.corpus.files import load, notation_files
from overread.corpus.layers import as_gold, layers
from overread.corpus.layout import lay_out
from overread.corpus.records import Annotated
from overread.errors import BadInput
from overread.reader import Reading, read
from overread.report import parse
from overread.stats.agreement import Counts
from overread.systems.registry import system
from overread.validation import longitudinal, sentences, srr, structuring, template


class Layered(Struct, frozen=True):
    """One report: layer → what is right, invented and missed."""

    report: str
    counts: dict[str, Counts]


def golds(corpus: Path, test: Sequence[Annotated]) -> list[dict[str, Any]]:
    """The annotated layers of test reports; none where the corpus holds no layers."""
    files = sorted((corpus / "layers").glob("*.txt"))
    if not files:
        return []
    parts = [corpus / name for name in ("train", "dev", "test") if (corpus / name).is_dir()]
    known = {report.id: report for _, report in load(notation_files(parts))}
    found = []
    for file in files:
        own, complaints = layers(file, known)
        if complaints:
            raise BadInput(f"{complaints[0]}. Correct the layer, or take the corpus as it was released.")
        found += own
    wanted = {report.id for report in test}
    return [
        as_gold(one, known[one.id], lay_out(known[one.id]).text) | {"line": line_of("test", known[one.id])}
        for one in found
        if one.id in wanted
    ]


def layered(gold: dict[str, Any]) -> Layered:
    """overread's views of one report, held against its layers."""
    reading = read(parse(gold["text"], gold["id"]))
    return Layered(gold["id"], dict(compared(gold, reading)))


def compared(gold: dict[str, Any], reading: Reading) -> Iterator[tuple[str, Counts]]:
    yield "LUNGUAGE", of_findings(gold, reading)
    atoms = [sentences.AtomicSentence(one["text"], one["normality"]) for one in gold["atoms"]]
    own = [sentences.AtomicSentence(a.text, a.normality) for a in view("radsem", reading).atoms]
    yield "RadSEM", sum(sentences.compare(atoms, own).classes.values(), Counts())
    yield (
        "CLEAR",
        of_sets(said(gold["clear"]), said(msgspec.to_builtins(view("clear", reading))["conditions"])),
    )
    yield "SRR labels", of_labels(gold)
    structured = view("srrg", reading).structured.findings
    yield (
        "SRRG template",
        template.counted(template.compare(gold["structured"]["findings"], structured).values()),
    )
    yield "longitudinal", of_changes(gold, reading)


def view(name: str, reading: Reading) -> Any:
    return system(name).by_rules(reading)


def of_findings(gold: dict[str, Any], reading: Reading) -> Counts:
    line = gold["line"]
    theirs = structured({"id": line.id, "findings": msgspec.to_builtins(line.findings)})
    return structuring.compare_reports(
        theirs, structured(msgspec.to_builtins(view("lunguage", reading)))
    ).triplets


def structured(one: Any) -> structuring.GoldReport:
    return msgspec.convert(one, structuring.GoldReport)


def said(conditions: dict[str, dict[str, Any]]) -> set[tuple[str, str]]:
    return {(name, cell["presence"]) for name, cell in conditions.items() if cell["presence"] != "unclear"}


def of_labels(gold: dict[str, Any]) -> Counts:
    """Each sentence by itself, as the labels were given."""
    texts = [gold["sentences"][one["i"]]["text"] for one in gold["srr"]]
    total = Counts()
    for one, own in zip(gold["srr"], srr.by_rules(texts), strict=True):
        wanted = {(label["label"], label.get("status")) for label in one["labels"]}
        total += of_sets(wanted, {(label.label, label.status) for label in own})
    return total


def of_changes(gold: dict[str, Any], reading: Reading) -> Counts:
    told = {one["i"]: one for one in gold["longitudinal"]}
    judged = [
        longitudinal.GoldSentence(
            sentence["text"],
            told[sentence["i"]]["longitudinal"],
            tuple(longitudinal.GoldItem(**item) for item in told[sentence["i"]]["items"]),
        )
        for sentence in gold["sentences"]
        if sentence["i"] in told
    ]
    counts = longitudinal.compare(
        longitudinal.GoldReport(gold["id"], tuple(judged), gold["text"]), view("longitudinal", reading)
    )
    return Counts(
        *(sum(n for name, n in counts.items() if name.endswith(f":{kind}")) for kind in ("tp", "fp", "fn"))
    )


def of_sets(wanted: set[tuple[Any, Any]], own: set[tuple[Any, Any]]) -> Counts:
    """
    >>> of_sets({("Edema", "positive")}, {("Edema", "positive"), ("Mass", "positive")})
    Counts(tp=1, fp=1, fn=0)
    """
    return Counts(len(wanted & own), len(own - wanted), len(wanted - own))
