"""One network that reads: tags on tokens, links between what is tagged, slots of each mention.

Tokens go through the encoder once. Whatever comes after is small: a tag for mentions and one for each kind of
attribute or cue, a score for each attribute beside each mention and for each two mentions, and a few answers about each
mention.
"""

import sys
from pathlib import Path

import torch
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))
from encoder import PLACES, WIDTH, WORDS, Layer  # noqa: E402

KINDS, CATEGORIES, RELATIONS = 18, 6, 3
TAGS = 3
"""Outside, first, inside: for mentions and for each kind of attribute."""

INNER = 192
NEAR = (0, 1, 2, 3, 5, 8, 13, 21, 40)
"""Bounds of the distances, in tokens, that are told apart."""


class Reader(nn.Module):
    def __init__(self, layers: int = 6) -> None:
        super().__init__()
        self.words = nn.Embedding(WORDS, WIDTH)
        self.places = nn.Embedding(PLACES, WIDTH)
        self.segments = nn.Embedding(2, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer() for _ in range(layers))
        self.drop = nn.Dropout(0.1)
        self.tags = nn.Linear(WIDTH, TAGS * (1 + KINDS))
        self.mention = nn.Linear(2 * WIDTH, INNER)
        self.attribute = nn.Linear(2 * WIDTH, INNER)
        self.kind = nn.Embedding(KINDS, INNER)
        self.fits = nn.Bilinear(INNER, INNER, 1)
        self.far = nn.Embedding(KINDS * (2 * len(NEAR) + 2), 1)
        self.one, self.other = (nn.Linear(2 * WIDTH, INNER) for _ in range(2))
        self.related = nn.Bilinear(INNER, INNER, RELATIONS)
        self.apart = nn.Embedding(2 * len(NEAR) + 2, RELATIONS)
        self.hidden = nn.Linear(2 * WIDTH, WIDTH)
        self.slots = nn.Linear(WIDTH, 2 + 2 + CATEGORIES)

    def encoded(self, ids: Tensor, mask: Tensor) -> Tensor:
        place = torch.arange(ids.shape[1], device=ids.device)
        x = self.words(ids) + self.segments(torch.zeros_like(ids)) + self.places(place)
        x = self.drop(self.norm(x))
        hidden = (1.0 - mask.to(x.dtype))[:, None, None, :] * -10000.0
        for layer in self.layers:
            x = layer(x, hidden)
        return x

    def ends(self, x: Tensor, window: Tensor, first: Tensor, last: Tensor) -> Tensor:
        """First and last token of each span, side by side."""
        return self.drop(torch.cat([x[window, first], x[window, last - 1]], dim=-1))

    def slots_of(self, spans: Tensor) -> Tensor:
        return self.slots(self.drop(nn.functional.gelu(self.hidden(spans))))

    def fit(self, attributes: Tensor, kinds: Tensor, mentions: Tensor, distance: Tensor) -> Tensor:
        """Does the attribute belong to the mention? One score for each row."""
        a = nn.functional.gelu(self.attribute(attributes)) + self.kind(kinds)
        m = nn.functional.gelu(self.mention(mentions))
        return (self.fits(a, m) + self.far(kinds * (2 * len(NEAR) + 2) + distance)).squeeze(-1)

    def relate(self, one: Tensor, other: Tensor, distance: Tensor) -> Tensor:
        """Evidence, associate, same as: three scores for each row."""
        a, b = (nn.functional.gelu(f(x)) for f, x in ((self.one, one), (self.other, other)))
        return self.related(a, b) + self.apart(distance)


def steps(distance: Tensor) -> Tensor:
    """Signed distances in tokens as numbers of their step; another window is the last step."""
    bounds = torch.tensor(NEAR, device=distance.device)
    step = torch.bucketize(distance.abs(), bounds, right=True)
    return torch.where(distance < 0, step + len(NEAR) + 1, step)


def begin(model: Reader, path: Path) -> None:
    """The encoder from a shipped int8 file: what it holds in eight bits, as numbers again."""
    import numpy as np
    import onnx
    from onnx.numpy_helper import to_array

    held = {one.name: to_array(one) for one in onnx.load(str(path)).graph.initializer}

    def full(name: str) -> Tensor:
        scale, zero = held[f"{name}_scale"], held[f"{name}_zero_point"]
        values = (held[f"{name}_quantized"].astype(np.float32) - zero.astype(np.float32)) * scale
        return torch.from_numpy(np.ascontiguousarray(values, dtype=np.float32))

    state = model.state_dict()
    for name in ("words", "places", "segments"):
        state[f"{name}.weight"] = full(f"{name}.weight")
    made = (n.removesuffix("_quantized") for n in held if n.startswith("onnx::MatMul") and n.endswith("_quantized"))
    products = sorted(made, key=lambda n: int(n.rsplit("_", 1)[1]))
    parts = ("query", "key", "value", "out", "up", "down")
    for n, name in enumerate(products[: len(parts) * len(model.layers)]):
        state[f"layers.{n // len(parts)}.{parts[n % len(parts)]}.weight"] = full(name).T.contiguous()
    for name, own in state.items():
        if name in held and held[name].dtype == np.float32 and tuple(own.shape) == held[name].shape:
            state[name] = torch.from_numpy(np.array(held[name]))
    model.load_state_dict(state)
