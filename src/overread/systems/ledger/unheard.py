"""Diseases that stand in words the reader has passed over: named all the same, with their place and denial."""

import re
from collections.abc import Iterator

from msgspec import structs
from msgspec.structs import replace

from overread.lexicon.words import bare
from overread.reader import Reading, SentenceReading
from overread.report.span import Span
from overread.systems.ledger.details import parsed
from overread.systems.ledger.diseases import WORD, Disease, Named, composed_in
from overread.systems.ledger.naming import by_rows
from overread.systems.ledger.places import regions
from overread.systems.ledger.schema import Claim, Where
from overread.systems.ledger.tables import degree_words, place_paths, sure_home, trait_words, traits
from overread.systems.ledger.where import places_named, side_in
from overread.systems.ledger.words import Words, overlaps

BODY = frozenset({"findings", "impression", "addendum", "other"})
ENDS = re.compile(r"[;:]|\b(?:but|however|although|there (?:is|are))\b", re.IGNORECASE)
"""What a denial does not reach across."""


SMALL_ORGANS = re.compile(r"\b(?:small|large)[ -](?:bowel|intestin\w*|airways?|vessels?|cells?|joints?)")
"""Degrees that are part of a name."""

NOT_BESIDE = frozenset({"same", "finer", "vaguer"})
NEAR = 40
"""Letters before a name in which its degree may stand."""


def unheard(reading: Reading, words: Words) -> list[Claim]:
    """Claims of diseases that no finding of the reading holds."""
    taken: dict[int, list[Span]] = {}
    for f in reading.findings:
        if f.kind != "device" or not words.is_of_appearance(f):
            taken.setdefault(f.sentence, []).append(f.span)
    return [
        claim(named, sentence, words)
        for sentence in reading.sentences
        if sentence.section in BODY and sentence.kind == "statement"
        for named in names_in(sentence, words)
        if is_free(named, sentence, words, taken.get(sentence.index, []))
    ]


def described_in(sentence: SentenceReading, words: Words) -> Iterator[Named]:
    """A structure that a sentence without findings describes: `gap of 3 cm in the torn Achilles tendon`."""
    text = words.text[sentence.span.start : sentence.span.end]
    places = [w for w in places_named(text) if w.path] if any(w in trait_words() for w in bare(text)) else []
    for token in WORD.finditer(text) if places else ():
        trait = trait_words().get(token[0].lower())
        if trait is not None:
            called = by_rows(traits()[trait], text, frozenset(places[0].path))
            start, end = (sentence.span.start + at for at in token.span())
            yield Named(Disease(called.name, None), start, end, 1)
            return


def names_in(sentence: SentenceReading, words: Words) -> Iterator[Named]:
    """Listed diseases, and words whose parts tell an organ and what it has."""
    listed = words.diseases.get(sentence.index, [])
    yield from listed
    if not listed and sentence.index not in words.starts:
        yield from described_in(sentence, words)
    start = sentence.span.start
    for made in composed_in(words.text[start : sentence.span.end]):
        one = structs.replace(made, start=made.start + start, end=made.end + start)
        if not any(one.start < n.end and n.start < one.end for n in listed):
            yield one


def is_free(named: Named, sentence: SentenceReading, words: Words, taken: list[Span]) -> bool:
    """Has the reading made no finding of these words? A denial that is part of a name made the wrong one."""
    return not any(overlaps(named, span) for span in taken) or holds_denial(named, sentence)


def holds_denial(named: Named, sentence: SentenceReading) -> bool:
    return any(named.start <= c.span.start < named.end and c.note == "negation" for c in sentence.cues)


def claim(named: Named, sentence: SentenceReading, words: Words) -> Claim:
    said = words.text[named.start : named.end]
    denied = is_denied(named, sentence, words)
    statement = " ".join(words.text[sentence.span.start : sentence.span.end].split())
    degree = degree_in(words.text[max(sentence.span.start, named.start - NEAR) : named.end])
    return Claim(
        name=named.disease.name,
        words=said,
        kind="finding",
        polarity="absent" if denied else "present",
        spans=(Span(named.start, named.end),),
        statement=statement,
        certainty="possible" if is_hedged(named, sentence) else "definite",
        where=() if denied else tuple(place_of(named, sentence, words)),
        degree=degree,
        degrees=frozenset() if degree is None else frozenset({degree}),
        size=parsed(statement),
        sentence=words.sentence(sentence.index),
    )


def degree_in(text: str) -> int | None:
    """
    >>> degree_in("Marked left epididymitis."), degree_in("Epididymitis.")
    (4, None)
    """
    words = re.findall(r"[a-z]+", SMALL_ORGANS.sub("", text.lower()))
    return max((degree_words()[word] for word in words if word in degree_words()), default=None)


def is_denied(named: Named, sentence: SentenceReading, words: Words) -> bool:
    """Does a denial before it reach it? One within its own name belongs to the name."""
    for cue in sentence.cues:
        if cue.note == "negation" and cue.span.end <= named.start:
            links = [
                c for c in sentence.cues if c.note == "link" and cue.span.end <= c.span.start < named.start
            ]
            if not links and not ENDS.search(words.text[cue.span.end : named.start]):
                return True
    return False


def is_hedged(named: Named, sentence: SentenceReading) -> bool:
    return any(c.note == "hedge" and c.span.end <= named.start for c in sentence.cues)


def place_of(named: Named, sentence: SentenceReading, words: Words) -> Iterator[Where]:
    """The place the sentence names, else the one the name tells; a side said alone counts."""
    before, after = words.between_findings(sentence, named)
    found = places_named(f"{before.rpartition(':')[2]} , {after}")
    told = words.text[named.start : named.end]
    own = side_in(told)
    within = [w for w in places_named(told) if w.path and own != "-"] if named.shown else []
    if within:
        yield within[0]
        return
    found = [replace(w, side=own) if w.side == "-" else w for w in found] or [Where((), own)] * (own != "-")
    at_home = sure_home(named.disease.name) if named.disease.site is None else []
    if at_home:
        found = [w if regions(Where(at_home[0]), w) in NOT_BESIDE else replace(w, path=()) for w in found]
    if named.disease.site is None:
        yield from (w for w in found[:1] if w.path or w.side != "-")
        return
    path = place_paths()[named.disease.site]
    inside = [w for w in found if w.path[: len(path)] == path]
    side = next((w.side for w in found if w.side != "-"), "-")
    yield inside[0] if inside else Where(path, side)
