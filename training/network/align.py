"""Sentences cut into atoms, and pairs of reports with their atoms aligned → the upper layers and heads that do both.

    M=../../src/overread/network/model
    python align.py --rows ../meaning/aligned.txt ../meaning/ladders.txt --cuts ../meaning/{cut,ladders,aligned,atoms}.txt \\
        --begin $M --tokenizer $M/tokenizer.json --out align.pt

The lower layers are those of the shipped network and stay as they are, so that nothing else that it answers changes.
One GPU, about eight minutes; weights are saved each minute.
"""

import argparse
import random
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from network import Network, begin
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as binary
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

import alignment
import cutting
import pairs as ex

HERE = Path(__file__).parent
LINKED = 2.0
"""What a link counts where most pairs have none."""

HEADS = ("atom", "both", "shared", "unlike", "aligned", "abnormal", "word", "leads", "leading", "following", "product", "way", "beside")
CUTS = 0.5
"""Share of the steps that learn to cut sentences."""

HEAVY = 3.0
"""What a denial, a hedge or a side counts."""


class Stream(IterableDataset):  # type: ignore[type-arg]
    def __init__(self, lessons: alignment.Lessons, cuts: cutting.Lessons) -> None:
        self.lessons, self.cuts = lessons, cuts

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        worker = get_worker_info()
        number = worker.id if worker else 0
        torch.set_num_threads(1)
        dice = random.Random(f"{self.lessons.seed}:{number}")
        aligned, cut = self.lessons.stream(number), self.cuts.stream(dice)
        while True:
            made = next(cut if dice.random() < CUTS else aligned)
            yield {name: torch.from_numpy(value) for name, value in made.items()}


def tested(row: dict[str, Any]) -> bool:
    """One pair of reports in ten, all candidates of a reference together."""
    return zlib.crc32(str(row["atoms"][0]).encode()) % 10 == 0


def cut_loss(model: Network, b: dict[str, Tensor]) -> Tensor:
    leads, member = cut_answers(model, b)
    known = b["leads"] >= 0
    lead = (binary(leads, b["leads"].clamp(min=0).float(), reduction="none") * known).sum() / known.sum().clamp(min=1)
    known = b["member"] >= 0
    weight = known * torch.where(b["heavy"][:, None], HEAVY, 1.0)
    each = (binary(member, b["member"].clamp(min=0).float(), reduction="none") * weight).sum((1, 2))
    return 4 * lead + 8 * (each / weight.sum((1, 2)).clamp(min=1)).mean()


