"""Rankings: a reference with candidates in the order of how wrong they are, every error listed.

    # r01-001 modality=XR_chest kind=laterality
    R Small left pleural effusion. No pneumothorax.
    1 There is a little fluid in the left pleural space and no pneumothorax.
    2 Small right pleural effusion. No pneumothorax.
    ! side | right pleural effusion | significant | left pleural effusion

Candidates stand best first; `=2` is as wrong as the one before it.
"""

import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct, field

from overread.corpus.files import blocks
from overread.corpus.records import Complaint

FAULT_KINDS = frozenset(
    "missed false denied side place severity size certainty change device detail contradiction other".split()
)
SIGNIFICANCES = ("none", "minor", "significant", "critical")
TEXT_LINE = re.compile(r"(R|=?[1-9]) (.*\S)\s*")


class CandidateFault(Struct, frozen=True):
    """One error of a candidate."""

    kind: str
    words: str
    """As they stand in the candidate; of what is missed, in the reference."""
    significance: str
    instead: str = ""


class Candidate(Struct):
    """A report that was written instead of the reference."""

    rank: int
    text: str
    faults: list[CandidateFault] = field(default_factory=list)


class Ranking(Struct):
    """One reference and its candidates, best first."""

    id: str
    about: dict[str, str]
    reference: str = ""
    candidates: list[Candidate] = field(default_factory=list)
    line: int = 0


def rankings(path: Path) -> tuple[list[Ranking], list[Complaint]]:
    """The rankings of a file, and what is wrong with them."""
    return blocks(path, take_ranking_line, unsound)


def take_ranking_line(found: list[Ranking], line: str, number: int) -> Iterator[str]:
    """Add a line to what was read; yields what is wrong with it."""
    if not line or line.startswith("%"):
        return
    if line.startswith("# "):
        name, *more = line[2:].split()
        pairs = (one.partition("=") for one in more)
        found.append(Ranking(name, {key: value.replace("_", " ") for key, _, value in pairs}, line=number))
    elif not found:
        yield "stands before the first ranking (a line '# id')"
    elif line.startswith("! "):
        yield from with_fault(found[-1], [part.strip() for part in line[2:].split("|")])
    elif match := TEXT_LINE.fullmatch(line):
        yield from with_text(found[-1], match[1], match[2])
    else:
        yield "not understood: a line begins with #, R, the number of a candidate, or !"


def with_text(one: Ranking, mark: str, text: str) -> Iterator[str]:
    if mark == "R":
        one.reference = text
        return
    last = one.candidates[-1].rank if one.candidates else 0
    rank = last if mark.startswith("=") else last + 1
    if int(mark.lstrip("=")) != len(one.candidates) + 1:
        yield f"candidate {mark} where {len(one.candidates) + 1} is next"
    one.candidates.append(Candidate(rank, text))


def with_fault(one: Ranking, parts: list[str]) -> Iterator[str]:
    if not one.candidates or len(parts) not in (3, 4):
        yield "an error is '! kind | words | significance | what it should be', below a candidate"
        return
    kind, words, level, *instead = parts
    if kind not in FAULT_KINDS:
        yield f"{kind!r} is no kind of error; known: {', '.join(sorted(FAULT_KINDS))}"
    if level not in SIGNIFICANCES:
        yield f"{level!r} is no significance; known: {', '.join(SIGNIFICANCES)}"
    where = one.reference if kind == "missed" else one.candidates[-1].text
    if words.lower() not in where.lower():
        yield f"{words!r} does not stand in the {'reference' if kind == 'missed' else 'candidate'}"
    one.candidates[-1].faults.append(CandidateFault(kind, words, level, *instead))


def unsound(one: Ranking) -> Iterator[str]:
    if not one.reference or len(one.candidates) < 3:
        yield "a ranking has a reference and at least three candidates"
    elif one.candidates[0].faults:
        yield "the best candidate has no error"
