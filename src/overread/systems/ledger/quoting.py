"""What of either report is quoted in a line: the words that differ, a finding with all that is said of it, a denial."""

import re
from collections.abc import Sequence
from itertools import takewhile

from msgspec import structs

from overread.judge import network
from overread.judge.beside import folded
from overread.judge.premise import content
from overread.report.span import Span
from overread.systems.ledger.claims.details import LENGTH, parsed
from overread.systems.ledger.found import Found, touch
from overread.systems.ledger.schema import Account, Sentence
from overread.systems.ledger.support import Support

Sentences = tuple[Support, ...]
HEARD, SURELY, ELSEWHERE = 0.5, 0.95, 0.9
"""From these probabilities on a sentence denies a finding, if the network marked it or both share a word, or else; and
tells the finding in other words."""


FRAGMENT, CLAUSE = 4, 3
"""Words of a finding that are quoted with their clause if nothing was read in them; those of the shortest clause."""


PARTED = re.compile(r"[,;:]\s|\s(?=(?:and|but|with)\s)")


TERSE = 3
"""Words that tell a difference if the kind of error is known."""

SIDES = content("left right")

OPEN = frozenset({"detail", "severity", "place", "change"})
"""Details that a report may leave open."""


TELLING = frozenset({"side", "severity", "certainty", "change"})
"""Details of which the words that differ tell enough."""


SHORT = 12
"""Words of a sentence that is quoted whole where it denies something."""