def cut_answers(model: Network, b: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
    x = model.encoded(b["ids"], b["ids"].ne(0), b["segments"], align=True)
    leads, member = model.cut(x, b["places"])
    return leads.float(), member.float()


@torch.no_grad()
def cut_figures(model: Network, cuts: list[cutting.Cut], lessons: cutting.Lessons, device: str) -> str:
    """Share of the leading words, of memberships and of heavy ones that are right; of sentences whose atoms are exactly right."""
    right, asked, whole = Counter[str](), Counter[str](), 0
    model.eval()
    for start in range(0, len(cuts), 64):
        rows = [cutting.row(one, lessons.of) for one in cuts[start : start + 64]]
        made = cutting.batch([one for one in rows if len(one["ids"]) <= cutting.LONGEST])
        b = {name: torch.from_numpy(value).to(device) for name, value in made.items()}
        leads, member = cut_answers(model, b)
        good = torch.ones(len(leads), dtype=torch.bool, device=device)
        heavy = b["heavy"][:, None].expand_as(b["member"])
        for name, guess, truth, mask in (
            ("leads", leads, b["leads"], b["leads"] >= 0), ("member", member, b["member"], b["member"] >= 0), ("heavy", member, b["member"], (b["member"] >= 0) & heavy)
        ):  # fmt: skip
            hit = ((guess > 0) == (truth == 1)) | ~mask
            right[name] += int((hit & mask).sum())
            asked[name] += int(mask.sum())
            good &= hit.flatten(1).all(1)
        whole += int(good.sum())
    model.train()
    return ", ".join(f"{name} {right[name] / max(1, asked[name]):.3f}" for name in asked) + f", whole {whole}/{len(cuts)}"


def kept_out(one: cutting.Cut) -> bool:
    return zlib.crc32(one.text.encode()) % 10 == 0


def loss_of(relations: Tensor, kinds: Tensor, abnormal: Tensor, b: dict[str, Tensor]) -> Tensor:
    logs, links = relations.log_softmax(-1), b["links"]
    there = b["there"][:, 0, :, None] & b["there"][:, 1, None]
    known = there & (links >= 0)
    truth = links.clamp(min=0)
    weight = torch.where(truth == 0, 1.0, LINKED)
    smooth = 0.97 * logs.gather(-1, truth[..., None])[..., 0] + 0.03 * logs.mean(-1)
    apart = torch.logsumexp(logs[..., [alignment.NONE, alignment.CONTRARY]], -1)
    loss = -(smooth * weight * known + apart * (there & (links == alignment.UNMATCHED))).sum((1, 2))
    kind = binary(kinds, b["kinds"].clamp(min=0).float(), reduction="none") * (b["kinds"] >= 0)
    judged = binary(abnormal, b["abnormal"].clamp(min=0).float(), reduction="none") * (b["abnormal"] >= 0)
    count = (b["there"].sum((1, 2)).float()).clamp(min=1)
    return ((loss + kind.sum((1, 2, 3)) + judged.sum((1, 2))) / count).mean()


def answers(model: Network, b: dict[str, Tensor]) -> tuple[Tensor, Tensor, Tensor]:
    x = model.encoded(b["ids"], b["ids"].ne(0), b["segments"], align=True)
    said, abnormal = (one.float() for one in model.align(x, b["places"]))
    relations, kinds = said.split((4, len(alignment.KINDS)), -1)
    return relations, kinds, abnormal


@torch.no_grad()
def figures(model: Network, rows: list[dict[str, Any]], words: alignment.Words, device: str) -> str:
    """Precision and recall of links, what differs, normality, and how far RadSEM's share of matched atoms is off."""
    hits, guessed, true = Counter[str](), Counter[str](), Counter[str]()
    kinds_right = kinds_asked = normal = judged_all = 0
    off = []
    model.eval()
    coded = [one for row in rows if alignment.length(one := words.coded(row)) <= alignment.LONGEST]
    for start in range(0, len(coded), 16):
        made = alignment.batch(coded[start : start + 16])
        b = {name: torch.from_numpy(value).to(device) for name, value in made.items()}
        relations, kinds, abnormal = answers(model, b)
        judged = b["abnormal"] >= 0
        normal += int(((abnormal > 0) == (b["abnormal"] == 1))[judged].sum())
        judged_all += int(judged.sum())
        guess, truth = relations.argmax(-1), b["links"]
        there = b["there"][:, 0, :, None] & b["there"][:, 1, None]
        for name, values in (("match", (1, 2)), ("same", (1,)), ("contrary", (3,)), ("one finding", (1, 2, 3))):
            is_guess, is_true = (sum((one == v) for v in values).bool() & there for one in (guess, truth))
            hits[name] += int((is_guess & is_true).sum())
            guessed[name] += int(is_guess.sum())
            true[name] += int(is_true.sum())
        for said in (guess, truth):
            matched = ((said == 1) | (said == 2)) & there
            off.append((matched.any(2).sum(1) + matched.any(1).sum(1)) / b["there"].sum((1, 2)))
        asked = (b["kinds"] >= 0).any(-1)
        best = kinds.argmax(-1)
        kinds_right += int((b["kinds"].gather(-1, best[..., None])[..., 0] == 1)[asked].sum())
        kinds_asked += int(asked.sum())
    model.train()
    told = ", ".join(f"{name} {hits[name] / max(1, guessed[name]):.3f}/{hits[name] / max(1, true[name]):.3f}" for name in hits)
    share = float((torch.cat(off[::2]) - torch.cat(off[1::2])).abs().mean())
    return f"{len(coded)} pairs of reports, precision/recall: {told}; kinds {kinds_right}/{kinds_asked}; normality {normal}/{judged_all}; share off {share:.3f}"


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--rows", type=Path, nargs="+", required=True)
    ap.add_argument("--cuts", type=Path, nargs="+", required=True, help="sentences cut into atoms, and aligned reports")
    ap.add_argument("--meaning", type=Path, default=HERE.parent / "meaning")
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--begin", type=Path, required=True)
    ap.add_argument("--resume", type=Path, help="weights of an earlier training to begin from")
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--rate", type=float, default=2.5e-4)
    ap.add_argument("--seconds", type=float, default=480)
    ap.add_argument("--warm", type=int, default=300, help="steps until the full rate")
    ap.add_argument("--tell", type=float, default=60, help="seconds between figures, and between savings")
    ap.add_argument("--size", type=int, default=96)
    ap.add_argument("--workers", type=int, default=6)
    ap.add_argument("--seed", type=int, default=1)
    ap.add_argument("--all", action="store_true", help="hold no pairs out")
    a = ap.parse_args()
    began = time.time()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(a.seed)
    torch.backends.cuda.matmul.allow_tf32 = True
    model = Network().to(device)
    begin(model, a.begin)
    if a.resume:
        model.load_state_dict({k: v.float() for k, v in torch.load(a.resume, map_location=device).items()}, strict=False)
    rows = [row for path in a.rows for row in alignment.written(path)]
    held_out = [row for row in rows if tested(row)]
    taught = rows if a.all else [row for row in rows if not tested(row)]
    groups = [dict(g) for g in ex.rows(*sorted(a.meaning.glob("groups*.gz"))) if not ex.tested(g)]
    words = alignment.Words(a.tokenizer)
    lessons = alignment.Lessons(taught, groups, words, a.seed, a.size)
    every = [one for path in a.cuts for one in (cutting.from_sentences(path) if path.read_text("utf-8").startswith("S ") else cutting.from_reports(path))]
    unseen = [one for one in every if kept_out(one)]
    cuts = cutting.Lessons([one for one in every if a.all or not kept_out(one)], a.tokenizer, 2 * a.size)
    branch = list(model.aligning.parameters())
    heads = [p for name in HEADS for p in getattr(model, name).parameters()]
    trained = [*branch, *heads]
    for p in model.parameters():
        p.requires_grad_(False)
    for p in trained:
        p.requires_grad_(True)
    optimiser = torch.optim.AdamW([{"params": branch, "most": a.rate}, {"params": heads, "most": 2 * a.rate}], lr=a.rate, weight_decay=0.01, fused=device == "cuda")
    kept = [name for name, p in model.named_parameters() if p.requires_grad]
    batches = iter(DataLoader(Stream(lessons, cuts), batch_size=None, num_workers=a.workers, prefetch_factor=16 if a.workers else None, pin_memory=device == "cuda"))
    print(f"{len(taught)} pairs of reports, {len(held_out)} held out, {len(cuts.cuts)} sentences, {len(unseen)} held out, {time.time() - began:.0f} s", flush=True)
    mean = [p.detach().clone() for p in trained]
    model.train()
    start, told, step, losses = time.time(), time.time(), 0, []
    while True:
        share = (time.time() - began) / a.seconds
        if share >= 1:
            break
        b = {name: value.to(device, non_blocking=True) for name, value in next(batches).items()}
        for group in optimiser.param_groups:
            group["lr"] = group["most"] * min(step / a.warm + 1e-3, 1.0, (1 - share) / 0.9)
        with torch.autocast(device, dtype=torch.bfloat16, enabled=device == "cuda"):
            loss = cut_loss(model, b) if "leads" in b else loss_of(*answers(model, b), b)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        step += 1
        torch._foreach_lerp_(mean, [p.detach() for p in trained], 1 - min(KEPT, step / (step + 10)))
        if step % 20 == 0:
            losses.append(loss.detach())
        if time.time() - told > a.tell:
            told = time.time()
            recent = float(torch.stack(losses[-50:]).mean()) if losses else 0
            report = f"{a.out.stem} step {step}, {told - began:.0f} s, {step / (told - start):.1f} a second, loss {recent:.3f}"
            with averaged(trained, mean):
                print(f"{report}; {figures(model, held_out, words, device)}; cut: {cut_figures(model, unseen, cuts, device)}", flush=True)
                save(model, kept, a.out)
    with averaged(trained, mean):
        save(model, kept, a.out)
        print(f"{a.out.stem} step {step}, after {time.time() - began:.0f} s: {figures(model, held_out, words, device)}; cut: {cut_figures(model, unseen, cuts, device)}", flush=True)


KEPT = 0.9995
"""How much of the running mean of the weights is kept at each step; that mean is what is saved."""


@contextmanager
def averaged(trained: list[torch.nn.Parameter], mean: list[Tensor]) -> Iterator[None]:
    own = [p.detach().clone() for p in trained]
    with torch.no_grad():
        torch._foreach_copy_(list(trained), mean)
        yield
        torch._foreach_copy_(list(trained), own)


def save(model: Network, kept: list[str], out: Path) -> None:
    state = model.state_dict()
    torch.save({name: state[name].half() for name in kept}, out)


if __name__ == "__main__":
    main()
