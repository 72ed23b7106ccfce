"""What the network hears in a report: mentions, values that belong to them, links, and what each sentence is for."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from msgspec import Struct

from overread.network import heads
from overread.network.encoder import Encoded, encoder
from overread.network.heads import Place
from overread.reader.windows import Window, runs
from overread.report import Report
from overread.report.span import Span

VALUE_KINDS = (
    "location", "morphology", "distribution", "measurement", "previous_measurement", "severity", "comparison", "onset",
    "improved", "worsened", "no_change", "gone", "placement", "past_hx", "other_source", "assessment_limitations",
    "denied_by", "hedged_by",
)  # fmt: skip
CUES = 1 + VALUE_KINDS.index("denied_by")
"""Kinds from here on may be a mark: `?` hedges."""

CATEGORIES = ("PF", "CF", "OTH", "COF", "NCD", "PATIENT INFO")
LINK_KINDS = ("evidence", "associate", "same_as")
PURPOSES = (
    "", "technique", "comparison", "advice", "communication", "limits", "history", "demographics", "summary", "heading",
    "blank",
)  # fmt: skip
EVEN = 0.5
DIGITS = 3
"""Probabilities are rounded, so that the last bits of a machine's arithmetic decide nothing."""

MOST_JOINED = 600
"""Characters of a window to which a sentence may still be joined."""

MOST_HELD = 400
"""Mentions that are held against each other at once: all of a report, unless it is longer than a person writes."""

REMEMBERED = 4096
"""Windows whose encoding is kept: reports repeat each other, and several views ask in turn."""


class Value(Struct, frozen=True):
    """Words that say something of a mention."""

    kind: str
    span: Span
    sentence: int
    sure: float


class Heard(Struct):
    """One mention: a noun and what is said of it."""

    span: Span
    sentence: int
    positive: float
    unsaid: float
    """How likely it is only named: asked for, looked for, not judged."""

    tentative: float
    category: str
    several: float
    """How likely the noun stands for several things of which different things are said."""

    values: list[Value]
    links: dict[str, list[int]]
    """Kind of link to the numbers of the mentions it leads to."""


def hear(report: Report, text: str) -> tuple[list[Heard], dict[int, str]]:
    """The mentions of a report, and what each sentence is for, by its number.

    `text` is the report's as it is to be seen: the same offsets, marks hidden.
    """
    made: list[Window] = []
    for section in report.sections:
        first = len(made)
        for sentence in section.sentences:
            alone = Window(section.name)
            alone.add(sentence.index, sentence.span.of(text), sentence.span.start)
            if len(made) > first and len(made[-1].text) < MOST_JOINED and leans(alone):
                made[-1].add(sentence.index, sentence.span.of(text), sentence.span.start)
            else:
                made.append(alone)
    heard = Listener(made)
    return heard.mentions(), heard.purposes()


def leans(window: Window) -> bool:
    """`It is unchanged.`, `On the right, none.`: does it say something and name nothing it is said of?"""
    tags = Listener([window]).tags[0]
    return len(tags) > 0 and not tags[:, 0].any() and bool(tags[:, 1:].any())


@lru_cache(maxsize=REMEMBERED)
def encoded(text: str) -> tuple[Sequence[tuple[int, int]], Encoded]:
    coded = encoder().coded(text)
    return coded.offsets, encoder().run(coded)


