"""Writing a bullet: the report's own words, without comparison, filler and blanks."""

import re
from collections.abc import Sequence

from msgspec import structs

from overread.reader import Finding, Reading, SentenceReading
from overread.report.marks import alike
from overread.report.span import Span
from overread.systems.srrg.blanks import heal
from overread.systems.srrg.carrying import (
    drop_appearance,
    drop_films,
    drop_missing_study,
    drop_opening,
    relate,
)
from overread.systems.srrg.identifiers import without_identifiers
from overread.systems.srrg.labelling import is_gone
from overread.systems.srrg.marking import COPULAS, Token, mark_out, tokenise, words, words_of
from overread.systems.srrg.trimming import EDGES, JOINTS, continued, finished, without_edges


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
    drop_opening(tokens)
    drop_films(tokens, sentence)
    drop_missing_study(tokens)
    heal(tokens, group)
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
        if token.mark != "free" or token.text.lower() not in JOINTS:
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
        return ["no", *without_edges(words(tokens))] if is_gone(group[0]) else []
    said = reading.text(cue)
    if stray(group[0], cue):
        return []
    no = denying(said, hedged=group[0].level == "doubtful")
    before = [t for t in tokens if t.span.start < cue.start]
    if group[0].kind == "structure" and any(t.mark == "own" for t in before):
        return [*words(before), *said.lower().split()[-1:], *words(tokens[len(before) :])]
    opening = [t.text for t in before if t.text.lower() == "otherwise"]
    after = without_edges(words([t for t in tokens if t.span.start >= cue.start]))
    if [w.lower() for w in after[:2]] == ["look", "like"]:
        after = without_edges(after[2:])
    owned = without_edges([t.text for t in before if t.mark == "own"])
    if not after:
        return [*opening, *no, *owned]
    return [*opening, *no, *after, *(["of", "the", *owned] if owned else [])]


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


QUALIFIED = re.compile(r"(?:no|without) (?:(?:other|additional|further)$|typical )")
"""Denials of part of a thing: without these words they would deny all of it."""


def rephrased(group: Sequence[Finding], tokens: list[Token]) -> list[str]:
    """`Heart size is normal` → `normal heart size`, where the verb is followed by three words at most.

    `Bones are without abnormality` → `no abnormality of the bones`.
    """
    kept = words(tokens)
    shows = next((n for n, word in enumerate(kept[:-2]) if n and word in SHOWS and kept[n + 1] == "no"), None)
    if shows is not None and group[0].kind == "structure" and len(group) == 1:
        return [*kept[shows + 1 :], "of", "the", *without_edges(kept[:shows])]
    verb = next((n for n, t in enumerate(tokens) if t.text.lower() in COPULAS and t.mark == "drop"), None)
    relative = any(t.text.lower() == "which" for t in tokens[:verb])
    if verb is None or relative or tokens[verb].span.start < group[0].span.end:
        return kept
    subject, predicate = without_edges(words(tokens[:verb])), words(tokens[verb:])
    if group[0].kind == "structure" and len(group) > 1:
        cut = next(
            (n for n, word in enumerate(predicate) if word in ("with", ",", "consistent", "suggesting")), 0
        )
        short = 0 < cut <= 2 and not {*predicate[:cut]} & (EDGES | STAYING)
        return [*predicate[:cut], *subject, *predicate[cut:]] if short else kept
    if len(group) != 1:
        return kept
    if predicate[:1] == ["without"] and group[0].kind == "structure":
        return ["no", *predicate[1:], "of", "the", *subject]
    short = 0 < len(predicate) <= 3 and not {*predicate} & (EDGES | STAYING)
    return [*predicate, *subject] if short else kept


SHOWS = words_of("show shows reveal reveals demonstrate demonstrates have has")
STAYING = words_of("clear limits within normally throughout bilaterally not")
"""Predicates that read better behind their subject."""
