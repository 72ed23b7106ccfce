"""Does a structured report keep to the template, and to its original? Says what is wrong, and where.

Without the original only the form can be checked. With it, nothing may be added and no positive finding lost:
both texts are read, and what one says is looked for in what the other says; and the likeness of the texts is told."""

from collections.abc import Callable, Iterator, Mapping
from difflib import SequenceMatcher

from msgspec import Struct

from overread.encoders import Encoder
from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading, read
from overread.report import parse as parse_report
from overread.report.span import Span
from overread.systems.srrg.bullets.identifiers import identifiers
from overread.systems.srrg.bullets.roles import spans_kept
from overread.systems.srrg.bullets.statements import SOURCES
from overread.systems.srrg.schema import BODY, HEADERS, SectionOfInterest
from overread.systems.srrg.tables import WORDS
from overread.systems.srrg.template import MARKER, Parsed, looks_structured, parse, show_alone


class TemplateFault(Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is wrong with a structured report."""

    rule: str
    """What it breaks, such as `unknown-header`, `missing-bullet`, `added` or `lost`."""

    line: int
    """Line of the structured report, counted from 1; 0 when the fault is something that is not there."""

    message: str
    """What is wrong and what to do, without report text."""

    span: Span
    """The words: in the original for `lost`, else in the structured report."""


def lint(structured: str, original: str | None = None) -> list[TemplateFault]:
    """The faults of a structured report, in the order of its lines; what it lost comes last.

    >>> [fault.rule for fault in lint("Findings:\\nPleura:\\n- New effusion\\n\\nImpression:\\n2. Effusion")]
    ['comparison', 'misnumbered']
    """
    parsed = parse(structured)
    reading = read(parse_report(structured, "structured"))
    told = [*form(structured, parsed), *comparisons(parsed, reading)]
    told += [
        ("identifier", f"Holds an identifier ({one.kind}). Remove it; age and sex may stay.", one.span)
        for one in identifiers(structured)
    ]
    faults = []
    if original is not None:
        source = read(parse_report(original, "original"))
        stated = stated_findings(source)
        new = [f for f in told_in(parsed, reading) if not any(supports(one, f) for one in stated)]
        told += [("added", ADDED_MESSAGE, finding.span) for finding in new]
        faults += [TemplateFault("lost", 0, LOST_MESSAGE, span) for span in lost(reading, parsed, source)]
    for rule, message, span in told:
        line = len((structured[: span.start] + "|").splitlines())
        faults.append(TemplateFault(rule, line, message, span))
    return sorted(faults, key=lambda fault: (fault.line == 0, fault.line, fault.span))


REMARKS: dict[str, tuple[str, str]] = {
    "the template has no such header": ("unknown-header", f"Use one of: {'; '.join(HEADERS)}."),
    "the header stands twice": ("repeated-header", "Put all its bullets under one."),
    "a finding without a bullet": ("missing-bullet", "Begin each finding with '- '."),
    "an item of the impression without a number": ("missing-number", "Number the items 1., 2., 3., …"),
}
"""What the parser remarks on: the rule it breaks, and what to do. Any other remark is a misplaced line."""

MISPLACED: tuple[str, str] = ("misplaced-line", "Give every heading a line of its own.")
ADDED_MESSAGE = "The original does not say this. Remove it, or state it as the original does."
LOST_MESSAGE = "A positive finding of the original is missing. Add it under its header."
Told = tuple[str, str, Span]
"""A rule that words of the structured report break, and what to do."""


def form(text: str, parsed: Parsed) -> Iterator[Told]:
    """Headers, bullets and numbers."""
    for remark in parsed.remarks:
        rule, advice = REMARKS.get(remark.problem, MISPLACED)
        message = f"{remark.problem[0].upper()}{remark.problem[1:]}. {advice}"
        yield rule, message, line_span(text, remark.line)
    for header, line in parsed.headers:
        if not parsed.report.findings[header]:
            yield "empty-header", "A header without findings. Leave it out.", line_span(text, line)
    items = [(line, line.marker.strip("().:")) for line in parsed.lines if line.section == "impression"]
    for place, (item, number) in enumerate([one for one in items if one[1].isdigit()], 1):
        if int(number) != place:
            yield "misnumbered", f"This item should have the number {place}.", item.span


def comparisons(parsed: Parsed, reading: Reading) -> Iterator[Told]:
    """Words that compare with an earlier study, in findings or impression; one of each line."""
    compares = {"improved", "worsened", "no_change"}
    said = [a for f in reading.findings for a in f.attributes]
    spans = {a.span for a in said if a.relation in compares or a.concept == "new"}
    spans |= {a.span for sentence in reading.sentences for a in sentence.changes}
    kept = [span for f in reading.findings for span in spans_kept(f)]
    cues = [cue.span for sentence in reading.sentences for cue in sentence.cues if cue.note == "prior"]
    spans |= {cue for cue in cues if not any(span.overlaps(cue) for span in kept)}
    for line in parsed.lines:
        inside = [span for span in spans if line.span.contains(span)]
        if line.section in BODY and inside:
            yield "comparison", "Compares with an earlier study. State only what is seen today.", min(inside)


def lost(reading: Reading, parsed: Parsed, source: Reading) -> Iterator[Span]:
    """Positive findings of the original that no line of the structured report states."""
    kept = told_in(parsed, reading)
    positive = [f for f in stated_findings(source) if f.status == "positive" and not f.gone]
    first = {(f.concept, f.entity.lower()): f for f in reversed(positive)}
    for finding in first.values():
        # not a structure of which nothing is said but that it is unchanged
        said = [a for a in finding.attributes if a.relation not in WORDS["change"] | {"location"}]
        worth = said or finding.kind not in ("structure", "generic")
        if worth and not any(supports(finding, one) for one in kept):
            yield finding.span


def told_in(parsed: Parsed, reading: Reading) -> list[Finding]:
    """What the lines of the structured report say."""
    lines = [line.span for line in parsed.lines if line.section in BODY]
    return [f for f in stated_findings(reading) if any(line.contains(f.span) for line in lines)]


def stated_findings(reading: Reading) -> list[Finding]:
    """What findings and impression say about the image."""
    sections = frozenset().union(*SOURCES.values())
    return [f for f in reading.findings if f.section in sections and f.kind not in WORDS["silent"]]


def supports(source: Finding, finding: Finding) -> bool:
    """Do both speak of the same thing, with the same status, on the same side?

    The same concept, or one the special case of the other; an entity outside the lexicon by its words.
    """
    if (source.status == "negative" or source.gone) != (finding.status == "negative" or finding.gone):
        return False
    if source.concept is None or finding.concept is None:
        return source.entity.lower() == finding.entity.lower()
    if sides_named(source) and sides_named(finding) and not sides_named(source) & sides_named(finding):
        return False
    above = lexicon().ancestors
    return finding.concept in above(source.concept) or source.concept in above(finding.concept)


def sides_named(finding: Finding) -> set[str]:
    """Left, right or both, where the words say so."""
    named = {place.side for a in finding.values("location") for place in a.places}
    return {"left", "right"} if "both" in named else named & {"left", "right"}


def line_span(text: str, number: int) -> Span:
    """The words of line `number`, without the space around them."""
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: number - 1]))
    body = lines[number - 1]
    return Span(start + len(body) - len(body.lstrip()), start + len(body.rstrip()))


# ---- how much of the original is left
EDITS = {"insert": "word insertions", "delete": "word deletions", "replace": "word replacements"}


def edits(original: str, structured: str) -> dict[str, float]:
    """What changed word by word, as the readers' changes were counted (Appendix B), and how alike the texts are.

    A stretch that is replaced counts with the longer of its two sides. The ratio is 2 × matching words / words of
    both; 1 for equal texts, and for two empty ones.

    >>> [*edits("small effusion is seen", "small left effusion").values()]
    [1, 2, 0, 0.5714285714285714]
    """
    matcher = SequenceMatcher(None, original.split(), structured.split(), autojunk=False)
    found: dict[str, float] = dict.fromkeys(EDITS.values(), 0)
    for what, a, b, c, d in matcher.get_opcodes():
        if what != "equal":
            found[EDITS[what]] += max(b - a, d - c)
    return {**found, "similarity ratio": matcher.ratio()}


def fidelity(
    original: str,
    structured: str,
    encoder: Encoder,
    metrics: Mapping[str, Callable[[str, str], float | None]],
) -> dict[str, float]:
    """Compare a structured report with what it was made from: likeness of their vectors, text metrics (ROUGE-L, …; 0
    where one has no value), characters to change as a share of the longer text, and words to change."""
    from rapidfuzz.distance import Levenshtein

    vectors = encoder.encode([original, structured])
    return {
        "cosine": float(vectors[0] @ vectors[1]),
        **{name: metric(original, structured) or 0.0 for name, metric in metrics.items()},
        "edit distance": Levenshtein.normalized_distance(original, structured),
        **edits(original, structured),
    }


PARTS = ("whole", *BODY)


def parts(original: str, structured: str) -> dict[str, tuple[str, str]]:
    """The two texts whole and by section, as running text; a section that neither has is left out.

    The original may be in the template itself: what readers changed is then counted in the lines as they stand,
    numbers and bullets included (Appendix B).
    """
    edited = looks_structured(original)
    shown: Callable[[str], str] = one_line if edited else running_text
    found = {"whole": (shown(original) if edited else original, shown(structured))}
    for name in BODY:
        both = section_of(original, name, shown), section_of(structured, name, shown)
        if any(both):
            found[name] = both
    return found


def section_of(text: str, name: SectionOfInterest, shown: Callable[[str], str]) -> str:
    """Findings or impression of a free or a structured report."""
    if not looks_structured(text):
        report = parse_report(text)
        return " ".join(one.span.of(text).strip() for one in report.sections if one.name == name)
    return shown(show_alone(parse(text).report, name)).removeprefix(f"{name.capitalize()}:").strip()


def one_line(text: str) -> str:
    """Markers kept."""
    return " ".join(text.split())


def running_text(structured: str) -> str:
    """A structured report as running text: markers and line breaks gone, for metrics that compare words.

    >>> running_text("Pleura:\\n- No effusion\\n\\nImpression:\\n1. Normal\\n")
    'Pleura: No effusion Impression: Normal'
    """
    return one_line("\n".join(MARKER.sub("", line, count=1) for line in structured.splitlines()))
