"""Single statements recombined into the prose of a report: sides together, denials in one list, one subject once.

Only the presentation changes. Statements that do not fit one of these patterns stay as they are.
"""

import re
from collections.abc import Callable, Sequence

SIDED = re.compile(
    r"^(?P<side>Left|Right) (?P<part>[a-z][a-z ]*?) (?P<verb>is|has|may be|may have) (?P<rest>.+)$"
)
ABSENT = re.compile(r"^(?P<said>There is no|No) (?P<what>[^,]+)\.$")
SAID = re.compile(r"^(?P<subject>.+?) (?P<verb>has(?: no)?) (?P<what>[^,]+)\.$")
PLURALS = {"hilum": "hila", "apex": "apices", "atrium": "atria", "diaphragm": "diaphragms"}
PLAIN = re.compile(r"(?!.*\b(?:of|pleural)\b)\w+(?: \w+)?(?<!s)(?<!ae)")
"""Parts that are put in the plural; fluid of two sides is told apart."""
VERBS = {"is": "are", "has": "have"}
LONGEST = 3
"""As many denials stand in one list."""


def prose(sentences: Sequence[str]) -> str:
    """The statements as one paragraph, in the order of their first words.

    >>> prose(["Left lung is clear.", "There is no effusion.", "Right lung is clear.", "There is no fracture."])
    'Both lungs are clear. There is no effusion or fracture.'
    """
    sentences = gathered(both_sides(sentences), SAID, lambda m: (m["subject"], m["verb"]), 2)
    return " ".join(gathered(sentences, ABSENT, lambda m: ("", m["said"]), LONGEST))


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
        if twin not in said or not PLAIN.fullmatch(one[1]):
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
    many = PLURALS.get(last, last if last.endswith("s") else f"{last}s")
    return f"{head} {many}".strip()


def gathered(
    sentences: Sequence[str],
    pattern: re.Pattern[str],
    key: Callable[[re.Match[str]], tuple[str, str]],
    most: int,
) -> list[str]:
    """Sentences of one key in one, up to `most` of them, at the place of the first.

    `Liver has a cyst. Liver has a calcification.` → `Liver has a cyst and a calcification.`
    `There is no effusion. There is no fracture.` → `There is no effusion or fracture.`
    """
    groups: list[tuple[tuple[str, str] | None, list[str]]] = []
    for sentence in sentences:
        found = pattern.match(sentence)
        if found is None or re.search(r"\b(?:and|or|with|of)\b", found["what"]):
            groups.append((None, [sentence]))
            continue
        open_ = next((g for g in groups if g[0] == key(found) and len(g[1]) < most), None)
        if open_ is None:
            groups.append((key(found), [found["what"]]))
        else:
            open_[1].append(found["what"])
    return [
        whats[0] if about is None else f"{' '.join(about).strip()} {listed(whats, about)}."
        for about, whats in groups
    ]


def listed(whats: Sequence[str], about: tuple[str, str]) -> str:
    join = " or " if about[1].lower().endswith("no") else " and "
    return whats[0] if len(whats) == 1 else f"{', '.join(whats[:-1])}{join}{whats[-1]}"
