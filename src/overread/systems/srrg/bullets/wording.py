"""Writing a bullet: the report's own words, without comparison, filler and blanks."""

import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile

from msgspec import structs

from overread.reader import Finding, Reading, SentenceReading
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.srrg.bullets.marking import (
    MARKS,
    Token,
    drop_links,
    letters,
    mark_out,
    tokenise,
    touched,
    words,
)
from overread.systems.srrg.bullets.mending import (
    drop_allowance,
    drop_appearance,
    drop_films,
    drop_missing_study,
    drop_opening,
    having,
    heal,
    relate,
)
from overread.systems.srrg.bullets.trimming import (
    EDGES,
    continued,
    finished,
    without_edges,
    without_identifiers,
)
from overread.systems.srrg.tables import WORDS


def bullet(
    reading: Reading,
    sentence: SentenceReading,
    group: Sequence[Finding],
    within: Span,
    goes_on: bool = False,
) -> str:
    """The words of `within` that speak of the findings of `group`, as one bullet.

    Words that go on about the statement before keep what links them to it: `compatible with scarring`; a cause
    in the patient's history stays with what it caused: `fibrosis due to radiation`.
    """
    ids = {f.id for f in group}
    beside = [f for f in reading.in_sentence(sentence.index) if f.id not in ids]
    others = [f for f in beside if f.kind != "history" or ids.isdisjoint(f.evidence)]
    tokens = tokenise(reading, within)
    if tokens and within.start == sentence.span.start:
        tokens[0].text = lowered(tokens[0].text)
    mark_out(tokens, sentence, group, others)
    spell_out(tokens, reading, group)
    having(tokens)
    drop_opening(tokens)
    drop_films(tokens, sentence)
    drop_missing_study(tokens)
    drop_allowance(tokens)
    heal(tokens, group)
    drop_links(tokens)
    drop_joints(tokens)
    drop_appearance(tokens)
    relate(tokens, goes_on)
    if goes_on:
        return without_identifiers(continued(words(tokens)))
    return without_identifiers(finished(denied(reading, group, tokens) or rephrased(group, tokens)))


def plain(reading: Reading, sentence: SentenceReading) -> str:
    """A whole sentence without comparison and blanks; a request may ask for a comparison."""
    tokens = tokenise(reading, sentence.span)
    asks = sentence.kind == "recommendation"
    mark_out(tokens, structs.replace(sentence, cues=(), changes=()) if asks else sentence, (), ())
    heal(tokens, ())
    drop_joints(tokens)
    return without_identifiers(finished(words(tokens)))


def lowered(word: str) -> str:
    """A sentence's first word as it looks further in; abbreviations keep their capitals.

    >>> lowered("The"), lowered("DISH"), lowered("T-spine")
    ('the', 'DISH', 'T-spine')
    """
    return word.lower() if word[1:].islower() and word[1:].isalpha() else word


def spell_out(tokens: list[Token], reading: Reading, group: Sequence[Finding]) -> None:
    """An entity that borrows its noun gets it: `cardiac` of `cardiac and mediastinal contours`."""
    for finding in group:
        own = [t for t in tokens if finding.span.overlaps(t.span)]
        if own and alike(reading.text(finding.span)).lower() != finding.entity.lower():
            first, *rest = finding.entity.split()
            own[0].text, own[0].mark = " ".join([lowered(first), *rest]), "own"
            for token in own[1:]:
                token.mark = "drop"


def drop_joints(tokens: list[Token]) -> None:
    """Conjunctions and commas that joined the group to words now gone."""
    forward = [*enumerate(tokens)]
    for n, token in (*forward, *reversed(forward)):
        if token.mark != "free" or token.word not in WORDS["joints"]:
            continue
        skipping = token.text in ",;"
        ahead = (tokens[m] for m in range(n - 1, -1, -1) if not (skipping and tokens[m].blank))
        behind = (tokens[m] for m in range(n + 1, len(tokens)) if not (skipping and tokens[m].blank))
        beside = (next(ahead, None), next(behind, None))
        if any(t is None or t.mark in ("other", "drop") for t in beside):
            token.mark = "drop"


