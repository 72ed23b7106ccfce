"""Examples → the large network, and from examples and the large network → the one that ships.

    python train.py --large base/ --examples alone.jsonl.gz --out large.pt …
    python train.py --begin small.pt --teacher large.pt --examples alone.jsonl.gz --silver silver.jsonl.gz --out network.pt …

One GPU, nine minutes each. Lessons in turn, mixed by chance: reading annotated reports, facts of finding words in single
texts, pairs of statements, whole rankings, the words that are wrong in a sentence, SRR labels. With a teacher every lesson
asks for what was written and for what the teacher says of the same words; of reports that nobody annotated, for that alone.
"""

import argparse
import gzip
import json
import multiprocessing
import random
import time
import tomllib
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import large
import numpy as np
import torch
from network import FACTS, KINDS, NEAR, PAIR_HEADS, SLOTS, TAGS, Network, begin, steps
from names import FAULTS, RELATIONS, STATUSES
from packed import UNWRITTEN, Pairs, Texts, pack_pairs
import pairs as ex
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as binary
from torch.nn.functional import cross_entropy as cross
from torch.utils.data import DataLoader

HERE = Path(__file__).parent
LEFT, RIGHT = 2187, 2157
"""The tokens for the two sides; exchanged in half of the reports, so that no side is learned by heart."""

BATCH, TEXTS, PAIRS, UTTERANCES = 40, 160, 512, 160
FACTS_EACH = 3000
"""Texts with facts that are heard in an epoch of reports."""

STRANGE = 0.6
"""Batches of reports with other nouns and in single sentences, for each batch of reports as written."""

SMOOTH, SAME_WEIGHT, KEPT = 0.05, 1.5, 0.7
"""Of pairs; the last is the share of the loss that asks for what the network said before."""

TAUGHT, TAUGHT_BY = 0.6, frozenset({"reading", "strange", "silver", "faults"})
"""The share of the loss that asks for what the teacher says; in the lessons in which it knows more than its pupil."""

SILVER = 0.5
"""Batches of reports that nobody annotated, for each batch of annotated ones."""

NOT_SAID = PAIR_HEADS[2]
"""The answer where it is known that a sentence is not said, but not how much that matters."""

WEIGHED_TOO, AGAIN = 0.1, 1
"""Share of the pairs and claims that are also asked as sentences beside a report; how often such sentences come in an epoch."""

COSTS, MISSED = (0.0, 0.1, 0.35, 1.0, 3.0), (0.0, 1.0, 1.0, 1.0, 1.0)
"""What a sentence costs that is said, or not said and of no, minor, significant or critical consequence; an atom."""

MARGIN, SETS = 0.5, 12
"""By how much a worse candidate costs more; rankings in a batch."""

SENTENCES, SHOWN = 320, 2
"""Of words at fault: sentences in a batch, and epochs of them in which other parts of the other report are shown."""

MAKERS = 3
"""Processes that make batches of each kind of report."""

ELSEWHERE = 2 * len(NEAR) + 1
IGNORED = -100


