"""read(report) → Reading: the steps of this package, in order."""

import re
from collections.abc import Iterator

from overread.lexicon.lexicon import Lexicon, lexicon
from overread.lexicon.meanings import Cue
from overread.reader.attach import CHANGES, RELATIONS, Draft, Held, relation_of
from overread.reader.grammar import NEVER_FINDINGS
from overread.reader.mentions import Unit, mentions
from overread.reader.places import place_noun, places_of
from overread.reader.reading import (
    Attribute,
    Evidence,
    Finding,
    Level,
    Reading,
    SentenceKind,
    SentenceReading,
)
from overread.reader.sentence import EXAMS, Walk
from overread.report import Report, Section, Sentence
from overread.report.span import Span

OTHER_SIDE = re.compile(r"\s+(?:the\s+)?(?:left|right|contralateral|other|opposite)\b", re.IGNORECASE)
"""`Asymmetric compared to the left` compares inside this image."""

READ_SECTIONS = frozenset({"indication", "findings", "impression", "addendum", "recommendation", "other"})
"""Sections whose sentences speak about the patient; the rest is kept as sentences without findings."""


def read(report: Report, words: Lexicon | None = None) -> Reading:
    """Read every sentence once."""
    lex = words or lexicon()
    drafts: list[tuple[Draft, Section, Sentence]] = []
    read_sentences: list[tuple[Section, Sentence, SentenceDraft]] = []
    for section in report.sections:
        before: list[Draft] = []
        for sentence in section.sentences:
            found = read_sentence(report.text, section, sentence, lex)
            refer_back(found, before)
            drafts += [(d, section, sentence) for d in found.drafts]
            read_sentences.append((section, sentence, found))
            before = found.drafts or before
    support_across(drafts, lex)
    ids = {id(d): f"f{n}" for n, (d, _, _) in enumerate(drafts, 1)}
    findings = tuple(finding(report.text, d, section, sentence, ids, lex) for d, section, sentence in drafts)
    sentences = tuple(
        SentenceReading(
            sentence.index, section.name, sentence.span, found.kind,
            tuple(ids[id(d)] for d in found.drafts), found.cues,
            tuple(attribute(report.text, h, lex) for h in found.loose),
        )
        for section, sentence, found in read_sentences
    )  # fmt: skip
    return Reading(report, sentences, findings, lex.hash)


def support_across(drafts: list[tuple[Draft, Section, Sentence]], lex: Lexicon) -> None:
    """A diagnosis of the impression that gives no reason points back at the findings that are its signs."""
    seen = [d for d, section, _ in drafts if section.name == "findings" and d.negated is None]
    for draft, section, _ in drafts:
        if section.name == "impression" and draft.negated is None and not draft.evidence and draft.concept:
            signs = [d for d in seen if is_sign(d, draft.concept, lex)]
            draft.linked(signs, supports=True)


def is_sign(draft: Draft, diagnosis: str, lex: Lexicon) -> bool:
    needed = lex.supports.get((diagnosis, draft.concept or ""), set())
    return "-" in needed or any(h.row is not None and h.row.concept in needed for h in draft.held)


class SentenceDraft:
    """What one sentence gave, before its links to others are known."""

    __slots__ = ("bare", "cues", "drafts", "kind", "loose", "pointing", "unsourced")

    def __init__(self, kind: SentenceKind, cues: tuple[Evidence, ...]) -> None:
        self.kind = kind
        self.cues = cues
        self.drafts: list[Draft] = []
        self.loose: list[Held] = []
        """Change words no finding of the sentence took: `No change.`, `This is stable.`"""
        self.bare = False
        """Nothing but change words: `No change.`"""
        self.pointing = False
        self.unsourced: list[tuple[Draft, Unit]] = []


