"""Reading → Account: what a report claims, each finding once."""

import re
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from overread.reader import Finding, Reading
from overread.reader.wording import SIDED, UNTOLD, in_own_words, spoken
from overread.report.span import Span
from overread.systems.ledger.claims import details, naming, words
from overread.systems.ledger.claims.diseases import respelt
from overread.systems.ledger.schema import Account, Claim, Polarity, Sentence
from overread.systems.ledger.tables import ancestors, sets, traits

CLAIM_SECTIONS = frozenset({"findings", "impression", "addendum", "other"})

STATED = frozenset({"cardiac-history"})
"""History by the lexicon, and yet a finding where the images show it: aortic stenosis."""

WHOLE = frozenset({"normal", "unremarkable"})

NOT_SHOWN = re.compile(
    r"(?:ologist|physician|surgeon|doctor|clinician|nurse|team|department|provider|resident)s?$|"
    + words.EXAM.pattern,
    re.I,
)
"""People and examinations, which no table knows either."""

NORMAL = re.compile(r"\b(?:normal|unremarkable|negative)\b", re.IGNORECASE)
"""`MRI of the spine: normal.` says something, though of nothing in particular."""

UNSPOKEN = frozenset({"symptom", "history"})
"""Kinds that tell what the patient has told, not what the images show."""


def view(reading: Reading) -> Account:
    """All claims of a report, with what is known of the patient and what is recommended."""
    wanted = words.asked(reading)
    found = [f for f in reading.findings if f.section in CLAIM_SECTIONS and not reading.describes_another(f)]
    claims = [claim for f in found if f.id not in wanted and counts(f) for claim in claims_of(f, reading)]
    return Account(
        id=reading.report.id,
        claims=merged(claims),
        sentences=tuple(account_sentences(reading)),
        advice=words.advice(reading),
        context=words.context(reading),
        repeated=tuple(words.repeated(reading)),
        empty=not any(map(is_understood, found))
        and all(c.name.startswith("?") and not c.places for c in claims)
        and not NORMAL.search(reading.seen),
    )


def account_sentences(reading: Reading) -> Iterator[Sentence]:
    """Without the title of the examination before the first, unless it tells a side."""
    denying = {f.sentence for f in reading.findings if f.status == "negative"}
    for one in reading.sentences:
        title = words.title_of(one.span.of(reading.seen))
        start = one.span.start + (0 if SIDED.search(title) else len(title))
        if one.section in CLAIM_SECTIONS and (seen := reading.seen[start : one.span.end]).strip():
            start += len(seen) - len(seen.lstrip())
            span = Span(start, start + len(seen.strip()))
            yield Sentence(span, span.of(reading.report.text), one.kind == "statement", one.index in denying)


def is_understood(finding: Finding) -> bool:
    """Is anything of it known: a word that no table knows, of which nothing is said, tells nothing."""
    return finding.kind != "open" or bool(finding.attributes)


def counts(finding: Finding) -> bool:
    """Does the finding claim something? `Findings are` claims nothing."""
    if (
        (finding.kind in UNSPOKEN and not is_seen(finding))
        or finding.concept in sets()["passing"]
        or words.is_verb(finding)
        or finding.entity.lower().endswith("biopsy")
        or (finding.kind == "open" and NOT_SHOWN.search(respelt(finding.entity)))
    ):
        return False
    if finding.status == "negative":
        return True
    if finding.kind == "generic":
        return words.disease_of(finding) is not None or (
            finding.concept in sets()["located"] and is_located(finding)
        )
    return not is_sound(finding)


def is_located(finding: Finding) -> bool:
    """`Aortic abnormality`, `ligamentous injury of the knee`: vague, and said of one place."""
    return finding.site is not None or any(a.path and a.path[0] != "body" for a in finding.values("location"))


def is_sound(finding: Finding) -> bool:
    """Is a structure, also one taken for a finding, said to be normal: `collateral ligaments are intact`?"""
    told = {a.concept for a in finding.values("morphology")}
    if finding.kind == "structure":
        return bool(told & WHOLE) or (finding.concept == "breast" and bool(told) and told <= sets()["tissue"])
    even = finding.concept == "enhancement" and told & sets()["even"]
    return finding.kind in ("finding", "open") and bool(told & sets()["sound"] or even)


def is_seen(finding: Finding) -> bool:
    """History by the lexicon, and yet shown by the images: `wall thickening in keeping with colitis`."""
    if finding.values("past_hx"):
        return False
    return finding.concept in STATED or words.disease_of(finding) is not None


