"""Which words of a sentence compare with an earlier study: change words, moved devices, pointers.

A change word (`stable`, `larger`, `new`) and a device that came, went or moved compare by themselves, unless
`describing.tsv` says that the word may describe this picture alone (`increased markings`, `residual fluid`);
then a second sign must help. Words that point at an earlier study (`since the prior exam`) compare, unless
`pointers.tsv` calls the form doubtful and what follows at once is a disease, an operation or a place (`prior
granulomatous disease`, `compared to the left`).
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Literal, cast

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.reader import Attribute, Evidence, Finding, Reading, SentenceReading
from overread.report.span import Span
from overread.systems.longitudinal.schema import table
from overread.systems.tables import Wanted, word_sets

LONGITUDINAL_WORDS = word_sets("longitudinal")

POINTER_REACH = 2
"""Words that may stand between a doubtful pointer and what it describes: `prior left upper lobectomy`."""

SHORTLY = 40
"""Characters in which the words beside a pointer are looked for."""

BACK = 2
"""How many sentences back `this` and `these` may look."""

Says = Literal["seen", "new", "differs", "gone", "-"]
"""What a pointer says by itself: it was there before, it came since then, this picture differs, what is denied was
there, or only that a study exists."""


class ChangeWord(Struct, frozen=True, forbid_unknown_fields=True):
    """A word of change, and the finding it is said of."""

    attribute: Attribute
    finding: Finding | None

    @property
    def form(self) -> str:
        return self.attribute.text.lower()

    @property
    def alone(self) -> bool:
        """Does it compare without help?"""
        rows = describing().get(self.form, ())
        aspects = self.aspects() if rows else {}
        return not any(all(aspects.get(one.relation) in one.values for one in row) for row in rows)

    def aspects(self) -> dict[str, str]:
        """What `describing.tsv` may ask of the finding."""
        if self.finding is None:
            return {"status": "unsaid"}
        return {
            "head": self.finding.entity.lower().split()[-1],
            "certainty": self.finding.certainty,
            "status": self.finding.status,
            "kind": self.finding.kind,
            "order": "before" if self.attribute.span.end <= self.finding.span.start else "after",
        }


class Pointer(Struct, frozen=True, forbid_unknown_fields=True):
    """Words that point at an earlier study."""

    span: Span
    says: Says


class Compared(Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in one sentence that speaks of an earlier study."""

    changes: tuple[ChangeWord, ...]
    pointers: tuple[Pointer, ...]
    about: tuple[Finding, ...] = ()
    """Findings before it that it speaks of without naming them."""

    def __bool__(self) -> bool:
        """Does the sentence compare?"""
        return bool(self.pointers) or any(c.alone for c in self.changes)

    @property
    def spans(self) -> tuple[Span, ...]:
        return tuple(sorted({c.attribute.span for c in self.changes} | {p.span for p in self.pointers}))


@cache
def describing() -> dict[str, list[tuple[Wanted, ...]]]:
    """Words that may describe this picture alone → aspects and their values, all of which must hold of the finding."""
    found: dict[str, list[tuple[Wanted, ...]]] = defaultdict(list)
    for form, when, _reason in table("describing"):
        found[form].append(Wanted.read(when, " & "))
    return dict(found)


@cache
def pointer_forms() -> dict[str, tuple[bool, Says]]:
    """Pointers that need care: are they doubtful, and what do they say by themselves?"""
    return {form: (doubt == "yes", cast(Says, says)) for form, doubt, says, _reason in table("pointers")}


def compared(reading: Reading) -> Iterator[tuple[SentenceReading, Compared]]:
    """Every sentence with what it compares; a change counts where its words stand.

    `Small effusion. This is stable.`: the effusion is in the first sentence, the comparison in the second.
    """
    starts = [sentence.span.start for sentence in reading.sentences]
    attached: dict[int, list[ChangeWord]] = defaultdict(list)
    for finding in reading.findings:
        for a in finding.attributes:
            if is_change(a) or changes_it(finding, a):
                attached[bisect_right(starts, a.span.start) - 1].append(ChangeWord(a, finding))
    for at, sentence in enumerate(reading.sentences):
        changes = sorted(attached[at], key=lambda c: c.attribute.span)
        taken = {c.attribute.span for c in changes}
        changes += [ChangeWord(a, None) for a in sentence.changes if a.span not in taken and is_change(a)]
        pointed = tuple(pointers(reading, sentence))
        yield sentence, Compared(tuple(changes), pointed, tuple(spoken_of(reading, at)))


def is_change(attribute: Attribute) -> bool:
    new = attribute.relation == "onset" and attribute.concept == "new"
    return new or attribute.relation in LONGITUDINAL_WORDS["changes"]


