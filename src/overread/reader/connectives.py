"""The words between noun phrases: what verbs, cues, conjunctions and full stops do to an open sentence."""

import re
from collections.abc import Callable

from overread.reader.drafts import Draft, Held, relation_of
from overread.reader.finding_phrases import use_bare_structures
from overread.reader.grammar import BE, PERCEIVED, POINTING, VERBS
from overread.reader.growth import TOLD_OF_BEFORE
from overread.reader.labels import describes_heading, has_own_verb, head_line, head_list, only_denial
from overread.reader.lookahead import FINITE, had_verb, leads_to_noun, predicate_follows
from overread.reader.modifiers import denied_change
from overread.reader.noun_phrases import Chunk
from overread.reader.open_sentence import OpenSentence
from overread.reader.phrases import SUBJECTLESS, tells_largest, tells_tip
from overread.reader.places import sides
from overread.reader.roles import Role, RoleName
from overread.reader.scope import asserts, reaches, tells_sort
from overread.reader.sides import BARE_DENIALS
from overread.reader.units import Unit
from overread.report.marks import BLANKED

ON_VIEW = re.compile(
    r"\W+(?:well\s+|clearly\s+)?(?:(?:present|seen|visualized|identified|noted|evident)\s+)?(?:on|in)\s+(?:the\s+)?"
    r"(?:lateral|frontal)(?:\s+(?:views?|exam|examination|film|images?|projections?|radiographs?))?",
    re.IGNORECASE,
)
EARLIER_SEEN = re.compile(r"\bpreviously\s+\w+\s+[^.;]*$", re.IGNORECASE)
ON_PRIOR = re.compile(
    r"\W+(?:appears? to be\s+|well\s+|\w+ly\s+)?"
    r"(?:(?:present|seen|visualized|identified|noted|evident|there|appreciated)\s+)?(?:on|in)\s+"
    r"(?:the\s+|any\s+|a\s+)?(?:prior|previous|earlier|last|comparison|preceding|(?:19|20)\d\d\b)"
    r"(?:\s+(?:stud(?:y|ies)|exams?|examinations?|films?|radiographs?|images?|ct))?",
    re.IGNORECASE,
)
WAS = re.compile(r"\b(?:was|were)\s+(?:not\b[\w\s]*)?$", re.IGNORECASE)
ON_BLANK = re.compile(
    rf"\W+(?:present\s+|seen\s+)?(?:on|in)\s+(?:the\s+)?{BLANKED}\s+(?:ct|study|exam|film)", re.IGNORECASE
)
"""`Which were not present in the ____ CT`: an earlier one, as the verb says."""


SEEN_THEN = re.compile(
    r"\W+(?:(?:there|present|seen|visible|evident|noted|identified)\s+)?(?:this morning|last night|overnight|yesterday|"
    r"before|previously|earlier|(?:two|three|four|\d+) (?:hours|days|weeks|months|years) (?:ago|earlier|before))",
    re.IGNORECASE,
)
"""`Which was not there this morning`: new."""

OPENS_AGAIN = re.compile(r"\b(?:not|cannot|exclude\w*|ruled|consider\w*)\b")
"""`No mass, but one is not excluded`: a hedge that takes a denial back."""

DONE = re.compile(r"\W+(?:\w+ly\s+)?(\w+ed)\b", re.IGNORECASE)


def tells_event(unit: Unit, after: str) -> bool:
    """`Has not been drained`: something was not done to what is there; not `has not been identified`."""
    done = DONE.match(after) if unit.form.endswith(("not", "not been")) else None
    return done is not None and done[1].lower().replace("ised", "ized") not in VERBS | PERCEIVED


CUES = frozenset({Role.DENIAL, Role.HEDGE, Role.LINK})
"""Words that deny, doubt or link."""