def denied(reading: Reading, group: Sequence[Finding], tokens: list[Token]) -> list[str]:
    """The bullet of something absent; nothing when it is there.

    `The bones show no fracture` → `no fracture of the bones`; `the heart is not enlarged` stays as it is.
    """
    cue = next((e.span for f in group for e in f.trace if e.note == "denied"), None)
    if cue is None:
        return ["no", *without_edges(words(tokens))] if group[0].gone else []
    said = reading.text(cue)
    if stray(group[0], cue):
        return []
    no = denying(said, hedged=group[0].level == "doubtful")
    before = [t for t in tokens if t.span.start < cue.start]
    if group[0].kind == "structure" and any(t.mark == "own" for t in before):
        lacking = ["without"] if said.lower().startswith("without") else said.lower().split()[-1:]
        return [*otherwise_behind(group[0], before), *lacking, *words(tokens[len(before) :])]
    if any(t.mark == "own" for t in before) and FREE.match(said):
        return [*words(before), *said.lower().split()[-2:], *words(tokens[len(before) :])]
    opening = [t.text for t in before if t.word == "otherwise"]
    after = without_edges(words([t for t in tokens if t.span.start >= cue.start]))
    if [w.lower() for w in after[:2]] == ["look", "like"]:
        after = without_edges(after[2:])
    owned = without_edges([t.text for t in before if t.mark == "own"])
    if not after:
        return [*opening, *no, *(owned or [lowered(word) for word in group[0].entity.split()])]
    if [word.lower() for word in owned] == ["lungs"]:
        owned = []  # what is of the lung anyway
    return [*opening, *no, *after, *(["of", "the", *owned] if owned else [])]


def otherwise_behind(first: Finding, tokens: Sequence[Token]) -> list[str]:
    """`Otherwise, the lungs are clear` → `lungs otherwise clear`."""
    said = [t for t in tokens if t.word != "otherwise"]
    if len(said) == len(tokens):
        return words(tokens)
    subject = [t for t in said if t.span.start < first.span.end]
    return [*without_edges(words(subject)), "otherwise", *words(said[len(subject) :])]


def stray(finding: Finding, cue: Span) -> bool:
    """A `no` before a structure that is called normal denies nothing: it was left over."""
    normal = any("normality" in a.path for a in finding.values("measurement"))
    return finding.kind == "structure" and normal and cue.end <= finding.span.start


def denying(said: str, hedged: bool) -> list[str]:
    """The words of a denial that a bullet keeps.

    >>> denying("No other", hedged=False), denying("no evidence of", hedged=False)
    (['no', 'other'], ['no'])
    >>> denying("without typical findings of", hedged=False)
    ['no', 'typical', 'findings', 'of']
    """
    kept = re.sub(r"\s+evidence (of|for)$", "", said.lower())
    if (hedged and kept.startswith("no ")) or QUALIFIED.match(kept):
        return ["no", *kept.split()[1:]]
    return ["no"]


FREE = re.compile(r"(?:\w+ )*(?:free|clear) (?:of|from)$", re.IGNORECASE)
"""Said of the place: `lungs free of consolidation`."""

QUALIFIED = re.compile(r"(?:no|without) (?:(?:other|additional|further)$|typical )")
"""Denials of part of a thing: without these words they would deny all of it."""


def rephrased(group: Sequence[Finding], tokens: list[Token]) -> list[str]:
    """`Heart size is normal` → `normal heart size`, where the verb is followed by three words at most.

    `Bones are without abnormality` → `no abnormality of the bones`; `spine shows spurs` → `spurs of the spine`;
    `in the apex there is a nodule` → `nodule in the apex`.
    """
    kept = words(tokens)
    shows = next(
        (n for n, word in enumerate(kept[:-2]) if n and word in WORDS["shows"] and kept[n + 1] == "no"), None
    )
    if shows is not None and group[0].kind == "structure" and len(group) == 1:
        return [*kept[shows + 1 :], "of", "the", *without_edges(kept[:shows])]
    shown = shown_at(group, kept)
    if shown is not None:
        subject = without_edges(kept[:shown])
        of = ["of"] if subject[0] in WORDS["counting"] else ["of", "the"]
        nearer = (
            sum(bool(a.path) for a in group[0].values("location")) > 1
        )  # the silhouette shows a large aorta
        return kept[shown + 1 :] if nearer else [*kept[shown + 1 :], *of, *subject]
    there = next((n for n, t in enumerate(tokens) if t.word == "there"), None)
    if there is not None and kept and tokens[0].text in WORDS["placing"]:
        return [*without_edges(words(tokens[there:])), *trailed(words(tokens[:there]))]
    behind = predicate_at(group[0], tokens)
    if behind is None:
        return kept
    subject, predicate = without_edges(words(tokens[:behind])), trimmed(words(tokens[behind:]))
    if group[0].kind == "structure" and len(group) > 1:
        cut = next((n for n, word in enumerate(predicate) if word in WORDS["ending"]), 0)
        short = 0 < cut <= 2 and not {*predicate[:cut]} & (EDGES | WORDS["staying"])
        return [*predicate[:cut], *subject, *predicate[cut:]] if short else kept
    if len(group) != 1:
        return kept
    if predicate[:1] == ["without"] and group[0].kind == "structure":
        return ["no", *predicate[1:], "of", "the", *subject]
    if "otherwise" in subject and group[0].kind == "structure":
        return [*without_edges([word for word in subject if word != "otherwise"]), "otherwise", *predicate]
    return [*predicate, *subject] if goes_in_front(predicate, subject) else kept


