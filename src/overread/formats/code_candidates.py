"""Codes for our concepts, or for a list of terms, from a user's own copy of a terminology: candidates for a person to
choose from, never a mapping by itself.

A name of the terminology is a candidate where it is a written form of the concept, whatever its case and punctuation;
`Pneumonia, Viral` is also `viral pneumonia`. Read from: UMLS (`MRCONSO.RRF`, English, not suppressed), RadLex or any
other ontology as BioPortal exports it (Class ID, Preferred Label, Synonyms), or a table with code and term.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.formats.codes import SYSTEMS, Coding
from overread.lexicon.lexicon import Lexicon
from overread.lexicon.words import phrase
from overread.sources.encoding import detect
from overread.sources.table_files import Delimited

LANGUAGE, CUI, NAME, SUPPRESSED = 1, 0, 14, 16
"""Columns of MRCONSO.RRF."""

RANK, PREFERRED = (2, 4, 6), ("P", "PF", "Y")
"""The columns that say which name of a concept is the preferred one, and what they say."""

LONGEST = 80
"""Letters of a name; no written form of ours is longer."""


class Name(Struct, frozen=True):
    """One name of one code."""

    coding: Coding
    name: str


class Candidate(Struct, frozen=True):
    """A code, and how many written forms of the thing it names."""

    coding: Coding
    forms: int
    own: bool
    """Is it called as the thing itself is?"""


def names_in(path: Path) -> Iterator[Name]:
    """Every name of a terminology."""
    if path.suffix.lower() == ".rrf":
        return umls(path)
    rows = Delimited(path, detect(path))
    if {"Class ID", "Preferred Label"} <= set(rows.names):
        return bioportal(rows)
    if {"code", "term"} <= set(rows.names):
        return table(rows)
    raise BadInput(
        f"{path} is no terminology known here. Give MRCONSO.RRF of UMLS, a BioPortal export (Class ID, Preferred "
        "Label, Synonyms), or a table with the columns code, term and perhaps system."
    )


def umls(path: Path) -> Iterator[Name]:
    """MRCONSO.RRF is sorted by concept; each name comes with the concept's preferred one."""
    for concept, rows in groupby(atoms(path), lambda cells: cells[CUI]):
        found = list(rows)
        preferred = next((cells for cells in found if tuple(cells[n] for n in RANK) == PREFERRED), found[0])
        coding = Coding(SYSTEMS["UMLS"], concept, preferred[NAME])
        yield from (Name(coding, cells[NAME]) for cells in found if len(cells[NAME]) <= LONGEST)


def atoms(path: Path) -> Iterator[list[str]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                cells = line.rstrip("\n").split("|")
                if len(cells) <= SUPPRESSED:
                    raise BadInput(
                        f"{path}, line {number}: MRCONSO.RRF has 18 columns; here are {len(cells)}."
                    )
                if cells[LANGUAGE] == "ENG" and cells[SUPPRESSED] == "N":
                    yield cells
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}") from None


def bioportal(rows: Delimited) -> Iterator[Name]:
    for _, row in rows:
        if str(row.get("Obsolete") or "").lower() == "true":
            continue
        place, _, code = str(row["Class ID"] or "").replace("#", "/").rpartition("/")
        label = str(row["Preferred Label"] or "")
        system = SYSTEMS["RADLEX"] if "radlex" in place.lower() else place
        for name in (label, *str(row.get("Synonyms") or "").split("|")):
            yield Name(Coding(system, code, label), name)


def table(rows: Delimited) -> Iterator[Name]:
    for _, row in rows:
        system, term = str(row.get("system") or ""), str(row["term"] or "")
        yield Name(Coding(SYSTEMS.get(system.upper(), system), str(row["code"] or ""), term), term)


def keys(name: str) -> Iterator[str]:
    """A name as it is looked up.

    >>> list(keys("Pneumonia, Viral")), list(keys("Pleural-Effusion"))
    (['pneumonia viral', 'viral pneumonia'], ['pleural effusion'])
    """
    yield key(name)
    head, comma, rest = name.partition(", ")
    if comma and ", " not in rest:
        yield key(f"{rest} {head}")


def key(name: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", name.lower()))


def forms_of(words: Lexicon) -> dict[str, list[str]]:
    """What a map of codes may name → its written forms, its own name first: concepts, and places as `location:…`."""
    found = {name: [name] for name in words.concepts}
    for row in words.rows:
        if row.table == "findings":
            found[row.concept].append(row.form)
        elif row.table == "locations":
            found[f"location:{row.form.lower()}"] = [row.form]
    return found


def forms_like(term: str, words: Lexicon) -> list[str]:
    """A term and, where the lexicon knows it, every other form of its concept: `PTX` is also looked up as pneumothorax.

    >>> from overread.lexicon.lexicon import lexicon
    >>> forms_like("PTX", lexicon())[:2], forms_like("zorgle", lexicon())
    (['PTX', 'pneumothorax'], ['zorgle'])
    """
    row = words.named(phrase(term))
    if row is None:
        return [term]
    return [term, row.concept, *(one.form for one in words.rows if one.concept == row.concept)]


def candidates(
    things: Mapping[str, Sequence[str]], names: Iterable[Name], most: int = 5
) -> dict[str, list[Candidate]]:
    """For each thing the codes that may mean it, the likeliest first; an empty list where nothing is called so."""
    wanted: dict[str, set[str]] = {}
    for thing, forms in things.items():
        for form in forms:
            wanted.setdefault(key(form), set()).add(thing)
    hits: dict[str, dict[tuple[str, str], tuple[Coding, set[str]]]] = {thing: {} for thing in things}
    for one in names:
        for written in keys(one.name):
            for thing in wanted.get(written, ()):
                code = (one.coding.system, one.coding.code)
                hits[thing].setdefault(code, (one.coding, set()))[1].add(written)
    return {thing: ranked(key(forms[0]), hits[thing].values())[:most] for thing, forms in things.items()}


def ranked(own: str, hits: Iterable[tuple[Coding, set[str]]]) -> list[Candidate]:
    found = [Candidate(coding, len(forms), own in forms) for coding, forms in hits]
    return sorted(found, key=lambda one: (not one.own, -one.forms, one.coding.code))
