"""What of either report is quoted in a line: the words that differ, a finding with all that is said of it, a denial."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from msgspec import structs

from overread.judge import pair_answers
from overread.judge.beside import content, folded
from overread.report.span import Span
from overread.systems.ledger.claims.details import LENGTH, parsed
from overread.systems.ledger.found import SIDES, Found, touch
from overread.systems.ledger.schema import Account, Claim, Sentence
from overread.systems.ledger.support import Sentences, Supports

LIKELY_DENIED, SURELY, TOLD_IN_OTHER_WORDS = 0.5, 0.95, 0.9
"""From these probabilities on a sentence denies a finding, if the network marked it or both share a word, or else; and
tells the finding in other words."""

FRAGMENT, CLAUSE = 4, 3
"""Words of a finding that are quoted with their clause if nothing was read in them; those of the shortest clause."""

PARTED = re.compile(r"[,;:]\s|\s(?=(?:and|but|with)\s)")

TERSE = 3
"""Words that tell a difference if the kind of error is known."""

OPEN = frozenset({"detail", "severity", "place", "change"})
"""Details that a report may leave open."""

TELLING = frozenset({"side", "severity", "certainty", "change"})
"""Details of which the words that differ tell enough."""

SHORT_SENTENCE = 12
"""Words of a sentence that is quoted whole where it denies something."""


class Quoted(NamedTuple):
    """One of two reports, its sentences beside the other, and what is quoted of it."""

    account: Account
    supports: Sentences
    common: frozenset[str]
    """Sentences that both reports have."""

    def quote(self, span: Span) -> str:
        return self.account.quote(span)

    def claims_at(self, span: Span) -> list[Claim]:
        """What is named by the words."""
        return [c for c in self.account.claims if any(touch(s, span) for s in c.spans)]

    def told_by(self, span: Span) -> str:
        """With all that is said of its finding, if that is not much; a word alone with its clause."""
        wide = self.quote(self.widened(span))
        told = wide if word_count(wide) <= SHORT_SENTENCE else self.quote(span)
        return told if word_count(told) > 1 else self.quote(self.clause(span))

    def measured(self, span: Span) -> str:
        """Of words without a number, the only size in their sentence."""
        said, near = self.quote(span), [s for s in self.supports if s.touches((span,))]
        sizes = [m[0] for s in near for m in LENGTH.finditer(s.sentence.text)]
        return sizes[0] if parsed(said) is None and len(sizes) == 1 else said

    def widened(self, span: Span) -> Span:
        """To all that is said of the findings that it touches, unless another finding stands between."""
        present = (c for c in self.claims_at(span) if c.polarity == "present")
        own = [p for c in present for p in c.phrases if touch(p, span)]
        wide = Span(min(p.start for p in (span, *own)), max(p.end for p in (span, *own)))
        others = (s for c in self.account.present() for s in c.spans if touch(s, wide) and not touch(s, span))
        return span if any(others) else wide

    def telling(self, span: Span) -> Span:
        """With all that is said of its findings; a few words in which none was read, with their clause."""
        short = word_count(self.quote(span)) <= FRAGMENT
        return self.widened(span) if self.claims_at(span) or not short else self.clause(span)

    def clause(self, span: Span) -> Span:
        """As much of its sentence as stands between commas and the like, unless that is a word or two."""
        whole = self.account.sentence_at(span)
        assert whole is not None
        start, cuts = whole.span.start, [m.end() for m in PARTED.finditer(whole.text)]
        first = max((n for n in cuts if n <= span.start - start), default=0)
        last = min((n for n in cuts if n >= span.end - start), default=len(whole.text))
        few = word_count(whole.text[first:last]) < CLAUSE
        return whole.span if few else Span(start + first, start + last)

    def answer(self, told: str, marked: Span | None) -> tuple[bool, Span | None]:
        """Whether it tells a finding of the other report in other words, and the words that deny it: those that the
        network marked, or a sentence that it hears as a denial."""
        own = content(told) - SIDES
        alone = [s.sentence for s in self.supports if folded(s.sentence.text) not in self.common]
        near = [one for one in alone if touch(one.span, marked) or own & content(one.text)]
        asked = [
            (LIKELY_DENIED if one in near else SURELY, one)
            for one in alone
            if (one in near or one.denies) and not self.is_sweeping(one)
        ]
        verdicts = [pair_answers(one.text, f"{told}.").verdict for _, one in asked]
        if word_count(told) >= CLAUSE and any(v.said >= TOLD_IN_OTHER_WORDS for v in verdicts):
            return True, None
        denying = [
            (v.denied, one.span)
            for (floor, one), v in zip(asked, verdicts, strict=True)
            if v.denied >= floor and (one.denies or touch(one.span, marked))
        ]
        if not denying:
            return False, None
        return False, marked if any(touch(span, marked) for _, span in denying) else max(denying)[1]

    def is_sweeping(self, sentence: Sentence) -> bool:
        """`No acute process` speaks of everything, and denies nothing by name."""
        claims = self.claims_at(sentence.span)
        return bool(claims) and all(c.kind == "general" for c in claims)

    def denied_by(self, span: Span) -> str:
        """The whole sentence where it is short."""
        sentence = self.account.sentence_at(span)
        whole = "" if sentence is None else self.quote(sentence.span)
        return whole if word_count(whole) <= SHORT_SENTENCE else self.quote(self.clause(span))


Sides = tuple[Quoted, Quoted]
"""The reference and the candidate."""


def sides(accounts: tuple[Account, Account], supports: Supports) -> Sides:
    ours, theirs = (frozenset(folded(s.text) for s in account.sentences) for account in accounts)
    one, two = (Quoted(a, s, ours & theirs) for a, s in zip(accounts, supports, strict=True))
    return one, two


def quotes(one: Found, both: Sides) -> tuple[str, str]:
    said = Quoted.measured if one.kind == "size" else Quoted.quote
    ours, theirs = (
        "" if span is None else said(own, span) for own, span in zip(both, one.words, strict=True)
    )
    return ours, theirs


def shown(one: Found, both: Sides) -> tuple[str, str]:
    """What differs where a word or two tell it; else with all that is said of the finding."""
    if one.kind == "size":
        return quotes(one, both)
    short = quotes(trimmed(one, both), both)
    if not all(short) or (one.kind in TELLING and max(map(word_count, short)) <= TERSE):
        return short
    ours, theirs = (own.told_by(span) for own, span in zip(both, one.words, strict=True) if span is not None)
    return ours, theirs


def trimmed(one: Found, both: Sides) -> Found:
    """Without the words that both begin or end with; of a detail that may leave the words of one report alone. Of
    sides, the sides."""
    words = [own.account.words(span) for own, span in zip(both, one.words, strict=True) if span is not None]
    if len(words) < len(both):
        return one
    ours, theirs = words
    texts = [[own.quote(span).lower() for span in some] for own, some in zip(both, words, strict=True)]
    if one.kind == "side":
        told = [[n for n, word in enumerate(some) if word in ("left", "right")] for some in texts]
        if [len(some) for some in told] == [1, 1]:
            return structs.replace(one, words=(ours[told[0][0]], theirs[told[1][0]]))
    first, last = shared_ends(*texts)
    rest = [some[first : len(some) - last] for some in words]
    spans = [Span(some[0].start, some[-1].end) if some else None for some in rest]
    enough = any(rest) if one.kind in OPEN else all(rest)
    return structs.replace(one, words=(spans[0], spans[1])) if enough else one


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
