"""What in a text is no report: special tokens, another language, loops, lists of keywords, a chat with a machine.

Nothing after this sees it, and whoever asks is told what was passed over and why. Offsets stay those of the text as it
came: what is passed over becomes spaces.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from unicodedata import name as letter_name

from msgspec import Struct

from overread.report.span import Span
from overread.report.table import word_table

TOKENS = re.compile(
    r"<\|[^|<>\s]{1,40}\|>|<(?:/?s|pad|eos|bos|unk|mask|sep|cls|image|img|(?:start|end)_of_turn|begin_of_text|"
    r"end_of_text|eot_id|endoftext|think|/think)>|\[/?(?:PAD|CLS|SEP|UNK|MASK|INST|BOS|EOS)\]"
)
"""Tokens of a generator that stand for no word."""

CHUNK = re.compile(r"[^.!?\n。！？]+[.!?。！？]*")
LETTER_WORD = re.compile(r"[^\W\d_][\w'’]*(?:-[\w'’]+)*")
STRETCH = re.compile(r"\S+")
ENGLISH = frozenset(
    "the of are was were no not and with without in at on or to from there has have been a an be this that for by as "
    "which than but it its both any may".split()
)
LATIN = frozenset("in no on is and per de la le en du en as do a i e o y at se le al was".split())
"""Small words that English reports share with another language, or borrow: they tell nothing."""

CHAT = re.compile(
    r"\bI(?:['’]m| am| can(?:['’]|no)t| can not| will| hope| apologi[sz]e| do(?:n['’]t| not) have|['’]d be)\b"
    r"|\b[Aa]s an? (?:AI|artificial|language|large)\b|\blanguage model\b|\b[Yy]ou\b"
    r"|^\s*(?:Write|Generate|Provide|Answer|Summari[sz]e|Complete) (?:the|an?|in|with|this|your)\b"
)
"""Words between a person and a machine. Only at the start: `the tear is complete with retraction` is a finding."""

LONGEST = 24
"""Words of the longest phrase that is looked for again right behind itself."""

AGAIN = 4
"""So often in a row it is a loop."""

FEWEST = 12
"""Words from which a run without any small word or mark is a list of keywords, and a loop a loop."""

FOREIGN_LETTERS = 0.3


SAYING = frozenset(
    "left right l r bilateral both mild small moderate mod large severe minimal upper lower lobe base bases apex "
    "normal clear unchanged stable same new old gone more less better worse probable possible likely ok fine".split()
)
"""Words that say something of a noun: a telegram has them, a list of keywords has none."""


class Passed(Struct, frozen=True):
    """A stretch of text that is not read."""

    span: Span
    reason: str
    """`German`, `special token`, `repetition`, `keywords` or `not a report`."""


@cache
def languages() -> dict[str, frozenset[str]]:
    """Language → its small words; those that English has too, or reports borrow, tell nothing."""
    return {name: frozenset(own.split()) - ENGLISH - LATIN for name, own in word_table("languages")}


@lru_cache(maxsize=256)
def passed_over(text: str) -> tuple[Passed, ...]:
    """Everything in a text that is not read, in order.

    >>> [(one.reason, one.span.of("Clear lungs.<eos>")) for one in passed_over("Clear lungs.<eos>")]
    [('special token', '<eos>')]
    """
    tokens = [Passed(Span(*m.span()), "special token") for m in TOKENS.finditer(text)]
    found = [*tokens, *loops(blanked(text, tokens))]
    for chunk in CHUNK.finditer(blanked(text, found)):
        reason = unlike_report(chunk[0])
        if reason:
            found.append(Passed(trimmed(text, chunk.start(), chunk.end()), reason))
    return tuple(sorted(found, key=lambda one: one.span))


def readable(text: str) -> str:
    """The text with spaces where it is passed over; the same length."""
    return blanked(text, passed_over(text))


def language(text: str) -> str:
    """The language a text is written in where that is not English, else nothing.

    >>> language("Kein Pleuraerguss."), language("No pleural effusion.")
    ('German', '')
    """
    letters = sum(c.isalpha() for c in text)
    foreign: Counter[str] = Counter()
    for one in passed_over(text):
        if one.reason not in REASONS:
            foreign[one.reason] += sum(c.isalpha() for c in one.span.of(text))
    name, most = foreign.most_common(1)[0] if foreign else ("", 0)
    return name if most > letters / 2 else ""


REASONS = frozenset({"special token", "repetition", "keywords", "not a report"})
"""Reasons that are no language."""


def blanked(text: str, passed: Sequence[Passed]) -> str:
    parts, end = [], 0
    for one in sorted(passed, key=lambda one: one.span):
        parts += [text[end : one.span.start], " " * (one.span.end - one.span.start)]
        end = one.span.end
    return "".join([*parts, text[end:]])


def trimmed(text: str, start: int, end: int) -> Span:
    inner = text[start:end]
    return Span(start + len(inner) - len(inner.lstrip()), start + len(inner.rstrip()))


def unlike_report(chunk: str) -> str:
    """Why a sentence is not one of a report; empty where it may be."""
    said = [word.lower() for word in LETTER_WORD.findall(chunk)]
    if not said:
        return script(chunk)
    foreign = script(chunk) or small_words(said)
    if foreign:
        return foreign
    if CHAT.search(chunk):
        return "not a report"
    listed = len(said) >= FEWEST and not any(c in chunk for c in ",;:/-–()=\t|")
    return "keywords" if listed and (ENGLISH | SAYING).isdisjoint(said) else ""


def small_words(chunk: Sequence[str]) -> str:
    """The language whose small words these are, where English ones are missing or far fewer."""
    said = set(chunk)
    if len(said) < 2:  # one word may be anything
        return ""
    own = len(ENGLISH & said)
    shared = {name: len(small & said) for name, small in languages().items()}
    best = max(shared, key=shared.__getitem__)
    count = shared[best]
    alone = own == 0 and count >= (1 if len(chunk) <= 4 else 2)
    return best if alone or (count >= 3 and count > 2 * own) else ""


SCRIPTS = {
    "CJK": "Chinese", "HIRAGANA": "Japanese", "KATAKANA": "Japanese", "HANGUL": "Korean", "CYRILLIC": "Russian",
    "ARABIC": "Arabic", "HEBREW": "Hebrew", "GREEK": "Greek", "DEVANAGARI": "Hindi", "THAI": "Thai",
}  # fmt: skip


def script(chunk: str) -> str:
    """The language of a script that English is not written in; nothing for a µ or an α."""
    letters = [c for c in chunk if c.isalpha()]
    strange = [c for c in letters if ord(c) > 0x2FF and c not in "µαβγδ"]
    if not strange or len(strange) < FOREIGN_LETTERS * len(letters):
        return ""
    kinds = Counter(SCRIPTS.get(letter_name(c, "").split(" ")[0], "another script") for c in strange)
    return kinds.most_common(1)[0][0]


def loops(text: str) -> Iterator[Passed]:
    """Phrases said over and over; whole sentences are not among them: saying one twice never pays."""
    words = [(m.start(), m.end(), m[0].lower()) for m in STRETCH.finditer(text)]
    if len(words) < FEWEST:
        return
    at = 0
    while at < len(words):
        size, count = repeated(words, at)
        if not count:
            at += 1
            continue
        if not any(word.endswith((".", "!", "?")) for _, _, word in words[at : at + size]) or size == 1:
            yield Passed(Span(words[at][0], words[at + size * count - 1][1]), "repetition")
        at += size * count


def repeated(words: Sequence[tuple[int, int, str]], at: int) -> tuple[int, int]:
    """How many words are said again right behind, and how often in all; (0, 0) where none are."""
    for size in range(1, LONGEST + 1):
        if at + size * AGAIN > len(words):
            break
        if words[at][2] != words[at + size][2]:
            continue
        same = 0
        while at + size + same < len(words) and words[at + same][2] == words[at + size + same][2]:
            same += 1
        count = same // size + 1
        if count >= AGAIN and size * count >= FEWEST:
            return size, count
    return 0, 0
