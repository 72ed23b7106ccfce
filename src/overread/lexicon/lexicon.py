"""The whole lexicon as one value: rows, concepts, cues, spellings, and the matcher that finds them in a text."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol, TypeVar

from msgspec import Struct

from overread.errors import BadLexicon, UnknownName
from overread.lexicon import meanings
from overread.lexicon.load import Row, content_hash, package_rows, shipped_hash, table_text, user_rows
from overread.lexicon.meanings import Concept, Cue
from overread.lexicon.words import phrase, plurals


class Clearable(Protocol):
    """A function with a cache."""

    def cache_clear(self) -> None: ...


Remembering = TypeVar("Remembering", bound=Clearable)


class Matcher:
    """Every form at once, by its words: found in one pass, whatever the size of the lexicon."""

    def __init__(self, forms: Iterable[tuple[str, Row | Cue]]) -> None:
        table: dict[str, list[Row | Cue]] = {}
        for form, row in forms:
            table.setdefault(form, []).append(row)
        self.forms = {form: tuple(rows) for form, rows in table.items()}
        self._most: dict[str, int] = {}
        """First word → words of the longest form that begins with it."""
        for form in self.forms:
            first, *more = form.split()
            self._most[first] = max(self._most.get(first, 0), 1 + len(more))

    def find(self, words: Sequence[str]) -> list[tuple[int, int, tuple[Row | Cue, ...]]]:
        """Words from the first up to the last that are a form, and its rows; overlapping ones too, by their beginning.

        >>> [(first, last) for first, last, _ in lexicon().matcher.find(["pleural", "effusion"])]
        [(0, 1), (0, 2), (1, 2)]
        """
        found: list[tuple[int, int, tuple[Row | Cue, ...]]] = []
        for first, word in enumerate(words):
            for last in range(first + 1, min(first + self._most.get(word, 0), len(words)) + 1):
                if rows := self.forms.get(" ".join(words[first:last])):
                    found.append((first, last, rows))
        return found


class Lexicon:
    """Rows, concepts, cues and spellings; built once and shared by every reading."""

    def __init__(self, rows: tuple[Row, ...], concepts: dict[str, Concept]) -> None:
        self.rows, self.concepts = rows, concepts
        self.cues = meanings.read_cues(table_text("cues"))
        self.spellings = meanings.read_spellings(table_text("spellings"))
        """Variant → the word the tables use."""
        self.compounds = meanings.read_compounds(table_text("compounds"), concepts)
        self.implied = meanings.read_implied(table_text("implied"), concepts)
        for row in rows:
            if row.table == "findings" and row.concept not in self.concepts:
                unknown = UnknownName("concept", row.concept, concepts)
                raise BadLexicon("findings.tsv", None, f"row {row.id}: {unknown}")

    @cached_property
    def matcher(self) -> Matcher:
        return Matcher(self._forms)

    @cached_property
    def _forms(self) -> list[tuple[str, Row | Cue]]:
        """Every form as look-ups see it, regular plurals included."""
        given = {(row.table, row.form) for row in self.rows}
        found: list[tuple[str, Row | Cue]] = []
        for row in self.rows:
            found.append((form := phrase(row.form), row))
            if row.table == "findings" or row.role in ("noun", "zone"):
                found += [(p, row) for p in plurals(form) if (row.table, p) not in given]
        return [*found, *((phrase(cue.form), cue) for cue in self.cues)]

    def described(self, table: str, form: str) -> Row | None:
        """The row of a phrase in look-up form in one table, if there is one."""
        return self._by_table.get((table, form))

    @cached_property
    def _by_table(self) -> dict[tuple[str, str], Row]:
        return {(row.table, form): row for form, row in self._forms if isinstance(row, Row)}

    def is_place(self, words: str) -> bool:
        """Are these only words of place, such as `left`, `upper`, `right hilar`?"""
        parts = words.split()
        return ("locations", words) in self._by_table or all(
            ("locations", w) in self._by_table for w in parts
        )

    @cached_property
    def anatomy(self) -> dict[str, tuple[str, ...]]:
        """What each place is part of, general to special, itself last."""
        return {row.concept: (*row.path, row.concept) for row in self.rows if row.table == "locations"}

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every single word that stands in some form."""
        return frozenset(word for form in self.matcher.forms for word in form.split())

    @cached_property
    def hash(self) -> str:
        """Four hex digits that change when any row does."""
        if self is shipped():
            return shipped_hash()
        tables = (self.concepts, self.spellings, self.compounds, self.implied)
        told = content_hash([str(self.cues), *(str(sorted(table.items())) for table in tables)])
        return content_hash([str(self.rows), told, shipped_hash()])

    @cached_property
    def _long_words(self) -> dict[tuple[str, int], list[str]]:
        """By their first letter and their length."""
        found: dict[tuple[str, int], list[str]] = {}
        for word in self.vocabulary:
            if len(word) >= 7 and word.isalpha():
                found.setdefault((word[0], len(word)), []).append(word)
        return found

    @cached_property
    def normal(self) -> Callable[[str], str]:
        """The word as the tables spell it: listed variants first, then a slip of one letter in a long word.

        >>> lexicon().normal("oedema"), lexicon().normal("pnuemothorax"), lexicon().normal("patient")
        ('edema', 'pneumothorax', 'patient')
        """
        return lru_cache(maxsize=20_000)(self._respell)

    def _respell(self, word: str) -> str:
        if word in self.spellings:
            return self.spellings[word]
        if len(word) < 7 or not word.isalpha() or word in self.vocabulary or word in ORDINARY:
            return word
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extractOne

        slips = 1 if len(word) < 11 else 2
        sizes = range(len(word) - slips, len(word) + slips + 1)
        near = sorted(w for size in sizes for w in self._long_words.get((word[0], size), ()))
        best = extractOne(word, near, scorer=OSA.distance, score_cutoff=slips)
        if best is None or inflected(word, best[0]):
            return word
        return str(best[0])

    def ancestors(self, concept: str) -> Iterator[str]:
        """The concept and its parents, most special first."""
        name: str | None = concept
        while name is not None:
            yield name
            found = self.concepts.get(name)
            name = found.parent if found else None


