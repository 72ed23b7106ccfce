"""Examples → the one network.

    python train.py --examples train.jsonl.gz --facts facts.jsonl.gz --begin ../../src/overread/network/model \\
        --tokenizer ../../src/overread/network/model/tokenizer.json --out network.pt

One GPU, about eight minutes. Lessons in turn, mixed by chance: reading annotated reports, facts of finding words in single
texts, pairs of statements (taught by the network it begins from, and by what was written), whole rankings, the words that are wrong
in a sentence, SRR labels.
"""

import argparse
import gzip
import json
import multiprocessing
import random
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any

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

SMOOTH, SAME_WEIGHT, TAUGHT = 0.05, 1.5, 0.7
"""Of pairs; the last is the share of the loss that asks for what the network said before."""

NOT_SAID = PAIR_HEADS[2]
"""The answer where it is known that a sentence is not said, but not how much that matters."""

HEARD_AGAIN = 0.2
"""Share of the groups, and twice as many of the texts, that come in an epoch of pairs."""

WEIGHED_TOO, AGAIN = 0.1, 1
"""Share of the pairs and claims that are also asked as sentences beside a report; how often such sentences come in an epoch."""

COSTS, MISSED = (0.0, 0.1, 0.35, 1.0, 3.0), (0.0, 1.0, 1.0, 1.0, 1.0)
"""What a sentence costs that is said, or not said and of no, minor, significant or critical consequence; an atom."""

MARGIN, SETS = 0.5, 12
"""By how much a worse candidate costs more; rankings in a batch."""

FAULTS_WEIGH, SENTENCES, SHOWN = 5.0, 320, 2
"""Of words at fault; sentences in a batch, and epochs of them in which other parts of the other report are shown."""

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

    def __init__(self, reports: list[Report]) -> None:
        rows: list[list[int]] = []
        spans, fits, related, marks, sentences, facts, count = [], [], [], [], [], [], 0
        for report in reports:
            start = len(rows)
            turned = random.random() < 0.5
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


# ---- lessons: each yields losses
def reading_loss(model: Network, batch: Batch) -> Tensor:
    x = model.encoded(batch.ids, batch.mask)
    tags = model.tags(model.drop(x)).view(*batch.ids.shape, 1 + KINDS, TAGS)
    kept = batch.mask.bool()
    weight = torch.tensor([0.6, 1.0, 1.0], device=batch.device)
    total = 12 * cross(tags[kept].reshape(-1, TAGS), batch.tags[kept].reshape(-1), weight=weight, label_smoothing=0.01)
    if len(s := batch.sentences):
        total = total + 0.5 * cross(model.purpose(model.ends(x, s[:, 0], s[:, 1], s[:, 2])), s[:, 3], label_smoothing=0.02)
    if not len(batch.spans):
        return total
    spans = model.ends(x, *batch.spans.T)
    parts = model.slots_of(spans)[0].split(SLOTS, dim=1)
    for weight_of, part, answer in zip((1.0, 0.7, 0.5), parts, batch.answers.T, strict=False):
        total = total + weight_of * cross(part, answer, label_smoothing=0.02)
    total = total + 0.3 * cross(parts[3], batch.answers[:, 3], weight=torch.tensor([1.0, 8.0], device=batch.device))
    if len(f := batch.fits):
        said = model.fit(model.ends(x, f[:, 1], f[:, 2], f[:, 3]), f[:, 0], spans[f[:, 4]], stepped(f[:, 5]))
        total = total + 2 * binary(said, f[:, 6].float())
    if len(r := batch.related):
        said = model.relate(spans[r[:, 0]], spans[r[:, 1]], stepped(r[:, 2]))
        total = total + 2 * binary(said, r[:, 3:].float(), pos_weight=torch.tensor(2.0, device=batch.device))
    return total