def changes_it(finding: Finding, attribute: Attribute) -> bool:
    """Words that are a change of this finding alone.

    A device came, went or moved; lung volumes are `lower`; what is there was `not present last week`.
    """
    if attribute.relation == "placement":
        return finding.kind in LONGITUDINAL_WORDS["equipment"] and not LONGITUDINAL_WORDS["moves"].isdisjoint(
            attribute.path[:1]
        )
    if attribute.relation == "onset":
        return finding.status == "positive" and not LONGITUDINAL_WORDS["unseen"].isdisjoint(
            attribute.text.lower().split()
        )
    return attribute.concept == "lower" and finding.concept == "lung-volumes"


def pointers(reading: Reading, sentence: SentenceReading) -> Iterator[Pointer]:
    """Where the sentence points at an earlier study; advice and technique only name one."""
    if sentence.kind != "statement":
        return
    findings = reading.in_sentence(sentence.index)
    named = [s for f in findings for s in (f.span, *(a.span for a in f.attributes))]
    for cue in sentence.cues:
        form = reading.text(cue.span).lower()
        if cue.note == "prior" or form in pointer_forms():
            doubt, says = pointer_forms().get(form, (False, "-"))
            before = reading.seen[max(sentence.span.start, cue.span.start - SHORTLY) : cue.span.start].lower()
            if not (doubt and of_this_picture(reading.seen, cue, named)):
                yield Pointer(cue.span, "seen" if "on" in before.split()[-2:] else says)


def of_this_picture(text: str, cue: Evidence, named: list[Span]) -> bool:
    """Is what stands right behind the cue no study but something named, or a side?"""
    after = text[cue.span.end : cue.span.end + SHORTLY].lower().replace(".", " ").split()[:POINTER_REACH]
    between = [len(text[cue.span.end : s.start].split()) for s in named if cue.span.end <= s.start]
    return min(between, default=POINTER_REACH + 1) <= POINTER_REACH or not LONGITUDINAL_WORDS[
        "sides"
    ].isdisjoint(after)


def spoken_of(reading: Reading, at: int) -> Iterator[Finding]:
    """The diseases named last, of which a sentence speaks that names none: `This is stable`, `Decreased since then`.

    `This` is the last of them with what it explains, `these` are all; where none is there, the normal structures:
    `Heart size is normal. This is unchanged.`
    """
    sentence = reading.sentences[at]
    opening, following = (*reading.text(sentence.span).lower().split(), "", "")[:2]
    begun = sentence.changes[:1]
    single = bool(begun) and begun[0].span.start == sentence.span.start and " " not in begun[0].text
    pronoun = (
        opening in LONGITUDINAL_WORDS["one"] | LONGITUDINAL_WORDS["many"]
        and following not in LONGITUDINAL_WORDS["studies"]
    )
    if sentence.findings or not (pronoun or (single and sentence.cues)):
        return
    for other in reversed(reading.sentences[max(0, at - BACK) : at]):
        own = [f for f in reading.in_sentence(other.index) if f.section == sentence.section and diseases(f)]
        named = [f for f in own if f.status == "positive"] or [f for f in own if f.kind == "structure"]
        if named:
            last = named[-1]
            yield from (
                f
                for f in named
                if opening not in LONGITUDINAL_WORDS["one"] or f is last or f.id in last.evidence
            )
            return


# ---- which of the fifty keywords a finding is
class Located(Wanted, frozen=True, forbid_unknown_fields=True):
    """A place or a site may be inside the name: a rib fracture says its bone there."""

    def holds(self, finding: Finding) -> bool:
        named = self.relation in ("site", "location") and finding.site in self.values
        return named or super().holds(finding)


@cache
def keyword_rows() -> dict[str, list[tuple[tuple[Located, ...], tuple[str, ...]]]]:
    """The lines of `diseases.tsv` by concept, or by `kind:` and a kind: tests, all of which must hold, and keywords.

    Usually there is no test and one keyword; there is none for concepts the list has no word for.
    """
    found = defaultdict(list)
    for concept, when, keyword, _reason in table("diseases"):
        named = () if keyword == "-" else tuple(keyword.split(" + "))
        found[concept].append((Located.read(when, " & "), named))
    return dict(found)


def diseases(finding: Finding) -> tuple[str, ...]:
    """The keywords of a finding: of what it implies, of its concept or the nearest more general one, or of its kind.

    The first row that fits counts.
    """
    above = [n for one in (finding.implies, finding.concept) if one for n in lexicon().ancestors(one)]
    for name in (*above, f"kind:{finding.kind}"):
        for tests, named in keyword_rows().get(name, ()):
            if all(test.holds(finding) for test in tests):
                return named
    return ()
