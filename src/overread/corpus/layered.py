"""Layers of chest films: atoms, SRR labels, changes, template and conditions, in files `*.layers` beside the reports.

# w07-001
> 4 F The heart is mildly enlarged, as before.
A + The heart is mildly enlarged.
L Cardiomegaly +
G enlarged cardiac silhouette = no change
T Cardiovascular: Mild cardiomegaly.
C Cardiomegaly ++ ; occurrence=previous ; change=stable ; severity=mild

How far overread's views agree with them is counted for each view.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from msgspec import Struct, convert, field

from overread.corpus.agree import added_up
from overread.corpus.build import Line, line_of
from overread.corpus.files import blocks, files_beside, load_annotated, notation_files, sound
from overread.corpus.records import Annotated, Complaint
from overread.reader import Reading, read
from overread.report import parse
from overread.report.span import Span
from overread.stats.agreement import Counts, counts_of_sets
from overread.systems.clear.by_rules import view as clear
from overread.systems.clear.schema import CHOICES, CONDITIONS, DEVICES, PRESENCE, Level
from overread.systems.longitudinal.by_rules import view as changes
from overread.systems.longitudinal.schema import TRENDS, keywords
from overread.systems.radsem.by_rules import view as radsem
from overread.systems.srrg.by_rules import view as srrg
from overread.systems.srrg.labels import NO_FINDING, PARENTS, facts
from overread.systems.srrg.schema import HEADERS
from overread.validation import sentences
from overread.validation.longitudinal import agreement as longitudinal
from overread.validation.srrg import template

LAYERED_SECTIONS = ("findings", "impression")
STATUSES = {"+": "Present", "-": "Absent", "?": "Uncertain"}
LEVEL_SIGNS: dict[str, Level] = {
    "++": "confidently present", "+": "likely present", "-": "likely absent", "--": "confidently absent",
}  # fmt: skip
CHOICE_COLUMNS = {"occurrence": "first_occurrence", "change": "change", "severity": "severity"}
PHRASE_COLUMNS = {"location": "location", "advice": "recommendation"}
QUOTED = re.compile(r"(\d+) (\w+) (.*)")
CONDITION = re.compile(r"(.+?) (\(?)([+-]{1,2})(\)?)((?: ;.*)?)")
IMPRESSION = "Impression"


class Layers(Struct):
    """What people wrote of one report."""

    id: str
    line: int
    known: list[tuple[str, str]] | None
    """Section and text of each sentence of the report; None where there is no such report."""

    said: list[str] = field(default_factory=list)
    """Its sentences, as the file repeats them."""

    atoms: list[dict[str, Any]] = field(default_factory=list)
    labels: dict[int, list[dict[str, str]]] = field(default_factory=dict)
    changes: dict[int, list[dict[str, str]]] = field(default_factory=dict)
    bullets: dict[str, list[str]] = field(default_factory=dict)
    conditions: dict[str, dict[str, Any]] = field(default_factory=dict)


def layers(path: Path, reports: Mapping[str, Annotated]) -> tuple[list[Layers], list[Complaint]]:
    """The reports of a file with their layers, and what is wrong with them."""
    known = {id: [(s.section, s.text) for s in one.sentences if s.section] for id, one in reports.items()}
    return blocks(path, partial(take_layer_line, known), unsound)


def take_layer_line(
    known: Mapping[str, list[tuple[str, str]]], found: list[Layers], line: str, number: int
) -> Iterator[str]:
    """Add a line to what was read; yields what is wrong with it."""
    mark, _, rest = line.strip().partition(" ")
    if not mark or mark == "%":
        return
    if mark == "#":
        found.append(Layers(rest, number, known.get(rest)))
    elif not found:
        yield "stands before the first report (a line '# id')"
    elif mark == ">":
        yield from with_sentence(found[-1], rest)
    elif mark in ("A", "L", "G"):
        yield from with_statement(found[-1], mark, rest)
    elif mark == "T":
        yield from with_bullets(found[-1], rest)
    elif mark == "C":
        yield from with_condition(found[-1], rest)
    else:
        yield "not understood: a line begins with #, >, A, L, G, T or C"


def with_sentence(one: Layers, rest: str) -> Iterator[str]:
    match, known = QUOTED.fullmatch(rest), one.known or []
    if match is None or int(match[1]) != len(one.said) + 1:
        yield f"a sentence is '> {len(one.said) + 1} letter words' here"
    elif len(known) <= len(one.said) or match[3].strip() != known[len(one.said)][1]:
        yield "this sentence stands otherwise in the report"
    one.said.append(match[3] if match else rest)


def with_statement(one: Layers, mark: str, rest: str) -> Iterator[str]:
    known, i = one.known or [], len(one.said) - 1
    section = known[i][0] if 0 <= i < len(known) else ""
    if section not in LAYERED_SECTIONS or (mark == "A" and section != "findings"):
        yield f"{mark} does not stand below a sentence of findings" + " or impression" * (mark != "A")
    if mark == "A":
        sign, _, text = rest.partition(" ")
        if sign not in ("+", "-") or not text:
            yield "an atom is 'A + sentence' or 'A - sentence'"
        one.atoms.append({"i": i, "text": text, "normality": "abnormal" if sign == "+" else "normal"})
    elif mark == "L":
        label, _, sign = rest.rpartition(" ")
        if label not in {*facts().leaves, *PARENTS} - {NO_FINDING} or sign not in STATUSES:
            yield f"{rest!r} is no label with +, - or ?"
        one.labels.setdefault(i, []).append({"label": label, "status": STATUSES.get(sign, "")})
    else:
        disease, _, way = rest.partition(" = ")
        items = one.changes.setdefault(i, [])
        if rest != "none":
            if disease not in keywords() or way not in TRENDS:
                yield f"{rest!r} is no disease with = improved, no change or worsened"
            items.append({"disease": disease, "progression": way})


def with_bullets(one: Layers, rest: str) -> Iterator[str]:
    header, _, bullets = rest.partition(": ")
    if header not in (*HEADERS, IMPRESSION) or header in one.bullets:
        yield f"{header!r} is no header of the template, or stands twice"
    one.bullets[header] = [b.strip() for b in bullets.split("|") if b.strip()]


def with_condition(one: Layers, rest: str) -> Iterator[str]:
    match = CONDITION.fullmatch(rest)
    known = match is not None and match[1] in CONDITIONS and match[3] in LEVEL_SIGNS
    if match is None or not known or bool(match[2]) != bool(match[4]):
        yield "a condition is 'C name level ; …' with one of the 13 names and ++, +, - or --"
        return
    if match[1] in one.conditions:
        yield f"{match[1]} stands twice"
    level = LEVEL_SIGNS[match[3]]
    cell: dict[str, Any] = {"presence": PRESENCE[level], "level": level, "mentioned": not match[2]}
    if cell["presence"] == "positive":
        cell |= {name: [] for name in PHRASE_COLUMNS.values()}
        cell |= dict.fromkeys(CHOICE_COLUMNS.values(), "N/A") if match[1] != DEVICES else {}
    for part in filter(None, (p.strip() for p in match[5].split(";"))):
        key, _, value = part.partition("=")
        if key in PHRASE_COLUMNS:
            cell[PHRASE_COLUMNS[key]] = [p.strip() for p in value.split("|")]
        elif key not in CHOICE_COLUMNS or value not in CHOICES[CHOICE_COLUMNS[key]]:
            yield f"{part!r} is no column of a condition, or no answer to it"
        elif match[1] != DEVICES:
            cell[CHOICE_COLUMNS[key]] = value
    one.conditions[match[1]] = cell


def unsound(one: Layers) -> Iterator[str]:
    if one.known is None:
        yield f"no report is called {one.id}"
    elif len(one.said) != len(one.known):
        yield f"{one.id} has {len(one.known)} sentences, {len(one.said)} stand here"
    elif not one.bullets or not one.conditions:
        yield f"{one.id} has no template or no conditions"


def gold(files: Iterable[Path], reports: Iterable[Annotated], lines: Iterable[Line]) -> list[dict[str, Any]]:
    """Lines of a gold file for all reports of these files."""
    by_id, texts = {report.id: report for report in reports}, {line.id: line.text for line in lines}
    found = [one for path in files for one in sound(path, *layers(path, by_id))]
    return [as_gold(one, texts[one.id]) for one in found]


def as_gold(one: Layers, text: str) -> dict[str, Any]:
    """One line of a gold file: text, sentences, and every layer."""
    every = one.known or []
    told = [i for i, (section, _) in enumerate(every) if section in LAYERED_SECTIONS]
    none = [{"label": NO_FINDING}]
    unsaid = {"presence": "unclear", "level": "neutral", "mentioned": False}
    return {
        "id": one.id,
        "text": text,
        "sentences": [{"i": i, "section": s, "text": words} for i, (s, words) in enumerate(every)],
        "atoms": one.atoms,
        "clear": {name: one.conditions.get(name, unsaid) for name in CONDITIONS},
        "srr": [{"i": i, "labels": one.labels.get(i, none)} for i in told],
        "structured": {
            "findings": {h: b for h, b in one.bullets.items() if h != IMPRESSION},
            "impression": one.bullets.get(IMPRESSION, []),
        },
        "longitudinal": [
            {"i": i, "longitudinal": i in one.changes, "items": one.changes.get(i, [])} for i in told
        ],
    }


Gold = Mapping[str, Any]
"""A line of `layers.jsonl`."""

MEASURES = {
    "atoms": "RadSEM: atomic sentences, words and normality",
    "conditions present": "CLEAR: conditions that are present",
    "conditions absent": "CLEAR: conditions that are absent",
    "labels": "SRRG: labels of a sentence",
    "labels with statuses": "SRRG: labels with their statuses",
    "headers": "SRRG: headers of the template that have a bullet",
    "comparing sentences": "longitudinal: sentences that compare",
    "disease and progression": "longitudinal: disease and progression",
}


def layers_beside(path: Path) -> list[dict[str, Any]]:
    """The layers that stand beside these reports."""
    reports = list(load_annotated(notation_files([path])))
    return gold(files_beside([path], ".layers"), [r for _, r in reports], [line_of(*one) for one in reports])


def compared(written: Iterable[Gold]) -> dict[str, Counts]:
    """Every measure, over all reports."""
    return added_up(MEASURES, (pair for one in written for pair in counts_of_report(one)))


def counts_of_report(one: Gold) -> Iterator[tuple[str, Counts]]:
    reading = read(parse(one["text"], one["id"]))
    written = convert(one["atoms"], list[sentences.AtomicSentence])
    ours = [sentences.AtomicSentence(a.text, a.normality) for a in radsem(reading).atoms]
    yield "atoms", sum(sentences.compare(written, ours).classes.values(), Counts())
    for name, presence in (("present", "positive"), ("absent", "negative")):
        truth = {c for c, cell in one["clear"].items() if cell["presence"] == presence}
        found = {c for c, cell in clear(reading).conditions.items() if cell.presence == presence}
        yield f"conditions {name}", counts_of_sets(truth, found)
    yield from of_labels(one, reading)
    bullets = srrg(reading).structured.findings
    yield (
        "headers",
        sum((h.counts for h in template.compare(one["structured"]["findings"], bullets).values()), Counts()),
    )
    yield from of_changes(one, reading)


def by_owner(
    given: Gold, told: Iterable[tuple[Any, Iterable[tuple[str, str]]]]
) -> dict[int | None, set[tuple[str, str]]]:
    """What parts of the text say, by the written sentence that each lies in."""
    spans: list[Span] = []
    for one in given["sentences"]:
        start = given["text"].index(one["text"], spans[-1].end if spans else 0)
        spans.append(Span(start, start + len(one["text"])))
    found: dict[int | None, set[tuple[str, str]]] = {}
    for part, said in told:
        found.setdefault(longitudinal.owner(spans, part.start, part.end), set()).update(said)
    return found


def of_labels(given: Gold, reading: Reading) -> Iterator[tuple[str, Counts]]:
    utterances = srrg(reading).utterances
    found = by_owner(given, ((u, ((one.label, one.status or "") for one in u.labels)) for u in utterances))
    for one in given["srr"]:
        truth = leaves((name["label"], name.get("status", "")) for name in one["labels"])
        ours = leaves(found.get(one["i"], ()))
        yield "labels with statuses", counts_of_sets(truth, ours)
        yield "labels", counts_of_sets({label for label, _ in truth}, {label for label, _ in ours})


def leaves(labels: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    return {one for one in labels if one[0] not in (*PARENTS, NO_FINDING)}


def of_changes(given: Gold, reading: Reading) -> Iterator[tuple[str, Counts]]:
    comparing = (sentence for sentence in changes(reading).sentences if sentence.longitudinal)
    found = by_owner(given, ((one, longitudinal.tracked(one.items)) for one in comparing))
    for one in given["longitudinal"]:
        items = longitudinal.tracked(convert(one["items"], list[longitudinal.GoldItem]))
        ours = {0} if one["i"] in found else set()
        yield "comparing sentences", counts_of_sets({0} if one["longitudinal"] else set(), ours)
        yield "disease and progression", counts_of_sets(items, found.get(one["i"], set()))