def facts_loss(model: Network, batch: Batch) -> Tensor:
    """Only what is known of some words: status, certainty, side, change."""
    x = model.encoded(batch.ids, batch.mask)
    f = batch.facts
    slots, facts = model.slots_of(model.ends(x, f[:, 0], f[:, 1], f[:, 2]))
    answers = (*slots.split(SLOTS, dim=1)[:2], *facts.split(FACTS, dim=1))
    total = x.new_zeros(())
    for part, answer in zip(answers, f[:, 3:].T, strict=True):
        total = total + cross(part, answer, label_smoothing=0.02, ignore_index=IGNORED) if (answer >= 0).any() else total
    return total


class Statements:
    """One epoch of pairs on the device, with what the network said of them before it went on learning."""

    def __init__(self, made: Pairs, device: str, teacher: Network) -> None:
        self.held = made.texts.to(device)
        self.heads, self.answers = (torch.from_numpy(x).to(device) for x in (made.heads, made.answers))
        self.taught = torch.zeros(len(made.heads), sum(PAIR_HEADS[:2]), device=device)
        with torch.no_grad(), torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            for chosen, longest in self.held.batches(1024, None):
                numbers = torch.from_numpy(chosen).to(device)
                ids, segments = self.held.cut(numbers, longest)
                said = teacher(ids, segments, ids.ne(0))[0].float()
                self.taught[numbers] = torch.cat([part.softmax(1) for part in said.split(PAIR_HEADS, 1)[:2]], 1)

    def loss(self, model: Network, chosen: np.ndarray, longest: int) -> Tensor:
        numbers = torch.from_numpy(chosen).to(self.heads.device)
        ids, segments = self.held.cut(numbers, longest)
        heads, truth = self.heads[numbers], self.answers[numbers]
        relations, verdicts, levels = model(ids, segments, ids.ne(0))[0].float().split(PAIR_HEADS, 1)
        related, weighed = (heads == 0)[:, None], heads == 2
        logits = torch.where(related, relations, verdicts)
        loss = cross(logits, truth.where(~weighed, UNWRITTEN), reduction="none", label_smoothing=SMOOTH, ignore_index=UNWRITTEN)
        loss = loss * torch.where(related[:, 0] & (truth == RELATIONS.index("same")), SAME_WEIGHT, 1.0)
        said = self.taught[numbers]
        taught = cross(logits, torch.where(related, said[:, :3], said[:, 3:]), reduction="none")
        return torch.where(weighed, weighing(levels, truth), TAUGHT * taught + (1 - TAUGHT) * loss).mean()


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


