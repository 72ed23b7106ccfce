"""What words mean: the lexicon's concept of a noun, the normal form of what describes it, the places of a location."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeVar

from overread.lexicon.lexicon import Lexicon, knows_words, lexicon
from overread.lexicon.load import Row
from overread.lexicon.meanings import FLAGS, Cue, ending_of
from overread.lexicon.words import Word, phrase, split
from overread.reader.reading import Attribute, Evidence, MeasuredSpan, one_side
from overread.report.marks import alike
from overread.report.span import Span

TABLES = {"location": "locations", "gone": "improved"}
"""Where the words of a kind of value are listed, if not in the table of that name."""

KINDRED = {"measurement": ("morphology",), "morphology": ("measurement",)}
"""Where else to look: `widened` is a size to one and a shape to another."""

JOINS = frozenset({"and", "or", ",", "/", "&", "as", "well", "than", "versus", ";"})
OPEN = "open-vocabulary"
NETWORK = "network"


class Known(NamedTuple):
    """Words of a sentence that the lexicon knows: from the first up to the last, and the rows of their form."""

    first: int
    last: int
    rows: tuple[Row | Cue, ...]

    def row(self, table: str) -> Row | None:
        return next((r for r in self.rows if isinstance(r, Row) and r.table == table), None)


class Sense(NamedTuple):
    """What a noun names."""

    concept: str | None
    kind: str
    rule: str
    site: str | None
    path: tuple[str, ...] = ()
    """Of a structure that is a place: what it is part of."""


class Words:
    """The words of one sentence, and every form of the lexicon among them."""

    def __init__(self, text: str, lex: Lexicon) -> None:
        self.text = text
        self.lex = lex
        self.words: tuple[Word, ...] = split(text)
        self.forms = [lex.normal(w.form) for w in self.words]
        found = (
            Known(first, last, self.holding(first, last, rows))
            for first, last, rows in lex.matcher.find(self.forms)
        )
        self.known = [one for one in found if one.rows]

    def holding(self, first: int, last: int, rows: tuple[Row | Cue, ...]) -> tuple[Row | Cue, ...]:
        """The rows that count here: not those whose `unless` stands around them, nor those for capitals alone."""
        capitals = self.text[self.words[first].start : self.words[last - 1].end].isupper()

        def around(guard: list[str]) -> bool:
            starts = range(max(0, last - len(guard)), first + 1)
            return any(self.forms[start : start + len(guard)] == guard for start in starts)

        def counts(row: Row) -> bool:
            return (capitals or row.path[-1:] != ("cased",)) and not any(
                around(g.split()) for g in row.unless
            )

        return tuple(row for row in rows if isinstance(row, Cue) or counts(row))

    def within(self, start: int, end: int) -> range:
        """The numbers of the words between two offsets."""
        inner = [n for n, w in enumerate(self.words) if w.start < end and start < w.end]
        return range(inner[0], inner[-1] + 1) if inner else range(0)

    def span(self, first: int, last: int) -> Span:
        return Span(self.words[first].start, self.words[last - 1].end)

    # ---- nouns
    def named(self, start: int, end: int, described: Iterable[Span]) -> Sense:
        """What the noun between two offsets names, with the words just before it that describe it."""
        noun = self.within(start, end)
        if not noun:
            return Sense(None, "open", OPEN, None)
        own = {n for span in described for n in self.within(span.start, span.end)} | set(noun)
        row = self.finding_row(noun, own)
        site = self.site(noun)
        if row is not None:
            return Sense(row.concept, self.lex.concepts[row.concept].kind, row.id, site)
        ends = [k for k in self.known if k.last == noun.stop and k.first >= noun.start]
        place = next(
            (r for k in sorted(ends) if (r := k.row("locations")) is not None and r.role in ("noun", "zone")),
            None,
        )
        if place is not None:
            return Sense(place.concept, "structure", place.id, None, place.path)
        ending = ending_of(self.forms[noun.stop - 1])
        if ending is not None and ending.means is not None and ending.means in self.lex.concepts:
            return Sense(ending.means, self.lex.concepts[ending.means].kind, ending.id, site)
        return Sense(None, "open", OPEN, site)

    def finding_row(self, noun: range, own: set[int]) -> Row | None:
        """The longest row that ends with the noun and holds nothing but its own words; else one inside it."""
        found = [(k, row) for k in self.known if (row := k.row("findings")) is not None]
        ending = [
            (k, row) for k, row in found if k.last == noun.stop and own.issuperset(range(k.first, k.last))
        ]
        if ending:
            return min(ending, key=lambda one: one[0].first)[1]
        inside = [(k, row) for k, row in found if k.first >= noun.start and k.last <= noun.stop]
        return max(inside, key=lambda one: (one[0].last, one[0].last - one[0].first))[1] if inside else None

    def site(self, noun: range) -> str | None:
        """The place that is named inside a noun: `bony` abnormality."""
        for k in self.known:
            row = k.row("locations")
            if row is not None and noun.start <= k.first and k.last < noun.stop and row.role != "dir":
                return row.concept
        return None

    # ---- what describes them
    def described(self, kind: str, start: int, end: int) -> Row | None:
        """The row of a value: of all its words, else of as many as one has, else of the last."""
        own = self.within(start, end)
        inside = [k for k in self.known if k.first >= own.start and k.last <= own.stop]
        for table in (TABLES.get(kind, kind), *KINDRED.get(kind, ())):
            rows = [(k.last - k.first, k.last, row) for k in inside if (row := k.row(table)) is not None]
            if rows:
                return max(rows, key=lambda one: one[:2])[2]
        return None

    def cue(self, kind: str, start: int, end: int) -> Cue | None:
        """The longest cue of a kind that shares words with a value."""
        own = self.within(start, end)
        cues = [
            (k.last - k.first, row) for k in self.known if k.first < own.stop and own.start < k.last
            for row in k.rows if isinstance(row, Cue) and row.kind == kind
        ]  # fmt: skip
        return max(cues, key=lambda one: one[0])[1] if cues else None

    def places(self, start: int, end: int) -> tuple[MeasuredSpan, ...]:
        """Every place of a location; `upper and lower lobes`: the first borrows the noun of the last."""
        runs = self.runs(self.within(start, end))
        found: list[MeasuredSpan] = []
        side = "-"
        for run in runs:
            row = place_noun(run)
            where = self.span(run[0].first, run[-1].last)
            own = self.side(run)
            side = own if own != "-" else side
            if row is not None and row.role == "dir" and len(runs) > 1:
                last_word = self.forms[runs[-1][-1].last - 1]
                row = self.lex.described("locations", phrase(f"{where.of(self.text)} {last_word}")) or row
            if row is not None:
                found.append(MeasuredSpan(alike(where.of(self.text)), where, row.concept, row.path, side))
        return tuple(found)

    def runs(self, own: range) -> list[list[Known]]:
        """Neighbouring words that name one place each."""
        at = {
            k.first: k
            for k in sorted(self.known, key=lambda k: k.last - k.first)
            if k.row("locations") is not None and k.last <= own.stop
        }
        runs: list[list[Known]] = [[]]
        n = own.start
        while n < own.stop:
            known = at.get(n)
            if known is not None:
                runs[-1].append(known)
                n = known.last
                continue
            if self.forms[n] in JOINS and runs[-1]:
                runs.append([])
            n += 1
        return [run for run in runs if run]

    def side(self, run: Sequence[Known]) -> str:
        """left, right, both or -, from whichever word of the run says it."""
        rows = [row for k in run if (row := k.row("locations")) is not None]
        words = (form for k in run for form in self.forms[k.first : k.last] if form in ("left", "right"))
        return one_side([*words, *(row.side for row in rows)])

    # ---- cues of the sentence
    def cues(self) -> tuple[Evidence, ...]:
        """Denials, hedges and links, the longest of those that overlap; and all that is said of the whole sentence."""
        cues = [(k, row) for k in self.known for row in k.rows if isinstance(row, Cue)]
        told = list(longest(one for one in cues if one[1].kind not in FLAGS))
        found = (one for one in sorted(cues, key=by_length) if one[1].kind in FLAGS or one in told)
        made = (Evidence(self.span(k.first, k.last), row.id, row.kind) for k, row in found)
        return tuple(sorted(made, key=lambda e: e.span))

    def changes(self) -> tuple[Attribute, ...]:
        """Words of change, the longest of those that overlap."""
        rows = (
            (k, row)
            for k in self.known
            for row in k.rows
            if isinstance(row, Row)
            and row.table in CHANGE_TABLES
            and (row.table != "onset" or row.concept == "new")
        )
        found = [(self.span(k.first, k.last), row) for k, row in longest(rows)]
        return tuple(
            Attribute(row.table, alike(at.of(self.text)), at, row.concept, row.path, "-", row.id)
            for at, row in sorted(found, key=lambda one: one[0])
        )


OneRow = TypeVar("OneRow", Row, Cue)


def by_length(one: tuple[Known, Row | Cue]) -> tuple[int, int]:
    """The longest first; of equals the first."""
    return one[0].first - one[0].last, one[0].first


def longest(found: Iterable[tuple[Known, OneRow]]) -> Iterator[tuple[Known, OneRow]]:
    """Of those that share words the longest."""
    taken: set[int] = set()
    for k, row in sorted(found, key=by_length):
        if taken.isdisjoint(own := range(k.first, k.last)):
            taken.update(own)
            yield k, row


CHANGE_TABLES = frozenset({"improved", "worsened", "no_change", "onset"})


def place_noun(run: Sequence[Known]) -> Row | None:
    """The row that says where: the last noun, else the last adjective, else the last direction."""
    rows = [row for k in run if (row := k.row("locations")) is not None]
    for roles in (("noun", "zone"), ("adj",), ("dir",)):
        for row in reversed(rows):
            if row.role in roles:
                return row
    return None


@knows_words
@lru_cache(maxsize=4096)
def words_of(text: str) -> Words:
    """Sentences repeat each other; so does what is asked of one."""
    return Words(text, lexicon())
