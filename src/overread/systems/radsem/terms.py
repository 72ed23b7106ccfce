"""Words of a sentence as terms: places, findings, qualities and the small words between them."""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from overread.lexicon.lexicon import Lexicon, lexicon
from overread.lexicon.load import Row
from overread.lexicon.match import Match, Matcher
from overread.lexicon.words import Word, phrase, plurals, words
from overread.reader.mentions import MEASURE

NAMED = frozenset("site head quality shape normal abnormal aspect up down detail seq measure open compound change".split())
"""Roles that carry meaning; the others stand between them."""

CODE = re.compile(r"[sctlmvp]\d{1,2}(?:a|b)?")
DASHES = frozenset("-‐‑")
SEGMENT = re.compile(r"s[1-8]")
"""A segment of the liver or the lung, where the sentence speaks of segments; else a sacral vertebra."""

MAGNETIC = re.compile(r"signal|intens|weighted|t[12]wi?\b|flair|dwi|mri?\b", re.IGNORECASE)


SENSES = {"orthopedic-hardware": "hardware"}
ALIASES = {"pleural-space": ("thorax", "pleura"), "airspace": ("thorax", "lung"), "lung-parenchyma": ("thorax", "lung")}
IMAGE = re.compile(r"(?:im|img|image|images|slice|series|se|section|score)\d*")


class Term(NamedTuple):
    """One word or phrase and its part in the statement."""

    role: str
    sense: tuple[str, ...]
    site: tuple[str, ...]
    """Anatomy from the body down to the place itself; empty where the term is no place."""

    side: str
    kind: str
    """For a place: noun, adj, dir or zone."""

    form: str
    start: int
    end: int

    @property
    def place(self) -> bool:
        """Does it name a place of its own, not only a direction or a part?"""
        return bool(self.site) and self.kind not in ("dir", "part")


class Entry(NamedTuple):
    role: str
    sense: tuple[str, ...] = ()
    site: tuple[str, ...] = ()
    side: str = "-"
    kind: str = "-"