class Quoting:
    """The words of two reports."""

    def __init__(self, accounts: tuple[Account, Account], supports: tuple[Sentences, Sentences]) -> None:
        self.accounts, self.supports = accounts, supports
        ours, theirs = ({folded(s.text) for s in account.sentences} for account in accounts)
        self.common = ours & theirs

    def quote(self, span: Span, side: int) -> str:
        return self.accounts[side].quote(span)

    def quotes(self, one: Found) -> tuple[str, str]:
        said = self.measured if one.kind == "size" else self.quote
        ours, theirs = ("" if span is None else said(span, side) for side, span in enumerate(one.words))
        return ours, theirs

    def shown(self, one: Found) -> tuple[str, str]:
        """What differs where a word or two tell it; else with all that is said of the finding."""
        if one.kind == "size":
            return self.quotes(one)
        short = self.quotes(self.trimmed(one))
        if not all(short) or (one.kind in TELLING and max(map(word_count, short)) <= TERSE):
            return short
        ours, theirs = (self.told_by(span, side) for side, span in enumerate(one.words) if span is not None)
        return ours, theirs

    def told_by(self, span: Span, side: int) -> str:
        """With all that is said of its finding, if that is not much; a word alone with its clause."""
        wide = self.quote(self.widened(span, side), side)
        told = wide if word_count(wide) <= SHORT else self.quote(span, side)
        return told if word_count(told) > 1 else self.quote(self.clause(span, side), side)

    def trimmed(self, one: Found) -> Found:
        """Without the words that both begin or end with; of a detail that may leave the words of one report alone. Of
        sides, the sides."""
        if one.words[0] is None or one.words[1] is None:
            return one
        ours, theirs = (
            self.accounts[side].words(span) for side, span in enumerate(one.words) if span is not None
        )
        texts = [
            [self.quote(span, side).lower() for span in some] for side, some in enumerate((ours, theirs))
        ]
        if one.kind == "side":
            sides = [[n for n, word in enumerate(some) if word in ("left", "right")] for some in texts]
            if [len(some) for some in sides] == [1, 1]:
                return structs.replace(one, words=(ours[sides[0][0]], theirs[sides[1][0]]))
        first, last = shared_ends(*texts)
        rest = [some[first : len(some) - last] for some in (ours, theirs)]
        spans = [Span(some[0].start, some[-1].end) if some else None for some in rest]
        enough = any(rest) if one.kind in OPEN else all(rest)
        return structs.replace(one, words=(spans[0], spans[1])) if enough else one

    def measured(self, span: Span, side: int) -> str:
        """Of words without a number, the only size in their sentence."""
        said, near = self.quote(span, side), [s for s in self.supports[side] if s.touches((span,))]
        sizes = [m[0] for s in near for m in LENGTH.finditer(s.sentence.text)]
        return sizes[0] if parsed(said) is None and len(sizes) == 1 else said

    def widened(self, span: Span, side: int) -> Span:
        """To all that is said of the findings that it touches, unless another finding stands between."""
        claims = self.accounts[side].present()
        own = [p for c in claims if any(touch(s, span) for s in c.spans) for p in c.phrases if touch(p, span)]
        wide = Span(min(p.start for p in (span, *own)), max(p.end for p in (span, *own)))
        others = (s for c in claims for s in c.spans if touch(s, wide) and not touch(s, span))
        return span if any(others) else wide

    def telling(self, span: Span, side: int) -> Span:
        """With all that is said of its findings; a few words in which none was read, with their clause."""
        own = [c for c in self.accounts[side].claims if any(touch(s, span) for s in c.spans)]
        short = len(self.quote(span, side).split()) <= FRAGMENT
        return self.widened(span, side) if own or not short else self.clause(span, side)

    def clause(self, span: Span, side: int) -> Span:
        """As much of its sentence as stands between commas and the like, unless that is a word or two."""
        whole = next(s for s in self.accounts[side].sentences if s.span.start <= span.start < s.span.end)
        start, cuts = whole.span.start, [m.end() for m in PARTED.finditer(whole.text)]
        first = max((n for n in cuts if n <= span.start - start), default=0)
        last = min((n for n in cuts if n >= span.end - start), default=len(whole.text))
        few = len(whole.text[first:last].split()) < CLAUSE
        return whole.span if few else Span(start + first, start + last)

    def answer(self, told: str, marked: Span | None, side: int) -> tuple[bool, Span | None]:
        """Whether the other report tells a finding in other words, and the words that deny it: those that the network
        marked, or a sentence that it hears as a denial."""
        own = content(told) - SIDES
        alone = [s.sentence for s in self.supports[side] if folded(s.sentence.text) not in self.common]
        near = [one for one in alone if touch(one.span, marked) or own & content(one.text)]
        asked = [
            (HEARD if one in near else SURELY, one)
            for one in alone
            if (one in near or one.denies) and not self.is_sweeping(one, side)
        ]
        verdicts = network().verdicts((one.text, f"{told}.") for _, one in asked)
        if len(told.split()) >= CLAUSE and any(v.said >= ELSEWHERE for v in verdicts):
            return True, None
        denying = [
            (v.denied, one.span)
            for (floor, one), v in zip(asked, verdicts, strict=True)
            if v.denied >= floor and (one.denies or touch(one.span, marked))
        ]
        if not denying:
            return False, None
        return False, marked if any(touch(span, marked) for _, span in denying) else max(denying)[1]

    def is_sweeping(self, sentence: Sentence, side: int) -> bool:
        """`No acute process` speaks of everything, and denies nothing by name."""
        claims = [c for c in self.accounts[side].claims if any(touch(s, sentence.span) for s in c.spans)]
        return bool(claims) and all(c.kind == "general" for c in claims)

    def denied_by(self, span: Span, side: int) -> str:
        """The whole sentence where it is short."""
        inside = (s for s in self.accounts[side].sentences if s.span.start <= span.start < s.span.end)
        whole = next((self.quote(s.span, side) for s in inside), "")
        return whole if word_count(whole) <= SHORT else self.quote(self.clause(span, side), side)


def shared_ends(one: Sequence[str], two: Sequence[str]) -> tuple[int, int]:
    """How many words both begin with, and how many they end with.

    >>> shared_ends("small left effusion".split(), "small right effusion".split())
    (1, 1)
    """
    first = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, two, strict=False))))
    backwards = zip(one[first:][::-1], two[first:][::-1], strict=False)
    return first, len(list(takewhile(lambda pair: pair[0] == pair[1], backwards)))


def word_count(text: str) -> int:
    return len(text.split())
