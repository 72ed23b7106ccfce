"""Rankings → sentences and atoms of one report beside the other report, with how wrong each of them is.

    python support.py --out support.jsonl.gz --sets sets.jsonl.gz ../../corpus/train

and the rankings themselves (`--sets`): what the network is asked of each candidate, best candidate first. Both ways: a sentence of a candidate that holds no listed error is said by the reference, and a sentence of the
reference of which nothing is missed is said by the candidate; so with atoms. What the list of errors leaves open is
left out. Rankings of laws (`--laws`) whose candidates mean the same give sentences that are said.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from aligned import blocks

from overread.corpus.layered import layers_beside
from overread.corpus.rankings import SIGNIFICANCES, Candidate, CandidateFault, Ranking, rankings
from overread.judge.beside import content, premise
from overread.reader import read
from overread.report import parse
from overread.report.span import Span
from overread.systems.radsem.by_rules import worded

TOLD = ("findings", "addendum", "impression", "other")
"""Sections that say something of the patient."""

SAID = 0
"""The first class; the levels of an error follow."""

BUDGETS = (50, 50, 100)
"""Words of the other report that are shown."""

SHORT = 50
"""The same where they are atoms."""

GRAINS = ("sentences", "atoms")


class Statement(NamedTuple):
    """A sentence or an atom, and the words of its report that say it."""

    text: str
    spans: tuple[Span, ...]
    states: bool = True
    """Is it more than a title or an indication?"""

    def holds(self, report: str, words: str) -> bool:
        """Are some of the words among its own?"""
        at = report.lower().find(words.lower())
        return at >= 0 and any(at < span.end and at + len(words) > span.start for span in self.spans)


class Told(NamedTuple):
    """A report, as sentences and as atoms."""

    text: str
    sentences: tuple[Statement, ...]
    atoms: tuple[Statement, ...]

    @classmethod
    @cache
    def of(cls, text: str) -> "Told":
        reading = read(parse(text))
        stated = ((s, s.section in TOLD and s.kind == "statement") for s in reading.sentences)
        whole = tuple(Statement(reading.quote(s.span), (s.span,), states) for s, states in stated)
        return cls(text, whole, tuple(Statement(one.text, one.spans) for one in worded(reading, TOLD)))


def level(fault: CandidateFault) -> int:
    return 1 + SIGNIFICANCES.index(fault.significance)


def of_candidate(candidate: Candidate, own: Sequence[Statement]) -> Iterator[tuple[Statement, int]]:
    """The candidate's statements: as wrong as the worst error in them."""
    faults = [f for f in candidate.faults if f.kind != "missed"]
    for one in own:
        yield one, max((level(f) for f in faults if one.holds(candidate.text, f.words)), default=SAID)


def of_reference(candidate: Candidate, text: str, own: Sequence[Statement]) -> Iterator[tuple[Statement, int]]:
    """The reference's statements: what is missed of them, or said otherwise."""
    for one in own:
        found, doubtful = [], False
        for f in candidate.faults:
            words = f.words if f.kind == "missed" else f.instead
            if words and one.holds(text, words):
                found.append(level(f))
            elif words and f.kind != "missed" and words.lower() not in text.lower():
                doubtful |= bool(content(one.text) & (content(words) | content(f.words)))
        if found or not doubtful:
            yield one, max(found, default=SAID)


def rows(ranking: Ranking) -> Iterator[dict[str, object]]:
    ours = Told.of(ranking.reference)
    for candidate in ranking.candidates:
        theirs = Told.of(candidate.text)
        for grain in GRAINS:
            for one, answer in of_candidate(candidate, getattr(theirs, grain)):
                yield row(ranking.id, grain, one, ours, answer)
            for one, answer in of_reference(candidate, ranking.reference, getattr(ours, grain)):
                yield row(ranking.id, grain, one, theirs, answer)


def row(id: str, grain: str, one: Statement, other: Told, answer: int) -> dict[str, object]:
    """More or less of the other report, and for an atom its atoms too."""
    texts = [premise(one.text, [s.text for s in other.sentences], budget) for budget in BUDGETS]
    if grain == "atoms" and other.atoms:
        texts += [premise(one.text, [s.text for s in other.atoms], SHORT)] * len(BUDGETS)
    return {"set": id, "grain": grain, "texts": texts, "claim": one.text, "level": answer}


def asked(reference: str, candidate: str, grain: str) -> Iterator[tuple[str, str]]:
    """Each statement that only one of two reports has, beside what only the other one has."""
    ours, theirs = (getattr(Told.of(text), grain) for text in (reference, candidate))
    for one, other in ((ours, theirs), (theirs, ours)):
        said, own = {s.text for s in one}, [s.text for s in other]
        shown = [text for text in own if text not in said] or own
        yield from ((premise(text, shown, BUDGETS[0]), text) for text in dict.fromkeys(s.text for s in one if s.states) if text not in own)


