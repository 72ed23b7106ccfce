"""read(report) → Reading: the steps of this package, in order."""

import re
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise, takewhile

from overread.lexicon.lexicon import Lexicon, lexicon
from overread.lexicon.words import split
from overread.reader.alone import placed, within
from overread.reader.drafts import CHANGES, Draft, Held
from overread.reader.events import device_events, first_words
from overread.reader.exam import carry_exam
from overread.reader.exceptions import EXCEPTING, tell_exceptions
from overread.reader.findings import attribute, finding, split_mixed
from overread.reader.grammar import NEVER_FINDINGS
from overread.reader.growth import growth
from overread.reader.headed_lines import carry_headings, heads_lines
from overread.reader.heard_nouns import heard_nouns, is_untold, nouns_at_places, untold_nouns
from overread.reader.links import (
    SentenceDraft,
    concludes,
    loose_changes,
    refer_back,
    say_of_named,
    support_across,
)
from overread.reader.mentions import Flag, flags, mentions
from overread.reader.noun_phrases import with_verbs
from overread.reader.open_sentence import OpenSentence
from overread.reader.opinion import second
from overread.reader.phrases import EXAMS, may_name, speaks_of_both
from overread.reader.reading import (
    Alone,
    Evidence,
    Finding,
    Outline,
    Reading,
    Record,
    SentenceKind,
    SentenceReading,
    Worked,
)
from overread.reader.reconsider import reconsider
from overread.reader.repeated import ReadSentence
from overread.reader.roles import ANATOMY, Role
from overread.reader.scope import deny_suffix
from overread.reader.sentence import read_phrases
from overread.reader.sides import (
    ACROSS_WORDS,
    WHOLE,
    carry_to_other_side,
    on_one_side,
    parted,
    split_by_side,
    tell_across,
    tell_other_sides,
)
from overread.reader.sizes import sizes
from overread.reader.stand_ins import WORDS as STANDING_IN
from overread.reader.stand_ins import Named, name_other_sides, name_stand_ins, stand_ins
from overread.reader.then_and_now import grade_changes, tell_degrees, tell_gone
from overread.reader.units import Unit
from overread.report import Report, Section, Sentence
from overread.report.layout import as_seen
from overread.report.span import Span

OTHER_SIDE = re.compile(r"\s+(?:the\s+)?(?:left|right|contralateral|other|opposite)\b", re.IGNORECASE)
ADVICE = frozenset({"recommend", "communicate"})
NO_STATEMENT = ADVICE | {"technique"}
READ_SECTIONS = frozenset({"indication", "findings", "impression", "addendum", "recommendation", "other"})
"""Sections whose sentences speak about the patient; the rest is kept as sentences without findings."""

CUES = frozenset({Role.DENIAL, Role.HEDGE, Role.INNER_HEDGE, Role.LINK, Role.STOP, Role.NO_DENIAL})
"""Words of which the reading keeps what they did."""

SAYING = frozenset({Role.PLACE, Role.STRUCTURE, Role.FINDING, Role.BLANK, Role.MEASURE, Role.DENIAL})
"""A sentence with one of these says more than a change."""


def read(report: Report, words: Lexicon | None = None, heard: bool = True) -> Reading:
    """The reading of a report; its parts are made on first demand.

    `heard`: may the judge speak, where it is switched on? Else rules read alone.
    """
    lex = words or lexicon()
    return Reading(report, partial(outline, report, lex), partial(work, report, lex, heard))


def outline(report: Report, lex: Lexicon) -> tuple[Outline, ...]:
    """What each sentence is for, from its sentence-wide cues alone."""
    text = as_seen(report.text)
    return tuple(
        outlined(text, section, sentence, lex)
        for section in report.sections
        for sentence in section.sentences
    )


def outlined(text: str, section: Section, sentence: Sentence, lex: Lexicon) -> Outline:
    span = sentence.span
    cues = flags(span.of(text), lex)
    if not cues:  # most sentences
        return Outline(sentence.index, section.name, span, "statement")
    kinds = {cue.kind for cue, _, _ in cues}
    kind = sentence_kind(kinds)
    if kind == "statement" and "technique" in kinds:  # only where it tells of nothing else
        kind = known_sentence(text, section, sentence, lex).kind
    asked = min((start for cue, start, _ in cues if cue.kind in ADVICE), default=None)
    return Outline(sentence.index, section.name, span, kind, None if asked is None else span.start + asked)


