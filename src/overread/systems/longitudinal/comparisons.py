"""Which words of a sentence compare with an earlier study: change words, moved devices, pointers.

A change word (`stable`, `larger`, `new`) and a device that came, went or moved compare by themselves, unless
`describing.tsv` says that the word may describe this picture alone (`increased markings`, `residual fluid`);
then a second sign must help. Words that point at an earlier study (`since the prior exam`) compare, unless
`pointers.tsv` calls the form doubtful and what follows at once is a disease, an operation or a place (`prior
granulomatous disease`, `compared to the left`), or the study is said to be missing.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Literal, cast

from msgspec import Struct, structs

from overread.reader import Attribute, Evidence, Finding, Reading, SentenceReading
from overread.report.marks import RUN
from overread.report.span import Span
from overread.systems.longitudinal.diseases import WORDS, diseases, table
from overread.systems.longitudinal.referring import referents

NEAR = 2
"""Words that may stand between a doubtful pointer and what it describes: `prior left upper lobectomy`."""

Says = Literal["seen", "absent", "new", "differs", "gone", "less", "-"]
"""What a pointer says by itself: it was there before, it was not, it came since then, this picture differs, what
is denied was there, there is less air than before, or only that a study exists."""

IMPLIED: tuple[tuple[re.Pattern[str], Says], ...] = (
    (re.compile(r"\bno longer\b", re.IGNORECASE), "gone"),
    (re.compile(r"\b(?:no|without)(?: \w+){0,2} residual\b", re.IGNORECASE), "gone"),
    (re.compile(r"\blower(?: lung)? volumes?\b", re.IGNORECASE), "less"),
    (re.compile(r"\bvolumes? (?:is|are|appears?)(?: \w+)? lower\b", re.IGNORECASE), "less"),
)
"""Words that compare without naming a study: `no longer shifted`, `no residual air`, `lower lung volumes`."""

INCREASED = re.compile(
    r"\bincreased (?:[\w-]+ ){0,3}(?:opacit(?:y|ies)|densit(?:y|ies))\b"
    r"(?=[^.;,]*(?:,(?: which| this)?)? (?:may|might|could)\b)",
    re.IGNORECASE,
)
"""`Increased opacity may reflect atelectasis`: the paper, which judges sentences one by one, takes it for a
comparison; in a report that compares nothing else it describes the picture."""

ON = re.compile(r"\bon(?: the| an?)?\s*$", re.IGNORECASE)
"""`On the previous exam` something was seen."""

SHORTLY = 100
"""Characters before a pointer in which `on the` is looked for."""

NOT = re.compile(r"\bnot\b|\babsent\b", re.IGNORECASE)
"""Denies what was seen, not that there is a study: `not present on the prior exam`."""

NO_STUDY = re.compile(r"\W*(?:none|no|not|nil|n/a|unavailable)\b", re.IGNORECASE)
"""A comparison section that names none."""

SIDED = re.compile(
    r"(?: to| with)?(?: the)? (?:left|right|contralateral|opposite|other)\b(?! (?:lateral|study|exam|film))",
    re.IGNORECASE,
)
"""Behind `compared to`: the other side of this picture."""

APART = re.compile(
    r"[,;]|\b(?:and|but|may|might|could|likely|probably|represents?|compatible|consistent|suggests?|since|from)\b",
    re.IGNORECASE,
)
"""Between a word of change and a noun that it does not describe."""


class Change(Struct, frozen=True, forbid_unknown_fields=True):
    """A word of change, and the finding it is said of."""

    attribute: Attribute
    finding: Finding | None
    followed: bool = True
    """Does anything else in the report speak of an earlier study?"""

    @property
    def form(self) -> str:
        return self.attribute.text.lower()

    @property
    def alone(self) -> bool:
        """Does it compare without help?"""
        rows = describing().get(self.form, ())
        aspects = self.aspects() if rows else {}
        return not any(all(aspects.get(name) in known for name, known in row.items()) for row in rows)

    def aspects(self) -> dict[str, str]:
        """What `describing.tsv` may ask of the finding."""
        if self.finding is None:
            return {"status": "unsaid"}
        return {
            "head": self.finding.entity.lower().split()[-1],
            "certainty": self.finding.certainty,
            "status": self.finding.status,
            "kind": self.finding.kind,
            "report": "compares" if self.followed else "silent",
            "order": "before" if self.attribute.span.end <= self.finding.span.start else "after",
        }


class Pointer(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that point at an earlier study."""

    span: Span
    says: Says