def whole(id: str, relation: str, reference: str, candidates: Sequence[tuple[int, str]], grains: Sequence[str]) -> Iterator[dict[str, object]]:
    """What is asked of the candidates of one ranking, with the rank of each."""
    for grain in grains:
        questions = [list(asked(reference, text, grain)) for _, text in candidates]
        yield {"set": id, "grain": grain, "relation": relation, "ranks": [rank for rank, _ in candidates], "asked": questions}


ABNORMAL = "There is an abnormal finding."
"""The claim by which a statement is called normal or not."""

NORMAL = 1 + len(SIGNIFICANCES)
"""Not said, whatever that may matter."""


def judged(text: str, normal: bool) -> dict[str, object]:
    return {"set": "", "grain": "atoms", "texts": [text], "claim": ABNORMAL, "level": NORMAL if normal else SAID}


def turned(ranking: Ranking) -> Iterator[dict[str, object]]:
    """Of a ladder it is known what is normal: all that the fourth candidate says, and what the list of errors makes of the fifth."""
    *_, fourth, fifth = ranking.candidates
    for grain in GRAINS:
        yield from (judged(s.text, normal=True) for s in getattr(Told.of(fourth.text), grain) if s.states)
        for one in getattr(Told.of(fifth.text), grain):
            kinds = {f.kind for f in fifth.faults if one.holds(fifth.text, f.words)}
            if len(kinds) == 1 and one.states:
                yield judged(one.text, normal=kinds == {"denied"})
        for one in getattr(Told.of(ranking.reference), grain):
            if any(f.instead and one.holds(ranking.reference, f.instead) for f in fourth.faults if f.kind == "denied"):
                yield judged(one.text, normal=False)


def written(path: Path) -> Iterator[dict[str, object]]:
    """Sentences with their atoms: each is said by its sentence, and is normal or not."""
    sentence = ""
    for sign, _, text in (line.strip().partition(" ") for line in path.read_text("utf-8").splitlines()):
        if sign == "S":
            sentence = text
        elif sign in ("+", "-"):
            yield judged(text, normal=sign == "-")
            yield {"set": path.stem, "grain": "atoms", "texts": [sentence], "claim": text, "level": SAID}


def of_layers(folder: Path) -> Iterator[dict[str, object]]:
    for report in layers_beside(folder):
        yield from (judged(one["text"], one["normality"] == "normal") for one in report["atoms"])


LAW = re.compile(r"^law (?P<law>\d+)\nreference:(?P<reference>.*)\n(?P<relation>falls|same|near):(?P<candidates>.*)", re.MULTILINE)
"""A ranking of a law: candidates that are ever worse, or that all mean one thing."""


def lawful(path: Path) -> Iterator[tuple[str, str, list[str]]]:
    for found in LAW.finditer(path.read_text("utf-8")):
        yield found["relation"], found["reference"].strip(), [text.strip() for text in found["candidates"].split(" | ")]


def said_alike(id: str, reference: str, others: Sequence[str]) -> Iterator[dict[str, object]]:
    """Where candidates mean the same and the reference is one of them, their sentences are said; both ways."""
    if reference in others:
        ours = Told.of(reference)
        for theirs in (Told.of(text) for text in others if text != reference):
            yield from (row(id, "sentences", one, theirs, SAID) for one in ours.sentences)
            yield from (row(id, "sentences", one, ours, SAID) for one in theirs.sentences)


def of_aligned(path: Path) -> Iterator[dict[str, object]]:
    """Atoms of two reports: said by the other one, or not; what is said in part is left out."""
    for pair, wrong in blocks(path):
        if wrong:
            raise SystemExit(f"{path.name} {pair.id}: {'; '.join(wrong)}")
        partly = [{link[side] for link in pair.links if link.relation == "part"} for side in (0, 1)]
        said = [{link[side] for link in pair.links if link.relation == "same"} for side in (0, 1)]
        for side in (0, 1):
            other = [s.text for s in Told.of(pair.texts[1 - side]).sentences]
            for n, (text, abnormal) in enumerate(zip(pair.atoms[side], pair.abnormal[side], strict=True)):
                yield judged(text, not abnormal)
                if n in said[side] or n not in partly[side]:
                    yield told_beside(pair.id, text, other, n in said[side])


def told_beside(id: str, text: str, other: Sequence[str], said: bool) -> dict[str, object]:
    """A statement beside the sentences of a report that says it, or not."""
    texts = [premise(text, other, budget) for budget in BUDGETS]
    return {"set": id, "grain": "atoms", "texts": texts, "claim": text, "level": SAID if said else NORMAL}


def of_ladders(path: Path) -> Iterator[dict[str, object]]:
    """Candidates of one reference, ever worse."""
    for id, pairs in groupby((pair for pair, _ in blocks(path)), lambda pair: pair.id.partition(".")[0]):
        texts = [pair.texts for pair in pairs]
        yield from whole(id, "falls", texts[0][0], [(rank, text) for rank, (_, text) in enumerate(texts)], GRAINS)