def work(report: Report, lex: Lexicon, heard: bool = True) -> Worked:
    """Read every sentence once."""
    text = as_seen(report.text)
    ear = second(report) if heard else None
    done: list[ReadSentence] = []
    for section in report.sections:
        before: ReadSentence | None = None
        seen: ReadSentence | None = None
        for sentence in section.sentences:
            found = ReadSentence(known_sentence(text, section, sentence, lex), section, sentence)
            nouns = named(before.seen.drafts) if found.seen.stands_for and before is not None else ()
            names = heard_nouns(section, sentence, found.own, ear) if ear is not None else {}
            if nouns or names:
                found = ReadSentence(
                    new_sentence(text, section, sentence, lex, frozenset(names), nouns), section, sentence
                )
                for draft in found.own.drafts if names else ():
                    say_who_named(draft, names, sentence.span.start)
            if nouns and before is not None:
                say_of_named(found.own, before.own.drafts)
            tell_of_before(text, found, before, seen, lex)
            done.append(found)
            before = found if found.seen.drafts else before
            seen = before if before is not None and before.asserts else seen
    if "\n" in text or ":" in text:
        carry_headings(text, done, lex)
    carry_exam(text, done, lex)
    if any(concludes(s.seen, lex) for s in done if s.section.name == "impression"):
        support_across([(d, s.section, s.sentence) for s in done for d in s.own.drafts], lex)
    if ear is not None:
        for s in done:
            reconsider(text, s.section, s.sentence, s.own, ear, lex)
    return recorded(report, text, done, lex)


def say_who_named(draft: Draft, names: dict[int, float], start: int) -> None:
    """A noun that no table knows is a finding because the network says so."""
    sure = [p for at, p in names.items() if draft.start <= start + at < draft.end]
    chance = max(sure or names.values())
    note = f"{'named' if sure else 'read beside a noun that is'}, {chance:.0%}"
    draft.trace.append(Evidence(Span(draft.start, draft.end), "judge", note))


def tell_of_before(
    text: str, found: ReadSentence, before: ReadSentence | None, seen: ReadSentence | None, lex: Lexicon
) -> None:
    """What a sentence owes to the one before, and says of it."""
    if before is not None and not found.seen.drafts and not heads_lines(text, found.sentence.span):
        carry(text, found, before, lex)
    if found.known.across:
        tell_across(
            text, found.sentence.span, found.own.drafts, before.seen.drafts if before is not None else [], lex
        )
    if found.seen.refers_back:
        refer_back(
            found.own,
            before.own.drafts if before is not None else [],
            seen.own.drafts if seen is not None else [],
        )


def carry(text: str, found: ReadSentence, before: ReadSentence, lex: Lexicon) -> None:
    """What a sentence without a noun says of the other side of the one before."""
    if on_one_side(before.seen.drafts) is None:
        return
    units = mentions(found.sentence.span.of(text), found.sentence.span.start, lex)[0]
    if carry_to_other_side(units, before.seen.drafts, lex):
        found.own.drafts = carry_to_other_side(units, before.own.drafts, lex)


def recorded(report: Report, text: str, done: list[ReadSentence], lex: Lexicon) -> Worked:
    """Drafts as findings; those of a sentence that no other has changed were made before."""
    own = [None if s.changed else by_itself(text, s, lex) for s in done]
    first = list(accumulate([len(s.seen.drafts) for s in done], initial=1))
    ids: dict[int, str] = {}
    for s, lone, number in zip(done, own, first, strict=False):
        if lone is None:
            ids |= {id(d): f"f{n}" for n, d in enumerate(s.own.drafts, number)}
    sentences: list[SentenceReading] = []
    findings: list[Finding] = []
    for s, lone, number in zip(done, own, first, strict=False):
        if lone is None:
            one, some = as_read(text, s.own, s.section, s.sentence, ids, lex)
        else:
            one, some = placed(lone, s.sentence, number)
        sentences.append(one)
        findings += some
    alone = {s.sentence.index: lone for s, lone in zip(done, own, strict=True) if lone is not None}
    return Worked(Record(report, tuple(sentences), tuple(findings), lex.hash), alone)


