"""What can tell who or when, and must not stand in a bullet; this is no substitute for de-identifying a corpus."""

import re
from functools import cache, lru_cache

from msgspec import Struct

from overread.report.span import Span
from overread.systems.srrg.tables import WORDS
from overread.systems.tables import facts_in


class Identifier(Struct, frozen=True):
    """One stretch that can tell who or when."""

    kind: str
    span: Span


@cache
def patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Kind and pattern of each row of `identifiers.toml`, their parts filled in."""
    facts = facts_in("srrg", "identifiers.toml")
    found = []
    for kind, rows in facts["kinds"].items():
        for row in rows:
            for name, part in facts["parts"].items():
                row = row.replace(f"<{name}>", part)
            found.append((kind, re.compile(row)))
    return tuple(found)


def identifiers(text: str) -> list[Identifier]:
    """Every identifier in `text`, in order.

    >>> [one.kind for one in identifiers("Discussed with Dr. Brook on 3/4/2019; 53-year-old woman.")]
    ['name', 'date']
    >>> [one.kind for one in identifiers("Sent from St. Mary's Hospital.")]
    ['institution']
    >>> identifiers("Nodule of 4-5 mm at T7/8, 2.5 x 3 cm")
    []
    """
    numbered = any(map(str.isdigit, text))
    found = [
        Identifier(kind, Span(m.start(), m.end()))
        for kind, pattern in patterns()
        if numbered or kind not in WORDS["numbered"]
        for m in pattern.finditer(text)
    ]
    kept: list[Identifier] = []
    for one in sorted(found, key=lambda one: (one.span.start, -one.span.end)):
        if not kept or kept[-1].span.end <= one.span.start:
            kept.append(one)
    return kept


@lru_cache(maxsize=4096)  # reports repeat each other's bullets
def without_identifiers(text: str) -> str:
    """The text with every identifier cut out, and the space and commas it leaves closed up.

    >>> without_identifiers("Chest radiograph dated 6/28/2008, portable.")
    'Chest radiograph, portable.'
    >>> without_identifiers("Nodule of 9 mm (in 2018).")
    'Nodule of 9 mm.'
    """
    kept, at = [], 0
    for one in identifiers(text):
        kept.append(LED_TO.sub("", text[at : one.span.start]))
        at = max(at, one.span.end)
    left = "".join([*kept, text[at:]])
    return closed_up(left) if at else left.strip(" ,;:")


def closed_up(text: str) -> str:
    """What remains without empty brackets, joints between nothing, marks in a row and marks without words.

    >>> closed_up("Radiographs of and , ( ), portable ,. ")
    'Radiographs, portable.'
    >>> closed_up(" . ")
    ''
    """
    left = re.sub(r"\(\s*\)|\[\s*\]", "", re.sub(r"\s+", " ", text))
    left = DANGLING.sub("", left)
    left = re.sub(r"\s+([,;:.)])", r"\1", left)
    left = re.sub(r"[,;:]+(?=[.;])|(?<=[.;,:])(?:\s*[,;:])+|(?<=\.)(?:\s*\.)+", "", left)
    left = left.strip(" ,;:")
    return left if any(map(str.isalnum, left)) else ""


LED_TO = re.compile(r"(?:\b(?:dated|from|on|at|of|to|by|with|since|performed|taken)\s+)+$", re.IGNORECASE)
"""Words that only led to the identifier."""

DANGLING = re.compile(
    r"(?:\s+(?:and|or|dated|from|on|at|of|by|since|performed|taken|to))+\s*(?=[,;:.)]|$)", re.IGNORECASE
)
"""Words before a mark that joined or led to what is gone."""