def read_sentence(text: str, section: Section, sentence: Sentence, lex: Lexicon) -> SentenceDraft:
    span = sentence.span
    units, flags = mentions(span.of(text), span.start, lex)
    cues = [Evidence(Span(start, end), cue.id, cue.kind) for cue, start, end in flags]
    cues += [
        Evidence(Span(u.start, u.end), u.cue.id, u.cue.kind) for u in units if u.tag in "NHhKXU" and u.rows
    ]
    cues += [Evidence(Span(u.start, u.end), "punctuation", "end") for u in units if u.form in (";", ":")]
    flags = [f for f in flags if not (f[0].kind == "prior" and OTHER_SIDE.match(text[f[2] : f[2] + 20]))]
    kinds = {cue.kind for cue, _, _ in flags}
    found = SentenceDraft(sentence_kind(kinds), tuple(sorted(cues, key=lambda c: c.span)))
    if section.name not in READ_SECTIONS:
        return found
    compared = "prior" in kinds
    spoken = without_advice(units, flags)
    for cue, start, end in flags:
        for unit in spoken if cue.kind == "technique" else ():  # views of the chest show normal lungs
            if start <= unit.start and unit.end <= end and unit.tag in "SL":
                unit.tag = "W"
    walk = Walk(text, spoken, lex, compared)
    drafts = walk.run()
    if not drafts and found.kind == "statement":
        walk = Walk(text, spoken, lex, compared, open_words=True)
        drafts = walk.run()
    drafts = [part for draft in drafts for part in split_mixed(draft)]
    if "technique" in kinds:
        drafts = [d for d in drafts if d.concept != "chest-exam"]
        found.kind = "technique" if not drafts and found.kind == "statement" else found.kind
    if len(drafts) > 1:  # preop knee replacement: the reason for the film is the operation
        drafts = [d for d in drafts if d.concept != "preop"]
    if section.name == "indication":  # chest pain, rule out pneumonia: a question, not a conclusion
        for draft in drafts:
            draft.evidence = []
    found.drafts, found.unsourced, found.pointing = drafts, walk.unsourced, walk.pointing
    found.bare = not any(u.tag in "LSEBMN" or u.form in EXAMS or (u.tag == "W" and u.form not in NEVER_FINDINGS)
                         for u in spoken)  # fmt: skip
    found.loose = walk.loose + loose_changes(spoken, drafts)
    return found


def loose_changes(units: list[Unit], drafts: list[Draft]) -> list[Held]:
    taken = {h.start for d in drafts for h in d.held}
    held = (relation_of(u, None, True) for u in units if u.tag == "A" and u.start not in taken)
    return [
        h for h in held if h is not None and (h.relation in CHANGES or (h.row and h.row.concept == "new"))
    ]


def refer_back(found: SentenceDraft, before: list[Draft]) -> None:
    """Hang on the sentence before what a sentence says of it without naming it."""
    told = [d for d in before if d.negated is None]
    if not found.drafts and told and (found.pointing or found.bare):
        for draft in told if found.bare else told[-1:]:
            for held in found.loose:
                draft.add(held)
        found.loose = [] if found.pointing else found.loose
    for draft, cue in found.unsourced:
        draft.linked([d for d in before if not d.is_structure or d.held], cue, supports=True)


def sentence_kind(cues: set[str]) -> SentenceKind:
    if "recommend" in cues:
        return "recommendation"
    return "communication" if "communicate" in cues else "statement"


def without_advice(units: list[Unit], flags: list[tuple[Cue, int, int]]) -> list[Unit]:
    """The sentence without the parts between commas that ask for something or tell who was told."""
    asked = [(start, end) for cue, start, end in flags if cue.kind in ("recommend", "communicate")]
    if not asked:
        return units
    kept: list[Unit] = []
    for part in parts(units):
        if part[0].form != "if" and not any(part[0].start <= start < part[-1].end for start, _ in asked):
            kept += part
    return kept


def parts(units: list[Unit]) -> Iterator[list[Unit]]:
    part: list[Unit] = []
    for unit in units:
        part.append(unit)
        if unit.form in (",", ";"):
            yield part
            part = []
    if part:
        yield part