class Listener:
    """Windows of one report, and what was made of each."""

    def __init__(self, made: list[Window]) -> None:
        self.windows = made
        run = [encoded(one.text) for one in made]
        self.offsets = [offsets for offsets, _ in run]
        self.tokens = [one.tokens for _, one in run]
        self.words = [
            tokens_of_words(offsets, window.text) for offsets, window in zip(self.offsets, made, strict=True)
        ]
        self.tags = [by_word(one.tags, words) for (_, one), words in zip(run, self.words, strict=True)]
        self.weights = encoder().weights

    def tagged(self, kind: int) -> list[tuple[Place, int, Span]]:
        """The places of one kind, each within one sentence."""
        found = []
        for w, tags in enumerate(self.tags):
            for first, last in runs(tags[:, kind].tolist()):
                if kind < CUES:
                    first, last = self.trimmed(w, first, last)
                if first == last:
                    continue
                start, end = self.words[w][first][0], self.words[w][last - 1][1]
                home = self.windows[w].at_home(self.offsets[w][start][0], self.offsets[w][end - 1][1])
                if home is not None:
                    found.append(((w, start, end), *home))
        return found

    def trimmed(self, window: int, first: int, last: int) -> tuple[int, int]:
        """A run of words without the marks at its ends."""
        words, offsets, text = self.words[window], self.offsets[window], self.windows[window].text

        def says(n: int) -> bool:
            start, end = offsets[words[n][0]][0], offsets[words[n][1] - 1][1]
            return any(c.isalnum() or c in "%+" for c in text[start:end])

        saying = [n for n in range(first, last) if says(n)]
        return (saying[0], saying[-1] + 1) if saying else (first, first)

    def mentions(self) -> list[Heard]:
        mentions = self.tagged(0)
        if not mentions:
            return []
        places = [place for place, _, _ in mentions]
        spans = heads.ends(self.tokens, places)
        status, certainty, category, several = heads.slots(self.weights, spans)
        found = [
            Heard(
                span, sentence, rounded(status[n, 1] / (status[n, 0] + status[n, 1])), rounded(status[n, 2]),
                rounded(certainty[n, 1]), CATEGORIES[int(category[n].argmax())], rounded(several[n, 1]), [], {},
            )
            for n, (_, sentence, span) in enumerate(mentions)
        ]  # fmt: skip
        self.give_values(found, places, spans)
        self.link(found, places, spans)
        return found

    def give_values(self, found: list[Heard], places: list[Place], spans: np.ndarray) -> None:
        """Each value to the mentions it belongs to; to the likeliest of its window where it belongs to none."""
        here: dict[int, list[int]] = {}
        for n, (window, _, _) in enumerate(places):
            here.setdefault(window, []).append(n)
        told: dict[int, list[tuple[int, Place, int, Span]]] = {window: [] for window in here}
        for kind in range(len(VALUE_KINDS)):
            for place, sentence, span in self.tagged(1 + kind):
                if place[0] in told:
                    told[place[0]].append((kind, place, sentence, span))
        for window, values in told.items():
            if not values:
                continue
            near, own = here[window], [place for _, place, _, _ in values]
            far = heads.steps(own, [places[n] for n in near])
            scores = heads.fits(
                self.weights, [kind for kind, *_ in values], heads.ends(self.tokens, own), spans[near], far
            )
            for (kind, _, sentence, span), row in zip(values, scores, strict=True):
                sure = [rounded(p) for p in row]
                for i in [i for i, p in enumerate(sure) if p >= EVEN] or [sure.index(max(sure))]:
                    found[near[i]].values.append(Value(VALUE_KINDS[kind], span, sentence, sure[i]))

    def link(self, found: list[Heard], places: list[Place], spans: np.ndarray) -> None:
        """Each mention to those it is linked with, among the nearest where there are very many."""
        for first, new, last in mention_stretches(len(found)):
            near = slice(first, last)
            scores = heads.related(self.weights, spans[near], heads.steps(places[near], places[near]))
            scores[:, new - first :, new - first :] = 0  # asked in the next stretch
            for kind, table in zip(LINK_KINDS, scores, strict=True):
                if kind != "evidence":  # holds both ways
                    table = np.maximum(table, table.T)
                for a, b in zip(*np.nonzero(table.round(DIGITS) >= EVEN), strict=True):
                    if a != b:
                        found[first + int(a)].links.setdefault(kind, []).append(first + int(b))

    def purposes(self) -> dict[int, str]:
        places: dict[int, Place] = {}
        for w, window in enumerate(self.windows):
            bounds = [*window.starts, len(window.text) + 1]
            for number, start, end in zip(window.sentences, bounds, bounds[1:], strict=False):
                inner = [i for i, (a, b) in enumerate(self.offsets[w]) if start <= a < end and b > a]
                if inner:
                    places[number] = w, inner[0], inner[-1] + 1
        if not places:
            return {}
        said = heads.purposes(self.weights, heads.ends(self.tokens, list(places.values())))
        return {number: PURPOSES[int(row.argmax())] for number, row in zip(places, said, strict=True)}


def mention_stretches(count: int) -> list[tuple[int, int, int]]:
    """Mentions that are held against each other: the first, the first that the next stretch has too, the last plus one.

    One stretch where there are not too many, so that each meets each; else each meets those around it, once.

    >>> mention_stretches(3), mention_stretches(700)
    ([(0, 3, 3)], [(0, 200, 400), (200, 400, 600), (400, 700, 700)])
    """
    half = MOST_HELD // 2
    firsts = range(0, max(count - half, 1), half) if count > MOST_HELD else range(1)
    return [
        (n, min(n + half, count), min(n + MOST_HELD, count)) if n + MOST_HELD < count else (n, count, count)
        for n in firsts
    ]


def tokens_of_words(offsets: Sequence[tuple[int, int]], text: str) -> list[tuple[int, int]]:
    """First token and last plus one of each word: pieces of letters and digits that touch are one.

    >>> tokens_of_words([(0, 0), (0, 4), (4, 9), (9, 10), (0, 0)], "opacities.")
    [(1, 3), (3, 4)]
    """
    found: list[tuple[int, int]] = []
    for n, (start, end) in enumerate(offsets):
        if end <= start:
            continue
        touches = bool(found) and found[-1][1] == n and offsets[n - 1][1] == start
        if touches and word_goes_on(text, start):
            found[-1] = (found[-1][0], n + 1)
        else:
            found.append((n, n + 1))
    return found


APOSTROPHES = frozenset("'’")


def word_goes_on(text: str, at: int) -> bool:
    """Does a word go on here: between letters and digits, also over an apostrophe among them?"""
    before, after = text[at - 1], text[at]
    if before in APOSTROPHES or after in APOSTROPHES:
        mark = at if after in APOSTROPHES else at - 1
        return 0 < mark < len(text) - 1 and text[mark - 1].isalnum() and text[mark + 1].isalnum()
    return before.isalnum() and after.isalnum()


def by_word(tags: np.ndarray, words: Sequence[tuple[int, int]]) -> np.ndarray:
    """One tag for each word and kind, from the scores of all its pieces; whether it begins is for the first to say."""
    found = np.zeros((len(words), tags.shape[1]), np.int64)
    inside = np.logaddexp(tags[..., 1], tags[..., 2]) - tags[..., 0]
    begins = tags[..., 1] > tags[..., 2]
    for n, (first, last) in enumerate(words):
        found[n] = np.where(inside[first:last].mean(0) > 0, np.where(begins[first], 1, 2), 0)
    return found


def rounded(p: float) -> float:
    return round(float(p), DIGITS)
