"""The ends of a bullet: words it neither begins nor ends with, commas, capitals."""

import re
from collections.abc import Sequence

from overread.systems.srrg.marking import words_of

JOINTS = words_of("and or and/or nor , ;")
EDGES = JOINTS | words_of("""
    the a an but with without of in at on by to from as for which that than since is are its secondary due related
    compatible consistent any be reveals reveal demonstrates demonstrate shows show represents represent
    reflects reflect representing reflecting suggesting definitely : . -
""")
"""Words a bullet neither begins nor ends with."""

OPENINGS = JOINTS | words_of("the a an but which that this these it they is are its : . -")
"""Words an explanation does not begin with, joined to what it explains: its link stays."""

OPENERS = re.compile(
    r"^(?:whereas|while|although|though|except(?:ing)?(?: for)?|(?:apart|aside) from|other than|save for|following)\s",
    re.IGNORECASE,
)
"""Words that set what follows against something else: a bullet stands for itself."""

LINKS = {
    "keeping": "with", "suspicious": "for", "concerning": "for", "worrisome": "for",
    "suggestive": "of", "typical": "of",
}  # fmt: skip
"""A link that lost what it led to goes whole."""

EMPTY = re.compile(r"\s*\(\s*\)")
SPACED_MARK = re.compile(r"\s+([,;:)])")
MARKS_IN_A_ROW = re.compile(r"([,;:])[,;: ]*([,;:])")
PRESENTING = ("presence", "position", "positioning", "appearance")
"""`Positioning of the pacemaker`: words that only hold up the thing."""


def finished(said: Sequence[str]) -> str:
    """Edges trimmed, commas closed up, first letter capital.

    >>> finished(["the", "left", "lung", ",", "at", "its", "base", "and", ","])
    'Left lung, at its base'
    >>> finished(["the", "presence", "of", "an", "aneurysm"])
    'Aneurysm'
    """
    today = [word for word in said if word.lower() not in ("now", "currently")]
    kept = without_edges(OPENERS.sub("", " ".join(without_edges(today))).split(" "))
    while [w.lower() for w in kept[:2]] in [[word, "of"] for word in PRESENTING]:
        kept = without_edges(kept[2:])
    if kept and kept[0].lower() == "including":
        kept = without_edges(kept[1:])
    if [w.lower() for w in kept[:2]] == ["patient", "status"]:
        kept = kept[1:]
    if [w.lower() for w in kept[:2]] == ["may", "be"] and kept[2:]:
        kept = ["possible", *without_edges(kept[2:])]
    if kept and kept[0].lower() == "otherwise":
        kept = [kept[0], *without_edges(kept[1:])]
    if [w.lower() for w in kept[-2:]] in (["in", "appearance"], ["as", "well"]):
        kept = without_edges(kept[:-2])
    while kept and kept[-1].lower() in ("may", "could", "might"):
        kept = without_edges(kept[:-1])
    text = closed(kept)
    return text[:1].upper() + text[1:]


def continued(said: Sequence[str]) -> str:
    """The same for words that go on about a statement: the link stays, and there is no capital.

    >>> continued(["this", "is", "compatible", "with", "scarring", ","])
    'compatible with scarring'
    """
    first = next((n for n, word in enumerate(said) if word.lower() not in OPENINGS), len(said))
    last = next((n for n in range(len(said), first, -1) if said[n - 1].lower() not in EDGES), first)
    return closed(said[first:last])


def closed(said: Sequence[str]) -> str:
    """Words in a row, commas and brackets closed up."""
    text = SPACED_MARK.sub(r"\1", EMPTY.sub("", " ".join(said))).replace("( ", "(")
    return MARKS_IN_A_ROW.sub(r"\1", text)


def lost_link(pair: Sequence[str]) -> bool:
    """`In keeping with`, with nothing behind."""
    return len(pair) == 2 and LINKS.get(pair[0].lower()) == pair[1].lower()


def without_edges(said: Sequence[str]) -> list[str]:
    """
    >>> without_edges(["the", "left", "lung", "and", ","])
    ['left', 'lung']
    """
    first, last = 0, len(said)
    while first < last and said[first].lower() in EDGES:
        first += 1
    while last > first and (said[last - 1].lower() in EDGES or lost_link(said[last - 1 : last + 1])):
        last -= 1
    return list(said[first:last])