def trailed(place: Sequence[str]) -> list[str]:
    """A place that stood in front, as it stands behind: without its comma."""
    end = next((n for n in range(len(place), 0, -1) if place[n - 1] not in WORDS["joints"]), 0)
    return list(place[:end])


def shown_at(group: Sequence[Finding], kept: Sequence[str]) -> int | None:
    """`The spine shows osteophytes`: where the verb stands whose subject is the place of the only finding."""
    verb = next((n for n, word in enumerate(kept) if word.lower() in WORDS["shows"]), None)
    if verb is None or len(group) != 1:
        return None
    subject = " ".join(without_edges(kept[:verb])).lower()
    return verb if any(a.text.lower() == subject for a in group[0].values("location")) else None


def predicate_at(first: Finding, tokens: Sequence[Token]) -> int | None:
    """Where it begins to be said how the first finding is: at the verb, or behind the noun: `heart size normal`."""
    verb = next((n for n, t in enumerate(tokens) if t.word in WORDS["copulas"] and t.mark == "drop"), None)
    if any(t.word == "which" for t in tokens[:verb]):
        return None
    if verb is not None:
        between = [t for t in tokens[:verb] if t.span.start >= first.span.end]
        return verb if tokens[verb].span.start >= first.span.end and not another_subject(between) else None
    behind = next((n for n, t in enumerate(tokens) if t.span.start >= first.span.end), len(tokens))
    told = letters(a.span for a in first.attributes)
    kept = [t for t in tokens[behind:] if t.mark in ("own", "free")]
    kept = list(takewhile(lambda t: t.word not in WORDS["ending"], kept))
    said = bool(kept) and all(touched(t, told) or t.word in WORDS["joints"] for t in kept)
    return behind if said and first.kind == "structure" else None


def another_subject(between: Sequence[Token]) -> bool:
    """Does something else stand between a finding and the verb: `left nodule; CT is recommended`?"""
    behind = list(dropwhile(lambda t: t.text not in MARKS, between))
    return any(t.mark == "free" and t.text not in MARKS for t in behind)


def trimmed(predicate: list[str]) -> list[str]:
    """`To be clear`: clear; `a normal appearance`, `normal in appearance`: normal; `tortuous but` has lost its end."""
    if predicate[:2] == ["to", "be"]:
        predicate = predicate[2:]
    if predicate[-1:] == ["appearance"]:
        predicate = without_edges(predicate[:-1])
    while predicate and predicate[-1] in ("but", "with"):
        predicate = predicate[:-1]
    return predicate


def goes_in_front(predicate: Sequence[str], subject: Sequence[str]) -> bool:
    """Adjectives, few or joined: `tortuous and calcified aorta`; `clear` only where it stands alone."""
    ends = [*predicate[:1], *predicate[-1:]]
    if (
        not predicate
        or any(word in WORDS["joints"] for word in ends)
        or not WORDS["counting"].isdisjoint(subject)
    ):
        return False
    told = [word for word in predicate if word not in ("and", ",")]
    most = 3 if len(told) == len(predicate) else 4
    return list(predicate) == ["clear"] or (len(told) <= most and not {*told} & (EDGES | WORDS["staying"]))
