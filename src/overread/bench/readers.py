"""The readers track: how well reports are read, on annotated test reports and on texts that probe language.

A fact of such a text counts when a finding of that word has its status (one that has gone may be positive and
improved), and, where the fact names them, its side, certainty, degree and change. An atom counts when RadSEM calls what
is there abnormal and what is not normal.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from overread.bench.figures import Count, wilson
from overread.bench.sets import WHERE, annotated, digest, drawn, family
from overread.corpus import layered
from overread.corpus.agree import MEASURES, Compared, agreement, compare, same_triplet
from overread.corpus.files import load_annotated, notation_files
from overread.corpus.reading import as_comparable, as_read, with_mentions
from overread.corpus.records import Annotated, Mention, Quote, lay_out, quotes_by_name
from overread.errors import BadInput
from overread.reader import Finding, Reading, read
from overread.report import parse
from overread.report.span import Span
from overread.runner.meter import Meter
from overread.runner.run.workers import in_order
from overread.stats.agreement import Counts
from overread.stats.bootstrap import Interval, f1_interval
from overread.systems.registry import system
from overread.validation.annotated import lines_by_id

CHANGES = {"improved": "improved", "worsened": "worsened", "no change": "no_change", "new": "onset"}
Fact = dict[str, str]


def stems(text: str) -> str:
    words = re.findall(r"[a-z0-9-]+", text.lower())
    return " ".join(re.sub(r"(?:ies|y)$", "i", re.sub(r"(?<=[a-z]{3})s$", "", w)) for w in words)


def has_all_words(text: str, what: str) -> bool:
    return all(re.search(rf"\b{re.escape(word)}", stems(text)) for word in stems(what).split())


def wrong(reading: Reading, fact: Fact) -> bool:
    """Is no finding of the word as the fact has it?"""
    found = [
        f
        for f in reading.findings
        if has_all_words(f"{f.entity} {' '.join(a.text for a in f.values('location'))}", fact["what"])
    ]
    if fact["status"] == "none":
        return any(has_all_words(f.entity, fact["what"]) for f in found)
    return not any(meant(f, fact) for f in found)


def meant(finding: Finding, fact: Fact) -> bool:
    gone = fact["status"] == "negative" and bool(finding.values("improved"))
    sides = {p.side for a in finding.values("location") for p in a.places} - {"-"}
    side = "both" if "both" in sides or len(sides) > 1 else next(iter(sides), None)
    degree = " ".join(a.text for a in finding.values("severity")).lower()
    told = {name for name, relation in CHANGES.items() if finding.values(relation)}
    change = fact.get("change")
    return (
        (finding.status == fact["status"] or gone)
        and ("side" not in fact or side == fact["side"])
        and ("certainty" not in fact or finding.certainty == fact["certainty"])
        and (
            "severity" not in fact
            or (fact["severity"].split()[0] in degree if fact["severity"] != "none" else not degree)
        )
        and (
            change is None
            or (not told if change == "none" else change in told or (change == "new" and "worsened" in told))
        )
    )


def misheard(atoms: Any, fact: Fact, facts: list[Fact]) -> bool | None:
    """Does RadSEM give the word the wrong normality? None where it says nothing of it, or the text says both."""
    said = [a.normality for a in atoms.atoms if has_all_words(a.text, fact["what"])]
    both = len({f["status"] for f in facts if f["what"] == fact["what"]}) > 1
    if fact["status"] == "none" or both or not said:
        return None
    return set(said) != {"abnormal" if fact["status"] == "positive" else "normal"}


OURS = "overread"
PROBES = (Path("probes.jsonl"), Path("..") / "tests" / "judge" / "probes" / "probes.jsonl")
"""Below the corpus folder: of a release, or of the repository that it stands in."""


class Modality(Struct, frozen=True):
    """Reports of one family of modalities."""

    reports: int
    triplet: float | None
    """F1 of mentions with status and places."""

    sentences: Count
    whole: Count


class Reader(Struct, frozen=True):
    """How one reader did."""

    name: str
    hash: str
    """Of the test reports with their annotation."""

    reports: int
    figures: dict[str, Interval | None]
    """F1 of every measure of agreement, reports drawn again."""

    sentences: Interval
    """Sentences without a misreading: the same mentions, each with its status, certainty and places."""

    whole: Interval
    """Reports in which every sentence is such a one."""

    modalities: dict[str, Modality]
    probes: dict[str, Count]
    """Phenomenon → texts that are right throughout; `all` comes last. Empty for readers other than overread."""

    layers: dict[str, Interval | None]
    """F1 of each layer; empty where the corpus holds none, or for readers other than overread."""


class Said(Struct):
    """One mention as a reader's line has it; offsets count the characters of the report's text."""

    spans: list[tuple[int, int]]
    status: str
    certainty: str = "definitive"
    category: str = ""
    attributes: list["AttributeValue"] = []


class AttributeValue(Struct):
    kind: str
    spans: list[tuple[int, int]]


class ReaderLine(Struct):
    """One report as a reader's file has it: lines as `overread corpus build` writes them will do."""

    id: str
    mentions: list[Said]