def apply_connective(
    now: OpenSentence, unit: Unit, chunk: Chunk, place: int, prep: Unit | None
) -> Unit | None:
    """Let a verb, preposition, cue or conjunction do its work; the preposition that is open is handed on."""
    if unit.role is Role.PREPOSITION:
        if now.group and unit.form in ("after", "following", "post"):  # no pneumothorax after line removal
            now.scope.close_denial()
        return unit
    if unit.role is Role.JOIN:
        return prep
    work = WORK.get(unit.role)
    if work is not None:
        work(now, unit, chunk, place)
    return None


def end_clause(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> None:
    heads = unit.form == ":" and bool(now.group) and all(d.is_structure and not d.speaks for d in now.group)
    if heads:
        head_line(now)
    if goes_on_about(now, unit, chunk) or (unit.form == ":" and describes_heading(now, chunk)):
        now.predicate = True
        now.scope.close()
        return
    if heads:
        for draft in now.group:
            draft.used = True
    contrast = unit.form in ("but", "yet")
    now.before_but = [*(d for d in now.drafting.companions if d.asserted), *now.group] if contrast else []
    leads = unit.form == ":" and not now.group
    if leads and chunk.named:
        head_list(now)
    elif now.group or not contrast:  # hyperexpanded but clear lungs
        now.carried = []
    now.begin_group()
    now.heads = []
    now.drafting.companions = []
    if not points_on(now, unit, chunk, place):
        now.drafting.domain = []
    if leads:
        now.denied_list = only_denial(now, chunk, place)
    now.scope.close()
    if now.denied_list is not None and unit.form in (":", ";") and not has_own_verb(now, chunk):
        now.scope.deny = now.denied_list  # absent: ascites; adenopathy


def goes_on_about(now: OpenSentence, unit: Unit, chunk: Chunk) -> bool:
    """`A mass is seen; it has grown`: the clause speaks of the same."""
    begins = chunk.units[0].form if chunk.units else ""
    return unit.form == ";" and begins in ("it", "they") and bool(now.group) and not chunk.named


def points_on(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> bool:
    """`Streaky opacities; this may be atelectasis`, `… though could be edema`: of what the clause before named."""
    words = [w for u in (*chunk.before[place + 1 :], *chunk.units) for w in u.form.split() if w != "the"]
    if not words or (now.pointing and unit.form != ";"):
        return False  # findings are nonspecific, but may be edema
    return words[0] in SUBJECTLESS or (unit.form == ";" and words[0] in POINTING)


def meet_verb(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> None:
    now.predicate = bool(now.group)
    now.verb_met = True


def begin_company(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> None:
    """`Effusion with atelectasis`: what follows goes with the group; a tip or a change goes on about it."""
    if any(d.kind == "device" for d in now.group) and (tells_tip(chunk) or blank_part(chunk)):
        now.predicate = True
        return
    if now.group and tells_largest(chunk):
        now.predicate = True
        return  # nodules, with the largest in the left lung
    described = now.group and not chunk.named and chunk.has(Role.ATTRIBUTE)
    if described and not leads_to_noun(now.chunks, now.chunks.index(chunk)):
        return  # effusions and atelectasis, with interval improvement
    subject = now.group
    now.drafting.companions = subject
    heads = now.heads_of(subject)
    now.carried = []
    now.begin_group()
    now.heads = heads
    only_word = bool(subject) and not any(d.denied for d in subject)  # edges are not smooth, with …
    if only_word or asserts(chunk):  # but: no stricture with dilatation above it
        now.scope.close()


def blank_part(chunk: Chunk) -> bool:
    """`Pacemaker with a single ____ projecting over the atrium`: the blank is a part of the device."""
    return chunk.has(Role.BLANK) and any(u.row("placement") for u in chunk.units) and not chunk.findings


def apply_denial(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> None:
    """A denial closes what is open and denies what follows, or what stands before it."""
    after = now.text[unit.end : unit.end + 120]
    if now.group and (view := ON_VIEW.match(after)):  # blunting which is not evident on the lateral view
        for draft in now.group:
            draft.add(Held("assessment_limitations", None, unit.start, unit.end + view.end(), unit))
        return
    if earlier := on_earlier_study(now, unit, after):
        tell_new(now, unit, earlier)
        return
    if LACKING.match(unit.form) and takes_back(now, chunk.before[:place]):
        return  # neither base is without effusion
    if unit.form in BARE_DENIALS and on_other_side(now, chunk):
        end_clause(now, unit, chunk, place)
        return  # effusion on the left, none on the right
    if leads_to_unlikely(unit, chunk, place):
        open_denial(now, unit, chunk, place)
        return
    of_place = denies_place(unit, chunk.before[:place])
    backward = bool(now.group) and (of_place or "before" in reaches(unit, "negation"))
    if backward and not chunk.has(Role.ATTRIBUTE) and tells_event(unit, after):
        return  # the effusion has not been drained
    ends = place == len(chunk.before) - 1 and chunk.empty
    answered = unit.form in BARE_DENIALS and any(
        u.role is Role.JOIN for u in chunk.before[place + 1 : place + 2]
    )
    if backward and (
        of_place
        or ends
        or answered
        or (unit.cue.reach == "before" and not describes(now, chunk))
        or unit.cue.sense == "absent-likely"
    ):
        told = denied_before(now, unit, chunk, place)
        for draft in (*denied_heads(now, unit, place, chunk), *told, *suspected_sources(now)):
            draft.deny(unit)
    else:
        open_denial(now, unit, chunk, place)


def denies_place(unit: Unit, before: list[Unit]) -> bool:
    """`Nodules are seen in neither lung`, `at no level`: where they would be is denied, and so they are."""
    roles = [u.role for u in before]
    seen = len(before) > 1 and roles[-1] is Role.PREPOSITION and roles[-2] is Role.VERB
    return (
        seen and before[-1].form in ("in", "on", "at") and unit.form.split()[0] in ("no", "neither", "none")
    )


def leads_to_unlikely(unit: Unit, chunk: Chunk, place: int) -> bool:
    """`Atelectasis, less likely pneumonia`: said of the noun that follows, as no verb stands before it."""
    if unit.cue.sense != "absent-likely" or unit.cue.reach != "before" or not chunk.findings:
        return False
    if unit.form.split()[0] in FINITE or chunk.units[0].form in GIVEN:
        return False
    joined = place > 0 and chunk.before[place - 1].role is Role.JOIN
    aside = [u.form for u in chunk.before[place + 1 :]]
    return joined or place == 0 if not aside else joined and aside == [","]  # or, less likely, pneumonia


GIVEN = frozenset({"given", "than", "considering"})
"""`Unlikely given the history`: what was said before is unlikely."""


def denied_before(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> list[Draft]:
    """Whom a denial behind them is said of: `A is likely, B unlikely` denies only the last."""
    verbs = [u.form for u in chunk.before[:place] if u.role is Role.VERB]
    if unit.form.split()[0] in FINITE or any(v != "being" for v in verbs):
        return now.group
    if not had_verb(now.chunks, now.chunks.index(chunk)):
        return said_absent(now.group)
    last = next((n for n in range(len(now.group) - 1, 0, -1) if now.group[n].join == ","), 0)
    return now.group[last:]


def said_absent(group: list[Draft]) -> list[Draft]:
    """`Nodule in the left lung, effusion absent`: without a verb, what is described before a comma is there."""
    told = group[-1:]
    for before, after in zip(group[-2::-1], group[:0:-1], strict=True):
        if after.join == "," and (before.held or before.hedge):
            break
        told.append(before)
    return told


LACKING = re.compile(r"(?:\w+ ){0,2}(?:without|devoid of|free (?:of|from)|clear of|lack(?:s|ing)?)\b")
"""What a denial takes back: `not without`, `no zone is free of`."""


def takes_back(now: OpenSentence, before: list[Unit]) -> bool:
    """Is something denied already, and no finding yet, so that the second denial takes back the first?"""
    denied = now.scope.deny is not None or (bool(before) and before[-1].role is Role.DENIAL)
    if not denied or any(not d.is_structure for d in now.group):
        return False
    for draft in now.group:
        draft.negated = None
        draft.held = [h for h in draft.held if h.relation == "location"]
    use_bare_structures(now, [])
    now.scope.close()
    return True


def on_other_side(now: OpenSentence, chunk: Chunk) -> bool:
    """Does the phrase name one side, and the group before it the other?"""
    told = {side for d in now.group for side in d.sides}
    return not chunk.named and len(told) == 1 and sides(chunk.units) == {"left", "right"} - told


def on_earlier_study(now: OpenSentence, unit: Unit, after: str) -> int:
    """How many characters behind a denial name an earlier study, where it denies that it was seen there."""
    prior = ON_PRIOR.match(after) or (unit.form in BARE_DENIALS and TOLD_OF_BEFORE.match(after)) or None
    if prior is None and WAS.search(now.text[: unit.end]):
        prior = ON_BLANK.match(after) or SEEN_THEN.match(after)
    return prior.end() if prior else 0


def tell_new(now: OpenSentence, unit: Unit, length: int) -> None:
    """`Which was not seen on the prior study`: new."""
    row = now.lexicon.described("onset", "new")
    new = Held("onset", row, unit.start, unit.end + length, unit)
    for draft in now.group:
        draft.add(new)
    now.loose += [] if now.group else [new]


def open_denial(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> None:
    """From here on what is named is denied."""
    if unit.form.endswith("clear of"):
        describe_as_clear(now, unit)
    if unit.form.startswith("with") and not now.group:
        now.carried = []  # stable exam without effusion
    joins = [u.form for u in chunk.before[:place] if u.role is Role.JOIN]
    if joins:
        if joins != [","] or had_verb(now.chunks, now.chunks.index(chunk)):
            now.drafting.end_topic()  # the lungs are clear and there is no effusion; not: in the left lung, no …
        if now.said_already(chunk) and not (unit.form.endswith(" not") and tells_change(chunk)):
            now.begin_group()
    now.scope.close()
    now.scope.deny = unit
    now.predicate = False


def tells_change(chunk: Chunk) -> bool:
    """`The cyst is simple and has not grown`: of the same."""
    return not chunk.named and any(denied_change(u) for u in chunk.units)


def denied_heads(now: OpenSentence, unit: Unit, place: int, chunk: Chunk) -> list[Draft]:
    """`Nodules with calcification are not seen`, `opacities of high density are …`: what the noun goes with."""
    finite = unit.form.split()[0] in FINITE or any(u.role is Role.VERB for u in chunk.before[:place])
    return [d for d in now.heads if d.asserted] if finite else []


def suspected_sources(now: OpenSentence) -> list[Draft]:
    """`A lesion suspicious for metastasis is not seen`: the lesion, too, is denied with what it would be."""
    link = now.scope.link
    return now.scope.sources if link is not None and link is now.sort_cue else []


def denied_sort(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> bool:
    """`No lesion suspicious for metastasis` denies both; so does `no gas …`, where nobody knows the noun."""
    open_denial = now.scope.deny is not None and (not now.group or now.group[-1].negated is not None)
    return open_denial and tells_sort(unit, chunk.before[:place])


def describes(now: OpenSentence, chunk: Chunk) -> bool:
    """`A nodule that is not calcified` is still a nodule, a ligament that is not intact is torn: the word is denied."""
    if not chunk.has(Role.ATTRIBUTE) or chunk.named:
        return False
    told = (relation_of(u, None, False) for u in chunk.units if u.role is Role.ATTRIBUTE)
    return not any(d.is_structure for d in now.group) or any(h is not None and h.normal for h in told)


def doubt_unseen(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> None:
    """`The previously seen nodule is not well seen`: it may be gone; anything else not well seen is still there."""
    if not unit.form.startswith("not"):
        return
    if earlier := on_earlier_study(now, unit, now.text[unit.end : unit.end + 120]):
        tell_new(now, unit, earlier)  # not well seen on the prior study
        return
    for draft in now.group:
        if EARLIER_SEEN.search(now.text[max(0, draft.start - 60) : draft.start]) and not draft.is_structure:
            draft.deny(unit, "absent-likely")


def describe_as_clear(now: OpenSentence, unit: Unit) -> None:
    """`Lungs are clear of consolidation` says that they are clear, too."""
    said = unit.form.removesuffix(" of").removeprefix("otherwise ")
    row, end = now.lexicon.described("morphology", said), unit.end - len(" of")
    for draft in now.group or now.before_but:
        if draft.is_structure and row is not None and (not draft.held or now.before_but):
            draft.add(Held("morphology", row, end - len(said), end, unit))


def apply_hedge(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> None:
    predicate = unit.form.split()[0] in BE  # pneumonia is suspected in the left base
    if describes_bare_organ(now, chunk) or (not predicate and guesses_place(now, chunk, place)):
        return
    ends = chunk.empty and not any(u.role in CUES for u in chunk.before[place + 1 :])
    answer = ends and answers(unit, chunk, place)
    reach = {"before"} if answer else reaches(unit, "hedge")
    if "both" in reach:
        for draft in now.group[-1:]:
            draft.doubt(unit)
        now.scope.hedge = unit
        go_on_explaining(now, unit, unit.form.startswith("or "))
    elif "before" in reach and now.group and ("after" not in reach or ends):
        for draft in joined_tail(now):
            if draft.negated is not None and not OPENS_AGAIN.search(unit.form):
                continue  # no fracture is suspected
            draft.doubt(unit)
            draft.negated = None
    elif denied_sort(now, unit, chunk, place):
        apply_link(now, unit, chunk, place)
    else:
        now.scope.close_denial()
        now.scope.hedge = unit
        now.sort_cue = unit if tells_sort(unit, chunk.before[:place]) else None
        before = chunk.before[:place]
        joined = any(u.form in ("and", "or") or u.role is Role.WITH for u in before)
        # tortuous, and cannot exclude an aneurysm; prominent and may contain nodes
        joined = joined and not same_subject(unit, before)
        if not joined and (now.drafting.sources or now.pointing):
            now.scope.link_to(unit, alternatives(now, unit) or sources_of(now, before))
            now.begin_group()
        else:
            go_on_explaining(now, unit, before[-1:] != [] and before[-1].form == "or")


def describes_bare_organ(now: OpenSentence, chunk: Chunk) -> bool:
    """`…, the left kidney is probably obstructed`: the doubt is of what is said of the organ just named."""
    bare = bool(now.group) and now.group[-1].is_structure and not now.group[-1].speaks
    return bare and not chunk.named and chunk.has(Role.ATTRIBUTE) and len(now.drafting.drafts) > 1


SAID_BEHIND = frozenset(
    "likely probably possibly presumably perhaps probable possible suspected questionable".split()
)


def answers(unit: Unit, chunk: Chunk, place: int) -> bool:
    """`Abscess: possibly`, `infarct, likely`: a hedge at the end, said of what stands before."""
    mark = chunk.before[place - 1].form if place else ""
    return mark == ":" or (mark in (",", "(") and unit.form in SAID_BEHIND and not chunk.units)


def go_on_explaining(now: OpenSentence, unit: Unit, alternative: bool) -> None:
    """`Opacities may be airways filled with fluid, or possibly pneumonia`: pneumonia explains the opacities, too."""
    if alternative and (seen := explained(now)):
        now.scope.link_to(unit, seen)


def explained(now: OpenSentence) -> list[Draft]:
    """What the last conclusion of the clause was drawn from."""
    last = next((d for d in reversed(now.drafting.domain) if any(e.note == "linked" for e in d.trace)), None)
    return [d for d in last.associate if d.start < last.start] if last is not None else []


def alternatives(now: OpenSentence, unit: Unit) -> list[Draft]:
    """`…, differential diagnosis includes edema`: of what has been explained already."""
    further = not EXPLANATION_NOUNS.isdisjoint(unit.form.split())
    return (now.scope.sources or explained(now)) if further else []


EXPLANATION_NOUNS = frozenset({"differential", "considerations", "consideration"})


def sources_of(now: OpenSentence, before: list[Unit]) -> list[Draft]:
    """What a cue points back to: behind `which` the nearest findings, else all of the clause."""
    if before and before[-1] is now.scope.link:  # may be | compatible with
        return now.scope.sources
    sources = now.drafting.sources
    if now.scope.deny is not None:
        sources = since_conclusion(sources)
    nearest = [d for d in sources if d in now.group] if any(u.form == "which" for u in before) else []
    return nearest or (sources if before else last_item(now, sources))


def since_conclusion(denied: list[Draft]) -> list[Draft]:
    """`No line to suggest air or blunting to suggest fluid`: the second sign is what stands behind the first."""
    last = max((n for n, d in enumerate(denied, 1) if d.evidence), default=0)
    return denied[last:] or denied


def last_item(now: OpenSentence, sources: list[Draft]) -> list[Draft]:
    """`Normal heart, old rib fracture, dense node suggests infection`: in a list that only commas join, the last."""
    if len(sources) < 2:
        return sources
    between = now.text[sources[-2].end : sources[-1].start]
    return sources[-1:] if COMMA_ALONE.match(between) else sources


COMMA_ALONE = re.compile(r"\s*,(?!\s*(?:and|or)\b)")


WITHIN = frozenset({"in", "within", "at", "on", "over", "behind", "along", "near", "involving"})


def guesses_place(now: OpenSentence, chunk: Chunk, place: int) -> bool:
    """`A nodule, probably within the lingula`: the doubt is where it is, not what."""
    led = [u.form for u in chunk.before[place + 1 :]]
    if not now.group or chunk.findings:
        return False
    return led[0] in WITHIN if led else names_only_place(now, chunk)


def names_only_place(now: OpenSentence, chunk: Chunk) -> bool:
    """`A nodule in the left lung, probably the upper lobe`; but a density may be a vessel."""
    if any(d.is_structure for d in now.group) or chunk.has(Role.ATTRIBUTE) or chunk.structure is None:
        return False
    row = chunk.units[-1].row("locations")
    of_lung = row is not None and "lung" in row.path
    return of_lung and not predicate_follows(now.chunks, now.chunks.index(chunk))


VERBAL = re.compile(r"(?:may|might|could|would|can)\b|\w+s\b")
"""Hedges that are verbs: `may represent`, `suggests`; not `possible`."""


def same_subject(unit: Unit, before: list[Unit]) -> bool:
    """`… appears old and suggests an injury`, `… and cannot exclude a mass`: a second verb of one subject."""
    verbal = VERBAL.match(unit.form) is not None or any(w in unit.form for w in ("exclude", "contain"))
    return verbal and bool(before) and before[-1].form in ("and", "or", "but")


def joined_tail(now: OpenSentence) -> list[Draft]:
    """The last findings that `and` or `or` joins: one in `opacity, atelectasis cannot be excluded`."""
    tail = now.group[-1:]
    while tail[0].join and "," not in tail[0].join and len(tail) < len(now.group):
        tail = now.group[-len(tail) - 1 :]
    return tail


def apply_link(now: OpenSentence, unit: Unit, chunk: Chunk, place: int) -> None:
    if not denied_sort(now, unit, chunk, place):
        now.scope.close_denial()
    now.sort_cue = unit if tells_sort(unit, chunk.before[:place]) else None
    if now.drafting.sources or now.pointing:
        now.scope.link_to(unit, sources_of(now, chunk.before[:place]))
    now.begin_group()


WORK: dict[RoleName, Callable[[OpenSentence, Unit, Chunk, int], None]] = {
    Role.STOP: end_clause,
    Role.WITH: begin_company,
    Role.VERB: meet_verb,
    Role.DENIAL: apply_denial,
    Role.NO_DENIAL: doubt_unseen,
    Role.HEDGE: apply_hedge,
    Role.LINK: apply_link,
}
"""What a word between two noun phrases does, by its role; `place` is its place among the words before `chunk`."""
