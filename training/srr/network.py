"""The judge's encoder with an ear for each label: is it spoken of, and is it there, doubtful or denied?

Every label looks at the words with a query of its own. What it found is asked two things: whether the label is spoken
of (weights of its own), and with which status. The status is heard by one small network for all labels, since "no",
"may be" and "resolved" mean the same whatever is named beside them.
"""

import sys
from pathlib import Path

import torch
from torch import Tensor, nn

sys.path.append(str(Path(__file__).parents[1] / "judge"))
from encoder import HEADS, PLACES, WIDTH, WORDS, Layer  # noqa: E402

STATUSES = ("Present", "Uncertain", "Absent")


class Quick(Layer):
    """The judge's layer with torch's own attention, several times as fast on a processor; written out for export."""

    written_out = False

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        if Quick.written_out:
            return super().forward(x, mask)
        size, length, _ = x.shape
        split = (size, length, HEADS, WIDTH // HEADS)
        q, k, v = (f(x).view(split).transpose(1, 2) for f in (self.query, self.key, self.value))
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        x = self.norm1(x + self.drop(self.out(mixed.transpose(1, 2).reshape(size, length, WIDTH))))
        return self.norm2(x + self.drop(self.down(nn.functional.gelu(self.up(x)))))


class Srr(nn.Module):
    """Token ids and mask → (utterances, labels, 4) probabilities: not spoken of, Present, Uncertain, Absent."""

    def __init__(self, labels: int, layers: int, words: int = WORDS, places: int = PLACES) -> None:
        super().__init__()
        self.words = nn.Embedding(words, WIDTH)
        self.places = nn.Embedding(places, WIDTH)
        self.segment = nn.Parameter(torch.zeros(WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Quick() for _ in range(layers))
        self.drop = nn.Dropout(0.1)
        self.asked = nn.Linear(WIDTH, labels, bias=False)
        self.spoken = nn.Linear(WIDTH, labels)
        self.hidden = nn.Linear(WIDTH, WIDTH)
        self.status = nn.Linear(WIDTH, len(STATUSES))
        self.lean = nn.Parameter(torch.zeros(labels, len(STATUSES)))

    def logits(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        found, spoken = self.upper(self.lower(ids, mask, 0), mask, 0)
        return spoken, self.statuses(found) + self.lean

    def lower(self, ids: Tensor, mask: Tensor, layers: int) -> Tensor:
        """The words after the first so many layers."""
        place = torch.arange(ids.shape[1], device=ids.device)
        x = self.drop(self.norm(self.words(ids) + self.segment + self.places(place)))
        for layer in self.layers[:layers]:
            x = layer(x, without(mask))
        return x

    def upper(self, x: Tensor, mask: Tensor, layers: int) -> tuple[Tensor, Tensor]:
        """From there: what each label found in the words (utterances, labels, width), and is it spoken of?"""
        for layer in self.layers[layers:]:
            x = layer(x, without(mask))
        found = self.drop(self.looked(x, without(mask)))
        return found, (found * self.spoken.weight).sum(-1) + self.spoken.bias

    def statuses(self, found: Tensor) -> Tensor:
        return self.status(self.drop(nn.functional.gelu(self.hidden(found))))

    def looked(self, x: Tensor, hidden: Tensor) -> Tensor:
        if Quick.written_out:
            return torch.softmax(self.asked(x).transpose(1, 2) + hidden[:, 0], dim=-1) @ x
        asked = self.asked.weight.expand(len(x), 1, -1, -1)
        one = x[:, None]
        return nn.functional.scaled_dot_product_attention(asked, one, one, attn_mask=hidden, scale=1.0)[:, 0]

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        spoken, status = self.logits(ids, mask)
        there = torch.sigmoid(spoken)[..., None]
        return torch.cat([1 - there, there * torch.softmax(status, dim=-1)], dim=-1)


def without(mask: Tensor) -> Tensor:
    """What keeps attention away from padding."""
    return (1.0 - mask.float())[:, None, None, :] * -10000.0


def begin(model: Srr, judge: dict[str, Tensor], kept: list[int], used: list[int]) -> None:
    """The judge's weights into the encoder: the layers and words that are kept, and how it hears a status."""
    state = model.state_dict()
    state["words.weight"] = judge["words.weight"][used].float()
    state["places.weight"] = judge["places.weight"][: len(state["places.weight"])].float()
    state["segment"] = judge["segments.weight"][0].float()
    for name in ("norm.weight", "norm.bias", "hidden.weight", "hidden.bias"):
        state[name] = judge[name].float()
    for ours, theirs in enumerate(kept):
        for name in [n for n in judge if n.startswith(f"layers.{theirs}.")]:
            state[name.replace(f"layers.{theirs}.", f"layers.{ours}.", 1)] = judge[name].float()
    rows, lean = judge["slots.weight"].float(), judge["slots.bias"].float()  # present, absent, none, sure, unsure
    for n, (a, b) in enumerate(((0, 3), (0, 4), (1, 1))):
        state["status.weight"][n], state["status.bias"][n] = (rows[a] + rows[b]) / 2, (lean[a] + lean[b]) / 2
    model.load_state_dict(state)