class Turned(NamedTuple):
    """A statement of a report: in other words, plainly denied, and made into another one that excludes it."""

    abnormal: bool
    text: str
    again: str
    denied: str
    opposite: str


def turned_reports(path: Path) -> Iterator[tuple[str, str, list[Turned]]]:
    for block in re.split(r"\n(?=# )", path.read_text("utf-8").strip()):
        head, report, *lines = (line.strip() for line in block.splitlines() if line.strip())
        yield head.split()[1], report.removeprefix("R "), [Turned(line[0] == "+", *line[2:].split(" | ")) for line in lines]


def of_turned(path: Path) -> Iterator[dict[str, object]]:
    """What is said and what is not: beside the report, beside all of it in other words, without the statement itself, beside its contrary."""
    for id, report, lines in turned_reports(path):
        sentences, again = [s.text for s in Told.of(report).sentences], [one.again for one in lines]
        contrary = [one.denied if n % 2 else one.opposite for n, one in enumerate(lines)]
        for n, one in enumerate(lines):
            yield told_beside(id, one.again, sentences, said=True)
            yield told_beside(id, one.text, again, said=True)
            yield from (told_beside(id, text, shown, said=False) for text in (one.denied, one.opposite) for shown in (sentences, again))
            yield from (told_beside(id, text, contrary, said=False) for text in (one.text, one.again))
            yield told_beside(id, one.text, [*again[:n], *again[n + 1 :]], said=False)
            yield told_beside(id, one.again, [*again[:n], one.denied, *again[n + 1 :]], said=False)
            yield from (judged(text, not one.abnormal) for text in (one.text, one.again))
            yield judged(one.denied, normal=one.abnormal)
            if not one.abnormal:
                yield judged(one.opposite, normal=False)


def sets_of_turned(path: Path) -> Iterator[dict[str, object]]:
    """The same in other words, a third and two thirds of what is abnormal denied, all of it, and everything turned round."""
    for id, report, lines in turned_reports(path):
        abnormal = [one for one in lines if one.abnormal]
        levels = [" ".join(one.denied if one in abnormal[: len(abnormal) * n // 3] else one.again for one in lines) for n in range(4)]
        levels.append(" ".join(one.denied for one in lines))
        if len(abnormal) >= 3 and len(abnormal) < len(lines):
            yield from whole(id, "falls", report, list(enumerate(levels)), GRAINS)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", type=Path, nargs="*")
    ap.add_argument("--laws", type=Path, nargs="*", default=[], help="rankings of laws, as the tests of the ledger have them")
    ap.add_argument("--atoms", type=Path, nargs="*", default=[], help="sentences with their atoms, normal or abnormal")
    ap.add_argument("--aligned", type=Path, nargs="*", default=[], help="pairs of reports whose atoms are aligned")
    ap.add_argument("--ladders", type=Path, nargs="*", default=[], help="the same, with ever worse candidates")
    ap.add_argument("--turned", type=Path, nargs="*", default=[], help="reports whose statements are turned round")
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--sets", type=Path, required=True)
    a = ap.parse_args()
    files = [f for one in a.files for f in (sorted(one.glob("*.rank")) if one.is_dir() else [one])]
    made, sets = [], []
    for ranking in (one for path in files for one in rankings(path)[0]):
        made += rows(ranking)
        grains = GRAINS if ranking.about.get("kind") == "ladder" else GRAINS[:1]
        if grains == GRAINS:
            made += turned(ranking)
        sets += whole(ranking.id, "falls", ranking.reference, [(c.rank, c.text) for c in ranking.candidates], grains)
    made += [row for path in a.atoms for row in written(path)]
    made += [row for folder in a.files if folder.is_dir() for row in of_layers(folder)]
    made += [row for path in (*a.aligned, *a.ladders) for row in of_aligned(path)]
    made += [row for path in a.turned for row in of_turned(path)]
    sets += [one for path in a.ladders for one in of_ladders(path)]
    sets += [one for path in a.turned for one in sets_of_turned(path)]
    for path in a.laws:
        for relation, reference, texts in lawful(path):
            ranks = range(len(texts)) if relation == "falls" else [0] * len(texts)
            sets += whole(path.stem, relation, reference, list(zip(ranks, texts, strict=True)), GRAINS[:1])
            if relation != "falls":
                made += said_alike(path.stem, reference, texts)
    for target, rows_of in ((a.out, made), (a.sets, sets)):
        with gzip.open(target, "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(one) + "\n" for one in rows_of)
    counts = [sum(one["level"] == n for one in made) for n in range(2 + len(SIGNIFICANCES))]
    print(len(files), "files,", len(made), "sentences and atoms; said, none, minor, significant, critical, not said:", counts)
    print(len(sets), "rankings,", sum(len(q) for one in sets for q in one["asked"]), "questions")


if __name__ == "__main__":
    main()
