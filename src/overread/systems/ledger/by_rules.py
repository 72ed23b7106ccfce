"""Reading → Account: what a report claims, each finding once."""

import re
from collections.abc import Iterator

from msgspec.structs import replace

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding, Reading
from overread.systems.ledger.details import (
    acuity_of,
    change_of,
    degree_of,
    degree_said,
    is_removed,
    position_of,
    sizes_of,
    traits_of,
)
from overread.systems.ledger.diseases import respelt
from overread.systems.ledger.mentions import merged
from overread.systems.ledger.naming import Name, name_of, trait_name, words_of
from overread.systems.ledger.schema import Account, Claim, Polarity, Sentence, Where
from overread.systems.ledger.spoken_places import placed, shared, with_places
from overread.systems.ledger.surroundings import advice, context, repeated
from overread.systems.ledger.tables import EVEN, place_paths, traits
from overread.systems.ledger.unheard import unheard
from overread.systems.ledger.where import places, places_of, where_said
from overread.systems.ledger.words import EXAM, Words, is_verb, overlaps

BODY = frozenset({"findings", "impression", "addendum", "other"})
PASSING = frozenset(
    {"surgery", "abdominal-surgery", "cranial-surgery", "orthopedic-procedure", "thoracentesis", "biopsy"}
)
"""Procedures that say when a film was taken, not what it shows."""

STATED = frozenset({"cardiac-history"})
"""History by the lexicon, and yet a finding where the images show it: aortic stenosis."""

WALLS = frozenset({"thickened", "dilated", "narrowed", "distended", "calcified"})
"""Traits of structures; fluid or air cannot have them."""

LOCATED = frozenset({"abnormality", "injury", "disease", "pleural-abnormality"})
"""Words for something wrong, which tell a little where they tell the place."""

REGIONS = frozenset({"head", "neck", "thorax", "abdomen", "pelvis", "spine"})
APART = frozenset(
    {"tortuous", "calcified", "atherosclerotic", "enlarged", "dilated", "narrowed", "thickened", "flattened"}
)
"""Traits that are two findings where a structure has two of them."""

BESIDE_HEART = {"right": "middle-lobe", "left": "lingula"}
INTRACRANIAL = frozenset(
    f"hemorrhage/{space}" for space in ("subdural", "epidural", "subarachnoid", "intraventricular")
)
"""Bleeding whose name says that it is inside the skull."""

WHOLE = frozenset({"normal", "unremarkable"})
FILLED = frozenset({"distended", "shrunken", "collapsed"})
TISSUE = frozenset({"dense", "heterogeneous", "fatty", "scattered", "homogeneous"})
"""How dense a breast is: told of every one."""

SOUND = frozenset(
    {"intact", "preserved", "normal", "unremarkable", "patent", "maintained", "symmetric", "congruent"}
)

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
    words = Words(reading)
    spoken = shared(with_places([placed(f, words) for f in reading.findings if f.section in BODY]), words)
    claims = [claim for f in spoken if counts(f, words) for claim in claims_of(f, words)]
    claims += unheard(reading, words)
    return Account(
        id=reading.report.id,
        claims=merged(claims),
        sentences=tuple(sentences(reading, words)),
        advice=advice(reading),
        context=context(reading),
        repeated=repeated(reading),
        empty=not any(map(is_understood, spoken))
        and all(c.name.startswith("?") and not c.where for c in claims)
        and not NORMAL.search(reading.seen),
    )


def sentences(reading: Reading, words: Words) -> Iterator[Sentence]:
    """Without the title of the examination before the first, unless it tells a side."""
    denying = {f.sentence for f in reading.findings if f.status == "negative"}
    for one in reading.sentences:
        if one.section in BODY and (text := words.sentence(one.index)):
            whole = " ".join(reading.report.text[one.span.start : one.span.end].split())
            title = whole.removesuffix(text)
            said = whole if SIDED.search(title) else text
            yield Sentence(one.span, said, one.kind == "statement", one.index in denying)


def is_understood(finding: Finding) -> bool:
    """Is anything of it known: a word that no table knows, of which nothing is said, tells nothing."""
    return finding.kind != "open" or bool(finding.attributes)


def counts(finding: Finding, words: Words) -> bool:
    """Does the finding claim something? `No other fracture` and `findings are` claim nothing."""
    if (
        (finding.kind in UNSPOKEN and not is_seen(finding, words))
        or finding.concept in PASSING
        or is_verb(finding)
        or words.is_of_device(finding)
        or words.is_asked(finding)
        or (finding.kind == "device" and words.is_of_appearance(finding))
        or (finding.concept == "side-port" and finding.sentence in words.devices)
        or finding.entity.lower().endswith("biopsy")
        or (finding.concept == "cabg" and words.is_past(finding))
    ):
        return False
    if finding.kind == "open" and (NOT_SHOWN.search(respelt(finding.entity)) or words.is_negative(finding)):
        return False
    if finding.status == "positive" and words.is_sound(finding):
        return False
    if finding.status == "negative":
        return not words.says_other(finding) and not words.is_named_by_denial(finding)
    if finding.kind == "generic":
        told = words.disease(finding) is not None or bool(words.kind_words(finding))
        return told or (finding.concept in LOCATED and is_located(finding))
    return not is_sound(finding) and not words.is_called_normal(finding) and not is_filled(finding, words)