def load(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


class Report:
    """A report with everything to be learned from it, worked out once; places count from its own first window."""

    def __init__(self, row: dict[str, Any]) -> None:
        self.id = row["id"]
        self.ids = [window["ids"] for window in row["windows"]]
        mentions = row["mentions"]
        self.spans = np.array([[m["window"], *m["tokens"]] for m in mentions], np.int64).reshape(-1, 3)
        where = [(m["window"], *m["tokens"]) for m in mentions]
        told = [[m["positive"], m["tentative"], m["category"], int(where.count(at) > 1)] for m, at in zip(mentions, where, strict=True)]
        self.answers = np.array(told, np.int64).reshape(-1, 4)
        fits, related = pairs(row)
        self.fits = np.array(fits, np.int64).reshape(-1, 7)
        self.related = np.array(related, np.int64).reshape(-1, 6)
        marks = [(m["window"], 0, *m["tokens"]) for m in mentions]
        marks += [(w, 1 + kind, a, b) for m in mentions for kind, w, a, b in m["attributes"]]
        self.marks = np.array(marks, np.int64).reshape(-1, 4)
        self.sentences = np.array(row.get("sentences", []), np.int64).reshape(-1, 4)
        self.facts = np.array(row.get("facts", []), np.int64).reshape(-1, 7)

    def mirrored(self) -> list[list[int]]:
        return [[RIGHT if i == LEFT else LEFT if i == RIGHT else i for i in ids] for ids in self.ids]


OTHER_SIDE = np.array([0, 2, 1, 3])


class Batch:
    """Some reports: their windows padded to one length, places counted over all of them."""

    def __init__(self, reports: list[Report], turn: bool = True) -> None:
        rows: list[list[int]] = []
        spans, fits, related, marks, sentences, facts, count = [], [], [], [], [], [], 0
        for report in reports:
            start = len(rows)
            turned = turn and random.random() < 0.5
            rows += report.mirrored() if turned else report.ids
            spans.append(report.spans + [start, 0, 0])
            fits.append(report.fits + [0, start, 0, 0, count, 0, 0])
            related.append(report.related + [count, count, 0, 0, 0, 0])
            marks.append(report.marks + [start, 0, 0, 0])
            sentences.append(report.sentences + [start, 0, 0, 0])
            own = report.facts + [start, 0, 0, 0, 0, 0, 0]
            if turned and len(own):
                own[:, 5] = np.where(own[:, 5] >= 0, OTHER_SIDE[own[:, 5].clip(0)], own[:, 5])
            facts.append(own)
            count += len(report.spans)
        length = max(map(len, rows))
        ids = np.zeros((len(rows), length), np.int64)
        mask = np.zeros((len(rows), length), np.int64)
        for n, row in enumerate(rows):
            ids[n, : len(row)], mask[n, : len(row)] = row, 1
        tags = np.zeros((len(rows), length, 1 + KINDS), np.int64)
        for window, kind, first, last in np.concatenate(marks).tolist():
            tags[window, first:last, kind] = 2
            tags[window, first, kind] = 1
        given = (ids, mask, tags, *map(np.concatenate, (spans, fits, related, sentences, facts)), np.concatenate([r.answers for r in reports]))
        self.given = given

    def to(self, device: str) -> "Batch":
        self.device = device
        self.ids, self.mask, self.tags, self.spans, self.fits, self.related, self.sentences, self.facts, self.answers = (
            torch.from_numpy(one).to(device, non_blocking=True) for one in self.given
        )
        return self


def pairs(report: dict[str, Any]) -> tuple[list[list[int]], list[list[int]]]:
    """Every attribute beside every mention of its window, and every two mentions of the report, with the answers."""
    values = sorted({tuple(v) for m in report["mentions"] for v in m["attributes"]})
    fits = []
    for kind, window, first, last in values:
        for n, m in enumerate(report["mentions"]):
            own = [kind, window, first, last] in m["attributes"]
            if m["window"] == window or own:
                far = distance((window, first, last), (m["window"], *m["tokens"]))
                fits.append([kind, window, first, last, n, far, int(own)])
    known = {(a, kind, b) for a, kind, b in report["links"]}
    related = []
    for a, one in enumerate(report["mentions"]):
        for b, other in enumerate(report["mentions"]):
            if a != b:
                far = distance((one["window"], *one["tokens"]), (other["window"], *other["tokens"]))
                answers = [int((a, 0, b) in known), *(int((a, k, b) in known or (b, k, a) in known) for k in (1, 2))]
                related.append([a, b, far, *answers])
    return fits, related


def distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    """In tokens, signed; far out of reach where the windows differ."""
    if one[0] != other[0]:
        return 9999
    return other[1] - one[2] + 1 if other[1] >= one[2] else -(one[1] - other[2] + 1) if one[1] >= other[2] else 0


def stepped(far: Tensor) -> Tensor:
    return torch.where(far == 9999, torch.full_like(far, ELSEWHERE), steps(far))


# ---- lessons: what is asked of a network, and what was written of it
Answers = dict[str, Tensor]

WEIGHTS = {
    "tags": 12.0, "purpose": 0.5, "status": 1.0, "certainty": 0.7, "category": 0.5, "several": 0.3, "fits": 2.0, "related": 2.0,
    "side": 1.0, "change": 1.0, "relation": 1.0, "verdict": 1.0, "levels": 1.0, "faults": 5.0, "spoken": 56.0, "label": 3.0,
}  # fmt: skip
BINARY = frozenset({"fits", "related", "spoken"})
"""Answers of yes or no."""


class Lesson(NamedTuple):
    """One batch: what a network says of it, and how far that is from what was written; None where nothing was."""

    said: Callable[[Network], Answers]
    loss: Callable[[Answers], Tensor] | None


def agreement(said: Answers, taught: Answers) -> Tensor:
    """How far a network is from its teacher."""
    total = next(iter(said.values())).new_zeros(())
    for name, own in said.items():
        if own.numel():
            true = taught[name].float()
            far = binary(own.float(), true.sigmoid()) if name in BINARY else cross(own.float(), true.softmax(-1))
            total = total + WEIGHTS[name] * far
    return total


SLOT_NAMES = ("status", "certainty", "category", "several")


def of_report(batch: "Batch") -> Callable[[Network], Answers]:
    def said(model: Network) -> Answers:
        x = model.encoded(batch.ids, batch.mask)
        found = {"tags": model.tags(model.drop(x)).view(*batch.ids.shape, 1 + KINDS, TAGS)[batch.mask.bool()].flatten(0, 1)}
        if len(s := batch.sentences):
            found["purpose"] = model.purpose(model.ends(x, s[:, 0], s[:, 1], s[:, 2]))
        if not len(batch.spans):
            return found
        spans = model.ends(x, *batch.spans.T)
        found |= dict(zip(SLOT_NAMES, model.slots_of(spans)[0].split(SLOTS, dim=1), strict=True))
        if len(f := batch.fits):
            found["fits"] = model.fit(model.ends(x, f[:, 1], f[:, 2], f[:, 3]), f[:, 0], spans[f[:, 4]], stepped(f[:, 5]))
        if len(r := batch.related):
            found["related"] = model.relate(spans[r[:, 0]], spans[r[:, 1]], stepped(r[:, 2]))
        return found

    return said


def reading(batch: "Batch") -> Lesson:
    def loss(said: Answers) -> Tensor:
        weight = torch.tensor([0.6, 1.0, 1.0], device=batch.device)
        truth = batch.tags[batch.mask.bool()].reshape(-1)
        total = WEIGHTS["tags"] * cross(said["tags"].float(), truth, weight=weight, label_smoothing=0.01)
        if "purpose" in said:
            total = total + WEIGHTS["purpose"] * cross(said["purpose"].float(), batch.sentences[:, 3], label_smoothing=0.02)
        if "status" in said:
            for name, answer in zip(SLOT_NAMES[:3], batch.answers.T, strict=False):
                total = total + WEIGHTS[name] * cross(said[name].float(), answer, label_smoothing=0.02)
            rare = torch.tensor([1.0, 8.0], device=batch.device)
            total = total + WEIGHTS["several"] * cross(said["several"].float(), batch.answers[:, 3], weight=rare)
        if "fits" in said:
            total = total + WEIGHTS["fits"] * binary(said["fits"].float(), batch.fits[:, 6].float())
        if "related" in said:
            twice = torch.tensor(2.0, device=batch.device)
            total = total + WEIGHTS["related"] * binary(said["related"].float(), batch.related[:, 3:].float(), pos_weight=twice)
        return total

    return Lesson(of_report(batch), loss)


def silver(batch: "Batch") -> Lesson:
    return Lesson(of_report(batch), None)


def facts(batch: "Batch") -> Lesson:
    """Only what is known of some words: status, certainty, side, change."""
    f = batch.facts
    names = ("status", "certainty", "side", "change")

    def said(model: Network) -> Answers:
        x = model.encoded(batch.ids, batch.mask)
        slots, others = model.slots_of(model.ends(x, f[:, 0], f[:, 1], f[:, 2]))
        return dict(zip(names, (*slots.split(SLOTS, dim=1)[:2], *others.split(FACTS, dim=1)), strict=True))

    def loss(answers: Answers) -> Tensor:
        total = answers["status"].new_zeros((), dtype=torch.float32)
        for name, answer in zip(names, f[:, 3:].T, strict=True):
            if (answer >= 0).any():
                total = total + cross(answers[name].float(), answer, label_smoothing=0.02, ignore_index=IGNORED)
        return total

    return Lesson(said, loss)


@torch.no_grad()
def reading_figures(model: Network, path: Path, device: str) -> str:
    """F1 of mentions and values by their tokens; of what belongs and is linked, and the share of right slots, where the places are given."""
    reports = [Report(row) for row in load(path)]
    both, guessed, true = ({} for _ in range(3))  # type: ignore[var-annotated]
    right = dict.fromkeys((*SLOT_NAMES[:3], "purpose"), 0)
    asked = dict.fromkeys(right, 0)

    def count(name: str, ours: Tensor, theirs: Tensor) -> None:
        for held, n in ((both, (ours & theirs).sum()), (guessed, ours.sum()), (true, theirs.sum())):
            held[name] = held.get(name, 0) + int(n)

    for start in range(0, len(reports), 64):
        batch = Batch(reports[start : start + 64], turn=False).to(device)
        said = of_report(batch)(model)
        ours = said["tags"].argmax(-1).view(-1, 1 + KINDS)
        theirs = batch.tags[batch.mask.bool()]
        count("mention tokens", ours[:, 0] > 0, theirs[:, 0] > 0)
        count("value tokens", ours[:, 1:] > 0, theirs[:, 1:] > 0)
        count("belongs", said["fits"] > 0, batch.fits[:, 6] > 0)
        for n, name in enumerate(("evidence", "associate", "same as")):
            count(name, said["related"][:, n] > 0, batch.related[:, 3 + n] > 0)
        for name, answer in ((*zip(SLOT_NAMES[:3], batch.answers.T, strict=False), ("purpose", batch.sentences[:, 3]))):
            right[name] += int((said[name].argmax(-1) == answer).sum())
            asked[name] += len(answer)
    f1 = {name: round(2 * both[name] / max(1, guessed[name] + true[name]), 4) for name in both}
    return f"{path.stem}: {f1} {({name: round(n / asked[name], 4) for name, n in right.items()})}"


class Statements:
    """One epoch of pairs on the device, with what the network said of them before it went on learning."""

    def __init__(self, made: Pairs, device: str, before: Network | None) -> None:
        self.held = made.texts.to(device)
        self.heads, self.answers = (torch.from_numpy(x).to(device) for x in (made.heads, made.answers))
        self.kept = None if before is None else torch.zeros(len(made.heads), sum(PAIR_HEADS[:2]), device=device)
        if before is not None and self.kept is not None:
            with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                for chosen, longest in self.held.batches(1024, None):
                    numbers = torch.from_numpy(chosen).to(device)
                    ids, segments = self.held.cut(numbers, longest)
                    said = before(ids, segments, ids.ne(0))[0].float()
                    self.kept[numbers] = torch.cat([part.softmax(1) for part in said.split(PAIR_HEADS, 1)[:2]], 1)

    def lesson(self, chosen: np.ndarray, longest: int) -> Lesson:
        numbers = torch.from_numpy(chosen).to(self.heads.device)
        ids, segments = self.held.cut(numbers, longest)
        heads, truth = self.heads[numbers], self.answers[numbers]
        related, weighed = (heads == 0)[:, None], heads == 2

        def said(model: Network) -> Answers:
            parts = model(ids, segments, ids.ne(0))[0].float().split(PAIR_HEADS, 1)
            return dict(zip(("relation", "verdict", "levels"), parts, strict=True))

        def loss(answers: Answers) -> Tensor:
            logits = torch.where(related, answers["relation"], answers["verdict"])
            far = cross(logits, truth.where(~weighed, UNWRITTEN), reduction="none", label_smoothing=SMOOTH, ignore_index=UNWRITTEN)
            far = far * torch.where(related[:, 0] & (truth == RELATIONS.index("same")), SAME_WEIGHT, 1.0)
            if self.kept is not None:
                kept = self.kept[numbers]
                far = KEPT * cross(logits, torch.where(related, kept[:, :3], kept[:, 3:]), reduction="none") + (1 - KEPT) * far
            return torch.where(weighed, weighing(answers["levels"], truth), far).mean()

        return Lesson(said, loss)


def weighing(levels: Tensor, truth: Tensor) -> Tensor:
    """Said or how wrong; where only that it is not said is known, any level will do."""
    known = cross(levels, truth.where(truth < PAIR_HEADS[2], UNWRITTEN), reduction="none", ignore_index=UNWRITTEN)
    logs = levels.log_softmax(1)
    unsaid = -torch.log1p(-logs[:, 0].exp().clamp(max=1 - 1e-5))
    said_or_not = torch.where(truth == 0, -logs[:, 0], unsaid)
    return torch.where(truth == NOT_SAID, unsaid, 0.5 * known + 0.5 * said_or_not)


def weighed(path: Path | None, dice: random.Random) -> Iterator[tuple[str, str, int, int]]:
    """Sentences and atoms beside another report, more or less of it; half of them mirrored."""
    for row in load(path) if path else ():
        text, claim = dice.choice(row["texts"]), row["claim"]
        turned = ex.mirrored(text, claim) if dice.random() < 0.5 else None
        yield (*(turned or (text, claim)), 2, row["level"])


def statements(folder: Path, support: Path | None, tokenizer: Path, share: float, seed: int) -> Pairs:
    """The pairs of one epoch, of so many of the groups; made in a process of its own while the device works. About half are mirrored."""
    groups, texts = ([r for r in rows if not ex.tested(r)] for rows in meaning(folder))
    words, dice = ex.Words(tokenizer), random.Random(seed)
    asked: list[tuple[str, str, int, int]] = []
    reports: dict[object, list[ex.Row]] = {}
    for group in groups:
        reports.setdefault(group.get("report"), []).append(group)
    for group in dice.sample(groups, int(share * len(groups))):
        swap = dice.random() < 0.5
        for a, b, relation in ex.pairs(group):
            a, b, relation = ex.resized(a, b, relation, dice)
            a, b = (ex.mirrored(a, b) if swap else None) or (a, b)
            asked.append((a, b, 0, ex.relation_number(relation)))
        if "report" in group:
            asked += [(a, b, 0, ex.relation_number("neither")) for a, b in ex.beside(group, reports[group["report"]], dice)]
        asked += [(a, b, 0, UNWRITTEN) for a, b in ex.unwritten(group, dice)]
        other = dice.choice(groups)
        if other["concept"] != group["concept"]:
            asked.append((str(group["original"]), str(other["original"]), 0, 2))
    for row in dice.sample(texts, int(min(1, 2 * share) * len(texts))):
        swap = dice.random() < 0.5
        for claim, verdict in ex.claims(row):
            a, b = (ex.mirrored(str(row["text"]), claim) if swap else None) or (str(row["text"]), claim)
            asked.append((a, b, 1, ex.verdict_number(verdict)))
    if support:
        asked += [(a, b, 2, 0 if answer == 0 else NOT_SAID) for a, b, _, answer in asked if answer >= 0 and dice.random() < WEIGHED_TOO]
        asked += [one for _ in range(AGAIN) for one in weighed(support, dice)]
    return pack_pairs(words.two((a, b) for a, b, _, _ in asked), [(head, answer) for _, _, head, answer in asked])


class Faulty:
    """Sentences beside the other report, each word of both with what is wrong with it."""

    def __init__(self, path: Path, tokenizer: Path, seed: int) -> None:
        dice, words = random.Random(seed), ex.Words(tokenizer).tokenizer
        rows = load(path)
        shown = [dice.randrange(len(row["texts"])) for row in rows]
        made = words.encode_batch([(row["texts"][n], row["claim"]) for row, n in zip(rows, shown, strict=True)])
        told = []
        for row, n, one in zip(rows, shown, made, strict=True):
            tags = np.full(len(one.ids), IGNORED, np.int8)
            for side, marks in enumerate((row["against"][n], row["told"])):
                inside = [at for at, own in enumerate(one.sequence_ids) if own == side]
                tags[inside] = 0
                for first, last, kind in marks:
                    tags[[at for at in inside if one.offsets[at][0] < last and first < one.offsets[at][1]]] = kind
            told.append(tags)
        self.texts = Texts([one.ids for one in made], [len(one.ids) - sum(one.type_ids) for one in made])
        self.told = np.concatenate(told)

    def to(self, device: str) -> "Faulty":
        self.held, self.tags = self.texts.to(device), torch.from_numpy(self.told).to(device)
        return self

    def asked(self, chosen: np.ndarray, longest: int, mirror: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Words, segments and truth; half of the texts mirrored."""
        numbers = torch.from_numpy(chosen).to(self.tags.device)
        ids, segments = self.held.cut(numbers, longest)
        if mirror:
            turned = torch.rand(len(numbers), 1, device=ids.device) < 0.5
            ids = torch.where(turned & (ids == LEFT), RIGHT, torch.where(turned & (ids == RIGHT), LEFT, ids))
        place = torch.arange(longest, device=ids.device)
        here = place < self.held.lengths[numbers, None]
        return ids, segments, torch.where(here, self.tags[(self.held.starts[numbers, None] + place) * here].long(), IGNORED)

    def lesson(self, chosen: np.ndarray, longest: int) -> Lesson:
        ids, segments, truth = self.asked(chosen, longest, mirror=True)
        known = truth != IGNORED

        def said(model: Network) -> Answers:
            return {"faults": model.faults(model.drop(model(ids, segments, ids.ne(0))[1]))[known].float()}

        return Lesson(said, lambda answers: WEIGHTS["faults"] * cross(answers["faults"], truth[known], label_smoothing=0.01))

    @torch.no_grad()
    def figures(self, model: Network) -> str:
        """F1 of the words at fault, by kind and whatever the kind, and of sentences with and without any."""
        both, guessed, true = (np.zeros(1 + len(FAULTS)) for _ in range(3))
        right = [0, 0, 0, 0]
        for chosen, longest in self.held.batches(512, None):
            ids, segments, truth = self.asked(chosen, longest, mirror=False)
            scores, own = model.faults(model(ids, segments, ids.ne(0))[1]), segments.bool()
            heard = scores.argmax(-1).where(own & (truth >= 0), 0)
            truth = truth.where(own & (truth >= 0), 0)
            for kind in range(1, len(FAULTS)):
                a, b = heard == kind, truth == kind
                both[kind] += (a & b).sum().item()
                guessed[kind] += a.sum().item()
                true[kind] += b.sum().item()
            a, b = heard > 0, truth > 0
            both[0] += (a & b).sum().item()
            guessed[0] += a.sum().item()
            true[0] += b.sum().item()
            for x, y in zip(a.any(1).tolist(), b.any(1).tolist(), strict=True):
                right[2 * x + y] += 1
        f = {name: round(2 * both[n] / max(1, guessed[n] + true[n]), 3) for n, name in enumerate(("any", *FAULTS[1:]))}
        return f"words {f}, sentences {2 * right[3] / max(1, 2 * right[3] + right[1] + right[2]):.4f}"


class Ranked:
    """Whole rankings: what is asked of each candidate, summed up to what it costs; a worse one must cost more."""

    def __init__(self, path: Path, tokenizer: Path, device: str) -> None:
        words, self.device = ex.Words(tokenizer), device
        self.sets: list[tuple[Tensor, Tensor, Tensor, bool]] = []
        coded: list[tuple[list[int], list[int]]] = []
        for row in load(path):
            texts = [text for own in row["asked"] for pair in own for text in pair]
            of = torch.tensor([n for n, own in enumerate(row["asked"]) for _ in own])
            for told in filter(None, (texts, ex.mirrored(*texts))):
                numbers = torch.arange(len(coded), len(coded) + len(of))
                coded += words.two(zip(told[::2], told[1::2], strict=True))
                self.sets.append((numbers, of, torch.tensor(row["ranks"]), row["grain"] == "atoms"))
        self.held = pack_pairs(coded, [(2, 0)] * len(coded)).texts.to(device)

    def lesson(self, chosen: list[int]) -> Lesson:
        numbers = torch.cat([self.sets[n][0] for n in chosen])
        longest = int(self.held.known_lengths[numbers.numpy()].max())
        ids, segments = self.held.cut(numbers.to(self.device), longest + -longest % 8)

        def said(model: Network) -> Answers:
            return {"levels": model(ids, segments, ids.ne(0))[0].float().split(PAIR_HEADS, 1)[2]}

        return Lesson(said, lambda answers: self.disorder(answers["levels"].softmax(1), chosen))

    def costs(self, said: Tensor, chosen: list[int]) -> Iterator[tuple[Tensor, Tensor]]:
        """What each candidate of a ranking costs, and its rank."""
        at = 0
        for n in chosen:
            own, of, ranks, atoms = self.sets[n]
            weight = said.new_tensor(MISSED if atoms else COSTS)
            cost = (said[at : at + len(own)] * weight).sum(1)
            at += len(own)
            of = of.to(self.device)
            sums = said.new_zeros(len(ranks)).index_add(0, of, cost)
            yield (sums if atoms else sums + said.new_zeros(len(ranks)).scatter_reduce(0, of, cost, "amax")), ranks.to(self.device)

    @torch.no_grad()
    def figures(self, model: Network) -> str:
        """Rankings wholly in order, and pairs of candidates."""
        whole = pairs = right = 0
        for n in range(len(self.sets)):
            [(sums, ranks)] = self.costs(self.lesson([n]).said(model)["levels"].softmax(1), [n])
            worse = ranks[None, :] > ranks[:, None]
            ordered = (sums[None, :] > sums[:, None]) & worse
            whole, pairs, right = whole + bool((ordered == worse).all()), pairs + int(worse.sum()), right + int(ordered.sum())
        return f"rankings in order {whole} of {len(self.sets)}, pairs {right} of {pairs}"

    def disorder(self, said: Tensor, chosen: list[int]) -> Tensor:
        total = said.new_zeros(())
        for sums, ranks in self.costs(said, chosen):
            further = sums[None, :] - sums[:, None]
            worse, alike = ranks[None, :] > ranks[:, None], ranks[None, :] == ranks[:, None]
            apart = torch.nn.functional.softplus((MARGIN - further) / MARGIN) * worse
            total = total + (apart.sum() + 0.5 * (further.abs() * alike).sum()) / len(ranks)
        return total / len(chosen)


def meaning(folder: Path) -> tuple[list[ex.Row], list[ex.Row]]:
    """Groups and texts."""
    return tuple(list(ex.rows(*sorted(folder.glob(f"{name}*.gz")))) for name in ("groups", "texts"))  # type: ignore[return-value]


def label_names() -> list[str]:
    """The SRR labels that are asked for: every leaf but No Finding, which is what remains, and two parents."""
    leaves = tomllib.loads((HERE.parents[1] / "src/overread/systems/srrg/labels.toml").read_text("utf-8"))["leaves"]
    return [*(name for name in leaves if name != "No Finding"), "Consolidation", "Air space opacity"]


class Utterances:
    """Lines with the labels that they speak of."""

    def __init__(self, path: Path, tokenizer: Path, device: str, *parts: str) -> None:
        words, index = Tokenizer.from_file(str(tokenizer)), {name: n for n, name in enumerate(label_names())}
        rows = [row for row in load(path) if row["split"] in parts]
        self.ids = [words.encode(row["text"]).ids[:96] for row in rows]
        self.told = [
            {index[one["label"]]: STATUSES.index(one["status"]) for one in row["labels"] if one["label"] in index} for row in rows
        ]
        self.device = device

    def words(self, chosen: list[int], mirror: bool) -> Tensor:
        longest = max(len(self.ids[n]) for n in chosen)
        ids = torch.zeros(len(chosen), longest, dtype=torch.long)
        for at, n in enumerate(chosen):
            ids[at, : len(self.ids[n])] = torch.tensor(self.ids[n])
        if mirror:
            left, right = ids == LEFT, ids == RIGHT
            ids[left], ids[right] = RIGHT, LEFT
        return ids.to(self.device)

    def lesson(self, chosen: list[int], mirror: bool) -> Lesson:
        ids = self.words(chosen, mirror)
        where = [(at, label, kind) for at, n in enumerate(chosen) for label, kind in self.told[n].items()]
        at, label, kind = (torch.tensor(one, dtype=torch.long, device=self.device) for one in (zip(*where, strict=True) if where else ((), (), ())))

        def said(model: Network) -> Answers:
            spoken, status = model.labels_of(model.encoded(ids, ids.ne(0)), ids.ne(0))
            return {"spoken": spoken.float(), "label": status[at, label].float()}

        def loss(answers: Answers) -> Tensor:
            truth = torch.zeros_like(answers["spoken"])
            truth[at, label] = 1.0
            twice = torch.tensor(2.0, device=self.device)
            total = WEIGHTS["spoken"] * binary(answers["spoken"], truth, pos_weight=twice)
            return total + WEIGHTS["label"] * cross(answers["label"], kind, label_smoothing=0.02) if where else total

        return Lesson(said, loss)

    @torch.no_grad()
    def figures(self, model: Network) -> str:
        hits = both = guessed = true = 0
        for start in range(0, len(self.ids), 128):
            chosen = list(range(start, min(start + 128, len(self.ids))))
            ids = self.words(chosen, mirror=False)
            spoken, status = model.labels_of(model.encoded(ids, ids.ne(0)), ids.ne(0))
            for row, kinds, n in zip((spoken > 0).tolist(), status.argmax(-1).tolist(), chosen, strict=True):
                heard = {label: kinds[label] for label, yes in enumerate(row) if yes}
                hits += len(heard.keys() & self.told[n].keys())
                both += len(heard.items() & self.told[n].items())
                guessed, true = guessed + len(heard), true + len(self.told[n])
        return f"SRR labels {2 * hits / (guessed + true):.4f}, with statuses {2 * both / (guessed + true):.4f}"


@torch.no_grad()
def pair_figures(model: Network, folder: Path, words: ex.Words, device: str) -> str:
    """On concepts never trained on: relations, both orders; and verdicts."""
    groups, texts = ([r for r in rows if ex.tested(r)] for rows in meaning(folder))
    kinds = (("same", "same"), ("opposite", "opposite"), ("neither", "other"))
    asked = [(str(g["original"]), str(t), ex.relation_number(r)) for g in groups for r, k in kinds for t in g[k]]  # type: ignore[attr-defined]
    both = sum(chances(model, [(a, b) if n else (b, a) for a, b, _ in asked], 0, words, device) for n in (0, 1))
    right = (both.argmax(1) == torch.tensor([r for *_, r in asked])).float().mean()  # type: ignore[union-attr]
    claims = [(str(r["text"]), c, ex.verdict_number(v)) for r in texts for c, v in r["claims"]]  # type: ignore[attr-defined]
    said = chances(model, [(t, c) for t, c, _ in claims], 1, words, device).argmax(1)
    return f"relations {right:.4f}, verdicts {(said == torch.tensor([v for *_, v in claims])).float().mean():.4f}"


def chances(model: Network, asked: list[tuple[str, str]], head: int, words: ex.Words, device: str) -> Tensor:
    held = pack_pairs(words.two(asked), [(head, 0)] * len(asked)).texts.to(device)
    out = torch.empty(len(asked), 3)
    for chosen, longest in held.batches(512, None):
        ids, segments = held.cut(torch.from_numpy(chosen).to(device), longest)
        out[chosen] = model(ids, segments, ids.ne(0))[0].split(PAIR_HEADS, 1)[head].float().softmax(1).cpu()
    return out


class School:
    """All lessons, mixed: each is one batch."""

    def __init__(self, a: argparse.Namespace, device: str, before: Network | None, ready: list[Future[Pairs]], faulty: list[Future[Faulty]]) -> None:
        self.before = before
        self.ready, self.faulty, self.device, self.dice, self.a = ready, faulty, device, random.Random(a.seed), a
        self.reports = {
            kind: [Report(row) for path in paths for row in load(path)]
            for kind, paths in (("reading", a.examples), ("strange", a.strange), ("silver", a.silver), ("facts", [a.facts] if a.facts else []))
        }
        self.labels = Utterances(a.labels, a.tokenizer, device, "train")
        self.ranked = Ranked(a.sets, a.tokenizer, device) if a.sets else None

    def plan(self) -> list[str]:
        """Which lesson comes when."""
        reading = self.a.epochs * -(-len(self.reports["reading"]) // BATCH)
        counts = {
            "reading": reading,
            "strange": int(STRANGE * reading) if self.reports["strange"] else 0,
            "silver": int(SILVER * reading) if self.reports["silver"] else 0,
            "facts": self.a.epochs * FACTS_EACH // TEXTS if self.reports["facts"] else 0,
            "labels": self.a.label_epochs * -(-len(self.labels.ids) // UTTERANCES),
            "pairs": self.a.pair_epochs * -(-len(self.ready[0].result().heads) // PAIRS) if self.ready else 0,
            "ranking": self.a.rank_epochs * len(self.ranked.sets) // SETS if self.ranked else 0,
            "faults": self.a.fault_epochs * -(-len(self.faulty[0].result().texts.lengths) // SENTENCES) if self.faulty else 0,
        }
        plan = [kind for kind, count in counts.items() for _ in range(count)]
        self.dice.shuffle(plan)
        return plan

    def lessons(self) -> dict[str, Iterator[Lesson]]:
        return {
            "reading": self.of_reports("reading", BATCH, reading), "strange": self.of_reports("strange", BATCH, reading),
            "silver": self.of_reports("silver", BATCH, silver), "facts": self.of_reports("facts", TEXTS, facts),
            "labels": self.labelling(), "pairs": self.pairing(), "ranking": self.ranking(), "faults": self.fault_finding(),
        }  # fmt: skip

    def of_reports(self, kind: str, size: int, lesson: Callable[[Batch], Lesson]) -> Iterator[Lesson]:
        """Batches are made ahead by processes of their own: making one takes longer than learning from it."""
        ahead = DataLoader(self.reports[kind], size, shuffle=True, collate_fn=Batch, num_workers=MAKERS, prefetch_factor=4, persistent_workers=True)  # type: ignore[arg-type]
        while True:
            for batch in ahead:
                yield lesson(batch.to(self.device))

    def ranking(self) -> Iterator[Lesson]:
        while self.ranked:
            order = self.dice.sample(range(len(self.ranked.sets)), len(self.ranked.sets))
            for n in range(0, len(order), SETS):
                yield self.ranked.lesson(order[n : n + SETS])

    def fault_finding(self) -> Iterator[Lesson]:
        while True:
            for n, one in enumerate(self.faulty):
                held = one.result().to(self.device)
                for chosen, longest in held.held.batches(SENTENCES, np.random.default_rng(n)):
                    yield held.lesson(chosen, longest)

    def labelling(self) -> Iterator[Lesson]:
        while True:
            order = list(range(len(self.labels.ids)))
            self.dice.shuffle(order)
            for n in range(0, len(order), UTTERANCES):
                yield self.labels.lesson(order[n : n + UTTERANCES], self.dice.random() < 0.5)

    def pairing(self) -> Iterator[Lesson]:
        while True:
            for n in range(len(self.ready)):
                held = Statements(self.ready[n].result(), self.device, self.before)
                for chosen, longest in held.held.batches(PAIRS, np.random.default_rng(n)):
                    yield held.lesson(chosen, longest)


def learn(lesson: Lesson, model: Network, teacher: Network | None) -> Tensor:
    said = lesson.said(model)
    if teacher is None:
        assert lesson.loss is not None
        return lesson.loss(said)
    with torch.no_grad():
        taught = lesson.said(teacher)
    far = agreement(said, taught)
    return far if lesson.loss is None else TAUGHT * far + (1 - TAUGHT) * lesson.loss(said)


def by_rate(model: Network, rate: float) -> list[dict[str, Any]]:
    """Heads that begin from nothing, on a large encoder that knows its language, learn faster than it does."""
    if not isinstance(model, large.Large):
        return [{"params": list(model.parameters()), "rate": rate}]
    inner = ("words", "places", "norm", "layers", "near")
    encoder = [p for name, p in model.named_parameters() if name.split(".")[0] in inner]
    rest = [p for name, p in model.named_parameters() if name.split(".")[0] not in inner]
    return [{"params": encoder, "rate": rate}, {"params": rest, "rate": 8 * rate}]


def train(school: School, model: Network, teacher: Network | None, seconds: float, began: float) -> None:
    a, device = school.a, school.device
    plan, lessons = school.plan(), school.lessons()
    print({kind: plan.count(kind) for kind in lessons}, f"{time.time() - began:.0f} s", flush=True)
    optimiser = torch.optim.AdamW(by_rate(model, a.rate), weight_decay=0.01, fused=device == "cuda")
    model.train()
    lost: dict[str, list[float]] = {kind: [] for kind in lessons}
    took: dict[str, float] = dict.fromkeys(lessons, 0.0)
    start = time.time()
    for n, kind in enumerate(plan):
        at = time.time()
        share = max(n / len(plan), (at - start) / (seconds - (start - began)))  # done in time, whatever the machine
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = group["rate"] * min(share / 0.06 + 1e-3, (1 - share) / 0.94)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            loss = learn(next(lessons[kind]), model, teacher if kind in TAUGHT_BY else None)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if n % 50 < 4:
            lost[kind].append(float(loss.detach()))
        took[kind] += time.time() - at
        if n % 800 == 799:
            told = {k: (round(sum(v[-8:]) / max(1, len(v[-8:])), 3), round(took[k])) for k, v in lost.items()}
            print(f"step {n + 1} of {len(plan)}, {time.time() - began:.0f} s, loss and seconds: {told}", flush=True)


def figures(model: Network, a: argparse.Namespace, words: ex.Words, device: str) -> None:
    model.eval()
    with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
        print(pair_figures(model, a.meaning, words, device), Utterances(a.labels, a.tokenizer, device, "test").figures(model), flush=True)
        for path in a.test:
            print(reading_figures(model, path, device), flush=True)
        if a.sets_test:
            print(Ranked(a.sets_test, a.tokenizer, device).figures(model), flush=True)
        if a.faults_test:
            print(Faulty(a.faults_test, a.tokenizer, 0).to(device).figures(model), flush=True)


def loaded(path: Path, model: Network) -> Network:
    """Weights of an earlier training, or the files that ship or were published."""
    if path.is_dir():
        (large.begin if isinstance(model, large.Large) else begin)(model, path)
    else:
        model.load_state_dict({k: v.float() for k, v in torch.load(path).items()})
    return model


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--examples", type=Path, nargs="+", required=True)
    ap.add_argument("--facts", type=Path)
    ap.add_argument("--support", type=Path, help="sentences beside other reports, from rankings (support.py)")
    ap.add_argument("--sets", type=Path, help="whole rankings (support.py)")
    ap.add_argument("--strange", type=Path, nargs="*", default=[], help="the reports with other nouns")
    ap.add_argument("--silver", type=Path, nargs="*", default=[], help="reports that nobody annotated (silver.py)")
    ap.add_argument("--faults", type=Path, help="sentences with the words that are wrong (faults.py)")
    ap.add_argument("--faults-test", type=Path, help="the same of rankings that are kept back")
    ap.add_argument("--sets-test", type=Path, help="whole rankings that are kept back")
    ap.add_argument("--test", type=Path, nargs="*", default=[], help="reports that are kept back, for figures")
    ap.add_argument("--fault-epochs", type=int, default=4)
    ap.add_argument("--meaning", type=Path, default=HERE.parent / "meaning")
    ap.add_argument("--labels", type=Path, default=HERE.parent / "srr/utterances.jsonl.gz")
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--begin", type=Path, help="the folder that ships, or weights of an earlier training")
    ap.add_argument("--large", type=Path, help="train the large network, from published weights (large.py) or those of an earlier training")
    ap.add_argument("--teacher", type=Path, help="weights of the large network")
    ap.add_argument("--out", type=Path)
    ap.add_argument("--epochs", type=int, default=24, help="of reports and of texts with facts")
    ap.add_argument("--pair-epochs", type=int, default=3)
    ap.add_argument("--groups", type=float, default=0.2, help="share of the groups, and twice as many of the texts, in an epoch of pairs")
    ap.add_argument("--rank-epochs", type=int, default=6, help="of rankings, as written and with the sides exchanged")
    ap.add_argument("--label-epochs", type=int, default=10)
    ap.add_argument("--rate", type=float, default=2e-4)
    ap.add_argument("--seconds", type=float, default=520, help="the plan is cut to this time")
    ap.add_argument("--seed", type=int, default=1)
    a = ap.parse_args()
    began = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    torch.set_float32_matmul_precision("high")
    model = loaded(a.large, large.Large()) if a.large else loaded(a.begin, Network())
    teacher = loaded(a.teacher, large.Large()).to(device).eval() if a.teacher else None
    before = loaded(a.begin, Network()).to(device).eval() if a.begin else None
    model.to(device)
    words = ex.Words(a.tokenizer)
    with ProcessPoolExecutor(max(1, min(a.pair_epochs + 2, 6)), multiprocessing.get_context("spawn")) as hands:
        ready = [hands.submit(statements, a.meaning, a.support, a.tokenizer, a.groups, a.seed * 100 + n) for n in range(a.pair_epochs)]
        faulty = [hands.submit(Faulty, a.faults, a.tokenizer, a.seed * 100 + n) for n in range(SHOWN)] if a.faults else []
        if not a.large:
            print("before:", flush=True)
            figures(model, a, words, device)
        train(School(a, device, before, ready, faulty), model, teacher, a.seconds, began)
    print(f"after {time.time() - began:.0f} s:", flush=True)
    if a.out:
        torch.save({k: v.half() for k, v in model.state_dict().items()}, a.out)
    figures(model, a, words, device)


if __name__ == "__main__":
    main()
