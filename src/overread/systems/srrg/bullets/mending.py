"""Sentences mended into bullets: what a blank leaves behind, and the words that carry a sentence."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise, takewhile

from overread.reader import Finding, SentenceReading
from overread.report.span import Span
from overread.systems.srrg.bullets.marking import MARKS, Token, letters, touched, words
from overread.systems.srrg.tables import WORDS

# ---- blanks: words that lost their noun go, or are given the only noun there can be
STOPS = MARKS | WORDS["stops"]
"""What may follow a phrase that is over."""

ADJECTIVE = re.compile(r".{3,}(?:ary|al|ar|ic|ous)", re.IGNORECASE)
"""`Pulmonary XXXX and mediastinum`: without its noun the word says nothing."""


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
    if not after or after[0].word in STOPS:
        return True
    goes_on = after[0].word == "of" and not is_article(after[1:2])
    return after[0].word in WORDS["prepositions"] and not goes_on


def is_article(tokens: Sequence[Token]) -> bool:
    return bool(tokens) and tokens[0].word in WORDS["articles"]


def runs(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """Where blanks stand, as half-open ranges of tokens."""
    for blank, places in groupby(range(len(tokens)), key=lambda n: tokens[n].blank):
        run = list(places)
        if blank:
            yield run[0], run[-1] + 1


def named(blank: Token, before: Sequence[Token], after: Sequence[Token], group: Sequence[Finding]) -> bool:
    """Give a blank its noun where only one is possible: a device, a costophrenic angle, lymph nodes."""
    if touched(blank, letters(f.span for f in group if f.kind == "device")):
        blank.text, blank.mark = "device", "own"
        return True
    if not before or before[-1].mark != "own" or before[-1].word not in WORDS["angled"]:
        return of_the_aorta(before, after) or lymph_nodes(blank, before)
    adjective = bool(after) and touched(after[0], letters(f.span for f in group))
    side = next((t.word for t in reversed(before) if t.word in WORDS["sides"]), "")
    blank.text, blank.mark = "angle" if adjective or side in ("left", "right") else "angles", "own"
    return True


def of_the_aorta(before: Sequence[Token], after: Sequence[Token]) -> bool:
    """`Atherosclerosis of the aortic XXXX`: whatever part of it, the aorta."""
    if [t.word for t in before[-2:]] == ["the", "aortic"] and over(after):
        before[-1].text = "aorta"
        return True
    return False


def lymph_nodes(blank: Token, before: Sequence[Token]) -> bool:
    """`Calcified lymph XXXX`: nodes."""
    if not before or before[-1].mark == "drop" or before[-1].word != "lymph":
        return False
    one = any(t.word in ("a", "an") for t in before[-4:])
    blank.text, blank.mark = "node" if one else "nodes", "own"
    return True


def drop_orphans(before: Sequence[Token], group: Sequence[Finding]) -> None:
    """Words that led to a noun now gone: `loss of XXXX`, `pulmonary XXXX`, `consistent with remote XXXX`."""
    last = before[-1]
    if last.mark == "free" and ADJECTIVE.fullmatch(last.text):
        last.mark = "drop"
    nouns = letters(s for f in group for s in (f.span, *(a.span for a in f.values("location"))))
    n = len(before)
    while n and (before[n - 1].word in WORDS["articles"] or described(before[n - 1], nouns)):
        n -= 1
    if n and before[n - 1].word in WORDS["prepositions"] and not touched(before[n - 1], nouns):
        for token in before[n - 1 :]:
            token.mark = "drop"


def described(token: Token, nouns: frozenset[int]) -> bool:
    """Is the word an attribute or a dating, and no finding or place?"""
    own = token.mark == "own" and not touched(token, nouns)
    return own or (token.mark == "free" and token.word in WORDS["datings"])


def bridge(
    gap: Sequence[Token], before: Sequence[Token], after: Sequence[Token], group: Sequence[Finding]
) -> None:
    """Join what stands on both sides of a blank."""
    first, last = after[0], before[-1]
    if first.word == "of" and not is_article(after[1:2]):
        first.mark = "drop"
    elif first.word == "the" and last.word in WORDS["parts"]:
        gap[0].text, gap[0].mark = "of", "free"
    elif lost_degree(last, first):
        last.mark = "drop"
    elif first.word == "to" and [t.word for t in after[1:2]] in (["represent"], ["reflect"]):
        first.mark = "drop"
    elif last.mark == "own" and last.text != "," and explains(first, last, group):
        gap[0].text, gap[0].mark = ",", "free"


def lost_degree(last: Token, first: Token) -> bool:
    """Did the blank say how much or how surely? `at XXXX partially`, `most XXXX representing`"""
    before, after = last.word, first.word
    if before == "at":
        return after in WORDS["partly"]
    return before in ("most", "more") and after.startswith(("represent", "reflect"))


def explains(first: Token, last: Token, group: Sequence[Finding]) -> bool:
    """Is a second finding named straight behind the blank, and one before it? `opacity XXXX atelectasis`"""
    spans = {f.id: letters([f.span, *(a.span for a in f.attributes)]) for f in group}
    behind = {f.id for f in group if touched(first, spans[f.id])}
    ahead = {f.id for f in group if touched(last, spans[f.id])}
    return bool(behind and ahead) and behind.isdisjoint(ahead)


# ---- films, relative clauses, verbs
TAKEN = WORDS["leading"] | WORDS["films"] | WORDS["beams"] | WORDS["views"] | WORDS["taken"]
"""How a picture was taken."""

PARTICIPLES = {
    "suggests": "suggesting", "suggest": "suggesting", "represents": "representing", "represent": "representing",
    "reflects": "reflecting", "reflect": "reflecting", "obscures": "obscuring", "obscure": "obscuring",
    "accentuates": "accentuating", "accentuate": "accentuating",
    "overlies": "overlying", "overlie": "overlying",
    "exaggerates": "exaggerating", "exaggerate": "exaggerating", "measures": "measuring", "measure": "measuring",
}  # fmt: skip


def drop_opening(tokens: list[Token]) -> None:
    """What stands before `there is` and names no place (`For example, there is a nodule`), and a heading (`Chest:`)."""
    if len(tokens) > 2 and tokens[1].text == ":" and tokens[0].mark == "free":
        tokens[0].mark = tokens[1].mark = "drop"
    there = next((n for n, t in enumerate(tokens) if t.word == "there"), 0)
    if not any(t.mark == "own" or t.word in WORDS["placing"] for t in tokens[:there]):
        for token in tokens[:there]:
            token.mark = "drop" if token.word != "otherwise" else "free"


def having(tokens: list[Token]) -> None:
    """`The kidney has a stone`, `the port has its tip at the atrium`: with it; its appearance is its own."""
    if any(token.word == "appearance" for token in tokens):
        return
    for token, after in pairwise(tokens):
        if token.word in ("has", "have") and token.mark == "drop" and after.word in WORDS["had"]:
            token.text, token.mark = "with", "free"


def drop_films(tokens: list[Token], sentence: SentenceReading) -> None:
    """On which film it is seen: `Lateral view reveals`, `on the frontal view`, `on this study`."""
    views = [cue.span for cue in sentence.cues if cue.note == "technique"]
    pairs = ((a, b) for a, b in pairwise(tokens) if a.word in WORDS["beams"] and b.word in WORDS["views"])
    views += [Span(a.span.start, b.span.end) for a, b in pairs]
    seen = letters(views)
    if not seen and not any(token.word in WORDS["films"] for token in tokens):
        return
    for n, token in enumerate(tokens):
        begin = n
        while begin and (tokens[begin - 1].word in WORDS["leading"] or tokens[begin - 1].blank):
            begin -= 1
        led = [t.word for t in tokens[begin:n] if not t.blank]
        lost = any(t.blank for t in tokens[begin:n])
        begin = where_seen(tokens, begin)
        seen_on = touched(token, seen) and (begin == 0 or {"on", "in"} & {*led})
        if seen_on or (
            token.word in WORDS["films"] and led[:1] in (["on"], ["in"]) and ("this" in led or lost)
        ):
            for word in tokens[begin : n + 1]:
                word.mark = "drop"
        elif touched(token, seen) and n and tokens[n - 1].mark == "drop" and touched(tokens[n - 1], seen):
            token.mark = "drop"


def where_seen(tokens: list[Token], begin: int) -> int:
    """Where the words begin that lead to a film: `not definitely identified` on the lateral view."""
    if not begin or tokens[begin - 1].word not in WORDS["seen"]:
        return begin
    begin -= 1
    while begin and (tokens[begin - 1].word == "not" or tokens[begin - 1].text.endswith("ly")):
        begin -= 1
    return begin


def drop_missing_study(tokens: list[Token]) -> None:
    """`No recent XXXX for comparison`: there is no other study, which says nothing of this one."""
    said = [t.word for t in tokens]
    for n in range(1, len(tokens)) if "comparison" in said else ():
        if said[n - 1 : n + 1] == ["for", "comparison"] and "no" in said[:n]:
            first = n - said[:n][::-1].index("no") - 1
            if all(t.mark != "own" for t in tokens[first:n]):
                for token in tokens[first : n + 1]:
                    token.mark = "drop"


def drop_allowance(tokens: list[Token]) -> None:
    """What the judgement allows for: `within normal limits for technique`, `for a supine film`."""
    for n, token in enumerate(tokens):
        led = token.word == "for"
        rest = list(takewhile(lambda t: t.text not in MARKS, tokens[n + 1 :])) if led else []
        if rest and all(t.blank or t.word in TAKEN for t in rest):
            for word in (token, *rest):
                word.mark = "drop"


def drop_appearance(tokens: list[Token]) -> None:
    """`Opacity, the appearance of which XXXX scarring`, `The appearance XXXX scarring`: only the opacity appears."""
    for n, token in enumerate(tokens):
        if token.word != "appearance":
            continue
        behind = [t.word for t in tokens[n + 1 : n + 3]]
        if token.mark == "free" and "which" in behind:
            for word in tokens[max(n - 1, 0) : n + 1 + behind.index("which")]:
                word.mark = "drop" if word.word in ("the", "an", "appearance", "of") else word.mark
        elif any(t.blank for t in tokens[n + 1 : n + 2]):
            if n > 1 and tokens[n - 1].word == "whose":
                token.mark, tokens[n - 1].text = "drop", ","
            elif n == 1:
                token.mark = "drop"


def relate(tokens: list[Token], goes_on: bool = False) -> None:
    """Relative clauses and verbs as a bullet has them.

    `Nodule suggests granuloma` → `nodule suggesting granuloma`; `some of which are lucent` → `some lucent`;
    a clause that says what may be keeps its `which`.
    """
    # of a thing `measures 2 cm` is a fine sentence; behind a comma it is not
    verbs = PARTICIPLES.keys() if goes_on else PARTICIPLES.keys() - {"measures", "measure"}
    for n, token in enumerate(tokens):
        word = token.word
        if word != "which" and word not in verbs:
            continue
        before, after = tokens[:n], tokens[n + 1 :]
        if word == "which" and token.mark == "drop":
            if after and after[0].mark == "free" and after[0].text in WORDS["may"]:
                token.mark = "free"
            elif before and before[-1].mark == "free" and before[-1].word == "of":
                before[-1].mark = "drop"
            elif before and before[-1].mark == "free" and before[-1].word == "for":
                token.mark = "free"  # a nodule for which ultrasound may be considered
        elif token.mark in ("free", "own") and word in verbs:
            said = words(before) or (["it"] if goes_on else [])
            if said and said[-1].lower() not in WORDS["modal"]:
                token.text = PARTICIPLES[word]