def by_itself(text: str, read: ReadSentence, lex: Lexicon) -> Alone | None:
    """The sentence as if the report held no other; None where it needs what stands behind it: a question mark."""
    known, name = read.known.alone, read.section.name
    if name not in known:
        span = Span(0, read.sentence.span.end - read.sentence.span.start)
        words = read.sentence.span.of(text)
        ids = {id(d): str(n) for n, d in enumerate(read.known.drafts)}
        one, some = as_read(words, read.known, read.section, Sentence(0, span), ids, lex)
        asked = text.startswith("?", read.sentence.span.end)
        whole = not asked or all(within(f, span) for f in some)
        known[name] = Alone(words, one, tuple(some)) if whole else None
    return known[name]


def as_read(
    text: str, found: SentenceDraft, section: Section, sentence: Sentence, ids: dict[int, str], lex: Lexicon
) -> tuple[SentenceReading, list[Finding]]:
    """A sentence and its findings from their drafts."""
    one = SentenceReading(
        sentence.index, section.name, sentence.span, found.kind,
        tuple([ids[id(d)] for d in found.drafts]), found.cues,
        tuple([attribute(text, h, lex) for h in found.loose]) if found.loose else (),
    )  # fmt: skip
    return one, [finding(text, d, section, sentence, ids, lex) for d in found.drafts]


REMEMBERED = 4096
"""Sentences kept, so that memory stays small."""


def known_sentence(text: str, section: Section, sentence: Sentence, lex: Lexicon) -> SentenceDraft:
    """What a sentence says by itself; the same words read before in a section of that kind are not read again."""
    start, end = sentence.span.start, sentence.span.end
    asked = text.startswith("?", end)
    key = (
        text[start : end + asked],
        end - start,
        section.name in READ_SECTIONS,
        section.name == "indication",
    )
    known: SentenceDraft | None = lex.read_before.get(key)
    if known is None:
        if len(lex.read_before) >= REMEMBERED:
            lex.read_before.clear()
        known = lex.read_before[key] = new_sentence(text, section, sentence, lex)
    return known


def named(drafts: list[Draft]) -> tuple[Named, ...]:
    """What a word of the next sentence may stand for."""
    return tuple(Named(d.entity, d.unit) for d in drafts if d.kind in WHOLE or d.kind == "device")


def new_sentence(
    text: str,
    section: Section,
    sentence: Sentence,
    lex: Lexicon,
    names: frozenset[int] = frozenset(),
    nouns: Sequence[Named] = (),
) -> SentenceDraft:
    """The same, read. `names`: where in the sentence unknown words stand that name a finding; `nouns`: those of the
    sentence before."""
    start, end = sentence.span.start, sentence.span.end
    own = text[start : end + text.startswith("?", end)]
    speaks, asks = section.name in READ_SECTIONS, section.name == "indication"
    return work_sentence(own, Span(0, end - start), speaks, asks, lex, names, nouns)


