"""Single statements recombined into the prose of a report: sides together, denials in one list, one subject once.

Only the presentation changes. Statements that do not fit one of these patterns stay as they are.
"""

import re
from collections.abc import Sequence

SIDED = re.compile(
    r"^(?P<side>Left|Right) (?P<part>[a-z][a-z ]*?) (?P<verb>is|has|may be|may have) (?P<rest>.+)$"
)
ABSENT = re.compile(r"^(?P<subject>)(?P<verb>There is no|No) (?P<what>[^,]+)\.$")
HAS_STATEMENT = re.compile(r"^(?P<subject>.+?) (?P<verb>has(?: no)?) (?P<what>[^,]+)\.$")
IRREGULAR_PLURALS = {"hilum": "hila", "apex": "apices", "atrium": "atria", "diaphragm": "diaphragms"}
SIMPLE_SINGULAR = re.compile(r"(?!.*\b(?:of|pleural)\b)\w+(?: \w+)?(?<!s)(?<!ae)")
"""Parts that are put in the plural; fluid of two sides is told apart."""
VERBS = {"is": "are", "has": "have"}
LONGEST_LIST = 3
"""As many denials stand in one list."""


def prose(sentences: Sequence[str]) -> str:
    """The statements as one paragraph, in the order of their first words.

    >>> prose(["Left lung is clear.", "There is no effusion.", "Right lung is clear.", "There is no fracture."])
    'Both lungs are clear. There is no effusion or fracture.'
    """
    return " ".join(
        merged_statements(merged_statements(both_sides(sentences), HAS_STATEMENT, 2), ABSENT, LONGEST_LIST)
    )


def both_sides(sentences: Sequence[str]) -> list[str]:
    """`Left lung is clear. Right lung is clear.` → `Both lungs are clear.`"""
    found = [SIDED.match(s) for s in sentences]
    said = [(m["side"], m["part"], m["verb"], m["rest"]) if m else None for m in found]
    joined: list[str] = []
    for at, one in enumerate(said):
        if one is None:
            joined.append(sentences[at])
            continue
        twin = ("Right" if one[0] == "Left" else "Left", *one[1:])
        if twin not in said or not SIMPLE_SINGULAR.fullmatch(one[1]):
            joined.append(sentences[at])
        elif at < said.index(twin):
            joined.append(f"Both {plural(one[1])} {VERBS.get(one[2], one[2])} {one[3]}")
    return joined


def plural(noun: str) -> str:
    """
    >>> plural("lung base"), plural("costophrenic angle"), plural("lung apex"), plural("kidney")
    ('lung bases', 'costophrenic angles', 'lung apices', 'kidneys')
    """
    head, _, last = noun.rpartition(" ")
    many = IRREGULAR_PLURALS.get(last, last if last.endswith("s") else f"{last}s")
    return f"{head} {many}".strip()


def merged_statements(sentences: Sequence[str], pattern: re.Pattern[str], most: int) -> list[str]:
    """Sentences of one subject and verb in one, up to `most` of them, at the place of the first.

    `Liver has a cyst. Liver has a calcification.` → `Liver has a cyst and a calcification.`
    `There is no effusion. There is no fracture.` → `There is no effusion or fracture.`
    """
    groups: list[tuple[str, list[str]]] = []
    for sentence in sentences:
        found = pattern.match(sentence)
        if found is None or re.search(r"\b(?:and|or|with|of)\b", found["what"]):
            groups.append(("", [sentence]))
            continue
        about = f"{found['subject']} {found['verb']}".strip()
        open_ = next((whats for begin, whats in groups if begin == about and len(whats) < most), None)
        if open_ is None:
            groups.append((about, [found["what"]]))
        else:
            open_.append(found["what"])
    return [f"{about} {enumerated(whats, about)}." if about else whats[0] for about, whats in groups]


def enumerated(whats: Sequence[str], about: str) -> str:
    join = " or " if about.lower().endswith("no") else " and "
    return whats[0] if len(whats) == 1 else f"{', '.join(whats[:-1])}{join}{whats[-1]}"