def claims_of(finding: Finding, reading: Reading) -> Iterator[Claim]:
    """A structure said to be so and so is called by what it has; once for each of several such things."""
    structure, disease = finding.kind == "structure", words.disease_of(finding)
    if structure and finding.status == "negative" and not is_denied_trait(finding):
        name = finding.concept or finding.entity.lower()
        yield claim_of_finding(finding, name, None, reading, normal=True)
        return
    if len(apart := traits_apart(finding)) > 1 and disease is None:
        for one in apart:
            yield from claims_of(one, reading)
        return
    if structure and not (finding.implies or disease or naming.trait_name(finding)):
        return
    called = naming.name_of(finding, words.phrase_of(finding), naming.places_of(finding, None), disease)
    yield claim_of_finding(finding, called.name, called.site, reading)


def traits_apart(finding: Finding) -> list[Finding]:
    """A structure with several things wrong, once for each: `tortuous and calcified aorta`."""
    if finding.kind != "structure" or finding.status == "negative":
        return []
    told = [a for a in finding.values("morphology", "measurement") if a.concept in traits()]
    named = {traits()[a.concept]: a for a in told if a.concept in sets()["apart"]}
    rest = tuple(a for a in finding.attributes if a not in told)
    return (
        [replace(finding, attributes=(*rest, a)) for a in named.values()] if len(named) == len(told) else []
    )


def is_denied_trait(finding: Finding) -> bool:
    """`The aortic arch is not calcified` denies the one thing, and nothing else about the aorta."""
    said = finding.values("morphology", "measurement")
    return finding.status == "negative" and any(a.concept in traits() for a in said)


def claim_of_finding(
    finding: Finding, name: str, site: str | None, reading: Reading, normal: bool = False
) -> Claim:
    change, device = details.change_of(finding), finding.kind == "device"
    position = details.position_of(name, finding, words.phrase_of(finding)) if device else None
    polarity: Polarity = "normal" if normal else polarity_of(finding, change)
    if device and finding.status == "negative" and position == "bad":
        # `no dislodged lead`: the lead is there, and where it should be
        polarity, position = "present", "good"
    said, spans = in_own_words(reading, finding, UNTOLD)
    sentence = reading.sentences[finding.sentence].span
    spans = tuple(s for s in spans if sentence.start <= s.start < sentence.end) or (finding.span,)
    phrase = Span(min(s.start for s in spans), max(s.end for s in spans))
    general = finding.kind == "generic" and finding.status == "negative"  # `no acute process`
    return Claim(
        name=name,
        words=finding.entity if normal else naming.words_of(finding, name),
        kind="structure" if normal else "device" if device else "general" if general else "finding",
        polarity=polarity,
        spans=(finding.span,),
        statement=words.statement_of(finding, reading, polarity),
        phrases=(phrase,),
        told=spoken(said),
        places=tuple(sorted(naming.places_of(finding, site))),
        side=naming.side_of(finding),
        where_words=naming.where_said(finding),
        degree=details.degree_of(finding),
        change=change,
        acuity=details.acuity_of(finding),
        traits=tuple(sorted(details.traits_of(finding))),
        position=position,
    )


def polarity_of(finding: Finding, change: str | None) -> Polarity:
    """What has resolved or was taken out is not there."""
    gone = finding.status == "negative" or change == "gone" or details.is_removed(finding)
    return "absent" if gone else "present"


# ---- mentions of one finding, in findings and impression
LOOKED = 40
"""Earlier claims of a name that a mention may belong to."""


def merged(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    """Each present finding once; denials and normal structures as they stand."""
    kept: list[Claim] = []
    known: dict[str, list[int]] = {}
    for claim in claims:
        same = (n for n in known.get(claim.name, ())[-LOOKED:] if is_same(kept[n], claim))
        if (first := next(same, None)) is not None:
            kept[first] = merged_claim(kept[first], claim)
            continue
        for name in ancestors(claim.name):
            known.setdefault(name, []).append(len(kept))
        kept.append(claim)
    return tuple(kept)


def is_same(one: Claim, other: Claim) -> bool:
    """May the second be the first said again, by its name or a wider one?"""
    if one.polarity != "present" or other.polarity != "present":
        return False
    if one.name != other.name and (
        other.name not in ancestors(one.name) or (other.places and other.places != one.places)
    ):
        return False
    nested = {*one.places} <= {*other.places} or {*other.places} <= {*one.places}
    return nested and (one.side == other.side or "-" in (one.side, other.side))


def merged_claim(one: Claim, other: Claim) -> Claim:
    """The first mention, with what only the second tells."""
    lasting = ("where_words", "degree", "change", "acuity", "position")
    return replace(
        one,
        spans=tuple(dict.fromkeys((*one.spans, *other.spans))),
        phrases=tuple(dict.fromkeys((*one.phrases, *other.phrases))),
        told=max(one.told, other.told, key=len),
        places=sorted_union(one.places, other.places),
        side=other.side if one.side == "-" else one.side,
        traits=sorted_union(one.traits, other.traits),
        **{name: getattr(one, name) or getattr(other, name) for name in lasting},
    )


def sorted_union(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(sorted({*one, *other}))