class Compared(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in one sentence that speaks of an earlier study."""

    changes: tuple[Change, ...]
    pointers: tuple[Pointer, ...]
    about: tuple[Finding, ...] = ()
    """Findings before it that it speaks of without naming them."""

    def __bool__(self) -> bool:
        """Does the sentence compare? Two doubtful words about one finding help each other."""
        if self.pointers or any(c.alone for c in self.changes):
            return True
        said = Counter(c.finding.id for c in self.changes if c.finding is not None)
        return any(n > 1 for n in said.values())

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(sorted({c.attribute.span for c in self.changes} | {p.span for p in self.pointers}))


@cache
def describing() -> dict[str, list[dict[str, list[str]]]]:
    """Words that may describe this picture alone → aspects and their values, all of which must hold of the finding."""
    found: dict[str, list[dict[str, list[str]]]] = defaultdict(list)
    for form, when, _reason in table("describing"):
        tests = [] if when == "-" else [test.split("=") for test in when.split(" & ")]
        found[form].append({aspect: values.split(",") for aspect, values in tests})
    return dict(found)


@cache
def pointer_forms() -> dict[str, tuple[bool, Says]]:
    """Pointers that need care: are they doubtful, and what do they say by themselves?"""
    return {form: (doubt == "yes", cast(Says, says)) for form, doubt, says, _reason in table("pointers")}


def compared(reading: Reading) -> Iterator[tuple[SentenceReading, Compared]]:
    """Every sentence with what it compares; a change counts where its words stand.

    `Small effusion. This is stable.`: the effusion is in the first sentence, the comparison in the second.
    """
    known = {f.id: f for f in reading.findings}
    about = referents(reading)
    changes = sorted(attached(reading), key=lambda c: c.attribute.span)
    starts = [c.attribute.span.start for c in changes]
    pointing = [tuple(pointers(reading.seen, s, [known[id] for id in s.findings])) for s in reading.sentences]
    followed = any(pointing) or follow_up(reading, changes)
    if followed or len(reading.sentences) == 1:
        pointing = [
            (*p, *increased(reading.seen, s)) for p, s in zip(pointing, reading.sentences, strict=True)
        ]
    for sentence, pointed_at in zip(reading.sentences, pointing, strict=True):
        first, last = bisect_left(starts, sentence.span.start), bisect_right(starts, sentence.span.end)
        said = [c for c in changes[first:last] if sentence.span.contains(c.attribute.span)]
        taken = {c.attribute.span for c in said}
        said += [Change(a, None) for a in sentence.changes if a.span not in taken and is_change(a)]
        said += shared(reading.seen, said, [known[id] for id in sentence.findings])
        meant = about.get(sentence.index, ())
        said += passed_on(reading.seen, said, meant, [known[id] for id in sentence.findings])
        said = said if followed else [structs.replace(c, followed=False) for c in said]
        seen = any(p.says in ("seen", "absent") for p in pointed_at)
        yield sentence, Compared(tuple(said), pointed_at, meant if seen else ())


def passed_on(
    text: str, said: list[Change], about: tuple[Finding, ...], named: list[Finding]
) -> Iterator[Change]:
    """What a sentence says of the finding before it, also where it names another: `This is larger, likely a tumor`.

    A change is said of what was named before when it stands apart before every noun that is a disease, or after
    one that explains what was named before; not in `this may represent a developing pneumonia`.
    """
    ids = {f.id for f in about}
    nouns = sorted(f.span.start for f in named if diseases(f))
    for finding in about:
        taken = {c.attribute.span for c in said if c.finding is not None and c.finding.id == finding.id}
        for change in said:
            span, noun = change.attribute.span, change.finding
            early = not nouns or (span.end <= nouns[0] and APART.search(text, span.end, nouns[0]))
            explains = noun is not None and ids & set(noun.evidence) and noun.span.end <= span.start
            if span not in taken and (early or explains):
                taken.add(span)
                yield Change(change.attribute, finding)


def shared(text: str, said: list[Change], named: list[Finding]) -> Iterator[Change]:
    """What stays the same with the noun before it: `stable cardiomegaly and prominent pulmonary vessels`."""
    taken = {c.finding.id for c in said if c.finding is not None}
    for first, second in pairwise(named):
        own = [second.span, *(a.span for a in second.attributes if a.span.start >= first.span.end)]
        between = text[first.span.end : min(s.start for s in own)].strip().lower()
        described = second.status == "positive" and second.kind == "structure"
        if between == "and" and described and second.id not in taken:
            for change in said:
                before = change.attribute.span.end <= first.span.start
                if before and change.finding == first and change.attribute.relation == "no_change":
                    yield Change(change.attribute, second)


def follow_up(reading: Reading, changes: list[Change]) -> bool:
    """Does a comparison section or a word that only compares say that there was an earlier study?"""
    loose = (a.text.lower() for s in reading.sentences for a in s.changes)
    words = {*loose, *(c.form for c in changes)}
    compared_with = (reading.text(s.span) for s in reading.sentences if s.section == "comparison")
    return bool(words - describing().keys()) or any(not NO_STUDY.match(text) for text in compared_with)


def attached(reading: Reading) -> Iterator[Change]:
    """The change words that belong to a finding."""
    for finding in reading.findings:
        movable = finding.kind in ("device", "procedure")
        for attribute in finding.attributes:
            if is_change(attribute) or (
                movable
                and attribute.relation == "placement"
                and WORDS["moves"].intersection(attribute.path[:1])
            ):
                yield Change(attribute, finding)


def is_change(attribute: Attribute) -> bool:
    return attribute.relation in WORDS["changes"] or (
        attribute.relation == "onset" and attribute.concept == "new"
    )


def pointers(text: str, sentence: SentenceReading, findings: list[Finding]) -> Iterator[Pointer]:
    """Where the sentence points at an earlier study; advice and technique only name one."""
    if sentence.kind != "statement":
        return
    yield from implied(text, sentence.span)
    named = [s for f in findings for s in (f.span, *(a.span for a in f.attributes))]
    denials = [c.span for c in sentence.cues if c.note == "negation"]
    for cue in sentence.cues:
        if cue.note == "prior" and not missing(text, cue, denials):
            doubt, says = pointer_forms().get(cue.span.of(text).lower(), (False, "-"))
            doubt = doubt and (
                bool(SIDED.match(text, cue.span.end))
                or any(0 <= words(text, cue.span, s) <= NEAR for s in named)
            )
            if not doubt:
                says = "seen" if on_earlier(text, cue) else says
                yield Pointer(
                    cue.span, "absent" if says == "seen" and denied(text, cue, denials, named) else says
                )


def increased(text: str, sentence: SentenceReading) -> Iterator[Pointer]:
    for match in INCREASED.finditer(text, sentence.span.start, sentence.span.end):
        yield Pointer(Span(*match.span()), "differs")


def implied(text: str, sentence: Span) -> Iterator[Pointer]:
    for pattern, says in IMPLIED:
        for match in pattern.finditer(text, sentence.start, sentence.end):
            yield Pointer(Span(*match.span()), says)


def denied(text: str, cue: Evidence, denials: list[Span], named: list[Span]) -> bool:
    """`This was not present on the prior exam`; but not `the nodule is not calcified, as seen previously`."""
    said = [d for d in denials if NOT.search(d.of(text)) and 0 <= words(text, d, cue.span) <= 2 * NEAR]
    return any(not any(d.end <= s.start and s.end <= cue.span.start for s in named) for d in said)


def on_earlier(text: str, cue: Evidence) -> bool:
    """`Also present on the previous exam`; a study without a date may be this one (`on XXXX study`)."""
    dated = not RUN.match(cue.span.of(text))
    return dated and bool(ON.search(text, max(0, cue.span.start - SHORTLY), cue.span.start))


def missing(text: str, cue: Evidence, denials: list[Span]) -> bool:
    """`No prior images are available`, `without a comparison study`; but not `no interval consolidation`."""
    study = "inter" not in cue.span.of(text).lower()
    none = [d for d in denials if not NOT.search(d.of(text))]
    return study and any(0 <= words(text, denial, cue.span) < NEAR for denial in none)


def words(text: str, before: Span, after: Span) -> int:
    """How many words stand between the two; negative when they are not in this order.

    >>> words("prior left upper lobectomy", Span(0, 5), Span(17, 26))
    2
    """
    return len(text[before.end : after.start].split()) if before.end <= after.start else -1