def split_mixed(draft: Draft) -> list[Draft]:
    """`Hyperexpanded but clear lungs` says two things of one structure."""
    normal = [h for h in draft.held if h.normal]
    abnormal = [h for h in draft.held if h.abnormal and not h.normal]
    if not draft.is_structure or not normal or not abnormal or draft.negated:
        return [draft]
    other = Draft(
        draft.unit, draft.entity, draft.start, draft.end, draft.concept, draft.kind, draft.trace[0].rule
    )
    other.held = [h for h in draft.held if h not in abnormal]
    draft.held = [h for h in draft.held if h not in normal]
    return [draft, other]


def finding(
    text: str, draft: Draft, section: Section, sentence: Sentence, ids: dict[int, str], lex: Lexicon
) -> Finding:
    negative = draft.negated is not None or (draft.is_structure and any(h.normal for h in draft.held))
    level = level_of(draft, negative)
    order = {name: n for n, name in enumerate(RELATIONS)}
    attributes = sorted(
        (attribute(text, h, lex) for h in draft.held), key=lambda a: (order[a.relation], a.span)
    )
    name = refined(draft, lex)
    concept = lex.concepts.get(name or "")
    category = concept.category if concept else "PF"
    if draft.kind == "generic" and draft.site == "lung":  # no acute cardiopulmonary abnormality
        category = "CF"
    if section.name == "indication":
        asked = draft.hedge is not None and draft.kind in ("finding", "diagnosis")
        category = "CF" if asked else "PATIENT INFO"
    return Finding(
        id=ids[id(draft)],
        section=section.name,
        sentence=sentence.index,
        entity=draft.entity,
        span=Span(draft.start, draft.end),
        concept=name,
        kind=draft.kind,
        category=category,
        site=draft.site or (concept.site if concept else None),
        status="negative" if negative else "positive",
        certainty="tentative"
        if level == "doubtful" or (draft.hedge is not None and not negative)
        else "definitive",
        level=level,
        attributes=tuple(attributes),
        associate=tuple(ids[id(d)] for d in draft.associate if id(d) in ids),
        evidence=tuple(ids[id(d)] for d in draft.evidence if id(d) in ids),
        trace=tuple(draft.trace),
    )


def refined(draft: Draft, lex: Lexicon) -> str | None:
    """The concept that head and attributes make together: a nodular opacity is a nodule."""
    if draft.concept is None:
        return None
    for held in draft.held:
        rows = [place_noun(run) for run in held.runs] or [held.row]
        for row in rows:
            for step in (row.concept, *reversed(row.path)) if row else ():
                become = lex.compounds.get((draft.concept, held.relation, step))
                if become is not None:
                    return become
    return draft.concept


def level_of(draft: Draft, negative: bool) -> Level:
    if any(h.row is not None and h.row.concept == "borderline" for h in draft.held) and not negative:
        return "possible"
    if draft.negated == "absent-likely":
        return "doubtful"
    if draft.hedge is None or negative:
        return "definite"
    return "probable" if draft.hedge == "probable" else "possible"


def attribute(text: str, held: Held, lex: Lexicon) -> Attribute:
    row = held.row
    words = text[held.start : held.end]
    places = tuple(places_of(text, held.runs, lex))
    if places:
        sides = {p.side for p in places} - {"-"}
        side = "both" if len(sides) > 1 else next(iter(sides), "-")
        first = next((p for p in places if p.path), places[0])
        return Attribute(held.relation, words, Span(held.start, held.end), first.concept, first.path, side,
                         row.id if row else "place", places)  # fmt: skip
    return Attribute(
        held.relation,
        words,
        Span(held.start, held.end),
        row.concept if row else words.lower(),
        row.path if row else ("size",) if held.relation == "measurement" else (),
        row.side if row else "-",
        row.id if row else "measure",
    )
