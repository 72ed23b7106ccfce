"""Drafts → findings: status, level and concept decided, attributes in order."""

from overread.lexicon.lexicon import Lexicon
from overread.reader.drafts import RELATIONS, Draft, Held
from overread.reader.places import place_noun, places_of
from overread.reader.reading import Attribute, Finding, Level
from overread.report import Section, Sentence
from overread.report.marks import alike
from overread.report.span import Span

MODALITIES = frozenset({"ct", "mri", "ultrasound", "nuclear"})
CONCLUDED = frozenset({"edema", "lymphadenopathy", "aneurysm"})
"""Seen, or concluded from what is seen: `density concerning for lymphadenopathy`."""

ORDER = {name: n for n, name in enumerate(RELATIONS)}


def split_mixed(drafts: list[Draft]) -> list[Draft]:
    """`Hyperexpanded but clear lungs` says two things of one structure."""
    found: list[Draft] = []
    for draft in drafts:
        mixed = draft.kind == "structure" and not draft.negated and len(draft.held) > 1
        found += parts_of(draft) if mixed else (draft,)
    return found


def parts_of(draft: Draft) -> list[Draft]:
    """A structure as it is normal, and as it is not."""
    normal = [h for h in draft.held if h.normal]
    told = [h for h in draft.held if h.row is not None and h.relation != "distribution"]  # no size, no extent
    abnormal = [h for h in told if h.abnormal and not h.normal]
    if not normal or not abnormal:
        return [draft]
    other = draft.once_more()
    other.held = [h for h in draft.held if h not in abnormal]
    draft.held = [h for h in draft.held if h not in normal]
    return [draft, other]


def finding(
    text: str, draft: Draft, section: Section, sentence: Sentence, ids: dict[int, str], lex: Lexicon
) -> Finding:
    negative = draft.negated is not None or draft.is_normal
    level = level_of(draft, negative)
    attributes = attributes_of(text, draft.held, lex) if draft.held else ()
    name = refined(draft, lex)
    concept = lex.concepts.get(name or "")
    category = concept.category if concept else "PF"
    elsewhere = category in ("COF", "NCD")  # AIDS, a stroke, a white cell count: no film shows them
    if draft.kind == "generic" and draft.site == "lung":  # a judgement on the whole, and no part of it
        category = "CF"
    if draft.evidence and name in CONCLUDED:
        category = "CF"
    if draft.held and seen_elsewhere(draft):
        category = "NCD"
    elif section.name == "indication" and not elsewhere:
        asked = draft.hedge is not None and draft.kind in ("finding", "diagnosis")
        category = "CF" if asked else "PATIENT INFO"
    tentative = level == "doubtful" or (draft.hedge is not None and not negative)
    return Finding(
        ids[id(draft)], section.name, sentence.index,
        alike(draft.entity), Span(draft.start, draft.end), name, draft.kind, category,
        draft.site or (concept.site if concept else None),
        "negative" if negative else "positive", "tentative" if tentative else "definitive", level,
        attributes,
        known_ids(draft.associate, ids) if draft.associate else (),
        known_ids(draft.evidence, ids) if draft.evidence else (),
        tuple(draft.trace),
    )  # fmt: skip


def known_ids(drafts: tuple[Draft, ...], ids: dict[int, str]) -> tuple[str, ...]:
    return tuple([ids[id(d)] for d in drafts if id(d) in ids])


def seen_elsewhere(draft: Draft) -> bool:
    """`Effusion seen on ultrasound`: another picture shows it, and this one adds nothing to it."""
    sources = [h.row for h in draft.held if h.relation == "other_source" and h.row is not None]
    if not sources:
        return False
    other = any(row.path[:1] == ("image",) and row.concept in MODALITIES for row in sources)
    known = all(h.relation in ("other_source", "location", "past_hx") for h in draft.held)
    return other and known and draft.kind in ("finding", "diagnosis") and not draft.associate


def refined(draft: Draft, lex: Lexicon) -> str | None:
    """The concept that head and attributes make together: a nodular opacity is a nodule."""
    if draft.concept not in lex.compounding:
        return draft.concept
    for held in draft.held:
        rows = [place_noun(run) for run in held.runs] if held.runs else [held.row]
        for row in rows:
            exact = lex.compounds.get((draft.concept, f"{held.relation}-exact", row.concept)) if row else None
            if exact is not None:
                return exact
            for step in (row.concept, *reversed(row.path)) if row else ():
                become = lex.compounds.get((draft.concept, held.relation, step))
                if become is not None:
                    return become
    return draft.concept


def level_of(draft: Draft, negative: bool) -> Level:
    for held in draft.held if not negative else ():
        if held.row is not None and held.row.concept == "borderline":
            return "possible"
    if draft.negated == "absent-likely":
        return "doubtful"
    if draft.hedge is None or negative:
        return "definite"
    return "probable" if draft.hedge == "probable" else "possible"


def attributes_of(text: str, held: list[Held], lex: Lexicon) -> tuple[Attribute, ...]:
    """In the order of their relations, then of the text."""
    found = [attribute(text, h, lex) for h in held]
    if len(found) > 1:
        found.sort(key=lambda a: (ORDER[a.relation], a.span.start))
    return tuple(found)


def attribute(text: str, held: Held, lex: Lexicon) -> Attribute:
    row = held.row
    words = alike(text[held.start : held.end])
    places = places_of(text, held.runs, lex) if held.runs else ()
    if places:
        sides = {p.side for p in places} - {"-"}
        side = "both" if len(sides) > 1 else next(iter(sides), "-")
        first = next((p for p in places if p.path), places[0])
        return Attribute(held.relation, words, Span(held.start, held.end), first.concept, first.path, side,
                         held.by or (row.id if row else "place"), places)  # fmt: skip
    return Attribute(
        held.relation,
        words,
        Span(held.start, held.end),
        row.concept if row else words.lower(),
        row.path if row else ("size",) if held.relation == "measurement" else (),
        row.side if row else "-",
        held.by or (row.id if row else "measure"),
    )
