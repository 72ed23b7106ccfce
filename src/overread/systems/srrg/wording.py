"""Writing a bullet: the report's own words, without comparison, filler and blanks."""

import re
from collections.abc import Sequence

from overread.reader import Finding, Reading, SentenceReading
from overread.report.span import Span
from overread.systems.srrg.identifiers import without_identifiers
from overread.systems.srrg.labelling import is_gone
from overread.systems.srrg.marking import COPULAS, Token, mark_out, tokenise, words, words_of

EDGES = words_of("""
    the a an and or but with without of in at on by to from as for which that than since nor and/or is are
    secondary due compatible consistent any be reveals reveal demonstrates demonstrate shows show represents
    represent reflects reflect , ; : . -
""")
"""Words a bullet neither begins nor ends with."""

PLACING = words_of("in at on within over along")
JOINTS = words_of("and or and/or nor , ;")


def bullet(reading: Reading, sentence: SentenceReading, group: Sequence[Finding], within: Span) -> str:
    """The words of `within` that speak of the findings of `group`, as one bullet."""
    others = [f for f in reading.findings if f.sentence == sentence.index and f not in group]
    tokens = tokenise(reading, within)
    if tokens and within.start == sentence.span.start:
        tokens[0].text = lowered(tokens[0].text)
    mark_out(tokens, sentence, group, others)
    spell_out(tokens, reading, group)
    drop_opening(tokens)
    drop_joints(tokens)
    return without_identifiers(finished(denied(reading, group, tokens) or rephrased(group, tokens)))


def plain(reading: Reading, sentence: SentenceReading) -> str:
    """A whole sentence without comparison and blanks."""
    tokens = tokenise(reading, sentence.span)
    mark_out(tokens, sentence, (), ())
    drop_joints(tokens)
    return without_identifiers(finished(words(tokens)))


def drop_opening(tokens: list[Token]) -> None:
    """What stands before `there is` and names no place: `For example, there is a nodule`."""
    there = next((n for n, t in enumerate(tokens) if t.text.lower() == "there"), 0)
    if not any(t.mark == "own" or t.text.lower() in PLACING for t in tokens[:there]):
        for token in tokens[:there]:
            token.mark = "drop" if token.text.lower() != "otherwise" else "free"


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
        if own and reading.text(finding.span).lower() != finding.entity.lower():
            first, *rest = finding.entity.split()
            own[0].text, own[0].mark = " ".join([lowered(first), *rest]), "own"
            for token in own[1:]:
                token.mark = "drop"


def drop_joints(tokens: list[Token]) -> None:
    """Conjunctions and commas that joined the group to words now gone."""
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        gone = [t for t in (before, after) if t is None or t.mark in ("other", "drop")]
        if token.mark == "free" and token.text.lower() in JOINTS and gone:
            token.mark = "drop"


def denied(reading: Reading, group: Sequence[Finding], tokens: list[Token]) -> list[str]:
    """The bullet of something absent; nothing when it is there.

    `The bones show no fracture` → `no fracture of the bones`; `the heart is not enlarged` stays as it is.
    """
    cue = next((e.span for f in group for e in f.trace if e.note == "denied"), None)
    if cue is None:
        return ["no", *without_edges(words(tokens))] if is_gone(group[0]) else []
    said = reading.text(cue)
    hedged = group[0].level == "doubtful" and said.lower().startswith("no ")
    no = re.sub(r"\s+evidence (of|for)$", "", said).lower().split() if hedged else ["no"]
    before = [t for t in tokens if t.span.start < cue.start]
    if group[0].kind == "structure" and any(t.mark == "own" for t in before):
        return [*words(before), *said.lower().split()[-1:], *words(tokens[len(before) :])]
    opening = [t.text for t in before if t.text.lower() == "otherwise"]
    after = without_edges(words([t for t in tokens if t.span.start >= cue.start]))
    owned = without_edges([t.text for t in before if t.mark == "own"])
    if not after:
        return [*opening, *no, *owned]
    return [*opening, *no, *after, *(["of", "the", *owned] if owned else [])]


def rephrased(group: Sequence[Finding], tokens: list[Token]) -> list[str]:
    """`Heart size is normal` → `normal heart size`, where the verb is followed by three words at most.

    `Bones are without abnormality` → `no abnormality of the bones`.
    """
    kept = words(tokens)
    verb = next((n for n, t in enumerate(tokens) if t.text.lower() in COPULAS and t.mark == "drop"), None)
    if verb is None or len(group) != 1 or tokens[verb].span.start < group[0].span.end:
        return kept
    subject, predicate = without_edges(words(tokens[:verb])), words(tokens[verb:])
    if predicate[:1] == ["without"] and group[0].kind == "structure":
        return ["no", *predicate[1:], "of", "the", *subject]
    short = 0 < len(predicate) <= 3 and not {*predicate} & (EDGES | STAYING)
    return [*predicate, *subject] if short else kept


STAYING = words_of("clear limits within normally")
"""Predicates that read better behind their subject."""


def finished(said: Sequence[str]) -> str:
    """Edges trimmed, commas closed up, first letter capital.

    >>> finished(["the", "left", "lung", ",", "at", "its", "base", "and", ","])
    'Left lung, at its base'
    """
    kept = without_edges(list(said))
    text = re.sub(r"\s+([,;:)])", r"\1", " ".join(kept)).replace("( ", "(")
    text = re.sub(r"([,;:])[,;: ]*([,;:])", r"\1", text)
    return text[:1].upper() + text[1:]


def without_edges(said: list[str]) -> list[str]:
    """
    >>> without_edges(["the", "left", "lung", "and", ","])
    ['left', 'lung']
    """
    first, last = 0, len(said)
    while first < last and said[first].lower() in EDGES:
        first += 1
    while last > first and said[last - 1].lower() in EDGES:
        last -= 1
    return said[first:last]
