"""Examples → a network that reads, and what it says of other examples.

    python train.py --examples examples.jsonl.gz --begin ../../src/overread/judge/model/judge.onnx --out reader.pt \\
        --apply dev.jsonl.gz --said said.jsonl.gz --epochs 14 --seed 1

One GPU, about two minutes.
"""

import argparse
import gzip
import json
import random
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as binary
from torch.nn.functional import cross_entropy as cross

from network import KINDS, NEAR, TAGS, Reader, begin, steps

LEFT, RIGHT = 2187, 2157
"""The tokens for the two sides; exchanged in half of the reports, so that no side is learned by heart."""

BATCH = 24
ELSEWHERE = 2 * len(NEAR) + 1


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
        self.answers = np.array([[m["positive"], m["tentative"], m["category"]] for m in mentions], np.int64).reshape(-1, 3)
        fits, related = pairs(row)
        self.fits = np.array(fits, np.int64).reshape(-1, 7)
        self.related = np.array(related, np.int64).reshape(-1, 6)
        marks = [(m["window"], 0, *m["tokens"]) for m in mentions]
        marks += [(w, 1 + kind, a, b) for m in mentions for kind, w, a, b in m["attributes"]]
        self.marks = np.array(marks, np.int64).reshape(-1, 4)

    def mirrored(self) -> list[list[int]]:
        return [[RIGHT if i == LEFT else LEFT if i == RIGHT else i for i in ids] for ids in self.ids]


class Batch:
    """Some reports: their windows padded to one length, places counted over all of them."""

    def __init__(self, reports: list[Report], device: str, mirror: random.Random | None) -> None:
        self.device = device
        rows: list[list[int]] = []
        spans, fits, related, marks, count = [], [], [], [], 0
        for report in reports:
            start = len(rows)
            rows += report.mirrored() if mirror is not None and mirror.random() < 0.5 else report.ids
            spans.append(report.spans + [start, 0, 0])
            fits.append(report.fits + [0, start, 0, 0, count, 0, 0])
            related.append(report.related + [count, count, 0, 0, 0, 0])
            marks.append(report.marks + [start, 0, 0, 0])
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
        given = (ids, mask, tags, *map(np.concatenate, (spans, fits, related)), np.concatenate([r.answers for r in reports]))
        self.ids, self.mask, self.tags, self.spans, self.fits, self.related, self.answers = (
            torch.from_numpy(one).to(device, non_blocking=True) for one in given
        )


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


def loss_of(model: Reader, batch: Batch) -> Tensor:
    x = model.encoded(batch.ids, batch.mask)
    tags = model.tags(model.drop(x)).view(*batch.ids.shape, 1 + KINDS, TAGS)
    kept = batch.mask.bool()
    weight = torch.tensor([0.6, 1.0, 1.0], device=batch.device)
    total = 12 * cross(tags[kept].reshape(-1, TAGS), batch.tags[kept].reshape(-1), weight=weight, label_smoothing=0.01)
    if not len(batch.spans):
        return total
    spans = model.ends(x, *batch.spans.T)
    slots = model.slots_of(spans)
    for weight_of, (first, last), answer in zip((1.0, 0.7, 0.5), ((0, 2), (2, 4), (4, None)), batch.answers.T, strict=True):
        total = total + weight_of * cross(slots[:, first:last], answer, label_smoothing=0.02)
    if len(f := batch.fits):
        said = model.fit(model.ends(x, f[:, 1], f[:, 2], f[:, 3]), f[:, 0], spans[f[:, 4]], stepped(f[:, 5]))
        total = total + 2 * binary(said, f[:, 6].float())
    if len(r := batch.related):
        said = model.relate(spans[r[:, 0]], spans[r[:, 1]], stepped(r[:, 2]))
        total = total + 2 * binary(said, r[:, 3:].float(), pos_weight=torch.tensor(2.0, device=batch.device))
    return total


