"""Laws of readings: 1 quotations, 2 provenance, 3 agreement of views, 4 nothing silent, 5 the same text alone and among
others, 6 other languages, 7 no text raises."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec import to_builtins
from msgspec.json import encode

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading, read
from overread.report import Report, from_sections, parse
from overread.report.marks import alike
from overread.report.passed_over import language
from overread.report.span import Span
from overread.systems import registry
from overread.systems.base import System
from overread.systems.radsem.schema import Atom
from overread.validation.laws.law import CASES, Break, Law, Outcome, outcome_of, unless

Cases = Iterator[Break | None]


def check_readings(reports: Sequence[Report], laws: Iterable[Law] | None = None) -> list[Outcome]:
    """Every law of readings over these reports."""
    return [outcome_of(one, one.check(reports)) for one in laws or READING_LAWS]


def readable_reports(reports: Sequence[Report]) -> Iterator[tuple[Report, Reading]]:
    """The reports that can be read at all; law 7 counts the others."""
    for report in reports:
        reading = read(report)
        try:
            reading.findings  # noqa: B018
        except Exception:
            continue
        yield report, reading


# ---- 1
def quotations(reports: Sequence[Report]) -> Cases:
    """Quoted words stand at their offsets, in the reading and in every view."""
    for report, reading in readable_reports(reports):
        for f in reading.findings:
            for a in f.attributes:
                yield quotation_break(report, a.span, a.text, f"{a.relation} of finding {f.id}")
            for e in f.trace:
                inside = 0 <= e.span.start < e.span.end <= len(report.text)
                yield unless(inside, report.id, f"trace of {f.id} outside the text")
        for system in views():
            yield from in_view(report, system, reading)


def quotation_break(report: Report, span: Span, text: str, what: str) -> Break | None:
    same = alike(span.of(report.text)).split() == alike(text).split()
    return unless(same, report.id, f"{what} quotes other words than stand there")


def in_view(report: Report, system: System, reading: Reading) -> Cases:
    """Parts of a view that hold `start`, `end` and `text` side by side; atoms and bullets are worded anew."""
    todo = [to_builtins(system.by_rules(reading))]
    while todo:
        one = todo.pop()
        if isinstance(one, dict):
            todo += one.values()
            if {"start", "end", "text"} <= one.keys() and not {"normality", "header"} & one.keys():
                yield quotation_break(
                    report, Span(one["start"], one["end"]), one["text"], f"the {system.name} view"
                )
        elif isinstance(one, list | tuple):
            todo += one


# ---- 2
def provenance(reports: Sequence[Report]) -> Cases:
    """Everything read names its row or rule, and how sure the network was."""
    for report, reading in readable_reports(reports):
        for f in reading.findings:
            backed = bool(f.trace) and f.trace[0].span == f.span
            rules = [(e.rule, e.sure) for e in f.trace] + [(a.rule, a.sure) for a in f.attributes]
            told = all(rule and sure is not None for rule, sure in rules)
            yield unless(backed and told, report.id, f"finding {f.id} does not say who read it")


# ---- 3
def views_agree(reports: Sequence[Report]) -> Cases:
    """What one view says is present, no other says is absent."""
    for report, reading in readable_reports(reports):
        atoms = registry.system("radsem").by_rules(reading).atoms
        for f in reading.findings:
            if f.section == "findings" and f.kind in ("finding", "diagnosis", "device"):
                word = reading.quote(f.span).lower().split()[-1]
                start = reading.sentences[f.sentence].span.start
                own = [a for a in atoms if a.start == start and word in a.text.lower()]
                if own:
                    yield unless(agree(f, own), report.id, f"finding {f.id} and its atoms disagree")


def absent(finding: Finding) -> bool:
    return finding.status == "negative" or finding.gone


def agree(finding: Finding, atoms: Sequence[Atom]) -> bool:
    """Does an atom say of the finding what the reading does?"""
    return any((a.normality == "normal") == absent(finding) for a in atoms)


def cues(_: Sequence[Report]) -> Cases:
    """Every denial and hedge of the lexicon, in a plain sentence, reads in each view as its row says."""
    for row in lexicon().cues:
        if row.kind in ("negation", "hedge"):
            before = f"{row.form[:1].upper()}{row.form[1:]} pleural effusion."
            text = before if row.reach == "after" else f"Pleural effusion {row.form}."
            yield cue_read(row.id, row.kind == "negation", text)


def cue_read(id: str, denies: bool, text: str) -> Break | None:
    reading = read(from_sections({"findings": text}))
    found = [f for f in reading.findings if f.concept == "pleural-effusion"]
    atoms = registry.system("radsem").by_rules(reading).atoms
    if not found:
        return unless(reading.sentences[0].kind != "statement", id, "no finding")
    first = found[0]
    if denies != absent(first):
        return Break(id, "the finding is read as present" if denies else "the finding is read as absent")
    if not atoms:
        return unless(first.values("past_hx", "assessment_limitations"), id, "no atom", 0.5)
    return unless(agree(first, atoms), id, "finding and atom disagree")


# ---- 4
def nothing_silent(reports: Sequence[Report]) -> Cases:
    """A sentence of findings or impression gives a finding, an atom, or a reason why it does not."""
    for report, reading in readable_reports(reports):
        starts = {a.start for a in registry.system("radsem").by_rules(reading).atoms}
        named = {one.span.start for one in reading.not_read if one.reason}
        for s in reading.sentences:
            if s.section in ("findings", "impression"):
                told = s.findings or s.kind != "statement" or s.changes or s.span.start in starts | named
                yield unless(told, report.id, f"sentence {s.index} says nothing, without a reason")


# ---- 5
def same_everywhere(reports: Sequence[Report]) -> Cases:
    """A report reads the same alone, among others, in another order."""
    first = {id(r): encode(reading.record) for r, reading in readable_reports(reports)}
    for report, reading in readable_reports(list(reversed(reports))):
        same = encode(reading.record) == first.get(id(report))
        yield unless(same, report.id, "reads otherwise in another order")


# ---- 6
def other_languages(reports: Sequence[Report]) -> Cases:
    """Another language gives no finding; English reports are not taken for one."""
    for name, texts in CASES.foreign.items():
        for n, text in enumerate(texts, 1):
            found = read(parse(text)).findings
            yield unless(not found, f"{name} {n}", f"{len(found)} findings of a text in {name}")
    for report in reports:
        other = language(report.text)
        yield unless(not other, report.id, f"English taken for {other}")


# ---- 7
def no_text_raises(reports: Sequence[Report]) -> Cases:
    """Whatever the text, it is read in every view; reports, their halves, and shapes that nobody writes."""
    for report in reports:
        half = len(report.text) // 2
        yield raised(report.id, report.text)
        yield raised(f"{report.id} first half", report.text[:half])
        yield raised(f"{report.id} second half", report.text[half:])
    for n, (text, times) in enumerate(CASES.shapes):
        yield raised(f"shape {n}", text * times)


def raised(id: str, text: str) -> Break | None:
    try:
        reading = read(parse(text, id))
        for system in views():
            system.by_rules(reading)
    except Exception as error:
        return Break(id, f"raises {type(error).__name__}")
    return None


@cache
def views() -> tuple[System, ...]:
    return tuple(one for name in registry.names() if (one := registry.system(name)).by_rules is not None)


READING_LAWS = (
    Law(1, "quoted words stand at their offsets", quotations),
    Law(2, "every decision names its rule, or the network and how sure it was", provenance),
    Law(3, "views agree", views_agree),
    Law(3, "every cue of the lexicon reads as its row says", cues),
    Law(4, "no sentence is silent", nothing_silent),
    Law(5, "the same text reads the same", same_everywhere),
    Law(6, "another language is not read as English", other_languages),
    Law(7, "no text raises", no_text_raises),
)