def statements(folder: Path, support: Path | None, tokenizer: Path, seed: int) -> Pairs:
    """The pairs of one epoch; made in a process of its own while the device works. About half are mirrored."""
    groups, texts = ([r for r in rows if not ex.tested(r)] for rows in meaning(folder))
    words, dice = ex.Words(tokenizer), random.Random(seed)
    asked: list[tuple[str, str, int, int]] = []
    reports: dict[object, list[ex.Row]] = {}
    for group in groups:
        reports.setdefault(group.get("report"), []).append(group)
    for group in dice.sample(groups, int(HEARD_AGAIN * len(groups))):
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
    for row in dice.sample(texts, int(2 * HEARD_AGAIN * len(texts))):
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

    def said(self, model: Network, chosen: np.ndarray, longest: int, mirror: bool) -> tuple[Tensor, Tensor, Tensor]:
        """Scores and truth of every word, and which of them are the sentence's own; half of the texts mirrored."""
        numbers = torch.from_numpy(chosen).to(self.tags.device)
        ids, segments = self.held.cut(numbers, longest)
        if mirror:
            turned = torch.rand(len(numbers), 1, device=ids.device) < 0.5
            ids = torch.where(turned & (ids == LEFT), RIGHT, torch.where(turned & (ids == RIGHT), LEFT, ids))
        place = torch.arange(longest, device=ids.device)
        here = place < self.held.lengths[numbers, None]
        truth = torch.where(here, self.tags[(self.held.starts[numbers, None] + place) * here].long(), IGNORED)
        return model.faults(model.drop(model(ids, segments, ids.ne(0))[1])).float(), truth, segments.bool()

    def loss(self, model: Network, chosen: np.ndarray, longest: int) -> Tensor:
        scores, truth, _ = self.said(model, chosen, longest, mirror=True)
        return FAULTS_WEIGH * cross(scores.flatten(0, 1), truth.flatten(), ignore_index=IGNORED, label_smoothing=0.01)

    @torch.no_grad()
    def figures(self, model: Network) -> str:
        """F1 of the words at fault, by kind and whatever the kind, and of sentences with and without any."""
        both, guessed, true = (np.zeros(1 + len(FAULTS)) for _ in range(3))
        right = [0, 0, 0, 0]
        for chosen, longest in self.held.batches(512, None):
            scores, truth, own = self.said(model, chosen, longest, mirror=False)
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

    def loss(self, model: Network, chosen: list[int]) -> Tensor:
        numbers = torch.cat([self.sets[n][0] for n in chosen])
        longest = int(self.held.known_lengths[numbers.numpy()].max())
        ids, segments = self.held.cut(numbers.to(self.device), longest + -longest % 8)
        said = model(ids, segments, ids.ne(0))[0].float().split(PAIR_HEADS, 1)[2].softmax(1)
        total, at = said.new_zeros(()), 0
        for n in chosen:
            own, of, ranks, atoms = self.sets[n]
            weight = said.new_tensor(MISSED if atoms else COSTS)
            cost = (said[at : at + len(own)] * weight).sum(1)
            at += len(own)
            of, ranks = of.to(self.device), ranks.to(self.device)
            sums = said.new_zeros(len(ranks)).index_add(0, of, cost)
            if not atoms:
                sums = sums + said.new_zeros(len(ranks)).scatter_reduce(0, of, cost, "amax")
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

    def said(self, model: Network, chosen: list[int], mirror: bool) -> tuple[Tensor, Tensor]:
        longest = max(len(self.ids[n]) for n in chosen)
        ids = torch.zeros(len(chosen), longest, dtype=torch.long)
        for at, n in enumerate(chosen):
            ids[at, : len(self.ids[n])] = torch.tensor(self.ids[n])
        if mirror:
            left, right = ids == LEFT, ids == RIGHT
            ids[left], ids[right] = RIGHT, LEFT
        ids = ids.to(self.device)
        return model.labels_of(model.encoded(ids, ids.ne(0)), ids.ne(0))

    def loss(self, model: Network, chosen: list[int], mirror: bool) -> Tensor:
        spoken, status = self.said(model, chosen, mirror)
        truth = torch.zeros_like(spoken)
        where = [(at, label, kind) for at, n in enumerate(chosen) for label, kind in self.told[n].items()]
        for at, label, _ in where:
            truth[at, label] = 1.0
        loss = binary(spoken, truth, pos_weight=torch.tensor(2.0, device=self.device), reduction="sum") / len(chosen)
        if where:
            at, label, kind = (torch.tensor(one, device=self.device) for one in zip(*where, strict=True))
            loss = loss + 3 * cross(status[at, label], kind, label_smoothing=0.02)
        return loss

    @torch.no_grad()
    def figures(self, model: Network) -> str:
        hits = both = guessed = true = 0
        for start in range(0, len(self.ids), 128):
            chosen = list(range(start, min(start + 128, len(self.ids))))
            spoken, status = self.said(model, chosen, mirror=False)
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
    """All lessons, mixed: each call of `step` is one batch of one of them."""

    def __init__(self, a: argparse.Namespace, device: str, model: Network, teacher: Network, ready: list[Future[Pairs]], faulty: list[Future[Faulty]]) -> None:
        self.ready = ready
        self.device, self.model, self.teacher, self.dice = device, model, teacher, random.Random(a.seed)
        self.reports = [Report(row) for row in load(a.examples)][: a.most]
        self.strange = [Report(row) for path in a.strange for row in load(path)]
        self.texts = [Report(row) for row in load(a.facts)] if a.facts else []
        self.labels = Utterances(a.labels, a.tokenizer, device, "train")
        self.ranked = Ranked(a.sets, a.tokenizer, device) if a.sets else None
        self.rank_epochs, self.fault_epochs, self.faulty = a.rank_epochs, a.fault_epochs, faulty
        self.epochs, self.pair_epochs, self.label_epochs = a.epochs, a.pair_epochs, a.label_epochs

    def plan(self) -> list[str]:
        """Which lesson comes when."""
        reading = self.epochs * -(-len(self.reports) // BATCH)
        facts = self.epochs * FACTS_EACH // TEXTS if self.texts else 0
        labels = self.label_epochs * -(-len(self.labels.ids) // UTTERANCES)
        pairs_of = self.pair_epochs * self.steps_of_pairs()
        strange = int(STRANGE * reading) if self.strange else 0
        ranked = self.rank_epochs * len(self.ranked.sets) // SETS if self.ranked else 0
        faults = self.fault_epochs * -(-len(self.faulty[0].result().texts.lengths) // SENTENCES) if self.faulty else 0
        plan = ["faults"] * faults + ["reading"] * reading + ["strange"] * strange + ["ranking"] * ranked + ["facts"] * facts + ["labels"] * labels + ["pairs"] * pairs_of
        self.dice.shuffle(plan)
        return plan

    def steps_of_pairs(self) -> int:
        return -(-len(self.ready[0].result().heads) // PAIRS) if self.ready else 0

    def lessons(self) -> dict[str, Iterator[Tensor]]:
        return {
            "reading": self.reading(self.reports, BATCH, reading_loss), "strange": self.reading(self.strange, BATCH, reading_loss),
            "facts": self.reading(self.texts, TEXTS, facts_loss),
            "labels": self.labelling(), "pairs": self.pairing(), "ranking": self.ranking(), "faults": self.fault_finding(),
        }  # fmt: skip

    def reading(self, reports: list[Report], size: int, loss: Any) -> Iterator[Tensor]:
        """Batches are made ahead by processes of their own: making one takes longer than learning from it."""
        ahead = DataLoader(reports, size, shuffle=True, collate_fn=Batch, num_workers=MAKERS, prefetch_factor=4, persistent_workers=True)  # type: ignore[arg-type]
        while True:
            for batch in ahead:
                yield loss(self.model, batch.to(self.device))

    def ranking(self) -> Iterator[Tensor]:
        while self.ranked:
            order = self.dice.sample(range(len(self.ranked.sets)), len(self.ranked.sets))
            for n in range(0, len(order), SETS):
                yield self.ranked.loss(self.model, order[n : n + SETS])

    def fault_finding(self) -> Iterator[Tensor]:
        while True:
            for n, one in enumerate(self.faulty):
                held = one.result().to(self.device)
                for chosen, longest in held.held.batches(SENTENCES, np.random.default_rng(n)):
                    yield held.loss(self.model, chosen, longest)

    def labelling(self) -> Iterator[Tensor]:
        while True:
            order = list(range(len(self.labels.ids)))
            self.dice.shuffle(order)
            for n in range(0, len(order), UTTERANCES):
                yield self.labels.loss(self.model, order[n : n + UTTERANCES], self.dice.random() < 0.5)

    def pairing(self) -> Iterator[Tensor]:
        while True:
            for n in range(len(self.ready)):
                held = Statements(self.ready[n].result(), self.device, self.teacher)
                for chosen, longest in held.held.batches(PAIRS, np.random.default_rng(n)):
                    yield held.loss(self.model, chosen, longest)


def train(school: School, rate: float, seconds: float, began: float) -> None:
    model, device = school.model, school.device
    plan, lessons = school.plan(), school.lessons()
    print({kind: plan.count(kind) for kind in lessons}, f"{time.time() - began:.0f} s", flush=True)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01, fused=device == "cuda")
    model.train()
    lost: dict[str, list[float]] = {kind: [] for kind in lessons}
    start = time.time()
    for n, kind in enumerate(plan):
        share = max(n / len(plan), (time.time() - start) / (seconds - (start - began)))  # done in time, whatever the machine
        if share >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = rate * min(share / 0.06 + 1e-3, (1 - share) / 0.94)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            loss = next(lessons[kind])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        if n % 50 < 4:
            lost[kind].append(float(loss.detach()))
        if n % 800 == 799:
            told = {k: round(sum(v[-8:]) / max(1, len(v[-8:])), 3) for k, v in lost.items()}
            print(f"step {n + 1} of {len(plan)}, {time.time() - began:.0f} s: {told}", flush=True)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--examples", type=Path, required=True)
    ap.add_argument("--facts", type=Path)
    ap.add_argument("--support", type=Path, help="sentences beside other reports, from rankings (support.py)")
    ap.add_argument("--sets", type=Path, help="whole rankings (support.py)")
    ap.add_argument("--strange", type=Path, nargs="*", default=[], help="the reports with other nouns")
    ap.add_argument("--faults", type=Path, help="sentences with the words that are wrong (faults.py)")
    ap.add_argument("--faults-test", type=Path, help="the same of rankings that are kept back")
    ap.add_argument("--fault-epochs", type=int, default=4)
    ap.add_argument("--meaning", type=Path, default=HERE.parent / "meaning")
    ap.add_argument("--labels", type=Path, default=HERE.parent / "srr/utterances.jsonl.gz")
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--begin", type=Path, required=True, help="the folder that ships, or weights of an earlier training")
    ap.add_argument("--out", type=Path)
    ap.add_argument("--epochs", type=int, default=24, help="of reports and of texts with facts")
    ap.add_argument("--pair-epochs", type=int, default=3)
    ap.add_argument("--rank-epochs", type=int, default=6, help="of rankings, as written and with the sides exchanged")
    ap.add_argument("--label-epochs", type=int, default=10)
    ap.add_argument("--rate", type=float, default=2e-4)
    ap.add_argument("--seconds", type=float, default=520, help="the plan is cut to this time")
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--most", type=int, help="take so many reports")
    a = ap.parse_args()
    began = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    model, teacher = Network().to(device), Network().to(device).eval()
    for one in (model, teacher):
        if a.begin.is_dir():
            begin(one, a.begin)
        else:
            one.load_state_dict({k: v.float() for k, v in torch.load(a.begin).items()})
    words = ex.Words(a.tokenizer)
    print("before:", pair_figures(teacher, a.meaning, words, device), flush=True)
    with ProcessPoolExecutor(max(1, min(a.pair_epochs + 2, 6)), multiprocessing.get_context("spawn")) as hands:
        ready = [hands.submit(statements, a.meaning, a.support, a.tokenizer, a.seed * 100 + n) for n in range(a.pair_epochs)]
        faulty = [hands.submit(Faulty, a.faults, a.tokenizer, a.seed * 100 + n) for n in range(SHOWN)] if a.faults else []
        school = School(a, device, model, teacher, ready, faulty)
        train(school, a.rate, a.seconds, began)
    model.eval()
    print(f"after {time.time() - began:.0f} s:", pair_figures(model, a.meaning, words, device), Utterances(a.labels, a.tokenizer, device, "test").figures(model))
    if a.faults_test:
        print(Faulty(a.faults_test, a.tokenizer, 0).to(device).figures(model), flush=True)
    if a.out:
        torch.save({k: v.half() for k, v in model.state_dict().items()}, a.out)


if __name__ == "__main__":
    main()
