"""Atoms of two reports, aligned: rows, and batches of them.

A row holds the atoms of two reports, the links between them, and of each whether it is abnormal. Aligned pairs are known
throughout; `composed` makes rows of groups of statements, of which a part is known.
"""

import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

RELATIONS = ("none", "same", "part", "contrary")
NONE, SAME, PART, CONTRARY = range(4)
UNKNOWN, UNMATCHED = -1, -2
"""Nobody knows; not the same or a part, whatever else."""

KINDS = ("denied", "side", "place", "degree", "size", "number", "certainty", "name", "change", "position", "part")
Row = dict[str, Any]


# ---- rows from files
def written(path: Path) -> Iterator[Row]:
    from aligned import blocks

    for one, wrong in blocks(path):
        if wrong:
            raise SystemExit(f"{path.name} {one.id}: {wrong[0]}")
        links = [[a, b, RELATIONS.index(kind), [KINDS.index(k) for k in kinds]] for a, b, kind, kinds in one.links]
        yield {"id": one.id, "about": one.about, "atoms": one.atoms, "abnormal": one.abnormal, "links": links, "whole": True}


def single(atoms: Sequence[str], abnormal: Sequence[bool]) -> Row:
    """One report alone: only what is normal is asked."""
    return {"id": "", "atoms": [list(atoms), []], "abnormal": [list(abnormal), []], "links": [], "whole": False}


# ---- rows from groups of statements
def composed(groups: Sequence[Row], dice: random.Random, sure: bool) -> Row:
    """Two reports of statements of some groups: the same, the opposite, something else, or nothing of each.

    Statements of different groups are of different findings; that is `sure` where the groups were written as one report.
    """
    atoms: tuple[list[str], list[str]] = ([], [])
    of: tuple[list[tuple[int, str]], list[tuple[int, str]]] = ([], [])
    for n, group in enumerate(groups):
        alike = [group["original"], *group["same"]]
        dice.shuffle(alike)
        draw = dice.random()
        mine, theirs = (alike[0], "same"), None
        if draw < 0.38:
            theirs = (alike[1], "same")
        elif draw < 0.68:
            theirs = (dice.choice(group["opposite"]), "opposite")
        elif draw < 0.78:
            theirs = (dice.choice(group["other"]), "other")
        sides = [mine, theirs] if dice.random() < 0.5 else [theirs, mine]
        for side, one in enumerate(sides):
            if one:
                atoms[side].append(str(one[0]).rstrip("."))
                of[side].append((n, one[1]))
    links = []
    for a, (one, kind) in enumerate(of[0]):
        for b, (two, other) in enumerate(of[1]):
            kinds = {kind, other}
            if one == two:
                links.append([a, b, SAME if kinds == {"same"} else CONTRARY if "opposite" in kinds else NONE, []])
            elif sure and kinds == {"same"}:
                links.append([a, b, NONE, []])
            elif "other" not in kinds:
                links.append([a, b, UNMATCHED, []])
    return {"id": "", "atoms": atoms, "abnormal": None, "links": links, "whole": False}


# ---- batches
class Words:
    """Tokens of texts, and of the same texts with left and right exchanged; each worked out once."""

    def __init__(self, path: Path) -> None:
        self.path, self.tokenizer = path, None
        self.known: dict[str, tuple[list[int], str | None, bool]] = {}

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "tokenizer": None, "known": {}}

    def of(self, text: str) -> tuple[list[int], str | None, bool]:
        """Its tokens; itself with the sides exchanged, where it names one; may they be exchanged?"""
        if text not in self.known:
            from pairs import ONE_SIDED, SIDE, mirrored

            if self.tokenizer is None:
                from tokenizers import Tokenizer

                self.tokenizer = Tokenizer.from_file(str(self.path))
                self.tokenizer.no_truncation()
            turned = mirrored(text) if SIDE.search(text) else None
            ids = self.tokenizer.encode(text.rstrip("."), add_special_tokens=False).ids
            self.known[text] = ids, turned and turned[0], not ONE_SIDED.search(text)
        return self.known[text]

    def coded(self, row: Row, turned: bool = False) -> Row:
        """With the tokens of its atoms."""
        held = [[self.of(text) for text in side] for side in row["atoms"]]
        if turned and all(may for side in held for _, _, may in side):
            held = [[self.of(other) if (other := one[1]) else one for one in side] for side in held]
        return row | {"ids": [[ids for ids, _, _ in side] for side in held]}


def prepared(row: Row, dice: random.Random, words: Words) -> Row:
    """Some of its atoms, in another order, with left and right exchanged, and the two reports."""
    row = words.coded(row, dice.random() < 0.5)
    dropped = dice.choice((0.0, 0.0, 0.15, 0.3, 0.5)) if row["whole"] else 0.0
    orders = []
    for side in row["ids"]:
        kept = [n for n in range(len(side)) if dice.random() >= dropped] or list(range(min(1, len(side))))
        orders.append(dice.sample(kept, len(kept)))
    back = [{old: new for new, old in enumerate(order)} for order in orders]
    ids = [[hidden(row["ids"][s][n], dice) for n in orders[s]] for s in (0, 1)]
    links = [[back[0][a], back[1][b], r, k] for a, b, r, k in row["links"] if a in back[0] and b in back[1]]
    abnormal = row["abnormal"] and [[row["abnormal"][s][n] for n in orders[s]] for s in (0, 1)]
    if dice.random() < 0.5:
        ids, links = ids[::-1], [[b, a, r, k] for a, b, r, k in links]
        abnormal = abnormal and abnormal[::-1]
    return row | {"ids": ids, "links": links, "abnormal": abnormal}


