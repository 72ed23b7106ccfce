"""What a blank leaves behind: words that lost their noun go, or are given the only noun there can be."""

import re
from collections.abc import Iterator, Sequence

from overread.reader import Finding
from overread.systems.srrg.marking import MARKS, Token, letters, touched, words_of

PREPOSITIONS = words_of("of with from to in at on by for within over along near")
ARTICLES = words_of("the a an")
STOPS = MARKS | words_of("""
    and or but nor is are was were appear appears remain remains has have which that bilaterally
""")
"""What may follow a phrase that is over."""

ADJECTIVE = re.compile(r".{3,}(?:ary|al|ar|ic|ous)", re.IGNORECASE)
"""`Pulmonary XXXX and mediastinum`: without its noun the word says nothing."""

DATINGS = words_of("remote old prior previous chronic acute healed")
ANGLED = words_of("costophrenic cardiophrenic")
"""`Left costophrenic XXXX`: an angle."""

PARTLY = words_of("partially partly mostly")
"""`Accentuated at XXXX partially by`: the blank belongs to `at`."""

SIDES = words_of("left right both bilateral")
PARTS = words_of("segment portion aspect part")
"""`Superior segment XXXX the left lower lobe` lost a preposition, not a noun."""


def heal(tokens: list[Token], group: Sequence[Finding]) -> None:
    """Close the sentence over each run of blanks."""
    for begin, end in runs(tokens):
        before = tokens[begin - 1] if begin else None
        after = tokens[end] if end < len(tokens) else None
        if named(tokens[begin], tokens[:begin], tokens[end:], group):
            continue
        if before is not None and over(tokens[end:]):
            drop_orphans(tokens[:begin], group)
        if after is not None and before is not None:
            bridge(tokens[begin:end], tokens[:begin], tokens[end:], group)


def over(after: Sequence[Token]) -> bool:
    """Is the phrase that lost its noun over? In `consistent with XXXX of scarring` it goes on."""
    if not after or after[0].text.lower() in STOPS:
        return True
    goes_on = after[0].text.lower() == "of" and not is_article(after[1:2])
    return after[0].text.lower() in PREPOSITIONS and not goes_on


def is_article(tokens: Sequence[Token]) -> bool:
    return bool(tokens) and tokens[0].text.lower() in ARTICLES


def runs(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where blanks stand, as half-open ranges of tokens."""
    begin = None
    for n, token in enumerate(tokens):
        if token.blank and begin is None:
            begin = n
        elif not token.blank and begin is not None:
            yield begin, n
            begin = None
    if begin is not None:
        yield begin, len(tokens)


def named(blank: Token, before: Sequence[Token], after: Sequence[Token], group: Sequence[Finding]) -> bool:
    """Give a blank its noun where only one is possible: a device, a costophrenic angle, lymph nodes."""
    if touched(blank, letters(f.span for f in group if f.kind == "device")):
        blank.text, blank.mark = "device", "own"
        return True
    if not before or before[-1].mark != "own" or before[-1].text.lower() not in ANGLED:
        return of_the_aorta(before, after) or lymph_nodes(blank, before)
    adjective = bool(after) and touched(after[0], letters(f.span for f in group))
    side = next((t.text.lower() for t in reversed(before) if t.text.lower() in SIDES), "")
    blank.text, blank.mark = "angle" if adjective or side in ("left", "right") else "angles", "own"
    return True


def of_the_aorta(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """`Atherosclerosis of the aortic XXXX`: whatever part of it, the aorta."""
    if [t.text.lower() for t in before[-2:]] == ["the", "aortic"] and over(after):
        before[-1].text = "aorta"
        return True
    return False


def lymph_nodes(blank: Token, before: Sequence[Token]) -> bool:
    """`Calcified lymph XXXX`: nodes."""
    if not before or before[-1].mark == "drop" or before[-1].text.lower() != "lymph":
        return False
    one = any(t.text.lower() in ("a", "an") for t in before[-4:])
    blank.text, blank.mark = "node" if one else "nodes", "own"
    return True


def drop_orphans(before: Sequence[Token], group: Sequence[Finding]) -> None:
    """Words that led to a noun now gone: `loss of XXXX`, `pulmonary XXXX`, `consistent with remote XXXX`."""
    last = before[-1]
    if last.mark == "free" and ADJECTIVE.fullmatch(last.text):
        last.mark = "drop"
    nouns = letters(s for f in group for s in (f.span, *(a.span for a in f.values("location"))))
    n = len(before)
    while n and (before[n - 1].text.lower() in ARTICLES or described(before[n - 1], nouns)):
        n -= 1
    if n and before[n - 1].text.lower() in PREPOSITIONS and not touched(before[n - 1], nouns):
        for token in before[n - 1 :]:
            token.mark = "drop"


def described(token: Token, nouns: frozenset[int]) -> bool:
    """Is the word an attribute or a dating, and no finding or place?"""
    own = token.mark == "own" and not touched(token, nouns)
    return own or (token.mark == "free" and token.text.lower() in DATINGS)


def bridge(
    gap: Sequence[Token], before: Sequence[Token], after: Sequence[Token], group: Sequence[Finding]
) -> None:
    """Join what stands on both sides of a blank."""
    first, last = after[0], before[-1]
    if first.text.lower() == "of" and not is_article(after[1:2]):
        first.mark = "drop"
    elif first.text.lower() == "the" and last.text.lower() in PARTS:
        gap[0].text, gap[0].mark = "of", "free"
    elif lost_degree(last, first):
        last.mark = "drop"
    elif first.text.lower() == "to" and [t.text.lower() for t in after[1:2]] in (["represent"], ["reflect"]):
        first.mark = "drop"
    elif last.mark == "own" and last.text != "," and explains(first, last, group):
        gap[0].text, gap[0].mark = ",", "free"


def lost_degree(last: Token, first: Token) -> bool:
    """Did the blank say how much or how surely? `at XXXX partially`, `most XXXX representing`"""
    before, after = last.text.lower(), first.text.lower()
    if before == "at":
        return after in PARTLY
    return before in ("most", "more") and after.startswith(("represent", "reflect"))


def explains(first: Token, last: Token, group: Sequence[Finding]) -> bool:
    """Is a second finding named straight behind the blank, and one before it? `opacity XXXX atelectasis`"""
    spans = {f.id: letters([f.span, *(a.span for a in f.attributes)]) for f in group}
    behind = {f.id for f in group if touched(first, spans[f.id])}
    ahead = {f.id for f in group if touched(last, spans[f.id])}
    return bool(behind and ahead) and behind.isdisjoint(ahead)