ORDINARY = frozenset(files("overread.lexicon").joinpath("tables", "ordinary.txt").read_text("utf-8").split())
"""Words that are a letter or two away from a term and are no slips of it: hearing, injection, stopped."""


def inflected(word: str, other: str) -> bool:
    """Is one word only a longer form of the other (flatten, flattened)?"""
    short, long = sorted((word, other), key=len)
    return long.startswith(short[: max(len(short) - 1, 5)]) and len(long) != len(short)


@cache
def shipped() -> Lexicon:
    """The lexicon that ships with overread."""
    return Lexicon(package_rows(), meanings.read_concepts(table_text("concepts")))


_adopted: list[Lexicon] = []
_remembering: list[Callable[[], None]] = []


def lexicon() -> Lexicon:
    """The lexicon of this process: the shipped one, with a user's rows on top where some were adopted."""
    return _adopted[-1] if _adopted else shipped()


def hash_of_words() -> str:
    """The hash of this process's lexicon, which is not read for it where it is the shipped one."""
    return _adopted[-1].hash if _adopted else shipped_hash()


def adopt(words: Lexicon | None) -> None:
    """Let all systems and encoders of this process know these words; None goes back to the shipped ones."""
    if (words is None and not _adopted) or words is lexicon():
        return
    _adopted[:] = [] if words is None else [words]
    for forget in _remembering:
        forget()


def knows_words(function: Remembering) -> Remembering:
    """Mark a cached function whose answers depend on the lexicon: it forgets them when other words are adopted."""
    _remembering.append(function.cache_clear)
    return function


def with_user_rows(path: Path) -> Lexicon:
    """The shipped lexicon and a user's own rows on top."""
    base = shipped()
    own = user_rows(path)
    new = {r.concept for r in own if r.table == "findings"} - set(base.concepts)
    concepts = base.concepts | {name: Concept(name, "finding", "PF", None, None) for name in sorted(new)}
    return Lexicon(base.rows + tuple(own), concepts)


# ---- everything it says about one term
ALIKE_FORMS = 70
"""From this likeness on, of 100, a form may be the one that was meant."""


class TermEntry(Struct, frozen=True):
    """Rows, cues and concepts of one term."""

    rows: tuple[Row, ...]
    cues: tuple[Cue, ...]
    concepts: tuple[Concept, ...]
    parents: dict[str, tuple[str, ...]]
    """Concept → those above it, general to special."""


def look_up(term: str, words: Lexicon) -> TermEntry:
    """Rows whose form or concept is the term, in any of its spellings.

    >>> [c.name for c in look_up("PTX", lexicon()).concepts]
    ['pneumothorax']
    """
    form = " ".join(words.normal(w) for w in phrase(term).split())
    name = "-".join(form.split())
    rows = tuple(
        r for r in words.rows if form in (phrase(r.form), *plurals(phrase(r.form))) or r.concept == name
    )
    cues = tuple(c for c in words.cues if phrase(c.form) == form)
    named = [words.concepts[r.concept] for r in rows if r.table == "findings"]
    if name in words.concepts:
        named.append(words.concepts[name])
    concepts = tuple({c.name: c for c in named}.values())
    if not rows and not cues:
        from rapidfuzz import fuzz, process

        forms = list(words.matcher.forms)
        near = process.extract(form, forms, scorer=fuzz.ratio, limit=5, score_cutoff=ALIKE_FORMS)
        similar = [found[0] for found in near]
        raise UnknownName("lexicon term", term, similar)
    parents = {c.name: tuple(words.ancestors(c.name))[:0:-1] for c in concepts}
    return TermEntry(rows, cues, concepts, parents)
