"""What several trained networks together say of examples: a gentler truth than one written answer.

A network taught by the mean of others comes nearer to that mean than one taught by written answers alone, and hears
pairs for which nobody wrote an answer at all: the statements of a group that were only compared with its original.
"""

from pathlib import Path

import numpy as np
import torch
from safetensors.torch import load_file
from torch import Tensor

from encoder import SLOTS, Judge
from packed import Held, Mentions

AT_ONCE = 1024


def slot_logits(model: Judge, held: Held, mentions: Mentions, chosen: np.ndarray, longest: int) -> tuple[Tensor, Tensor]:
    """For each finding word of the chosen texts the mean over its tokens; and which mentions these are."""
    device = held.ids.device
    ids, segments = held.cut(torch.from_numpy(chosen).to(device), longest)
    _, tokens = model(ids, segments, ids.ne(0))
    mine, rows = mentions.of(chosen)
    firsts, counts, owners = (torch.from_numpy(x).to(device) for x in (mentions.firsts[mine], mentions.counts[mine], rows))
    place = torch.arange(int(mentions.counts[mine].max()), device=device)
    inner = place < counts[:, None]
    words = tokens[owners[:, None], (firsts[:, None] + place) * inner].float() * inner[:, :, None]
    return words.sum(1) / counts[:, None], torch.from_numpy(mine).to(device)


class Teachers:
    """Trained networks that are only listened to."""

    def __init__(self, paths: list[Path], device: str) -> None:
        self.device = device
        self.models = []
        for path in paths:
            state = {k: v.float() for k, v in load_file(path).items()}
            model = Judge(1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers."))).to(device).eval()
            model.load_state_dict(state)
            self.models.append(model)

    @torch.no_grad()
    def relations(self, held: Held) -> Tensor:
        """Of each pair the mean chances of both heads, six of them."""
        found = torch.zeros(len(held.known_lengths), 6, device=self.device)
        for chosen, longest in held.batches(AT_ONCE, None):
            numbers = torch.from_numpy(chosen).to(self.device)
            ids, segments = held.cut(numbers, longest)
            for model in self.models:
                with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
                    said, _ = model(ids, segments, ids.ne(0))
                heads = torch.cat([said[:, :3].float().softmax(1), said[:, 3:].float().softmax(1)], 1)
                found[numbers] += heads / len(self.models)
        return found

    @torch.no_grad()
    def slots(self, held: Held, mentions: Mentions) -> Tensor:
        """Of each finding word the chances of each slot's values."""
        found = torch.zeros(len(mentions.owners), sum(len(v) for v in SLOTS.values()), device=self.device)
        for chosen, longest in held.batches(AT_ONCE, None):
            for model in self.models:
                with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
                    logits, mine = slot_logits(model, held, mentions, chosen, longest)
                found[mine] += logits / len(self.models)
        return torch.cat([part.softmax(1) for part in found.split([len(v) for v in SLOTS.values()], 1)], 1)
