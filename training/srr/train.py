"""The judge's weights and labelled utterances → a trained labeller.

    python train.py --base judge.safetensors --tokenizer tokenizer.json --out srr.safetensors

`--base` is what ../judge/train.py writes; the tokenizer with the words that are kept is written beside `--out`. Two
processor cores are enough: a quarter of an hour. Seeds are fixed. The part `validate` is looked at after each epoch; the
part `test` is never read here.
"""

import argparse
import gzip
import json
import random
import re
import time
import tomllib
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer
from torch import Tensor

from gather import LABELS, NO_FINDING, PARENTS
from network import STATUSES, Srr, begin
from words import cut

HERE = Path(__file__).parent
KEPT = [0, 1, 2, 3, 5]
"""Layers of the judge that are kept: five of six."""

LONGEST = 96
RATE, HEAD_RATE, WARM, STATUS_WEIGHT = 1e-4, 1e-3, 0.06, 3.0
SPOKEN_WEIGHT = 2.0
"""A label that is spoken of is rare among those that are not."""

Row = dict[str, object]
Example = tuple[Tensor, dict[int, int]]
"""The words after the frozen layers (tokens × width), label → status."""


def names() -> list[str]:
    """The outputs: every leaf but No Finding, which is what remains where nothing is spoken of, and two parents."""
    leaves = tomllib.loads(LABELS.read_text("utf-8"))["leaves"]
    return [*(name for name in leaves if name != NO_FINDING), *PARENTS]


def rows(path: Path, *parts: str) -> list[Row]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [row for row in map(json.loads, file) if row["split"] in parts]


def other_side(text: str) -> str:
    """The same line about the other side of the body.

    >>> other_side("Left base; right apex")
    'right base; left apex'
    """
    turned = {"left": "right", "right": "left"}
    return re.sub(r"\b(left|right)\b", lambda m: turned[m[0].lower()], text, flags=re.IGNORECASE)


@torch.no_grad()
def examples(model: Srr, pairs: list[tuple[str, Row]], words: Tokenizer, frozen: int) -> list[Example]:
    """Texts with their labels; what the frozen layers make of a text is worked out once."""
    index = {name: n for n, name in enumerate(names())}
    model.eval()
    made: list[Example] = [(torch.empty(0), {})] * len(pairs)
    coded = [words.encode(text).ids[:LONGEST] for text, _ in pairs]
    order = sorted(range(len(pairs)), key=lambda n: len(coded[n]))
    for at in range(0, len(order), 64):
        chunk = order[at : at + 64]
        longest = max(len(coded[n]) for n in chunk)
        ids = torch.tensor([coded[n] + [0] * (longest - len(coded[n])) for n in chunk])
        for n, x in zip(chunk, model.lower(ids, ids.ne(0), frozen), strict=True):
            labels = [one for one in pairs[n][1]["labels"] if one["label"] in index]  # type: ignore[attr-defined]
            told = {index[one["label"]]: STATUSES.index(one["status"]) for one in labels}
            made[n] = x[: len(coded[n])].clone(), told
    model.train()
    return made


def batches(items: list[Example], size: int, dice: random.Random) -> list[list[Example]]:
    """Of like lengths, in random order."""
    order = sorted(range(len(items)), key=lambda n: len(items[n][0]) + dice.random() * 4)
    made = [[items[n] for n in order[at : at + size]] for at in range(0, len(order), size)]
    dice.shuffle(made)
    return made


def padded(batch: list[Example]) -> tuple[Tensor, Tensor]:
    x = torch.nn.utils.rnn.pad_sequence([x for x, _ in batch], batch_first=True)
    mask = torch.zeros(x.shape[:2])
    for n, (one, _) in enumerate(batch):
        mask[n, : len(one)] = 1
    return x, mask


def loss_of(model: Srr, batch: list[Example], frozen: int) -> Tensor:
    found, spoken = model.upper(*padded(batch), frozen)
    truth = torch.zeros_like(spoken)
    where = [(n, label, kind) for n, (_, told) in enumerate(batch) for label, kind in told.items()]
    for n, label, _ in where:
        truth[n, label] = 1.0
    weight = torch.full((spoken.shape[1],), SPOKEN_WEIGHT)
    loss = torch.nn.functional.binary_cross_entropy_with_logits(spoken, truth, pos_weight=weight, reduction="sum")
    loss = loss / len(batch)
    if where:
        n, label, kind = (torch.tensor(one) for one in zip(*where, strict=True))
        status = model.statuses(found[n, label]) + model.lean[label]
        loss = loss + STATUS_WEIGHT * torch.nn.functional.cross_entropy(status, kind, label_smoothing=0.02)
    return loss


