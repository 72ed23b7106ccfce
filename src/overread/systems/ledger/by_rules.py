"""Reading → Account: what a report claims, each finding once."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.reader.wording import UNTOLD, by_side, in_own_words, spoken
from overread.systems.ledger.claims.details import (
    acuity_of,
    change_of,
    degree_of,
    degree_said,
    is_removed,
    position_of,
    sizes_of,
    traits_of,
)
from overread.systems.ledger.claims.diseases import respelt
from overread.systems.ledger.claims.mentions import merged
from overread.systems.ledger.claims.naming import Name, name_of, trait_name, words_of
from overread.systems.ledger.claims.where import places_of, where_said
from overread.systems.ledger.claims.words import (
    EXAM,
    advice,
    asked,
    context,
    disease_of,
    exam_side,
    is_many,
    is_verb,
    phrase_of,
    repeated,
    sentences_of,
    statement_of,
)
from overread.systems.ledger.schema import Account, Claim, Polarity, Sentence, Where
from overread.systems.ledger.tables import place_paths, sets, traits

BODY = frozenset({"findings", "impression", "addendum", "other"})

STATED = frozenset({"cardiac-history"})
"""History by the lexicon, and yet a finding where the images show it: aortic stenosis."""


REGIONS = frozenset({"head", "neck", "thorax", "abdomen", "pelvis", "spine"})

WHOLE = frozenset({"normal", "unremarkable"})


NOT_SHOWN = re.compile(
    r"(?:ologist|physician|surgeon|doctor|clinician|nurse|team|department|provider|resident)s?$|"
    + EXAM.pattern,
    re.I,
)
"""People and examinations, which no table knows either."""

SIDED = re.compile(r"\b(?:left|right)\b", re.IGNORECASE)
NORMAL = re.compile(r"\b(?:normal|unremarkable|negative)\b", re.IGNORECASE)
"""`MRI of the spine: normal.` says something, though of nothing in particular."""

UNSPOKEN = frozenset({"symptom", "history"})
"""Kinds that tell what the patient has told, not what the images show."""


def view(reading: Reading) -> Account:
    """All claims of a report, with what is known of the patient and what is recommended."""
    said, side = sentences_of(reading), exam_side(reading)
    wanted = asked(reading)
    found = [f for f in reading.findings if f.section in BODY and not reading.describes_another(f)]
    claims = [
        replace(claim, sentence=said[f.sentence], exam_side=side)
        for f in found
        if f.id not in wanted and counts(f)
        for claim in claims_of(f, reading)
    ]
    return Account(
        id=reading.report.id,
        claims=merged(claims),
        sentences=tuple(sentences(reading, said)),
        advice=advice(reading),
        context=context(reading),
        repeated=tuple(repeated(reading)),
        empty=not any(map(is_understood, found))
        and all(c.name.startswith("?") and not c.where for c in claims)
        and not NORMAL.search(reading.seen),
    )


def sentences(reading: Reading, said: dict[int, str]) -> Iterator[Sentence]:
    """Without the title of the examination before the first, unless it tells a side."""
    denying = {f.sentence for f in reading.findings if f.status == "negative"}
    for one in reading.sentences:
        if one.section in BODY and (text := said[one.index]):
            whole = " ".join(one.span.of(reading.report.text).split())
            told = whole if SIDED.search(whole.removesuffix(text)) else text
            yield Sentence(one.span, told, one.kind == "statement", one.index in denying)


def is_understood(finding: Finding) -> bool:
    """Is anything of it known: a word that no table knows, of which nothing is said, tells nothing."""
    return finding.kind != "open" or bool(finding.attributes)


def counts(finding: Finding) -> bool:
    """Does the finding claim something? `Findings are` claims nothing."""
    if (
        (finding.kind in UNSPOKEN and not is_seen(finding))
        or finding.concept in sets()["passing"]
        or is_verb(finding)
        or finding.entity.lower().endswith("biopsy")
        or (finding.kind == "open" and NOT_SHOWN.search(respelt(finding.entity)))
    ):
        return False
    if finding.status == "negative":
        return True
    if finding.kind == "generic":
        return disease_of(finding) is not None or (
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
    return finding.concept in STATED or disease_of(finding) is not None


def claims_of(finding: Finding, reading: Reading) -> Iterator[Claim]:
    """One claim for each place; a structure said to be so and so is called by what it has."""
    structure, disease = finding.kind == "structure", disease_of(finding)
    if structure and finding.status == "negative" and not is_denied_trait(finding):
        yield normal(finding, reading)
        return
    where = places_of(finding, None)
    places = {step for one in where for step in one.path} | ({finding.concept or ""} if structure else set())
    called = name_of(finding, phrase_of(finding), frozenset(places), disease)
    if len(apart := traits_apart(finding)) > 1 and disease is None:
        for one in apart:
            yield from claims_of(one, reading)
        return
    if structure and not (finding.implies or disease or trait_name(finding)):
        return
    where = told_places(finding, called, where)
    claim = described(finding, called.name, reading)
    if claim.polarity == "present":
        yield from split(claim, where)
    else:
        yield replace(claim, where=sided(where or region_of(finding)))


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


def region_of(finding: Finding) -> tuple[Where, ...]:
    """The part of the body that a denial is limited to: `no abdominal lymphadenopathy`, `no osseous abnormality`."""
    named = tuple(Where((a.concept,), a.side) for a in finding.values("location") if a.concept in REGIONS)
    if named or finding.kind != "generic" or finding.site not in place_paths():
        return named
    path = place_paths()[finding.site]
    return (Where(path if path[0] == "body" else path[:1]),)  # cardiopulmonary is said of the whole chest


def is_denied_trait(finding: Finding) -> bool:
    """`The aortic arch is not calcified` denies the one thing, and nothing else about the aorta."""
    said = finding.values("morphology", "measurement")
    return finding.status == "negative" and any(a.concept in traits() for a in said)


def told_places(finding: Finding, called: Name, where: tuple[Where, ...]) -> tuple[Where, ...]:
    """The places with what the name alone tells, and without what need not be said beside it."""
    if called.site:
        where = places_of(finding, called.site)
    concept = lexicon().concepts.get(called.name)
    implied = called.implied | ({concept.site} if concept else set())
    told = (w for w in where if w.path[:1] != ("body",) or w.side != "-" or w.towards)  # a vessel, a joint
    return tuple(Where((), w.side) if w.path and w.path[-1] in implied else w for w in told)


def described(finding: Finding, name: str, reading: Reading) -> Claim:
    """The claim without its place."""
    now, before = sizes_of(finding, reading.seen)
    change, degree = change_of(finding, now, before), degree_of(finding)
    device = finding.kind == "device"
    position, tip = position_of(name, finding, phrase_of(finding)) if device else (None, "")
    polarity = polarity_of(finding, change)
    if device and finding.status == "negative" and position == "bad":
        # `no dislodged lead`: the lead is there, and where it should be
        polarity, position = "present", "good"
    return Claim(
        name=name,
        words=words_of(finding, name),
        kind="device" if device else "general" if is_sweeping(finding) else "finding",
        polarity=polarity,
        spans=(finding.span,),
        statement=statement_of(finding, reading, polarity),
        told=spoken(in_own_words(reading, finding, UNTOLD)[0]),
        certainty=finding.level,
        where_words=where_said(finding),
        degree=degree,
        degrees=frozenset() if degree is None else frozenset({degree}),
        degree_words=degree_said(finding, degree),
        size=now,
        before=before,
        change=change,
        changes=frozenset() if change is None else frozenset({change}),
        acuity=acuity_of(finding),
        traits=traits_of(finding),
        position=position,
        positions=frozenset() if position is None else frozenset({position}),
        position_words=tip,
        many=is_many(finding),
        concept=finding.concept or "",
        sources=frozenset({finding.id}),
        evidence=frozenset(finding.evidence),
    )


def is_sweeping(finding: Finding) -> bool:
    """`No acute process` speaks of everything."""
    return finding.kind == "generic" and finding.status == "negative"


def polarity_of(finding: Finding, change: str | None) -> Polarity:
    """What has resolved or was taken out is not there."""
    gone = finding.status == "negative" or change == "gone" or is_removed(finding)
    return "absent" if gone else "present"


def normal(finding: Finding, reading: Reading) -> Claim:
    return Claim(
        name=finding.concept or finding.entity.lower(),
        words=finding.entity,
        kind="structure",
        polarity="normal",
        spans=(finding.span,),
        statement=statement_of(finding, reading, "normal"),
        told=spoken(in_own_words(reading, finding, UNTOLD)[0]),
        where=sided(places_of(finding, None)),
    )


def sided(where: tuple[Where, ...]) -> tuple[Where, ...]:
    """Both sides denied: every side is."""
    return tuple(replace(w, side="-") if w.side == "both" else w for w in where)


def split(claim: Claim, where: tuple[Where, ...]) -> Iterator[Claim]:
    """A claim for each place and each side, sharing its weight.

    `Bilateral effusions` are two: a candidate that sees one of them is half right.
    """
    where = tuple(w for w in where if w.path or w.side != "-" or w.towards)
    parts = [
        replace(w, side=side)
        for w in where
        for side in (("left", "right") if w.side == "both" else (w.side,))
    ]
    if not parts:
        yield claim
    sides = dict(zip(("left", "right"), by_side(claim.told), strict=False))
    for part in parts:
        told = sides[part.side] if len(sides) == 2 and part.side in sides else claim.told
        yield replace(claim, where=(part,), share=1 / len(parts), told=told)