def run_reader(
    name: str, corpus: Path, *, sample: int | None = None, jobs: int = 1, meter: Meter | None = None
) -> Reader:
    """One reader on everything that the corpus holds for readers."""
    gold = drawn(annotated(corpus), sample)
    if not gold:
        raise BadInput(f"{corpus} holds no folder test/ with annotated reports. {WHERE}")
    shown = meter or Meter()
    shown.stage(f"{name} reads")
    shown.expect("reports", len(gold), 0)
    both = zip(gold, read_by(name, gold, jobs, shown), strict=True)
    pairs = [list(compare(as_comparable(one), other)) for one, other in both]
    rights = [list(map(right, report)) for report in pairs]
    told = [agreement([report]) for report in pairs]
    groups: dict[str, list[int]] = {}
    for n, report in enumerate(gold):
        groups.setdefault(family(report.about.get("modality", "")), []).append(n)
    sentences, whole = right_counts(rights)
    return Reader(
        name=name,
        hash=digest(msgspec.json.encode(one) for one in sorted(gold, key=lambda one: one.id)),
        reports=len(gold),
        figures={one: f1_interval([counts[one] for counts in told]) for one in MEASURES if one != "kind"},
        sentences=wilson(sentences.right, sentences.asked),
        whole=wilson(whole.right, whole.asked),
        modalities={
            one: Modality(
                len(own),
                sum((told[n]["triplet"] for n in own), Counts()).f1,
                *right_counts([rights[n] for n in own]),
            )
            for one, own in sorted(groups.items(), key=lambda group: -len(group[1]))
        },
        probes=probed(corpus, sample) if name == OURS else {},
        layers=layer_figures(corpus, gold) if name == OURS else {},
    )


# ---- who reads
def read_by(name: str, gold: Sequence[Annotated], jobs: int, meter: Meter) -> Iterable[Annotated]:
    """overread, a folder of notation, a file of mentions, or a function: text in, mentions out."""
    if name == OURS:
        for _, found in in_order(one_reader, (), gold, jobs):
            meter.advance()
            yield found
        return
    place = Path(name)
    if place.is_dir():
        known = {report.id: report for _, report in load_annotated(notation_files([place]))}
        missing = [one.id for one in gold if one.id not in known]
        if missing:
            raise BadInput(f"{name} has no annotation of {missing[0]} ({len(missing)} reports are missing).")
        yield from (as_comparable(known[one.id]) for one in gold)
        return
    said = from_file(place) if place.is_file() else from_function(name)
    for report in gold:
        meter.advance()
        found = [one for one in said(report.id, lay_out(report).text) if one.spans]
        yield as_comparable(with_mentions(report, enumerate(found), lambda one: one[1].spans[0][0], mention))


def one_reader() -> Callable[[Annotated], Annotated]:
    return lambda report: next(iter(as_read([report])))


def from_file(path: Path) -> Callable[[str, str], list[Said]]:
    shape = (
        "is not as it should be. A line is a report with `id` and `mentions`, each with `spans`, `status` and perhaps "
        "`certainty`, `category` and `attributes` of `kind` and `spans`."
    )
    known = lines_by_id(path, ReaderLine, shape)

    def said(id: str, _: str) -> list[Said]:
        if id not in known:
            raise BadInput(f"{path} has no line for report {id}.")
        return known[id].mentions

    return said


def from_function(name: str) -> Callable[[str, str], list[Said]]:
    module, _, function = name.partition(":")
    try:
        called = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadInput(
            f"{name!r} is no reader: `overread`, a folder of notation, a file of mentions (JSON lines), or "
            f"module:function that takes a text ({error})."
        ) from error

    def said(_: str, text: str) -> list[Said]:
        try:
            return msgspec.convert(called(text), list[Said])
        except msgspec.ValidationError as error:
            raise BadInput(f"{name} returned no list of mentions: {error}.") from None

    return said


def mention(numbered: tuple[int, Said], at: int, sentence: str) -> Mention:
    number, one = numbered
    values = quotes_by_name((value.kind, quote(value.spans, at, sentence)) for value in one.attributes)
    positive, tentative = one.status == "positive", one.certainty == "tentative"
    return Mention(str(number), quote(one.spans, at, sentence), positive, tentative, one.category, values, {})


def quote(spans: Sequence[tuple[int, int]], at: int, sentence: str) -> Quote:
    inside = tuple(Span(start - at, end - at) for start, end in spans)
    return Quote(" ".join(span.of(sentence) for span in inside), inside)


# ---- figures
def right_counts(rights: Sequence[list[bool]]) -> tuple[Count, Count]:
    """Right sentences, and reports all of whose sentences are right."""
    every = [one for report in rights for one in report]
    return Count(sum(every), len(every)), Count(sum(map(all, rights)), len(rights))


def right(sentence: Compared) -> bool:
    """Is nothing of it misread?"""
    mentions = {len(sentence.pairs), len(sentence.first.mentions), len(sentence.second.mentions)}
    return len(mentions) == 1 and all(
        same_triplet(one) and one.first.tentative == one.second.tentative for one in sentence.pairs
    )


def layer_figures(corpus: Path, gold: Sequence[Annotated]) -> dict[str, Interval | None]:
    wanted = {report.id for report in gold}
    found = [layered.compared([one]) for one in layered.layers_beside(corpus / "test") if one["id"] in wanted]
    return {name: f1_interval([one[name] for one in found]) for name in layered.MEASURES} if found else {}


def probed(corpus: Path, sample: int | None) -> dict[str, Count]:
    """Texts that are read rightly throughout, by phenomenon."""
    file = next((corpus / one for one in PROBES if (corpus / one).is_file()), None)
    if file is None:
        return {}
    found: dict[str, list[bool]] = {}
    rows = [msgspec.json.decode(line) for line in file.read_bytes().splitlines() if line.strip()]
    for row in rows[:sample]:
        reading = read(parse(row["text"], row["id"]))
        atoms, facts = system("radsem").by_rules(reading), row["facts"]
        right = not any(wrong(reading, fact) or misheard(atoms, fact, facts) for fact in facts)
        for name in (row.get("phenomenon", "texts"), "all"):
            found.setdefault(name, []).append(right)
    names = sorted(found, key=lambda name: (name == "all", name))
    return {name: Count(sum(found[name]), len(found[name])) for name in names}
