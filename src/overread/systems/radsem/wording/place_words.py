"""The words of a place: its pieces as one run, its adjective as a noun, one side of it."""

import re
from functools import lru_cache

from overread.reader.statements.vocabulary import Path
from overread.systems.radsem.matching.places import SAME
from overread.systems.radsem.wording.grammar import singular
from overread.systems.radsem.wording.phrases import Piece, one_place, run_words, unsided

SPOKEN = {
    "bone": "bones", "pleura": "pleural space", "interstitium": "lung", "rib": "ribs", "lymph-node": "lymph nodes",
    "thoracolumbar-junction": "thoracolumbar spine", "costovertebral-joint": "costovertebral region",
    "cervicothoracic-junction": "cervicothoracic spine", "lumbosacral-junction": "lumbosacral spine",
    "lymph": "lymph nodes", "subclavian-vein": "subclavian region", "svc": "SVC", "ivc": "IVC",
}  # fmt: skip
"""Concepts whose name is not what a sentence calls them."""

ADJECTIVAL_NAME = re.compile(r"(?:al|ar|ic|(?<!ov)ary|iac)$")
AROUND = re.compile(
    r"(?:sub|peri|para|retro|intra|infra|supra|extra|pre|post|juxta|inter|trans|endo|epi|trans|circum)[a-z-]{4}"
)
"""Adjectives that name something beside, within or below an organ, not the organ."""

PART_OF_THE_NAME = frozenset(
    """airspace alveolar interstitial bronchovascular acinar vascular hiatal pleural pericardial cardiopulmonary
    peribronchial centrilobular disc discogenic subsegmental segmental lobar intraperitoneal cardiothoracic
    subdiaphragmatic arterial venous subcutaneous interlobular septal paraseptal cardiovascular endotracheal
    nasogastric tracheobronchial""".split()
) | {"air space"}
"""Words of a place that belong to the name of a finding: pleural effusion, airspace disease, hiatal hernia."""

NARROWING = frozenset("upper lower mid middle central peripheral anterior posterior lateral medial".split())
OF_THE_LUNG = ("thorax", "lung")
MANY = ("markings", "tissues", "ganglia")
"""Spoken of as many, also on one side."""


def grouped(sites: list[Piece], text: str) -> list[list[Piece]]:
    runs: list[list[Piece]] = []
    for p in sites:
        together = runs and (one_place(runs[-1][-1], p, text) or (p.start < 0 and runs[-1][-1].start < 0))
        if together:
            runs[-1].append(p)
        else:
            runs.append([p])
    for run in runs:
        if len(run) > 1 and run[-1].words in PART_OF_THE_NAME and any(p.term.place for p in run[:-1]):
            run.pop()  # `left midlung airspace` disease
    return runs


def lone(run: list[Piece]) -> bool:
    """Only a side or a direction."""
    return all(p.term.kind == "dir" for p in run)


def noun_of(run: list[Piece], text: str) -> str:
    """The words of a place; its last adjective as a noun: `right basilar` is the lung base."""
    term = run[-1].term
    words = run[0].words if len(run) == 1 else run_words(run, text)
    return noun(words, run[-1].words, term.kind, term.site, term.place)


@lru_cache(maxsize=8192)
def noun(words: str, last: str, kind: str, site: Path, place: bool) -> str:
    """The same, from all the words, and what the last of them is."""
    if words in SPOKEN:
        return SPOKEN[words]
    if kind != "adj" and not (place and ADJECTIVAL_NAME.search(last)):
        return words
    name = site[-1]
    if last in PART_OF_THE_NAME and site == OF_THE_LUNG:
        return "lung"
    plain = SPOKEN.get(name, name.replace("-", " "))
    *before, adjective = last.split()
    if AROUND.match(adjective) or ADJECTIVAL_NAME.search(plain):
        return f"{words} region"
    kept = [w for w in before if w in NARROWING and w not in plain and SAME.get(w, w) not in plain]
    return " ".join([*words[: -len(last)].split(), *kept, plain])


def sided(place: str, side: str, run: list[Piece]) -> str:
    """The place on one side; `both kidneys` is one kidney on either side."""
    if side == "-":
        return place
    if len(run) == 1:
        return on_side(place, side, run[0].term.side == side)
    return on_side(place, side, {p.term.side for p in run} - {"-"} == {side})


@lru_cache(maxsize=8192)
def on_side(place: str, side: str, told: bool) -> str:
    if told and side in place.split():
        return place
    return f"{side} {singular_phrase(unsided(place))}"


def singular_phrase(words: str) -> str:
    head, of, rest = words.partition(" of ")
    first, _, last = head.rpartition(" ")
    one = last if last in MANY else singular(last)
    return f"{first} {one}{of}{rest}" if first else f"{one}{of}{rest}"


def sided_name(name: str, side: str) -> str:
    """`small left effusion` for one side, whichever the words name."""
    if side == "-" or (side in name and re.search(rf"\b{side}\b", name)):
        return name
    return f"{side} {unsided(name)}"
