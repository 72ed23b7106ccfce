"""A passage → its sentences: one pass over the places where a sentence may end."""

import re
from collections.abc import Iterator
from functools import cache

from overread.report.headings import SPACE
from overread.report.openings import VISIBLE, trim
from overread.report.span import Span
from overread.report.table import word_table, words_of_kind

NEWLINE = re.compile(r"\r\n|[\n\r\v\f\x85\u2028\u2029]")
PLACE = re.compile(
    r"(?P<stop>[.?!]+)[)\]\"'”’*]*"
    r"|(?P<space>[\t\n\r\v\f\x85\u2028\u2029]\s*)"
    r"|(?P<item>(?<!\S)\(?\d{1,2}\)(?=\s)|[•●▪◦‣])"
    r"|(?P<run_on> (?<=[a-z] ) *(?=(?:There|No|The|This|These|Those|It|Both|Also|Otherwise|Again) [a-z]))"
)
"""A sentence may end at a stop, a tab or line, a list mark, or where the next begins without any stop before it."""

LIST_MARK = re.compile(
    r"(?:\(?(?P<number>\d{1,2})[.)](?=[A-Z(_*\s]|[a-z]{2}|$)"
    r"|\([a-hA-H]\)|[a-h][.)](?=\s)|[A-H]\)(?=\s)|\(?(?:i{1,3}|iv|v|vi{1,3})[.)](?=\s)"
    r"|[-=*~]{3,}(?=\s|$)|_{9,}|[-–—](?=[\s(A-Za-z_])|\*(?=[\sA-Za-z])|[•●▪◦‣·])"
    rf"[{SPACE}]*"
)
ITEM_AHEAD = re.compile(
    r"\(?(?P<number>\d{1,2})[.)](?:\s|[A-Z])|[-–—*]\s|[-–—][A-Z]|[•●▪◦‣·]|\(?[a-hA-H]\)\s|[-=*~]{3}|_{9}"
)
SUBHEAD_AHEAD = re.compile(r"[A-Z][A-Za-z /,&()-]{1,40}:")
LABEL_AHEAD = re.compile(
    r"\s*(?:(?:\d{1,2}(?:\.\d{1,2})*[.)]?|[-•*–])\s+)?[A-Za-z][A-Za-z /,&()-]{1,40}[ \t]*:"
)
SAYS = re.compile(r"[^\W_]|(?<!_)_{2,8}(?!_)")
TOKEN = re.compile(r"[A-Za-z][A-Za-z.'/]*$|(?<![A-Za-z\d])\d+$")
DOTTED = re.compile(r"(?:[A-Za-z]\.)+[A-Za-z]")
CAPITAL_AHEAD = re.compile(r"\s*[A-Z]")
GOES_ON = re.compile(r"(?:in|from|above|below|by|x|at|and|to|of|with|on)\b")
UNIT_AHEAD = re.compile(r"\d{1,2}\s*(?:cm|mm)\b")
NEXT_WORD = re.compile(r"\S+")
LAST_NUMBER = re.compile(r"(?<=\s)\d{1,2}$")
WEB = re.compile(r"(?:www|https?|@)\S*$", re.IGNORECASE)
NARROWEST = 50
"""Nobody wraps text at fewer columns than this."""

LONGEST = 1_000
"""Characters of one sentence; a longer run is read in pieces, so that time grows with length and nothing else."""


@cache
def abbreviations() -> dict[str, str]:
    """Written form without its last stop → when the stop is its own and ends nothing.

    `always`; `title` when written with one capital (Mr. Example, not MR.); `number` before a number;
    `unit` before words that go on with a measurement; `soft` before a small letter or a number.
    """
    return {row[0]: row[1] for row in word_table("abbreviations")}


def width(text: str) -> int:
    """The column at which `text` seems to be wrapped: its longest line."""
    return max(NARROWEST, max(map(len, text.splitlines()), default=0))


def sentences(text: str, within: Span, columns: int | None = None) -> list[Span]:
    """The sentences of `text[within]`, list numbers and bullets outside.

    >>> text = "1. Clear lungs.No effusion. 2. Tube 2.5 cm above the carina"
    >>> [span.of(text) for span in sentences(text, Span(0, len(text)))]
    ['Clear lungs.', 'No effusion.', 'Tube 2.5 cm above the carina']
    """
    return Splitter(text, within, columns if columns is not None else width(text)).run()


def bounded(text: str, part: Span) -> Iterator[Span]:
    """The sentence itself, or pieces of one that nobody would write, cut where a part or a word ends."""
    start, end = part.start, part.end
    while end - start > LONGEST:
        at = last_cut(text, start, start + LONGEST)
        yield trim(text, start, at)
        start = trim(text, at, end).start
    yield Span(start, end)


LEAST_LINES = 3
STOP_BEFORE_SPACE = re.compile(r"[.!?](?=\s)")
LEAST_DICTATED = 120
"""Characters of a sentence that somebody spoke without saying where it stops."""