def work_sentence(
    text: str,
    span: Span,
    speaks: bool,
    asks: bool,
    lex: Lexicon,
    names: frozenset[int] = frozenset(),
    nouns: Sequence[Named] = (),
) -> SentenceDraft:
    """`speaks`: the sentence tells of the patient; `asks`: it is why the examination was done.

    Most rare constructions are given away by one of their words: `forms` are asked before the sentence is gone through.
    """
    words = span.of(text)
    units, wide = mentions(words, span.start, lex)
    for unit in units if names else ():
        unit.role = Role.FINDING if unit.start in names else unit.role
    cues = cues_of(units, wide)
    wide = [f for f in wide if not compares_sides(text, f)] if wide else wide
    kinds = {cue.kind for cue, _, _ in wide} if wide else set()
    found = SentenceDraft(sentence_kind(kinds), cues)
    if not speaks:
        return found
    spoken = with_verbs(without_advice(units, wide) if wide else units)
    forms = {u.form for u in spoken}
    if not STANDING_IN.isdisjoint(forms) and (places := stand_ins(spoken)):
        found.stands_for = name_stand_ins(text, spoken, places, nouns)
    spoken = name_other_sides(text, spoken, forms, lex)
    if "technique" in kinds:
        unplace_views(spoken, wide)
    now, drafts = drafted(text, spoken, kinds, lex)
    drafts = without_circumstances(split_mixed(drafts), asks, "technique" in kinds)
    drafts = without_questions(drafts, spoken, forms)
    if "technique" in kinds and not drafts and found.kind == "statement":
        found.kind = "technique"
    if drafts:
        tell_beside(text, span, drafts, lex)
        drafts = told_apart(text, drafts, spoken, forms, lex)
    said = {w.form for w in split(text)}
    if not first_words().isdisjoint(said):
        drafts += device_events(text, span, drafts, lex)
    found.drafts, found.unsourced, found.pointing = drafts, tuple(now.drafting.unsourced), now.pointing
    found.left_open = left_open(text, drafts) if not asks else ()
    if len(spoken) < len(units):
        asked = [u for u in units if u not in spoken]
        found.advised = tuple(read_phrases(OpenSentence(text, asked, lex, compared="prior" in kinds)))
    found.of_both = now.pointing and speaks_of_both(spoken)
    found.bare = not drafts and tells_nothing_else(spoken)
    found.across = not ACROSS_WORDS.isdisjoint(said)
    found.asserts = any(d.asserted for d in drafts)
    unknown = [u for u in units if u.role is Role.WORD and may_name(u.form)]
    found.strange = bool(unknown) or says_unknown(units)
    found.unread = tuple(untold_nouns(spoken, drafts)) if unknown else ()
    found.loose = (*now.loose, *loose_changes(text, spoken, drafts))
    if found.pointing and not drafts:
        sizes_told = [u for u in spoken if u.role is Role.MEASURE]
        found.told = tuple([Held("measurement", None, u.start, u.end, u) for u in sizes_told])
    return found


def drafted(text: str, units: list[Unit], kinds: set[str], lex: Lexicon) -> tuple[OpenSentence, list[Draft]]:
    """The sentence as it was gone through, and its drafts; nouns that no table knows count where nothing else does."""
    compared = "prior" in kinds
    now = OpenSentence(text, units, lex, compared)
    drafts = read_phrases(now)
    if not kinds.isdisjoint(NO_STATEMENT) or is_title(units):
        return now, drafts
    if not drafts:
        now = OpenSentence(text, units, lex, compared, open_words=True)
    elif lying := [n for n, place in nouns_at_places(units) if is_untold(text, n, place, drafts)]:
        for noun in lying:
            noun.role = Role.FINDING
        now = OpenSentence(text, units, lex, compared)
    else:
        return now, drafts
    return now, read_phrases(now)


def compares_sides(text: str, flag: Flag) -> bool:
    """`Asymmetric compared to the left` compares inside this image."""
    cue, _, end = flag
    return cue.kind == "prior" and OTHER_SIDE.match(text[end : end + 20]) is not None


def tell_beside(text: str, span: Span, drafts: list[Draft], lex: Lexicon) -> None:
    """What the sentence tells of its findings by other means than words that stand with them."""
    if "-free" in text:
        deny_suffix(text, span.start, drafts)
    if sizes(span.of(text)):
        tell_growth(text, span, drafts, lex)
    grade_changes(text, drafts)
    tell_degrees(text, span, drafts, lex)
    tell_gone(text, span, drafts, lex)
    if "?" in text:
        tell_questions(text, span, drafts)


def says_unknown(units: list[Unit]) -> bool:
    """`The congestion has eased`: is what is said a word that no table knows?"""
    for verb, word in pairwise(units):
        if word.role is Role.WORD and verb.role is Role.VERB and word.form.isalpha():
            return True
    return False


NOT_EXCLUDED = re.compile(r"exclud|rule[ds]? out|possibility|differential", re.IGNORECASE)


def left_open(text: str, drafts: list[Draft]) -> tuple[Draft, ...]:
    """What is only not excluded, where the sentence says nothing else: it rests on what was seen before."""

    for draft in drafts:
        if not open_still(text, draft):
            return ()
    return tuple(drafts)


def open_still(text: str, draft: Draft) -> bool:
    for cue in draft.trace:
        if cue.note == "hedged" and NOT_EXCLUDED.search(cue.span.of(text)):
            return draft.asserted and not draft.evidence
    return False