CLS, SEP, MASK = 101, 102, 103
HIDDEN = 0.02
"""Share of the tokens that are hidden."""


def hidden(ids: list[int], dice: random.Random) -> list[int]:
    return [MASK if dice.random() < HIDDEN else i for i in ids] if len(ids) > 3 else ids


LONG_WORD = re.compile(r"[a-z]{4,}")


def joined(one: Row, two: Row) -> Row:
    """Two pairs of reports as one: atoms of the first have nothing to do with those of the second, but nobody knows it of
    those that share a word."""
    words = [[set(LONG_WORD.findall(text.lower())) for text in row["atoms"][side]] for row in (one, two) for side in (0, 1)]
    first = [len(side) for side in one["atoms"]]
    both: Row = {key: [x + y for x, y in zip(one[key], two[key], strict=True)] for key in ("atoms", "abnormal")}
    links = one["links"] + [[i + first[0], j + first[1], r, k] for i, j, r, k in two["links"]]
    links += [[i, j + first[1], UNKNOWN, []] for i, w in enumerate(words[0]) for j, v in enumerate(words[3]) if w & v]
    links += [[i + first[0], j, UNKNOWN, []] for i, w in enumerate(words[2]) for j, v in enumerate(words[1]) if w & v]
    return one | both | {"links": links}


def window(ids: Sequence[Sequence[Sequence[int]]]) -> tuple[list[int], list[int], list[list[list[int]]]]:
    """Tokens, segments, and where the atoms of either side stand: first token, and the mark behind the last."""
    made, segments, places = [CLS], [0], []
    for side, atoms in enumerate(ids):
        places.append([])
        for own in atoms:
            places[side].append([len(made), len(made) + len(own)])
            made += [*own, SEP]
            segments += [side] * (len(own) + 1)
    return made, segments, places


LONGEST = 500


def length(row: Row) -> int:
    return 1 + sum(len(own) + 1 for side in row["ids"] for own in side)


def batch(rows: Sequence[Row]) -> dict[str, np.ndarray]:
    made = [(row, *window(row["ids"])) for row in rows if length(row) <= LONGEST]
    count, longest = len(made), max(len(ids) for _, ids, _, _ in made)
    most = max(1, max(max(map(len, places)) for *_, places in made))
    out = {
        "ids": np.zeros((count, longest), np.int64), "segments": np.zeros((count, longest), np.int64),
        "places": np.zeros((count, 2, most, 2), np.int64), "there": np.zeros((count, 2, most), bool),
        "links": np.full((count, most, most), UNKNOWN, np.int64),
        "abnormal": np.full((count, 2, most), -1, np.int64), "kinds": np.full((count, most, most, len(KINDS)), -1, np.int8),
    }  # fmt: skip
    for n, (row, ids, segments, places) in enumerate(made):
        out["ids"][n, : len(ids)], out["segments"][n, : len(ids)] = ids, segments
        sizes = [len(side) for side in places]
        for side in (0, 1):
            out["places"][n, side, : sizes[side]] = np.array(places[side], np.int64).reshape(-1, 2)
            out["there"][n, side, : sizes[side]] = True
            if row["abnormal"]:
                out["abnormal"][n, side, : sizes[side]] = row["abnormal"][side]
        if row["whole"]:
            out["links"][n, : sizes[0], : sizes[1]] = NONE
        for a, b, relation, kinds in row["links"]:
            out["links"][n, a, b] = relation
            if kinds:
                out["kinds"][n, a, b] = 0
                out["kinds"][n, a, b, kinds] = 1
    return out


AHEAD = 6
"""Batches that are drawn at once and parted by length, so that little is padded."""


class Lessons:
    """An endless stream of batches: aligned pairs, single reports, and statements put together."""

    def __init__(self, rows: Sequence[Row], groups: Sequence[Row], words: Words, seed: int, size: int) -> None:
        self.whole = rows
        reports: dict[str, list[Row]] = {}
        areas: dict[str, list[Row]] = {}
        for group in groups:
            (reports if "report" in group else areas).setdefault(str(group.get("report") or group["area"]), []).append(group)
        self.reports, self.areas = [r for r in reports.values() if len(r) > 2], list(areas.values())
        self.words, self.seed, self.size = words, seed, size

    def stream(self, worker: int) -> Iterator[dict[str, np.ndarray]]:
        dice = random.Random(self.seed * 1000 + worker)
        while True:
            drawn = [prepared(self.drawn(dice), dice, self.words) for _ in range(AHEAD * self.size)]
            drawn = sorted((row for row in drawn if length(row) <= LONGEST), key=length)
            made = [drawn[n : n + self.size] for n in range(0, len(drawn), self.size)]
            for n in dice.sample(range(len(made)), len(made)):
                yield batch(made[n])

    def drawn(self, dice: random.Random) -> Row:
        draw = dice.random()
        if draw < 0.05:
            row, side = dice.choice(self.whole), dice.randrange(2)
            return single(row["atoms"][side], row["abnormal"][side])
        if draw < 0.6:
            return dice.choice(self.whole)
        if draw < 0.7:
            return joined(dice.choice(self.whole), dice.choice(self.whole))
        if draw < 0.85:
            report = dice.choice(self.reports)
            return composed(dice.sample(report, min(len(report), dice.randint(3, 14))), dice, sure=True)
        area = dice.choice(self.areas)
        own: dict[str, Row] = {str(g["concept"]): g for g in dice.sample(area, min(len(area), dice.randint(3, 12)))}
        return composed(list(own.values()), dice, sure=False)
