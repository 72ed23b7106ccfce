"""Every form this system understands, from its own table and from the lexicon."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import Struct, structs

from overread.lexicon.lexicon import Lexicon, knows_words, lexicon, shipped
from overread.lexicon.load import Row
from overread.lexicon.match import Longer, Matcher
from overread.lexicon.statement_words import WordRow, relations, word_rows
from overread.lexicon.words import phrase, plurals

Path = tuple[str, ...]
TABLES = {"locations": 0, "findings": 1, "morphology": 2, "distribution": 3, "severity": 3, "onset": 3}
"""Lexicon tables that are used; where two know a form, the lower number speaks."""

SAME_PLACE: dict[str, Path] = {
    "pleural-space": ("thorax", "pleura"),
    "airspace": ("thorax", "lung"),
    "lung-parenchyma": ("thorax", "lung"),
    "interstitium": ("thorax", "lung"),
}
"""Concepts that are one place here."""

SAME_FINDING = {"orthopedic-hardware": "hardware"}
SPOKEN_FOR = frozenset({"structure", "generic", "symptom", "history"})
"""Kinds of concepts that are places or general words here, and have rows of their own."""


DISCS = frozenset({"disc", "discs", "disk", "disks"})
OF_THE_SPINE = frozenset(
    {"cervical", "thoracic", "lumbar", "lumbosacral", "thoracolumbar", "cervicothoracic"}
)
PREFIXES = ("non", "un")
DENIABLE = frozenset({"quality", "head", "shape", "normal"})
"""What a prefix can deny."""


class Entry(Struct, frozen=True, gc=False):
    """What a form does in a statement."""

    role: str
    sense: tuple[str, ...] = ()
    site: Path = ()
    """Anatomy from the body down to the place itself; empty where the form names no place."""

    side: str = "-"
    kind: str = "-"
    """For a place: noun, adj, zone, dir (a direction) or part (of something)."""


REMEMBERED_WORDS = 50_000


NUMBER = Entry("ignore")
"""A number says nothing by itself."""


class Met(Struct, frozen=True, gc=False):
    """A word that was met in a sentence, with all that is asked of it each time."""

    form: str
    """As the tables spell it."""

    entry: Entry
    """What it does where it stands alone."""

    longer: Longer[Entry] | None
    """What may follow it as part of a phrase."""


class Words(dict[str, Met]):
    """Word → what is known of it; a new one is worked out once."""

    def __init__(self, vocabulary: "Vocabulary") -> None:
        super().__init__()
        self.vocabulary = vocabulary

    def __missing__(self, word: str) -> Met:
        if len(self) >= REMEMBERED_WORDS:
            self.clear()
        known = self.vocabulary
        if word[0].isdigit() and word not in known.forms and word not in known.lexicon.spellings:
            met = Met(word, NUMBER, known.matcher.longer(word))
        else:
            form = word if word in known.known else known.lexicon.normal(word)
            entry = known.forms.get(form) or known.prefixed(form) or unknown(form)
            met = Met(form, entry, known.matcher.longer(form))
        self[word] = met
        return met


class Vocabulary:
    """Forms, the matcher over them, and which organs come in pairs."""

    def __init__(self, lex: Lexicon) -> None:
        self.lexicon = lex
        self.places: dict[str, Path] = {}
        sides: dict[str, set[str]] = {}
        for row in lex.rows:
            if row.table == "locations":
                self.places.setdefault(row.concept, (*row.path, row.concept))
                sides.setdefault(row.concept, set()).add(row.side)
        self.paired = paired(sides, self.places)
        own = {form: entry for row in word_rows() for form, entry in self.own_forms(row)}
        self.known = frozenset(word for form in own for word in form.split())
        self.forms = own | {f: e for f, e in self.lexicon_forms(own) if f not in own}
        self.matcher: Matcher[Entry] = Matcher(self.forms.items())
        self.words = Words(self)
        self.sentences: dict[str, Any] = {}
        """Sentences read before that stand alone; who reads them keeps it small."""

    def prefixed(self, form: str) -> Entry | None:
        """A word no table knows that denies one they know: `nonobstructing`, `undeviated`."""
        for prefix in PREFIXES:
            entry = self.forms.get(form[len(prefix) :]) if form.startswith(prefix) else None
            if entry is not None and entry.role in DENIABLE:
                return denied(entry, form)
        return None

    # ---- own rows
    def own_forms(self, row: WordRow) -> Iterator[tuple[str, Entry]]:
        entry = self.own_entry(row)
        for written in row.forms:
            form = phrase(written)
            if row.role == "part" and row.meaning == "-":
                yield form, structs.replace(entry, site=(stem(form),))
            elif row.role == "ordinal":
                yield form, structs.replace(entry, site=(form,))
            else:
                yield form, entry
            if row.role == "site" and entry.site[0] != "body":
                yield from (
                    (f"{side} {form}", structs.replace(entry, side=side)) for side in ("left", "right")
                )

    def own_entry(self, row: WordRow) -> Entry:
        parts = row.meaning.split()
        named = next((p[1:] for p in parts if p[0] == "@"), None)
        site = () if named is None else tuple(named.split("/")) if "/" in named else self.places[named]
        if row.role == "part":
            return Entry("site", (), (row.meaning,), "-", "part")
        if row.role in ("ordinal", "opposite"):
            return Entry("site", (), (row.meaning,), "-", "dir")
        if row.role == "site":
            return Entry("site", (), site, "-", "noun")
        return Entry(row.role, tuple(p for p in parts if p[0] not in "@" and p != "-"), site)

    # ---- the lexicon's rows
    def lexicon_forms(self, own: dict[str, Entry]) -> Iterator[tuple[str, Entry]]:
        words = frozenset(form for form in own if " " not in form)
        aspects = frozenset(form for form, entry in own.items() if entry.role == "aspect")
        found: dict[str, Entry] = {}
        sided: dict[str, Entry] = {}
        for row in sorted((r for r in self.lexicon.rows if r.table in TABLES), key=lambda r: TABLES[r.table]):
            form = phrase(row.form)
            entry = self.lexicon_entry(row, form.split(), words)
            if row.table == "findings" and row.id not in known_ids():  # a user's word for a finding we know
                entry = self.like_ours(row, own) or entry
            if entry is None or (" " in form and form.rsplit(" ", 1)[1] in aspects):
                continue
            nouns = plurals(form) if row.table == "findings" or row.role in ("noun", "zone") else ()
            for name in (form, *nouns):
                found.setdefault(name, entry)
                if (
                    len(form.split()) > 1
                    and entry.side == "-"
                    and entry.site
                    and entry.site[-1] in self.paired
                ):
                    for side in ("left", "right"):  # `left breast parenchyma` is no part of the `left breast`
                        sided.setdefault(f"{side} {name}", structs.replace(entry, side=side))
        yield from (sided | found).items()

    def lexicon_entry(self, row: Row, words: list[str], own: frozenset[str]) -> Entry | None:
        if row.table == "findings":
            return self.finding(row, len(words) > 1)
        if row.table == "locations":
            if row.concept == "midline" or (
                words[-2:] in (["lymph", "node"], ["lymph", "nodes"]) and len(words) > 2
            ):
                return None  # `midline` says how a structure lies; nodes are named apart from their region
            if len(words) > 2 and words[-1] in DISCS and words[0] in OF_THE_SPINE:
                return None  # `cervical intervertebral disc spaces` are disc spaces of the neck
            return Entry(
                "site", (), SAME_PLACE.get(row.concept, (*row.path, row.concept)), row.side, row.role
            )
        if len(words) > 2 or (len(words) > 1 and own.intersection(words)):
            return None
        if row.table != "morphology":
            return Entry("detail", (row.concept,))
        if row.path[:2] == ("condition", "normal"):
            return Entry("normal", ("*0",))
        return Entry("quality" if row.path[:1] == ("condition",) else "shape", (row.concept,))

    def like_ours(self, row: Row, own: dict[str, Entry]) -> Entry | None:
        """The entry of a word of ours that names the same finding."""
        ours = (
            phrase(r.form) for r in self.lexicon.rows if r.table == "findings" and r.concept == row.concept
        )
        return next((own[form] for form in ours if form in own), None)

    def finding(self, row: Row, compound: bool) -> Entry | None:
        """Single words, and the names of devices and operations; other compounds are read word by word."""
        concept = self.lexicon.concepts[row.concept]
        if concept.kind == "structure" and concept.site in self.places:
            site = self.places.get(concept.name, (*self.places[concept.site], concept.name))
            return Entry("site", (), site, "-", "noun")
        if concept.kind in SPOKEN_FOR or (compound and concept.kind not in ("device", "procedure")):
            return None
        if concept.kind == "procedure":
            site = self.places.get(concept.site or "", ())
            return Entry("compound" if site else "head", ("postoperative",), site)
        return Entry("head", (SAME_FINDING.get(row.concept, row.concept),))


CODE = re.compile(r"[sctlmvp]\d{1,2}[ab]?")


def unknown(form: str) -> Entry:
    """A word no table knows: a code such as S8, punctuation, or an open word that stands for itself."""
    if CODE.fullmatch(form):
        return Entry("site", (), (form,), "-", "part")
    if not form[0].isalpha():
        return Entry("stop" if form in ";:.?!()[]" else "ignore")
    return Entry("open", (f"~{stem(form)}",)) if len(form) > 2 else Entry("ignore")


def denied(entry: Entry, form: str) -> Entry:
    """The opposite of a value; of a finding or a form only the word, which says nothing else.

    >>> denied(Entry("quality", ("position!",)), "undeviated").sense
    ('position0',)
    """
    value = entry.sense[0] if entry.sense else ""
    if entry.role == "quality" and value[-1] in "+-!":
        return Entry("normal", (f"{value[:-1]}0",))
    if entry.role == "normal":
        return Entry("abnormal", ("*!",)) if value == "*0" else Entry("quality", (f"{value[:-1]}!",))
    return Entry("detail", (form,))


def paired(sides: dict[str, set[str]], places: dict[str, Path]) -> frozenset[str]:
    """Organs with a left and a right: those the lexicon names by side, but for a few."""
    sided = {c for c, named in sides.items() if {"left", "right"} <= named and len(places[c]) > 1}
    one = {m for row in relations("single") for m in row.members}
    two = {m for row in relations("paired") for m in row.members}
    return frozenset(sided - one | two)


def weight(entry: Entry) -> int:
    """Which of two equally long forms speaks: the lighter one."""
    return (entry.role == "site") * 20_000 + (entry.kind == "adj") * 10_000


def stem(word: str) -> str:
    """The word without its plural, to compare words no table knows.

    >>> stem("septations"), stem("recesses"), stem("bodies")
    ('septation', 'recess', 'body')
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes")) and len(word) > 5:
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


@cache
def known_ids() -> frozenset[str]:
    """Ids of the rows that ship with overread."""
    return frozenset(row.id for row in shipped().rows)


@knows_words
@cache
def vocabulary() -> Vocabulary:
    """The forms that ship with overread."""
    return Vocabulary(lexicon())