def told_apart(
    text: str, drafts: list[Draft], units: list[Unit], forms: set[str], lex: Lexicon
) -> list[Draft]:
    """The drafts with what is told of an exception or of one side alone as drafts of their own."""
    if not EXCEPTING.isdisjoint(forms):
        drafts = tell_exceptions(drafts, units)
    drafts = split_by_side(text, drafts, units)
    return tell_other_sides(drafts, units, lex) if parted(units, forms) else drafts


def cues_of(units: list[Unit], wide: list[Flag]) -> tuple[Evidence, ...]:
    """The cues of a sentence in order: those among its words, marks that end a scope, and those said of it all."""
    found: list[Evidence] = []
    for unit in units:
        if unit.role in CUES:
            if unit.rows:
                cue = unit.cue
                found.append(Evidence(Span(unit.start, unit.end), cue.id, cue.kind))
            elif unit.role is Role.STOP and unit.form in ";:":
                found.append(Evidence(Span(unit.start, unit.end), "punctuation", "end"))
    if wide:
        said_of_all = [Evidence(Span(start, end), cue.id, cue.kind) for cue, start, end in wide]
        found = sorted([*said_of_all, *found], key=lambda c: c.span)
    return tuple(found)


def unplace_views(units: list[Unit], wide: list[Flag]) -> None:
    """`Views of the chest show normal lungs`: the chest is what was imaged, and no place."""
    for cue, start, end in wide:
        for unit in units if cue.kind == "technique" else ():
            if start <= unit.start and unit.end <= end and unit.role in ANATOMY:
                unit.role = Role.WORD


def without_circumstances(drafts: list[Draft], asks: bool, technique: bool) -> list[Draft]:
    """The findings without the examination and its reason, and without conclusions that only ask."""
    if technique:
        drafts = [d for d in drafts if d.concept != "chest-exam"]
    if len(drafts) > 1:  # preop knee replacement: the reason for the film is the operation
        drafts = [d for d in drafts if d.concept != "preop"]
    if asks:  # chest pain, rule out pneumonia: a question, not a conclusion
        for draft in drafts:
            draft.evidence = ()
    return drafts


def without_questions(drafts: list[Draft], units: list[Unit], forms: set[str]) -> list[Draft]:
    """The findings without what is only wondered about, and without what a study was to look for."""
    if "whether" in forms:  # unclear whether this is a renal or a hepatic finding
        drafts = [d for d in drafts if d.kind != "generic"]
    return without_reason(drafts, units) if "for" in forms else drafts


NOT_IN_TITLE = frozenset({Role.VERB, Role.DENIAL, Role.STOP})


def without_reason(drafts: list[Draft], units: list[Unit]) -> list[Draft]:
    """`CT of the abdomen for fever`: why a study was done is no finding, and nothing is found before a verb."""
    title = list(takewhile(lambda u: u.role not in NOT_IN_TITLE, units))
    purpose = next((u for u in title if u.form == "for"), None)
    if purpose is None or not any(names_exam(u) for u in title if u.start < purpose.start):
        return drafts
    end = title[-1].end
    return [d for d in drafts if not purpose.start < d.start < end]


def is_title(units: list[Unit]) -> bool:
    """`CT abdomen and pelvis with contrast`: a study and what was imaged, and nothing said of it."""
    return bool(units) and names_exam(units[0]) and not any(u.role in SAID for u in units)


SAID = frozenset({Role.VERB, Role.DENIAL, Role.ATTRIBUTE})


def names_exam(unit: Unit) -> bool:
    row = unit.row("findings")
    return unit.form.split()[-1] in EXAMS or (row is not None and row.concept == "chest-exam")


def tells_nothing_else(units: list[Unit]) -> bool:
    """`No change.`: nothing is named that it could be said of, and not the whole picture."""
    return not of_whole_exam(units) and not any(
        u.role in SAYING or u.form in EXAMS or (u.role is Role.WORD and u.form not in NEVER_FINDINGS)
        for u in units
    )


