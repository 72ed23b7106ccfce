"""A small BERT encoder with three kinds of answer: two statements, a text and a claim, each word of a text.

Written out here because the shipped file is exported from it: plain matrix products, no library of models needed.
"""

import math

import torch
from torch import Tensor, nn

WIDTH, HEADS, INNER, WORDS, PLACES = 384, 12, 1536, 30522, 512
KEPT = {6: range(6), 4: (0, 2, 3, 5), 3: (0, 2, 5)}
"""Which layers of the base a model of so many layers begins from."""

RELATIONS = ("same", "opposite", "neither")
VERDICTS = ("said", "denied", "open")
SLOTS = {
    "status": ("present", "absent", "none"),
    "sure": ("yes", "no"),
    "side": ("-", "left", "right", "both"),
    "change": ("-", "new", "better", "worse", "same"),
    "left": ("-", "present", "absent"),
    "right": ("-", "present", "absent"),
    "left change": ("-", "new", "better", "worse", "same"),
    "right change": ("-", "new", "better", "worse", "same"),
}
"""What is asked about each finding word: overall, then of each side alone."""


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.norm1, self.norm2 = (nn.LayerNorm(WIDTH, eps=1e-12) for _ in range(2))
        self.up, self.down = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        size, length, _ = x.shape
        split = (size, length, HEADS, WIDTH // HEADS)
        q, k, v = (f(x).view(split).transpose(1, 2) for f in (self.query, self.key, self.value))
        mixed = (self.attended if self.training else attended)(q, k, v, mask).transpose(1, 2).reshape(size, length, WIDTH)
        x = self.norm1(x + self.drop(self.out(mixed)))
        return self.norm2(x + self.drop(self.down(nn.functional.gelu(self.up(x)))))


    def attended(self, q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
        """With some of the attention dropped, in one step of the device."""
        spread = mask.to(q.dtype).expand(q.shape[0], 1, q.shape[2], k.shape[2])
        return nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=spread, dropout_p=self.drop.p)


def attended(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    return torch.softmax(q @ k.transpose(2, 3) / math.sqrt(WIDTH // HEADS) + mask, dim=-1) @ v


class Judge(nn.Module):
    """Token ids, segments and mask → relation and verdict of the pair, slots of every token."""

    def __init__(self, layers: int = 6) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.places = nn.Embedding(PLACES, WIDTH)
        self.segments = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.drop = nn.Dropout(0.1)
        self.pair = nn.Linear(2 * WIDTH, len(RELATIONS) + len(VERDICTS))
        self.hidden = nn.Linear(WIDTH, WIDTH)
        self.slots = nn.Linear(WIDTH, sum(len(v) for v in SLOTS.values()))

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        place = torch.arange(ids.shape[1], device=ids.device)
        x = self.drop(self.norm(self.words(ids) + self.segments(segments) + self.places(place)))
        hidden = (1.0 - mask.to(x.dtype))[:, None, None, :] * -10000.0
        for layer in self.layers:
            x = layer(x, hidden)
        kept = mask.to(x.dtype)[:, :, None]
        mean = (x * kept).sum(1) / kept.sum(1)
        pair = self.pair(self.drop(torch.cat([x[:, 0], mean], dim=1)))
        return pair, self.slots(self.drop(nn.functional.gelu(self.hidden(x))))


def load_base(model: Judge, weights: dict[str, Tensor]) -> None:
    """Weights of a plain BERT file, by their usual names, into the encoder."""
    names = {
        "words.weight": "embeddings.word_embeddings.weight",
        "places.weight": "embeddings.position_embeddings.weight",
        "segments.weight": "embeddings.token_type_embeddings.weight",
        "norm.weight": "embeddings.LayerNorm.weight",
        "norm.bias": "embeddings.LayerNorm.bias",
    }
    parts = {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
        "out": "attention.output.dense", "norm1": "attention.output.LayerNorm", "up": "intermediate.dense",
        "down": "output.dense", "norm2": "output.LayerNorm",
    }  # fmt: skip
    for n, base in enumerate(KEPT[len(model.layers)]):
        for ours, theirs in parts.items():
            for kind in ("weight", "bias"):
                names[f"layers.{n}.{ours}.{kind}"] = f"encoder.layer.{base}.{theirs}.{kind}"
    state = model.state_dict()
    for ours, theirs in names.items():
        state[ours] = weights[theirs].float()
    model.load_state_dict(state)
