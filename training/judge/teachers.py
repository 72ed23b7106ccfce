"""What several trained networks together say of examples: a gentler truth than one written answer.

A network taught by the mean of others comes nearer to that mean than one taught by written answers alone, and hears
pairs for which nobody wrote an answer at all: the statements of a group that were only compared with its original.
"""

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import Tensor

from encoder import SLOTS, Judge

AT_ONCE = 768


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
    def answers(self, coded: list[tuple[list[int], list[int]]], slots: bool = False) -> list[Tensor]:
        """Of each pair the mean chances of both heads (six of them); of each text, where slots are asked for, the mean
        answer of every slot at every token."""
        order = sorted(range(len(coded)), key=lambda n: len(coded[n][0]))
        found: list[Tensor] = [torch.empty(0)] * len(coded)
        for at in range(0, len(order), AT_ONCE):
            chunk = order[at : at + AT_ONCE]
            longest = len(coded[chunk[-1]][0])
            ids, kinds = (
                torch.tensor([coded[n][part] + [0] * (longest - len(coded[n][0])) for n in chunk], device=self.device)
                for part in (0, 1)
            )
            total = torch.zeros((), device=self.device)
            for model in self.models:
                with torch.autocast(self.device, dtype=torch.bfloat16, enabled=self.device == "cuda"):
                    said, words = model(ids, kinds, ids.ne(0))
                heads = torch.cat([said[:, :3].float().softmax(1), said[:, 3:].float().softmax(1)], 1)
                total = total + (words.float() if slots else heads)
            mean = (total / len(self.models)).cpu()
            for row, n in enumerate(chunk):
                found[n] = mean[row, : len(coded[n][0])] if slots else mean[row]
        return found


def slot_chances(tokens: Tensor, inner: list[int]) -> Tensor:
    """The chances of each slot's values for the word that stands at these tokens."""
    logits, parts, at = tokens[inner].mean(0), [], 0
    for values in SLOTS.values():
        parts.append(logits[at : at + len(values)].softmax(0))
        at += len(values)
    return torch.cat(parts)