def tell_growth(text: str, span: Span, drafts: list[Draft], lex: Lexicon) -> None:
    """`A 12 mm nodule, previously 8 mm`: the two sizes say that it has grown; only the new one is its size.

    A word for the change tells it where there is one: `has increased from 8 mm`.
    """
    for grown in growth(span.of(text)):
        start, end = span.start + grown.start, span.start + grown.end
        named = [d for d in drafts if d.kind in ("finding", "diagnosis", "open") and d.start < end]
        measured = [
            d for d in drafts if any(h.relation == "measurement" and start <= h.start < end for h in d.held)
        ]
        then = Span(start, end) if grown.then is None else Span(*grown.then).shift(span.start)
        for draft in measured[-1:] or named[-1:]:
            spoken = [h for h in draft.held if h.relation == grown.direction]
            draft.held = [h for h in draft.held if h.relation not in CHANGES]
            if grown.then is not None:
                draft.held = [h for h in draft.held if not then.overlaps(Span(h.start, h.end))]
            row = lex.described(grown.direction, TOLD_BY_SIZE[grown.direction])
            for told in spoken or [Held(grown.direction, row, then.start, then.end, draft.unit)]:
                draft.add(told)
            draft.trace.append(Evidence(then, "sizes-then-now", grown.direction))


QUESTION = re.compile(r"\?")
ENDS_PHRASE = re.compile(r"[.,;:()?]")


def tell_questions(text: str, span: Span, drafts: list[Draft]) -> None:
    """`Scarring? Effusion?`, `?small effusion`: what a question mark touches is asked, not said."""
    for mark in QUESTION.finditer(text, span.start, min(span.end + 1, len(text))):
        before = [d for d in drafts if d.end <= mark.start() and not text[d.end : mark.start()].strip()]
        after = [d for d in drafts if d.start >= mark.end() and text[mark.end() : mark.end() + 1].strip()]
        near = [d for d in after[:1] if not ENDS_PHRASE.search(text, mark.end(), d.start)]
        for draft in (*before[-1:], *near):
            draft.hedge = draft.hedge or "possible"
            draft.trace.append(Evidence(Span(mark.start(), mark.end()), "question-mark", "hedged"))


TOLD_BY_SIZE = {"worsened": "larger", "improved": "smaller", "no_change": "unchanged"}


def of_whole_exam(units: list[Unit]) -> bool:
    """`Overall no significant interval change`, `no acute interval change`: said of the picture, not of one finding."""
    first = units[0].form if units else ""
    return first in ("overall", "otherwise") or any("acute" in u.form.split() for u in units)


def sentence_kind(cues: set[str]) -> SentenceKind:
    if "recommend" in cues:
        return "recommendation"
    return "communication" if "communicate" in cues else "statement"


def without_advice(units: list[Unit], wide: list[Flag]) -> list[Unit]:
    """The sentence without the parts between commas that ask for something or tell who was told."""
    asked = [(start, end) for cue, start, end in wide if cue.kind in ADVICE]
    if not asked:
        return units
    kept: list[Unit] = []
    for part in parts(units):
        cue = next((start for start, _ in asked if part[0].start <= start < part[-1].end), None)
        if cue is not None:
            kept += before_advice(part, cue)
        elif part[0].form != "if":
            kept += part
    return kept


LEAST_SAID = 6
"""Words before advice in a sentence that runs on: `small effusion on the left no pneumothorax recommend CT`."""


ASKING = frozenset({"please", "recommend", "advise", "suggest", "consider", "correlate"})


def before_advice(part: list[Unit], cue: int) -> list[Unit]:
    """What a sentence without commas says before a verb that asks."""
    said = list(takewhile(lambda u: u.start < cue, part))
    asks = next(u for u in part if u.end > cue).form.split()[0] in ASKING
    while said and said[-1].role in (Role.JOIN, Role.PREPOSITION):
        said.pop()
    return said if asks and len(said) >= LEAST_SAID and part[0].form not in ("if", "however") else []


def parts(units: list[Unit]) -> Iterator[list[Unit]]:
    """Between commas and semicolons, and before `for which`: a nodule for which CT is recommended."""
    part: list[Unit] = []
    for unit in units:
        if unit.form == "which" and len(part) > 1 and part[-1].form == "for":
            yield part[:-1]
            part = part[-1:]
        part.append(unit)
        if unit.form in (",", ";"):
            yield part
            part = []
    if part:
        yield part
