"""Atoms of two reports, aligned: rows for the lesson, and batches of them.

    python alignment.py --out aligned.jsonl.gz --aligned ../meaning/aligned*.txt --rankings ../../corpus/train

A row holds the atoms of two reports; links between them, where they are known; of each atom whether the other report
says it (1), does not (0), or nobody knows (-1). Aligned pairs are known throughout; of a ranking it is known which words
are wrong, and what they stand for. `composed` makes such rows of groups of statements.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

RELATIONS = ("none", "same", "part", "contrary")
NONE, SAME, PART, CONTRARY = range(4)
UNKNOWN, DIFFERS, UNMATCHED = -1, -2, -3
"""Nobody knows; of one finding, but not the same; not the same or a part, whatever else."""

KINDS = ("denied", "side", "place", "degree", "size", "number", "certainty", "name", "change", "position", "part")
OF_FAULTS = {
    "denied": "denied", "false": "denied", "side": "side", "place": "place", "severity": "degree", "size": "size",
    "certainty": "certainty", "change": "change", "device": "position", "other": "name", "detail": "part",
}  # fmt: skip
"""Kinds of error in rankings by the kinds of links."""

Row = dict[str, Any]


# ---- rows from files
def written(path: Path) -> Iterator[Row]:
    from aligned import blocks

    for one, wrong in blocks(path):
        if wrong:
            raise SystemExit(f"{path.name} {one.id}: {wrong[0]}")
        links = [[a, b, RELATIONS.index(kind), [KINDS.index(k) for k in kinds]] for a, b, kind, kinds in one.links]
        said = [[-1] * len(side) for side in one.atoms]
        yield {"id": one.id, "atoms": one.atoms, "abnormal": one.abnormal, "links": links, "said": said, "whole": True}


def single(atoms: Sequence[str], abnormal: Sequence[bool]) -> Row:
    """One report alone: only what is normal is asked."""
    return {"id": "", "atoms": [list(atoms), []], "abnormal": [list(abnormal), []], "links": [], "said": [[-1] * len(atoms), []], "whole": False}


def listed(path: Path) -> Iterator[Row]:
    """Sentences with their atoms, normal or abnormal, some of them put together."""
    lines = [line.strip().partition(" ") for line in path.read_text("utf-8").splitlines()]
    signed = [(text, sign == "+") for sign, _, text in lines if sign in ("+", "-")]
    for start in range(0, len(signed), 9):
        yield single(*zip(*signed[start : start + 9], strict=True))


def layered(folder: Path) -> Iterator[Row]:
    from overread.corpus.layered import beside

    for report in beside(folder):
        if report["atoms"]:
            yield single([one["text"] for one in report["atoms"]], [one["normality"] == "abnormal" for one in report["atoms"]])


def ranked(path: Path) -> Iterator[Row]:
    from overread.corpus.rankings import rankings
    from support import Told

    for ranking in rankings(path)[0]:
        ours = Told.of(ranking.reference)
        for number, candidate in enumerate(ranking.candidates):
            theirs = Told.of(candidate.text)
            if ours.atoms and theirs.atoms:
                yield {"id": f"{ranking.id}-{number}", **linked(ours, theirs, candidate.faults)}


def linked(ours: Any, theirs: Any, faults: Sequence[Any]) -> Row:
    links: dict[tuple[int, int], list[Any]] = {}
    said = [[1] * len(ours.atoms), [1] * len(theirs.atoms)]
    for fault in faults:
        missed = fault.kind == "missed"
        mine = holding(ours, fault.words if missed else fault.instead)
        other = [] if missed else holding(theirs, fault.words)
        for side, found in enumerate((mine, other)):
            for n in found:
                said[side][n] = 0
        if len(mine) == len(other) == 1:
            kind = OF_FAULTS.get(fault.kind)
            relation = CONTRARY if kind in ("denied", "side") else DIFFERS
            links[mine[0], other[0]] = [mine[0], other[0], relation, [KINDS.index(kind)] if kind else []]
        elif not missed and not mine and (fault.instead or fault.kind != "false"):  # it stands for something, and nobody knows what
            said[0] = [min(s, -1) if s == 1 else s for s in said[0]]
    atoms = [[one.text for one in side.atoms] for side in (ours, theirs)]
    equal = {text: n for n, text in enumerate(atoms[0])}
    for b, text in enumerate(atoms[1]):
        if text in equal and (equal[text], b) not in links and said[1][b] == 1:
            links[equal[text], b] = [equal[text], b, SAME, []]
    return {"atoms": atoms, "abnormal": None, "links": list(links.values()), "said": said, "whole": False}


def holding(report: Any, words: str) -> list[int]:
    return [n for n, one in enumerate(report.atoms) if words and one.holds(report.text, words)]


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
    said = [[-1] * len(side) for side in atoms]
    return {"id": "", "atoms": atoms, "abnormal": None, "links": links, "said": said, "whole": False}


# ---- batches
def prepared(row: Row, dice: random.Random, mirrored: Any) -> Row:
    """In another order, with the sides exchanged, and the two reports."""
    texts = [*row["atoms"][0], *row["atoms"][1]]
    turned = mirrored(*texts) if dice.random() < 0.5 else None
    first = len(row["atoms"][0])
    texts = turned or texts
    orders = [dice.sample(range(len(side)), len(side)) for side in row["atoms"]]
    back = [{old: new for new, old in enumerate(order)} for order in orders]
    atoms = [[texts[n] for n in orders[0]], [texts[first + n] for n in orders[1]]]
    links = [[back[0][a], back[1][b], r, k] for a, b, r, k in row["links"]]
    said = [[row["said"][s][n] for n in orders[s]] for s in (0, 1)]
    abnormal = row["abnormal"] and [[row["abnormal"][s][n] for n in orders[s]] for s in (0, 1)]
    if dice.random() < 0.5:
        atoms, said, links = atoms[::-1], said[::-1], [[b, a, r, k] for a, b, r, k in links]
        abnormal = abnormal and abnormal[::-1]
    return row | {"atoms": atoms, "links": links, "said": said, "abnormal": abnormal}


CLS, SEP = 101, 102


def window(tokenizer: Any, atoms: Sequence[Sequence[str]]) -> tuple[list[int], list[int], list[list[list[int]]]]:
    """Tokens, segments, and where the atoms of either side stand: first token, and the mark behind the last."""
    ids, segments, places = [CLS], [0], []
    for side, texts in enumerate(atoms):
        places.append([])
        for text in texts:
            own = tokenizer.encode(text.rstrip("."), add_special_tokens=False).ids
            places[side].append([len(ids), len(ids) + len(own)])
            ids += [*own, SEP]
            segments += [side] * (len(own) + 1)
    return ids, segments, places


SPARE: Row = {"atoms": [["No edema"], ["Edema"]], "abnormal": None, "links": [[0, 0, CONTRARY, []]], "said": [[-1], [-1]], "whole": False}
"""Stands for a batch of reports that are all too long."""


def batch(rows: Sequence[Row], tokenizer: Any, longest: int = 500) -> dict[str, np.ndarray]:
    made = [(row, *window(tokenizer, row["atoms"])) for row in rows]
    made = [one for one in made if len(one[1]) <= longest] or [(SPARE, *window(tokenizer, SPARE["atoms"]))]
    count, length = len(made), max(len(ids) for _, ids, _, _ in made)
    most = max(max(map(len, places)) for *_, places in made)
    out = {
        "ids": np.zeros((count, length), np.int64), "segments": np.zeros((count, length), np.int64),
        "places": np.zeros((count, 2, most, 2), np.int64), "there": np.zeros((count, 2, most), bool),
        "links": np.full((count, most, most), UNKNOWN, np.int64), "said": np.full((count, 2, most), -1, np.int64),
        "abnormal": np.full((count, 2, most), -1, np.int64), "kinds": np.full((count, most, most, len(KINDS)), -1, np.int8),
    }  # fmt: skip
    for n, (row, ids, segments, places) in enumerate(made):
        out["ids"][n, : len(ids)], out["segments"][n, : len(ids)] = ids, segments
        sizes = [len(side) for side in places]
        for side in (0, 1):
            out["places"][n, side, : sizes[side]] = np.array(places[side], np.int64).reshape(-1, 2)
            out["there"][n, side, : sizes[side]] = True
            if len(row["said"][side]) == sizes[side]:
                out["said"][n, side, : sizes[side]] = row["said"][side]
            if row["abnormal"]:
                out["abnormal"][n, side, : sizes[side]] = row["abnormal"][side]
        if row["whole"]:
            out["links"][n, : sizes[0], : sizes[1]] = NONE
        for side in (0, 1):  # what has no partner matches nothing
            for m, said in enumerate(row["said"][side][: sizes[side]]):
                if said == 0:
                    at = (n, m, slice(0, sizes[1])) if side == 0 else (n, slice(0, sizes[0]), m)
                    out["links"][at] = UNMATCHED
        for a, b, relation, kinds in row["links"]:
            if a < sizes[0] and b < sizes[1]:
                out["links"][n, a, b] = relation
                if kinds:
                    out["kinds"][n, a, b] = 0
                    out["kinds"][n, a, b, kinds] = 1
    return out


class Lessons:
    """An endless stream of batches: aligned pairs, rankings, and statements put together."""

    def __init__(self, rows: Sequence[Row], groups: Sequence[Row], tokenizer_path: str, seed: int, size: int) -> None:
        self.whole = [row for row in rows if row["whole"]]
        self.single = [row for row in rows if not row["atoms"][1]]
        self.ranked = [row for row in rows if not row["whole"] and row["atoms"][1]]
        reports: dict[str, list[Row]] = {}
        areas: dict[str, list[Row]] = {}
        for group in groups:
            (reports if "report" in group else areas).setdefault(str(group.get("report") or group["area"]), []).append(group)
        self.reports, self.areas = [r for r in reports.values() if len(r) > 2], list(areas.values())
        self.path, self.seed, self.size = tokenizer_path, seed, size

    def stream(self, worker: int) -> Iterator[dict[str, np.ndarray]]:
        from pairs import mirrored
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(self.path)
        tokenizer.no_truncation()
        dice = random.Random(self.seed * 1000 + worker)
        while True:
            yield batch([prepared(self.drawn(dice), dice, mirrored) for _ in range(self.size)], tokenizer)

    def drawn(self, dice: random.Random) -> Row:
        draw = dice.random()
        if draw < 0.05 or (draw < 0.1 and not self.single):
            row, side = dice.choice(self.whole), dice.randrange(2)
            return single(row["atoms"][side], row["abnormal"][side])
        if draw < 0.1:
            return dice.choice(self.single)
        if draw < 0.4:
            return dice.choice(self.whole)
        if draw < 0.65:
            return dice.choice(self.ranked)
        if draw < 0.85:
            report = dice.choice(self.reports)
            return composed(dice.sample(report, min(len(report), dice.randint(3, 14))), dice, sure=True)
        area = dice.choice(self.areas)
        own: dict[str, Row] = {str(g["concept"]): g for g in dice.sample(area, min(len(area), dice.randint(3, 12)))}
        return composed(list(own.values()), dice, sure=False)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--aligned", type=Path, nargs="*", default=[])
    ap.add_argument("--rankings", type=Path, nargs="*", default=[])
    ap.add_argument("--atoms", type=Path, nargs="*", default=[], help="sentences with their atoms, normal or abnormal")
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    files = [f for one in a.rankings for f in (sorted(one.glob("*.rank")) if one.is_dir() else [one])]
    rows = [row for path in a.aligned for row in written(path)] + [row for path in files for row in ranked(path)]
    rows += [row for path in a.atoms for row in listed(path)]
    rows += [row for folder in a.rankings if folder.is_dir() for row in layered(folder)]
    with gzip.open(a.out, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    print(len(rows), "pairs of reports,", sum(row["whole"] for row in rows), "of them aligned throughout")


if __name__ == "__main__":
    main()