MARKED = re.compile(r"[,;:.]\s")
DICTATED = re.compile(
    r"(?<=[a-z]) +(?=(?:there(?:'?s| is| are| has| have| was| were) |i (?:see|think|do not|don't) |"
    r"the (?:(?!(?:the|of|in|if|there|when|that|which|and) )[\w'-]+ ){1,5}?"
    r"(?:is|are|was|were|has|have|shows?|appears?|measures?|remains?) ))"
    r"|(?:(?<=either side)|(?<=both sides)|(?<=bilaterally)) +(?=(?:[\w-]+ ){1,3}?(?:is|are|was|were) )",
    re.IGNORECASE,
)
"""Where the next begins in speech: `… in the SVC there is …`, `… at the base the heart is …`, `… on either side heart
is …`."""

NOT_LAST = frozenset(
    "if not see seen show shows shown showing demonstrates because since while where when after".split()
)
"""Words beside those of `hanging` that no spoken sentence ends with."""

FEWEST_CUTS = 2
"""One such place may stand in a written sentence; several do in dictation."""


def spoken(text: str, start: int, end: int) -> Iterator[Span]:
    """A long sentence without any mark, as dictation gives it, cut where a new one begins."""
    gaps: list[re.Match[str]] = []
    if end - start >= LEAST_DICTATED and not MARKED.search(text, start, end - 1):
        open_words = words_of_kind("hanging") | NOT_LAST
        found = DICTATED.finditer(text, start, end)
        gaps = [g for g in found if word_before(text, g.start()) not in open_words]
    for gap in gaps if len(gaps) >= FEWEST_CUTS else ():
        yield Span(start, gap.start())
        start = gap.end()
    yield Span(start, end)


LONGEST_WORD = 40


def word_before(text: str, at: int) -> str:
    return text[max(0, at - LONGEST_WORD) : at].rsplit(None, 1)[-1].lower()


def last_cut(text: str, start: int, end: int) -> int:
    """Where to cut before `end`: behind a comma or semicolon, else behind a space, else in the middle of a word."""
    half = (start + end) // 2
    comma = max(text.rfind(mark, half, end) for mark in (", ", "; ")) + 1
    return comma or max(text.rfind(mark, half, end) for mark in " \t\n\r") + 1 or end


class Splitter:
    """The state of one pass: where the current sentence began and which list number came last."""

    def __init__(self, text: str, within: Span, columns: int) -> None:
        nearby = max(0, within.start - columns)
        self.text = text
        self.end = within.end
        self.start = within.start
        self.line = max(text.rfind("\n", nearby, within.start), text.rfind("\r", nearby, within.start)) + 1
        self.columns = columns
        self.number = 0
        self.found: list[Span] = []
        lines = text.count("\n", within.start, within.end) + 1
        self.listed = (
            lines >= LEAST_LINES and STOP_BEFORE_SPACE.search(text, within.start, within.end) is None
        )
        """Is this a list without full stops: several lines, none of which holds the end of a sentence?"""

        self.open_item()

    def run(self) -> list[Span]:
        for match in PLACE.finditer(self.text, self.start, self.end):
            if match.start() < self.start:
                continue
            kind = match.lastgroup
            if kind == "stop":
                self.at_stop(match)
            elif kind == "space":
                self.at_space(match)
            elif kind == "item":
                self.at_item(match)
            else:
                self.close(match.start(), match.end())
        self.keep(self.end)
        return self.found

    def close(self, end: int, after: int) -> None:
        """End the sentence at `end` and begin the next at `after`."""
        self.keep(end)
        self.start = after
        self.open_item()

    def keep(self, end: int) -> None:
        """Take what was begun, up to `end`, as a sentence if it says anything."""
        text, start = self.text, self.start
        while end > start and not VISIBLE.match(text, end - 1):
            end -= 1
        for piece in (one for part in spoken(text, start, end) for one in bounded(text, part)):
            if SAYS.search(text, piece.start, piece.end):
                self.found.append(piece)

    def open_item(self) -> None:
        """Step over space, list numbers and bullets at the start of a sentence."""
        first = VISIBLE.search(self.text, self.start, self.end)
        self.start = first.start() if first else self.end
        while mark := LIST_MARK.match(self.text, self.start, self.end):
            if mark.group("number"):
                self.number = int(mark.group("number"))
            self.start = mark.end()

    def at_stop(self, match: re.Match[str]) -> None:
        if item := self.unstopped_item(match):
            self.close(item, item)
        elif ends(self.text, self.start, match, self.end):
            self.close(match.end(), match.end())

    def unstopped_item(self, match: re.Match[str]) -> int | None:
        """Where the next list number begins: `1. Clear lungs 2. Normal heart`, `Chest 1. Clear lungs`."""
        if not self.text[match.start() - 1].isdigit():
            return None
        number = LAST_NUMBER.search(self.text, max(self.start, match.start() - 3), match.start())
        if not number or int(number.group()) != self.number + 1:
            return None
        before = self.text[self.start : number.start()].lower().split()
        if self.number:
            expected = bool(before) and before[-1] not in words_of_kind("numbered")
        else:
            expected = len(before) == 1 and before[0].rstrip(":") in words_of_kind("inside")
        return number.start() if expected and CAPITAL_AHEAD.match(self.text, match.end(), self.end) else None

    def at_item(self, match: re.Match[str]) -> None:
        digits = re.sub(r"\D", "", match.group())
        before = self.text[max(self.start, match.start() - 8) : match.start()].rstrip()[-1:]
        if not digits or int(digits) == self.number + 1 or (digits == "1" and before in (".", ";", ":")):
            self.close(match.start(), match.start())

    def at_space(self, match: re.Match[str]) -> None:
        breaks = len(NEWLINE.findall(match.group()))
        if not breaks:
            return
        if breaks > 1 or self.item_follows(match) or self.deliberate(match):
            self.close(match.start(), match.end())
        self.line = match.end()

    def item_follows(self, match: re.Match[str]) -> bool:
        """Whether the next line begins with a list mark, and not with a number wrapped onto it."""
        item = ITEM_AHEAD.match(self.text, match.end(), self.end)
        if not item or not item.group("number"):
            return bool(item)
        line = self.text[self.line : match.start()].rstrip()
        return line[-1:] in ("", *".:;!?") or int(item.group("number")) in (1, self.number + 1)

    def deliberate(self, match: re.Match[str]) -> bool:
        """Whether a line was ended on purpose: the next word would still have fitted on it."""
        line = self.text[self.line : match.start()].rstrip()
        ahead = NEXT_WORD.match(self.text, match.end(), self.end)
        if not ahead or not line or line[-1] in ",;:-–—/(.&+":
            return False
        ahead_of = LABEL_AHEAD if LABEL_AHEAD.match(line) else SUBHEAD_AHEAD
        labelled = ahead_of.match(self.text, match.end(), self.end) is not None
        if line.rsplit(None, 1)[-1].lower() in words_of_kind("hanging") and not (labelled and ":" in line):
            return False
        if labelled or self.listed or not ahead.group()[0].isupper():
            return labelled or self.listed
        return len(line) + 1 + len(ahead.group()) <= self.columns