def train(model: Reader, reports: list[Report], device: str, epochs: int, rate: float, seed: int) -> None:
    dice = random.Random(seed)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=0.01)
    total = epochs * (1 + len(reports) // BATCH)
    warm = torch.optim.lr_scheduler.LambdaLR(optimiser, lambda n: min((n + 1) / (0.06 * total), 1 - n / (total + 1)))
    model.train()
    for epoch in range(epochs):
        dice.shuffle(reports)
        lost = 0.0
        for n in range(0, len(reports), BATCH):
            with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
                loss = loss_of(model, Batch(reports[n : n + BATCH], device, dice))
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            warm.step()
            lost += float(loss.detach())
        print(f"epoch {epoch + 1}: {lost / (1 + len(reports) // BATCH):.3f}", flush=True)


# ---- what it says
def runs(tags: list[int]) -> list[tuple[int, int]]:
    """First and last plus one of what is tagged."""
    found: list[tuple[int, int]] = []
    start = None
    for n, tag in enumerate([*tags, 0]):
        if start is not None and tag != 2:
            found.append((start, n))
            start = None
        if tag == 1 or (tag == 2 and start is None):
            start = n
    return found


@torch.no_grad()
def said_of(model: Reader, report: Report, device: str) -> dict[str, Any]:
    """Mentions, values and their scores, by tokens."""
    batch = Batch([report], device, None)
    x = model.encoded(batch.ids, batch.mask)
    tags = model.tags(x).view(*batch.ids.shape, 1 + KINDS, TAGS).argmax(-1).tolist()
    sizes = batch.mask.sum(1).tolist()
    mentions = [(w, *run) for w, size in enumerate(sizes) for run in runs([row[0] for row in tags[w][:size]])]
    values = [
        (kind, w, *run)
        for w, size in enumerate(sizes)
        for kind in range(KINDS)
        for run in runs([row[1 + kind] for row in tags[w][:size]])
    ]
    made: dict[str, Any] = {"id": report.id, "mentions": mentions, "values": values, "slots": [], "fits": [], "related": []}
    if not mentions:
        return made
    m = torch.tensor(mentions, device=device)
    spans = model.ends(x, m[:, 0], m[:, 1], m[:, 2])
    slots = model.slots_of(spans)
    made["slots"] = [
        [round(p, 4) for p in (*one[:2].softmax(0).tolist(), *one[2:4].softmax(0).tolist(), *one[4:].softmax(0).tolist())]
        for one in slots
    ]
    for n, (kind, w, first, last) in enumerate(values):
        near = [k for k, one in enumerate(mentions) if one[0] == w]
        if near:
            far = torch.tensor([distance((w, first, last), mentions[k]) for k in near], device=device)
            own = model.ends(x, *(torch.full((len(near),), v, device=device) for v in (w, first, last)))
            kinds = torch.full((len(near),), kind, device=device)
            scores = model.fit(own, kinds, spans[near], stepped(far)).sigmoid().tolist()
            made["fits"] += [[n, k, round(p, 4)] for k, p in zip(near, scores, strict=True)]
    every = [(a, b) for a in range(len(mentions)) for b in range(len(mentions)) if a != b]
    if every:
        far = torch.tensor([distance(mentions[a], mentions[b]) for a, b in every], device=device)
        one, other = (torch.tensor(side, device=device) for side in zip(*every, strict=True))
        scores = model.relate(spans[one], spans[other], stepped(far)).sigmoid().tolist()
        made["related"] = [[a, b, *(round(p, 4) for p in s)] for (a, b), s in zip(every, scores, strict=True) if max(s) > 0.1]
    return made


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--examples", type=Path, required=True)
    ap.add_argument("--begin", type=Path, required=True, help="an int8 file, or weights of an earlier training")
    ap.add_argument("--out", type=Path)
    ap.add_argument("--apply", type=Path, nargs="*", default=[])
    ap.add_argument("--said", type=Path, nargs="*", default=[])
    ap.add_argument("--epochs", type=int, default=14)
    ap.add_argument("--rate", type=float, default=1.5e-4)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--most", type=int, help="take so many reports, drawn by the seed")
    a = ap.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    model = Reader().to(device)
    if a.begin.suffix == ".onnx":
        begin(model, a.begin)
    else:
        model.load_state_dict({k: v.float() for k, v in torch.load(a.begin).items()})
    reports = [Report(row) for row in load(a.examples)]
    random.Random(a.seed).shuffle(reports)
    start = time.time()
    if a.epochs:
        train(model, reports[: a.most], device, a.epochs, a.rate, a.seed)
    print(f"{len(reports[: a.most])} reports, {time.time() - start:.0f} s")
    model.eval()
    for source, target in zip(a.apply, a.said, strict=True):
        with gzip.open(target, "wt", encoding="utf-8") as file:
            for report in map(Report, load(source)):
                file.write(json.dumps(said_of(model, report, device), separators=(",", ":")) + "\n")
    if a.out:
        torch.save({k: v.half() for k, v in model.state_dict().items()}, a.out)


if __name__ == "__main__":
    main()
