"""Words of a sentence: where a quotation stands, and the plain words that deny or hedge.

The checker finds plain cues itself, so that writers need not quote each *no*.
"""

import re
import tomllib
from importlib.resources import files

from msgspec.structs import replace

from overread.corpus.records import CorpusSentence, Mention, Quote
from overread.report.span import Span

BLANKS = re.compile(r"X{3,}|_{2,}")


class Problem(Exception):
    """A line that cannot be taken as it is."""


def quote_of(words: str, sentence: str, near: Span | None = None) -> Quote:
    """Words of the sentence by their offsets: the occurrence asked for (`~2`), else the one nearest to the noun."""
    if BLANKS.search(words):
        raise Problem(f"{words!r} quotes a blank")
    words, _, number = words.partition("~") if re.search(r"~\d$", words) else (words, "", "")
    pieces = [piece.strip() for piece in words.split(" .. ")]
    first = occurrences(pieces[0], sentence)
    if not first:
        raise Problem(f"{pieces[0]!r} does not stand in the sentence")
    if number:
        if int(number) > len(first):
            raise Problem(f"{pieces[0]!r} occurs {len(first)} times, not {number}")
        spans = [first[int(number) - 1]]
    elif near is None:
        spans = [first[0]]
    else:
        spans = [min(first, key=lambda span: max(span.start - near.end, near.start - span.end, 0))]
    for piece in pieces[1:]:
        behind = [span for span in occurrences(piece, sentence) if span.start >= spans[-1].end]
        if not behind:
            raise Problem(f"{piece!r} does not stand behind {pieces[0]!r} in the sentence")
        spans.append(behind[0])
    return Quote(" ".join(span.of(sentence) for span in spans), tuple(spans))


def occurrences(words: str, sentence: str) -> list[Span]:
    """Whole words, capitals aside.

    >>> occurrences("effusion", "Effusion, no pleural effusions; effusion.")
    [Span(start=0, end=8), Span(start=32, end=40)]
    """
    found: list[Span] = []
    words, sentence = words.lower(), sentence.lower()
    start = sentence.find(words) if words else -1
    while start >= 0:  # sooner than a pattern for each quotation
        end = start + len(words)
        whole = not sentence[start - 1 : start].isalnum() and not sentence[end : end + 1].isalnum()
        found += [Span(start, end)] if whole else []
        start = sentence.find(words, end if whole else start + 1)
    return found


CUES = tomllib.loads((files("overread.corpus") / "cues.toml").read_text("utf-8"))
DENYING, HEDGING, HARDLY_HEDGING = ("|".join(words) for words in CUES.values())
NORMAL_WORDS = re.compile(
    r"(?i)\b(normal\w*|unremarkable|clear|intact|sharp|patent|within|well|preserved|maintained|smooth|regular|"
    r"symmetric\w*|midline|central|not?|without|free|un\w+|non\w*|satisfactory|adequate\w*|good|homogen\w+)\b"
)
"""Values that say by themselves that a structure is normal: *the lungs are clear* needs no word that denies."""
CLAUSE = re.compile(r"(?i)[;.] |,? (?:although|though|but|while|whereas|and (?:the|there|both|its)) ")
"""Where what is denied or hedged mostly ends."""
BACKED = {"measurement", "morphology", "placement", "gone", "assessment_limitations"}
"""With one of these a negative mention may do without a word that denies."""


def with_denial(mention: Mention, sentence: CorpusSentence) -> Mention:
    """The mention with the word that denies it, found where it is plain."""
    if mention.positive or "denied_by" in mention.attributes:
        return mention
    at = mention.words.spans[0]
    described = [
        one.text for name in ("measurement", "morphology") for one in mention.attributes.get(name, ())
    ]
    cue = nearest_cue(cue_spans(DENYING, sentence.text), at, sentence.text)
    if cue and described:
        adjective = cue.start < at.start and clause(sentence.text, at).contains(cue)
        cue = None if any(map(NORMAL_WORDS.search, described)) or not adjective else cue
    if cue:
        return with_quote(mention, "denied_by", cue, sentence.text)
    if mention.attributes.keys() & BACKED:
        return mention
    raise Problem("absent, but no word denies it: quote it with no=")


def with_hedge(mention: Mention, sentence: CorpusSentence) -> Mention:
    """The mention with the word that hedges it; what an indication asks about needs none."""
    if not mention.tentative or "hedged_by" in mention.attributes:
        return mention
    hedges = cue_spans(HEDGING, sentence.text) or cue_spans(HARDLY_HEDGING, sentence.text)
    if cue := nearest_cue(hedges, mention.words.spans[0], sentence.text):
        return with_quote(mention, "hedged_by", cue, sentence.text)
    if sentence.section == "indication":
        return mention
    raise Problem("hedged, but no word hedges it: quote it with may=")


def with_quote(mention: Mention, attribute: str, span: Span, sentence: str) -> Mention:
    return replace(
        mention, attributes={**mention.attributes, attribute: (Quote(span.of(sentence), (span,)),)}
    )


def cue_spans(pattern: str, sentence: str) -> list[Span]:
    """Where such words stand in a sentence, longest first at each place; among hedges also a question mark."""
    mark = r"|\?+" if pattern == HEDGING else ""
    words = re.finditer(rf"(?<!\w)(?:{pattern})(?!\w){mark}", sentence, re.IGNORECASE)
    return [Span(*one.span()) for one in words]


def nearest_cue(spans: list[Span], mention: Span, sentence: str) -> Span | None:
    """The one that a reader would take: if possible in its own clause, the last before the noun or the first behind it.

    >>> text = "Vessels are favored, although pneumonia is possible."
    >>> nearest_cue(cue_spans(HEDGING, text), Span(30, 39), text).of(text)
    'possible'
    """
    home = clause(sentence, mention)
    spans = [span for span in spans if home.contains(span)] or spans
    before = [span for span in spans if span.end <= mention.start]
    behind = [span for span in spans if span.start >= mention.end]
    return before[-1] if before else behind[0] if behind else None


def clause(sentence: str, mention: Span) -> Span:
    """From the boundary before a mention to the one behind it."""
    edges = [Span(*one.span()) for one in CLAUSE.finditer(sentence)]
    starts = [edge.end for edge in edges if edge.end <= mention.start]
    ends = [edge.start for edge in edges if edge.start >= mention.end]
    return Span(max(starts, default=0), min(ends, default=len(sentence)))
