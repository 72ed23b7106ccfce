"""Words of a sentence as terms: places, findings, qualities and the small words between them."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from operator import attrgetter

from msgspec import Struct, structs

from overread.lexicon.match import phrases
from overread.lexicon.words import Word, forms_of, split
from overread.reader.growth import sizes
from overread.reader.statements.vocabulary import Entry, Met, Path, Vocabulary, unknown, weight

NAMED = frozenset(
    "site head quality shape normal abnormal aspect up down detail seq measure open compound change".split()
)
"""Roles that carry meaning; the others stand between them."""

BRACKETED = frozenset({"measure", "detail", "site"})
"""What may stand in brackets within a noun phrase: a size, a segment."""

SEGMENT = re.compile(r"s[1-8]")
"""A segment of the liver or the lung where the sentence speaks of segments; else a sacral vertebra."""

MAGNETIC = re.compile(r"signal|intens|weighted|t[12]wi?\b|flair|dwi|mri?\b", re.IGNORECASE)
"""Words beside which T1 and T2 are sequences and not vertebrae."""

NARROWING = frozenset({"dir", "part"})
"""Kinds of words that only narrow a place that is named beside them."""

IMAGE = re.compile(r"(?:im|img|image|images|slice|series|se|section|score)\d*")
NUMBER = re.compile(r"\d+(?:\.\d+)?")
DASHES = frozenset("-‐‑")
START, END, ROLE = attrgetter("start"), attrgetter("end"), attrgetter("role")


class Term(Struct, frozen=True, gc=False):
    """One word or phrase and its part in the statement.

    No named tuple: a sentence has dozens, whose fields are asked for hundreds of times, and a struct's take a third
    of the time.
    """

    role: str
    sense: tuple[str, ...]
    site: Path
    side: str
    kind: str
    form: str
    start: int
    end: int

    @property
    def place(self) -> bool:
        """Does it name a place of its own, not only a direction or a part?"""
        return bool(self.site) and self.kind not in NARROWING


Terms = tuple[Term, ...]
"""Of a phrase or a statement. No list: of what is kept, the search for garbage walks through lists, but not tuples."""


def as_term(entry: Entry, form: str, start: int, end: int) -> Term:
    """The entry of a form as it stands in a sentence."""
    return Term(entry.role, entry.sense, entry.site, entry.side, entry.kind, form, start, end)


def terms(text: str, vocabulary: Vocabulary) -> list[Term]:
    """The terms of one sentence, in order; their places count from its beginning."""
    return terms_of([text], vocabulary)[0]


def terms_of(texts: list[str], vocabulary: Vocabulary) -> list[list[Term]]:
    """The same of several sentences, each step for all of them before the next: that takes a processor less time."""
    found = list(map(words_of, texts))
    met = [list(map(vocabulary.words.__getitem__, [w.form for w in words])) for words in found]
    taken = list(map(measures, texts, found))
    for known, some in zip(met, taken, strict=True):
        take_phrases(known, some)
    return list(map(as_written, texts, map(joined, texts, found, met, taken)))


def as_written(text: str, made: list[Term]) -> list[Term]:
    """The terms without brackets, and with what `-free` denies behind it."""
    if "-free" in text:
        made = with_free_first(made, text)
    if "uspicious" in text or "contact" in text or "entral " in text:
        made = [meant_before(t, after) for t, after in zip_longest(made, made[1:])]
    if "inding" in text:
        made = with_findings_named(made)
    return list(unbracketed(made)) if "(" in text or "[" in text else made


THING = frozenset({"head", "open", "quality", "abnormal", "compound"})
ENDS_NOUN = frozenset({"", "stop", "and", "have", "be"})


def meant_before(term: Term, after: Term | None) -> Term:
    """What depends on the next word: `no suspicious nodes`, `without root contact`, `central clumping`."""
    role = "" if after is None else after.role
    if term.form == "suspicious" and role == "site":  # said of an organ it is what is seen of it
        return structs.replace(term, role="abnormal", sense=("*!",))
    if term.form == "contact" and role in ENDS_NOUN:  # a noun, where nothing follows that would be touched
        return as_term(unknown(term.form), term.form, term.start, term.end)
    if term.form == "central" and term.role == "normal" and role in THING:  # not: the trachea is central
        return structs.replace(term, role="detail", sense=(term.form,))
    return term


FINDINGS = frozenset({"finding", "findings"})
OF_WHAT = frozenset({"prep", "hedge"})


def with_findings_named(made: list[Term]) -> list[Term]:
    """`No acute bony findings`: nothing abnormal of the bones; `no bony findings of gout` denies the gout."""
    for n in range(1, len(made)):
        term, before = made[n], made[n - 1]
        named = term.form in FINDINGS and before.role == "site" and before.kind == "adj"
        denied = named and any(t.role == "deny" for t in made[:n])
        if denied and not (n + 1 < len(made) and made[n + 1].role in OF_WHAT):
            made[n] = structs.replace(term, role="abnormal", sense=("*!",))
    return made


def words_of(text: str) -> Sequence[Word]:
    """The words without dashes, and with every bone of a range."""
    found: Sequence[Word] = split(text)
    forms = forms_of(text)
    if not DASHES.isdisjoint(forms):
        found = [w for w in found if w.form not in DASHES]
    return found if BONES.isdisjoint(forms) else spread(found, text)


def with_free_first(made: list[Term], text: str) -> list[Term]:
    """`Nodule-free`: free of nodules."""
    found: list[Term] = []
    for term in made:
        if term.form == "free" and found and text[term.start - 1 : term.start] == "-":
            found.insert(-1, structs.replace(term, role="deny", sense=(), form="free of"))
        else:
            found.append(term)
    return found


Phrases = dict[int, tuple[Entry, int]]
"""By the first word of a phrase, what it means and the word after it."""

SPINE = [f"{part}{n}" for part, most in (("c", 7), ("t", 12), ("l", 5), ("s", 5)) for n in range(1, most + 1)]
ORDINALS = "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th 11th 12th".split()
NAMED_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
BONES = frozenset([*SPINE, *ORDINALS, *NAMED_ORDINALS])
"""A sentence without any of these words names no range."""

UP_TO = frozenset({"to", "through", "–"})
DASH = re.compile("[-‐‑–]")
RANGE = re.compile(
    r"\b(?:[ctl]\d{1,2}|\d{1,2}(?:st|nd|rd|th)|[a-z]{3,6}(?:th|st|nd|rd))\s*(?:[-‐‑–]|\b(?:to|through)\b)\s*"
    r"(?:[ctls]?\d|[a-z]{3,6}(?:th|st|nd|rd)\b)",
    re.IGNORECASE,
)


def spread(found: Sequence[Word], text: str) -> Sequence[Word]:
    """The words with every bone of a range named: `T7-T9`, `L1 to 3`, `the 2nd to 5th ribs`."""
    if not DASH.search(text) and UP_TO.isdisjoint([w.form for w in found]):
        return found
    if RANGE.search(text) is None:
        return found
    made: list[Word] = []
    for n, word in enumerate(found):
        to = n - 2 if n > 1 and found[n - 1].form in UP_TO else n - 1
        between = bones(found[to].form, word.form, text) if joins(found, to, n, text) else []
        if between:
            del made[len(made) - (n - to - 1) :]
        for form in between:
            made += [Word("and", word.start, word.start), Word(form, word.start, word.end)]
        if not between:
            made.append(word)
    return made


def joins(found: Sequence[Word], one: int, two: int, text: str) -> bool:
    """Does a dash or `to` stand between the two words, and nothing else?"""
    if one < 0:
        return False
    return text[found[one].end : found[two].start].strip() in ("-", "‐", "‑", "–", "to", "through")


def bones(first: str, last: str, text: str) -> list[str]:
    """The bones after the first up to the last, if others lie between them: two neighbours are one level."""
    for names in (SPINE, ORDINALS, NAMED_ORDINALS):
        end = first[0] + last if names is SPINE and last.isdigit() else last
        if first in names and end in names:
            one, two = names.index(first), names.index(end)
            of_ribs = names is not SPINE and re.search(r"\brib", text, re.IGNORECASE)
            if two - one > 1 or (of_ribs and two > one):
                return names[one + 1 : two + 1] if names is SPINE or of_ribs else []
    return []


def measures(text: str, found: Sequence[Word]) -> Phrases:
    taken: Phrases = {}
    for start, end in sizes(text):
        first, last = bisect_right(found, start, key=END), bisect_left(found, end, key=START)
        if first < last:
            taken[first] = Entry("measure", (measure(text[start:end]),)), last
    return taken


def take_phrases(met: list[Met], taken: Phrases) -> None:
    """Longest first; of equals a finding before a place (`chest tube`), a noun before an adjective."""
    found = phrases([m.form for m in met], [m.longer for m in met])
    if not found:
        return
    if len(found) > 1:
        found.sort(key=rank)
    used = {n for first, (_, last) in taken.items() for n in range(first, last)}
    for first, last, rows in found:
        inner = range(first, last)
        if used.isdisjoint(inner):
            used.update(inner)
            taken[first] = rows[-1], last


def rank(span: tuple[int, int, tuple[Entry, ...]]) -> int:
    first, last, rows = span
    return (first - last) * 100_000 + weight(rows[-1]) + first


def meant(entry: Entry, text: str) -> Entry:
    """The sequences T1 and T2 are vertebrae where no word speaks of magnetic resonance."""
    if entry.sense[0] in ("t1", "t2") and not MAGNETIC.search(text):
        return Entry("site", (), ("spine", "thoracic-spine", entry.sense[0]), "-", "noun")
    return entry


def joined(text: str, found: Sequence[Word], met: list[Met], taken: Phrases) -> list[Term]:
    """Each phrase as one term, and each word that is in none."""
    made: list[Term] = []
    segmental = "egment" in text
    after = 0
    for n, known in enumerate(met):
        if n < after:
            continue
        form, entry, word = known.form, known.entry, found[n]
        end = word.end
        if n in taken:
            entry, after = taken[n]
            if after > n + 1:
                form, end = " ".join([m.form for m in met[n:after]]), found[after - 1].end
        elif segmental and entry.role != "seq" and SEGMENT.fullmatch(form):
            entry = unknown(form)
        if entry.role == "seq":
            entry = meant(entry, text)
        made.append(Term(entry.role, entry.sense, entry.site, entry.side, entry.kind, form, word.start, end))
    return made


def unbracketed(found: list[Term]) -> Iterator[Term]:
    """Terms without image numbers in brackets, and without brackets around a size or a place."""
    index = 0
    while index < len(found):
        term = found[index]
        end = closing(found, index) if term.form in ("(", "[") else None
        inner = found[index + 1 : end] if end is not None else []
        if any(IMAGE.fullmatch(w) for t in inner for w in t.form.split()):
            inner = []
        if end is not None and all(t.role not in NAMED or t.role in BRACKETED for t in inner):
            yield from (t for t in inner if t.role in BRACKETED)
            index = end + 1
        else:
            yield term
            index += 1


def closing(found: list[Term], index: int) -> int | None:
    return next((n for n in range(index, len(found)) if found[n].form in (")", "]")), None)


def measure(text: str) -> str:
    """A size in millimetres, whatever its wording.

    >>> measure("approximately 3.1 x 2.3 cm"), measure("2-4 mm in diameter"), measure("about 30 %")
    ('31x23mm', '2x4mm', '30%')
    """
    number, _, unit = text.partition(" ")
    if unit == "mm" and number.replace(".", "", 1).isdecimal():  # mostly
        return f"{float(number):g}mm"
    unit = "mm" if "mm" in text else "cm" if "cm" in text else "%" if "%" in text else ""
    scale = 10 if unit == "cm" else 1
    numbers = "x".join([f"{float(n) * scale:g}" for n in NUMBER.findall(text)])
    return f"{numbers}{'mm' if unit == 'cm' else unit}"