def is_filled(finding: Finding, words: Words) -> bool:
    """`The bladder is partly distended and unremarkable`: a hollow organ may be full or empty."""
    if finding.kind != "structure" or not {a.concept for a in finding.values("morphology")} & FILLED:
        return False
    return any(
        f.concept == finding.concept and f.status == "negative"
        for f in words.reading.in_sentence(finding.sentence)
    )


def is_located(finding: Finding) -> bool:
    """`Aortic abnormality`, `ligamentous injury of the knee`: vague, and said of one place."""
    return finding.site is not None or any(a.path and a.path[0] != "body" for a in finding.values("location"))


def is_sound(finding: Finding) -> bool:
    """Is a structure, also one taken for a finding, said to be normal: `collateral ligaments are intact`?"""
    told = {a.concept for a in finding.values("morphology")}
    if finding.kind == "structure":
        return bool(told & WHOLE) or (finding.concept == "breast" and bool(told) and told <= TISSUE)
    even = finding.concept == "enhancement" and told & EVEN
    return finding.kind in ("finding", "open") and bool(told & SOUND or even)


def is_seen(finding: Finding, words: Words) -> bool:
    """History by the lexicon, and yet shown by the images: `wall thickening in keeping with colitis`."""
    if finding.values("past_hx"):
        return False
    return finding.concept in STATED or words.disease(finding) is not None


def claims_of(finding: Finding, words: Words) -> Iterator[Claim]:
    """One claim for each place; a structure said to be so and so is called by what it has."""
    phrase = words.phrase(finding)
    if finding.kind == "structure" and finding.status == "negative" and not is_denied_trait(finding):
        yield normal(finding, words.statement(finding, "normal"))
        return
    where = places_of(finding, None)
    if not is_placed(where):
        where = words.place_beside(finding) or where
    if not is_placed(where):
        where = words.organ_with(finding, where)
    if not is_placed(where):
        where = organ_of_first(finding, words) or where
    where = words.with_hour(finding, where)
    own = {finding.concept or ""} if finding.kind == "structure" else set[str]()
    if finding.kind == "generic" and finding.status == "positive":  # Perthes disease
        phrase = " ".join((*sorted(words.kind_words(finding)), finding.entity))
    called = name_of(finding, phrase, places_in(where) | own, words.disease(finding))
    yield from beside(finding, words)
    if len(apart := traits_apart(finding)) > 1 and not words.disease(finding):
        for one in apart:
            yield from claims_of(one, words)
        return
    told = finding.implies or words.disease(finding) or has_trait(finding, words)
    if finding.kind == "structure" and not told:
        return
    where = told_places(finding, called, where)
    if finding.kind == "structure" and words.is_of_appearance(
        finding
    ):  # wide sulci are no place of the atrophy
        where = tuple(Where((), w.side) for w in where if w.side != "-")
    claim = described(finding, called.name, words)
    if claim.polarity == "present":
        yield from split(claim, where)
    else:
        yield replace(claim, where=sided(where or region_of(finding)))


def is_placed(where: tuple[Where, ...]) -> bool:
    """Is an organ told, and not only a kind of tissue?"""
    return any(w.path and w.path[0] != "body" for w in where)


def organ_of_first(finding: Finding, words: Words) -> tuple[Where, ...]:
    """`Gallstones with wall thickening`: the wall is of the organ that the first finding is in."""
    first = words.reading.in_sentence(finding.sentence)[0]
    walled = any(a.concept == "wall" for a in finding.values("location"))
    if not walled or first is finding or first.kind != "finding":
        return ()
    site = name_of(first, words.phrase(first), frozenset()).site
    return (Where(place_paths()[site]),) if site in place_paths() else ()


def traits_apart(finding: Finding) -> list[Finding]:
    """A structure with several things wrong, once for each: `tortuous and calcified aorta`."""
    if finding.kind != "structure" or finding.status == "negative":
        return []
    told = [a for a in finding.values("morphology", "measurement") if a.concept in traits()]
    named = {traits()[a.concept]: a for a in told if a.concept in APART}
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


def has_trait(finding: Finding, words: Words) -> bool:
    """Is a structure said to be something, in words that are not the name of a disease in it?"""
    named = words.diseases.get(finding.sentence, ())
    return trait_name(finding) is not None and not any(
        overlaps(one, a.span) for one in named for a in finding.values("morphology", "measurement")
    )


