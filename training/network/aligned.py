"""Pairs of reports whose atoms are aligned one by one (`../meaning/aligned*.txt`) → rows; also a check of such files.

    python aligned.py FILE...        # what is badly formed, and counts
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

SIGNS = {"=": "same", "~": "part", "x": "contrary"}
KINDS = frozenset("denied side place degree size number certainty name change position part".split())
"""What a part or a contradiction is about, where the writer says so."""

ATOM = re.compile(r"([AB])(\d+) ([+-]) (\S.*)")
LINK = re.compile(r"([=~x]) A(\d+) B(\d+)((?: [a-z]+)*)")


class Link(NamedTuple):
    reference: int
    candidate: int
    relation: str
    kinds: tuple[str, ...]


class Aligned(NamedTuple):
    id: str
    about: str
    atoms: tuple[list[str], list[str]]
    abnormal: tuple[list[bool], list[bool]]
    links: list[Link]
    texts: tuple[str, str] = ("", "")


def blocks(path: Path) -> Iterator[tuple[Aligned, list[str]]]:
    """Each pair of reports, with complaints. A block holds a reference (R, its atoms) and one or more candidates (C, its
    atoms, the links)."""
    for block in re.split(r"\n(?=# )", "\n" + path.read_text("utf-8")):
        lines = [line.strip() for line in block.strip().splitlines() if line.strip()]
        if not lines:
            continue
        name, _, about = lines[0].removeprefix("# ").partition(" ")
        starts = [n for n, line in enumerate(lines) if line.startswith("C ")]
        if not starts:
            yield Aligned(name, about, ([], []), ([], []), []), ["no candidate"]
            continue
        for n, (start, end) in enumerate(zip(starts, [*starts[1:], len(lines)], strict=True)):
            yield pair(name if len(starts) == 1 else f"{name}.{n + 1}", about, lines[1 : starts[0]] + lines[start:end])


def pair(name: str, about: str, lines: list[str]) -> tuple[Aligned, list[str]]:
    atoms: tuple[list[str], list[str]] = ([], [])
    abnormal: tuple[list[bool], list[bool]] = ([], [])
    links, wrong, reports, texts = [], [], [], []
    for line in lines:
        if found := ATOM.fullmatch(line):
            side = "AB".index(found[1])
            if int(found[2]) != len(atoms[side]) + 1:
                wrong.append(f"not in order: {line}")
            atoms[side].append(found[4])
            abnormal[side].append(found[3] == "+")
        elif found := LINK.fullmatch(line):
            a, b, kinds = int(found[2]) - 1, int(found[3]) - 1, tuple(found[4].split())
            if a >= len(atoms[0]) or b >= len(atoms[1]) or not KINDS.issuperset(kinds):
                wrong.append(f"leads nowhere, or unknown kind: {line}")
            links.append(Link(a, b, SIGNS[found[1]], kinds))
        elif line[:2] in ("R ", "C "):
            reports.append(line[0])
            texts.append(line[2:])
        else:
            wrong.append(f"not understood: {line}")
    if reports != ["R", "C"] or not all(atoms):
        wrong.append("one R, its atoms, one C, its atoms, then links")
    if len({(one.reference, one.candidate) for one in links}) < len(links):
        wrong.append("one pair linked twice")
    return Aligned(name, about, atoms, abnormal, links, (texts[0], texts[-1]) if texts else ("", "")), wrong


def main() -> None:
    counts, known = Counter[str](), set[str]()
    for path in map(Path, sys.argv[1:]):
        for one, wrong in blocks(path):
            wrong += ["id stands twice"] if one.id in known else []
            known.add(one.id)
            counts.update(["pairs", *(link.relation for link in one.links)])
            counts["atoms"] += len(one.atoms[0]) + len(one.atoms[1])
            for line in wrong:
                print(f"{path.name} {one.id}: {line}")
    print(dict(counts))


if __name__ == "__main__":
    main()