def ends(text: str, start: int, match: re.Match[str], limit: int) -> bool:
    """Whether the stop at `match` ends the sentence that began at `start`."""
    stop, after = match.group("stop"), match.end()
    if after >= limit:
        return True
    ahead = VISIBLE.search(text, after, limit)
    if not ahead:
        return True
    if match.start() == start:
        return stop != "?"
    if ahead.start() == after:
        return ends_unspaced(text, start, match)
    following = ahead.group()
    if len(stop) > 2 or after > match.end("stop"):
        return not following.islower()
    if stop[0] != ".":
        return not text[match.start() - 1].isspace() or not following.islower()
    return len(stop) > 1 or not abbreviated(text, start, match.start(), ahead.start())


def ends_unspaced(text: str, start: int, match: re.Match[str]) -> bool:
    """`effusion.No pneumothorax` is two sentences; `2.5 cm`, `a.m.` and `e.g.` are not."""
    at = match.start()
    following = text[match.end()]
    token = token_before(text, start, at)
    if match.end() > match.end("stop") or WEB.search(text, max(start, at - 40), at):
        return False
    if text[at - 1].isdigit() or text[at - 1] in ")]_%":
        return following.isupper()
    if DOTTED.fullmatch(token):
        return following.isupper() and text[match.end() + 1 : match.end() + 2].islower()
    if not token or len(token) == 1 or token.lower() in abbreviations():
        return False
    if following.isdigit():
        return len(token) > 2 and "." not in token
    if following.islower():
        return len(token) > 3 and "." not in token and text[match.end() + 1 : match.end() + 2].isalpha()
    return following.isupper() or following == "_" or not following.isprintable()


def token_before(text: str, start: int, at: int) -> str:
    """The word or number that ends at `at`, inner stops included."""
    found = TOKEN.search(text, max(start, at - 24), at)
    return found.group() if found else ""


def abbreviated(text: str, start: int, at: int, ahead: int) -> bool:
    """Whether the stop at `at` belongs to the word before it; `ahead` is where the next word begins."""
    at -= text[at - 1] == " "  # tokenised text: `dr . example`
    token = token_before(text, start, at)
    following = text[ahead]
    if token.isdigit():
        spaced = len(token) < 3 and UNIT_AHEAD.match(text, ahead) is not None  # a decimal: `2. 5 cm`
        return at - len(token) == start or spaced
    kind = abbreviations().get(token.lower(), "")
    if kind == "always":
        return True
    if kind == "title":
        return token.istitle()
    if kind == "number":
        return following.isdigit() or following in "_#"
    if kind == "unit":
        return bool(GOES_ON.match(text, ahead))
    if kind == "soft" or DOTTED.fullmatch(token):
        return following.islower() or following.isdigit() or following == "_"
    return len(token) == 1 and token.isupper() and following.isupper() and is_initial(text, start, at)


def is_initial(text: str, start: int, at: int) -> bool:
    """Whether a capital before a stop stands for a name: after a title, `by`, or another initial."""
    before = text[max(start, at - 24) : at - 1].rstrip()
    return not before or bool(re.search(r"(?:\b(?:drs?|mrs?|ms|prof|[A-Z])\.?|\bby)$", before, re.IGNORECASE))