class Vocabulary:
    """Every form this system understands, from its own table and from the lexicon."""

    def __init__(self, lex: Lexicon) -> None:
        self.lexicon = lex
        self.places = {}
        sides: dict[str, set[str]] = {}
        for row in lex.rows:
            if row.table == "locations":
                self.places.setdefault(row.concept, (*row.path, row.concept))
                sides.setdefault(row.concept, set()).add(row.side)
        single_organs = {f for role, _, forms, _ in own_rows() if role == "unpaired" for f in forms}
        sided = (c for c, s in sides.items() if {"left", "right"} <= s and self.places[c][:-1])
        pairs = {f for role, _, forms, _ in own_rows() if role == "paired" for f in forms}
        self.paired = frozenset(sided) - single_organs | pairs
        own = dict(self._own())
        single = {form for form in own if " " not in form}
        aspects = {form for form, entry in own.items() if entry.role == "aspect"}
        forms: dict[str, Entry] = dict(own)
        order = {"locations": 0, "findings": 1, "morphology": 2}
        for row in sorted(lex.rows, key=lambda r: order.get(r.table, 3)):
            form = phrase(row.form)
            entry = self._entry(row, form, single)
            if entry is None or (" " in form and form.rsplit(" ", 1)[1] in aspects):
                continue
            forms.setdefault(form, entry)
            if row.table == "findings" or row.role in ("noun", "zone"):
                for p in plurals(form):
                    forms.setdefault(p, entry)
        self.forms = forms
        self.known = frozenset(word for form in own for word in form.split())
        self.matcher: Matcher[Entry] = Matcher(forms.items())

    def _own(self):
        for role, meaning, forms, _ in own_rows():
            sites = [s[1:] for s in meaning.split() if s.startswith("@")]
            sense = tuple(s for s in meaning.split() if not s.startswith("@") and s != "-")
            site = ()
            if sites:
                site = tuple(sites[0].split("/")) if "/" in sites[0] else self.places[sites[0]]
            for form in forms:
                if role == "site":
                    yield phrase(form), Entry("site", (), site, "-", "noun")
                    if len(site) > 1 and site[0] != "body":
                        for side in ("left", "right"):
                            yield f"{side} {phrase(form)}", Entry("site", (), site, side, "noun")
                elif role == "ordinal":
                    yield phrase(form), Entry("site", (), (form,), "-", "dir")
                elif role == "opposite":
                    yield phrase(form), Entry("site", (), ("contralateral",), "-", "dir")
                elif role == "part":
                    yield phrase(form), Entry("site", (), (meaning if meaning != "-" else stem(form),), "-", "part")
                elif role not in ("unpaired", "paired", "kin", "near"):
                    yield phrase(form), Entry(role, sense, site)

    def _entry(self, row: Row, form: str, own: set[str]) -> Entry | None:
        parts = form.split()
        if row.table == "findings":
            concept = self.lexicon.concepts[row.concept]
            if concept.kind in ("structure", "generic", "symptom", "history"):
                return None
            if len(parts) > 1 and concept.kind not in ("device", "procedure"):
                return None
            sense = "postoperative" if concept.kind == "procedure" else SENSES.get(row.concept, row.concept)
            site = self.places.get(concept.site or "", ()) if concept.kind == "procedure" else ()
            return Entry("compound" if site else "head", (sense,), site)
        if row.table == "locations":
            if row.path == () and row.concept in ("midline",):
                return None
            if len(parts) > 2 and parts[-2:] in (["lymph", "node"], ["lymph", "nodes"]):
                return None
            return Entry("site", (), ALIASES.get(row.concept, (*row.path, row.concept)), row.side, row.role)
        if row.table in ("morphology", "distribution", "severity", "onset"):
            if len(parts) > 1 and (set(parts) & own or len(parts) > 2):
                return None
            if row.table != "morphology":
                return Entry("detail", (row.concept,))
            if row.path[:2] == ("condition", "normal"):
                return Entry("normal", ("*0",))
            if row.path[:2] == ("condition", "abnormal"):
                return Entry("quality", (row.concept,))
            return Entry("shape", (row.concept,))
        return None

    def terms(self, text: str, offset: int) -> list[Term]:
        """Terms of one sentence in order."""
        found = [Word(self.spelled(w.form), w.start, w.end) for w in words(text) if w.form not in DASHES]
        taken: list[tuple[Entry, int, int] | None] = [None] * len(found)
        for match in MEASURE.finditer(text) if any(c.isdigit() for c in text) else ():
            inner = [i for i, w in enumerate(found) if w.start < match.end() and match.start() < w.end]
            if inner:
                place = (Entry("measure", (measure(match.group()),)), inner[0], inner[-1] + 1)
                for i in inner:
                    taken[i] = place
        magnetic = bool(MAGNETIC.search(text))
        segmental = "egment" in text
        for m in sorted(self.matcher.find(found), key=rank):
            if any(taken[m.first : m.last]):
                continue
            entry = m.rows[-1]
            if entry.role == "seq" and entry.sense[0] in ("t1", "t2") and not magnetic:
                entry = Entry("site", (), ("spine", "thoracic-spine", entry.sense[0]), "-", "noun")
            if segmental and m.last - m.first == 1 and SEGMENT.fullmatch(found[m.first].form):
                entry = self.unknown(found[m.first].form)
            place = (entry, m.first, m.last)
            for i in range(m.first, m.last):
                taken[i] = place
        terms, index = [], 0
        while index < len(found):
            place = taken[index]
            word = found[index]
            if place is None:
                entry, last = self.unknown(word.form), index + 1
            else:
                entry, last = place[0], place[2]
            form = " ".join(w.form for w in found[index:last])
            terms.append(Term(entry.role, entry.sense, entry.site, entry.side, entry.kind, form,
                              word.start + offset, found[last - 1].end + offset))  # fmt: skip
            index = last
        return list(unbracketed(terms))

    def spelled(self, word: str) -> str:
        return word if word in self.known else self.lexicon.normal(word)

    def unknown(self, form: str) -> Entry:
        if CODE.fullmatch(form):
            return Entry("site", (), (form,), "-", "part")
        if not form[0].isalpha():
            return Entry("ignore" if form[0].isdigit() else "stop" if form in ";:.?!()[]" else "ignore")
        if len(form) < 3:
            return Entry("ignore")
        return Entry("open", ("~" + stem(form),))


BRACKETED = frozenset({"measure", "detail", "site"})
"""What may stand in brackets within a noun phrase: a size, a segment."""


def unbracketed(terms: list[Term]) -> Iterator[Term]:
    """Terms without image numbers in brackets, and without brackets around a mere size."""
    index = 0
    while index < len(terms):
        term = terms[index]
        if term.form in "([":
            end = next((n for n in range(index, len(terms)) if terms[n].form in ")]"), None)
            if end is not None:
                inner = terms[index + 1 : end]
                if any(IMAGE.fullmatch(w) for t in inner for w in t.form.split()):
                    inner = []
                if all(t.role not in NAMED or t.role in BRACKETED for t in inner):
                    yield from (t for t in inner if t.role in BRACKETED)
                    index = end + 1
                    continue
        yield term
        index += 1


def rank(match: Match[Entry]) -> tuple[int, bool, bool, int]:
    """Longest first; of equals a finding before a place (`chest tube`), a noun before an adjective."""
    entry = match.rows[-1]
    return (match.first - match.last, entry.role == "site", entry.kind == "adj", match.first)


def measure(text: str) -> str:
    return re.sub(r"[^0-9.x×%a-z]", "", text.lower()).replace("×", "x")


def stem(word: str) -> str:
    """The word without its commonest endings, to compare words no table knows.

    >>> stem("septations"), stem("calcaneal"), stem("bodies")
    ('septation', 'calcaneal', 'body')
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "ches", "shes")) and len(word) > 5:
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


@cache
def own_rows() -> tuple[tuple[str, str, tuple[str, ...], str], ...]:
    """The system's own table: role, meaning, forms, reason."""
    text = files("overread.systems.radsem").joinpath("words.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()[1:] if line and not line.startswith("#")]
    return tuple((role, meaning, tuple(forms.split("|")), reason) for role, meaning, forms, reason in rows)


@cache
def vocabulary() -> Vocabulary:
    return Vocabulary(lexicon())