def beside(finding: Finding, words: Words) -> Iterator[Claim]:
    """`Thickened gallbladder wall and pericholecystic fluid`: what is said of the structure that shares a place."""
    if finding.kind == "structure" or finding.status == "negative":
        return
    for trait in finding.values("morphology"):
        for place in finding.values("location"):
            if (
                trait.concept in WALLS
                and 0 <= place.span.start - trait.span.end <= 1
                and (" and " in place.text or words.is_around(trait.span))
            ):
                structure = replace(
                    finding,
                    kind="structure",
                    concept=place.concept,
                    entity=place.text.split(" and ")[0],
                    attributes=(trait, place),
                )
                yield from claims_of(structure, words)


def told_places(finding: Finding, called: Name, where: tuple[Where, ...]) -> tuple[Where, ...]:
    """The places with what the name alone tells, and without what need not be said beside it."""
    if called.site:
        where = places_of(finding, called.site)
    if "/" in called.name and not any(w.path for a in finding.values("location") for w in places(a)):
        where = tuple(replace(w, path=()) for w in where)
    if called.name == "deep-vein-thrombosis":  # `femoral thrombosis` is in no bone
        where = tuple(replace(w, path=()) if w.path[-1:] == ("femur",) else w for w in where)
    if called.name == "free-air":  # under both halves of the diaphragm is simply free
        return tuple(Where((), w.side) for w in where if w.side in BESIDE_HEART)
    if called.name == "fissure-shift":  # it shows a lobe beside it
        where = tuple(replace(w, path=(), towards=frozenset()) for w in where)
    where = tuple(lobe_beside(w, called.name) for w in where)
    concept = lexicon().concepts.get(called.name)
    implied = called.implied | ({concept.site} if concept else set())
    if called.name in INTRACRANIAL:
        implied |= {"brain", "head"}
    where = tuple(
        w for w in where if w.path[:1] != ("body",) or w.side != "-" or w.towards
    )  # a vessel, a joint
    return tuple(Where((), w.side) if w.path and w.path[-1] in implied else w for w in where)


def lobe_beside(where: Where, name: str) -> Where:
    """The lobe that a hidden border shows: filled lung beside the right heart border is middle lobe."""
    hidden = where.path[-1:] == ("heart-border",) or (
        name == "silhouetting" and where.path[-1:] == ("heart",)
    )
    if hidden and where.side in BESIDE_HEART:
        return replace(where, path=place_paths()[BESIDE_HEART[where.side]])
    if name == "silhouetting" and where.path[-1:] == ("diaphragm",):
        return replace(where, path=place_paths()["lower-lobe"])
    return where


def places_in(where: tuple[Where, ...]) -> frozenset[str]:
    return frozenset(step for one in where for step in one.path)


def described(finding: Finding, name: str, words: Words) -> Claim:
    """The claim without its place."""
    now, before = sizes_of(finding, words.text, words.tail(finding))
    change, degree = change_of(finding, now, before), degree_of(finding)
    device = finding.kind == "device"
    position, tip = position_of(name, finding, words.of_device(finding)) if device else (None, "")
    polarity = "absent" if words.is_replaced(finding) else polarity_of(finding, change)
    if device and finding.status == "negative" and position == "bad":
        polarity, position = (
            "present",
            "good",
        )  # `no dislodged lead`: the lead is there, and where it should be
    return Claim(
        name=name,
        words=words_of(finding, name),
        kind="device" if device else "general" if is_sweeping(finding) else "finding",
        polarity=polarity,
        spans=(finding.span,),
        statement=words.statement(finding, polarity),
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
        traits=frozenset()
        if words.is_of_appearance(finding)
        else traits_of(finding) | words.kind_before(finding),
        position=position,
        positions=frozenset() if position is None else frozenset({position}),
        position_words=tip,
        many=words.is_many(finding),
        concept=finding.concept or "",
        kind_words=words.kind_words(finding),
        sentence=words.sentence(finding.sentence),
        sources=frozenset({finding.id}),
        evidence=frozenset(finding.evidence),
        exam_side=words.exam_side,
    )


def is_sweeping(finding: Finding) -> bool:
    """`No acute process` speaks of everything."""
    return finding.kind == "generic" and finding.status == "negative"


def polarity_of(finding: Finding, change: str | None) -> Polarity:
    """What has resolved or was taken out is not there."""
    gone = finding.status == "negative" or change == "gone" or is_removed(finding)
    return "absent" if gone else "present"


def normal(finding: Finding, phrase: str) -> Claim:
    return Claim(
        name=finding.concept or finding.entity.lower(),
        words=finding.entity,
        kind="structure",
        polarity="normal",
        spans=(finding.span,),
        statement=phrase,
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
    for part in parts:
        yield replace(claim, where=(part,), share=1 / len(parts))