@torch.no_grad()
def micro(model: Srr, items: list[Example], frozen: int) -> tuple[float, float, float]:
    """F1 of labels, F1 of labels with statuses, and the share of whole sets that are right."""
    model.eval()
    hits = whole = both = guessed = true = 0
    for batch in batches(items, 64, random.Random(0)):
        found, spoken = model.upper(*padded(batch), frozen)
        status = (model.statuses(found) + model.lean).argmax(-1)
        for row, kinds, (_, told) in zip((spoken > 0).tolist(), status.tolist(), batch, strict=True):
            heard = {n: kinds[n] for n, yes in enumerate(row) if yes}
            hits += len(heard.keys() & told.keys())
            both += len(heard.items() & told.items())
            whole += heard == told
            guessed, true = guessed + len(heard), true + len(told)
    model.train()
    total = max(1, guessed + true)
    return 2 * hits / total, 2 * both / total, whole / max(1, len(items))


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--base", required=True)
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--data", type=Path, default=HERE / "utterances.jsonl.gz")
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--epochs", type=int, default=6)
    ap.add_argument("--batch", type=int, default=16)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--layers", default=",".join(map(str, KEPT)))
    ap.add_argument("--begin", help="weights of an earlier run to go on from, instead of the base")
    ap.add_argument("--frozen", type=int, default=3, help="layers that stay as they are, from below, with the words")
    ap.add_argument("--threads", type=int, default=2)
    a = ap.parse_args()
    torch.set_num_threads(a.threads)
    torch.manual_seed(a.seed)
    torch.set_flush_denormal(True)
    dice = random.Random(a.seed)
    written, used = cut(a.tokenizer)
    a.out.with_suffix(".json").write_text(written, "utf-8")
    words = Tokenizer.from_str(written)
    taught, checked = rows(a.data, "train"), rows(a.data, "validate")
    kept = [int(n) for n in a.layers.split(",")]
    model = Srr(len(names()), len(kept), len(used), LONGEST)
    if a.begin:
        model.load_state_dict(load_file(a.begin))
    else:
        begin(model, load_file(a.base), kept, used)
    for part in (model.words, model.places, model.norm, *model.layers[: a.frozen]):
        part.requires_grad_(False)
    model.segment.requires_grad_(False)
    turned = [other_side(str(r["text"])) if dice.random() < 0.5 else str(r["text"]) for r in taught]
    items = examples(model, list(zip(turned, taught, strict=True)), words, a.frozen)
    check = examples(model, [(str(r["text"]), r) for r in checked], words, a.frozen)
    print(f"{len(items)} utterances to learn from, {len(check)} to look at; {len(used)} word pieces", flush=True)
    own = ("asked.", "spoken.", "lean")
    learned = [(n, p) for n, p in model.named_parameters() if p.requires_grad]
    groups = [
        {"params": [p for n, p in learned if not n.startswith(own)], "top": RATE},
        {"params": [p for n, p in learned if n.startswith(own)], "top": HEAD_RATE},
    ]
    optimiser = torch.optim.AdamW(groups, lr=RATE, weight_decay=0.01)
    steps, total, began = 0, a.epochs * -(-len(items) // a.batch), time.time()
    for epoch in range(a.epochs):
        for batch in batches(items, a.batch, dice):
            share = steps / total
            for group in optimiser.param_groups:
                group["lr"] = group["top"] * min((share + 1e-3) / WARM, (1 - share) / (1 - WARM), 1.0)
            loss = loss_of(model, batch, a.frozen)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            steps += 1
            if steps % 50 == 0:
                print(f"step {steps}/{total} loss {loss.item():.3f} {time.time() - began:.0f} s", flush=True)
        plain, stated, whole = micro(model, check, a.frozen)
        print(f"epoch {epoch}: labels {plain:.4f}, with statuses {stated:.4f}, whole {whole:.4f}", flush=True)
        save_file({k: v.contiguous() for k, v in model.state_dict().items()}, a.out)


if __name__ == "__main__":
    main()
