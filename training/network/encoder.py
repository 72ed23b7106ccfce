"""A layer of a BERT encoder, small or large.

Written out here because the shipped file is exported from it: plain matrix products, no library of models needed.
"""

import torch
from torch import Tensor, nn

WIDTH, HEADS, INNER, WORDS, PLACES = 384, 12, 1536, 30522, 256


class Layer(nn.Module):
    def __init__(self, width: int = WIDTH, inner: int = INNER, eps: float = 1e-12) -> None:
        super().__init__()
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))
        self.norm1, self.norm2 = (nn.LayerNorm(width, eps=eps) for _ in range(2))
        self.up, self.down = nn.Linear(width, inner), nn.Linear(inner, width)
        self.drop = nn.Dropout(0.1)

    def forward(self, x: Tensor, hidden: Tensor) -> Tensor:
        """`hidden` is added to the scores of attention, for all heads or for each."""
        size, length, width = x.shape
        split = (size, length, HEADS, width // HEADS)
        q, k, v = (f(x).view(split).transpose(1, 2) for f in (self.query, self.key, self.value))
        spread = hidden.to(q.dtype).expand(size, hidden.shape[1], length, length)
        dropped = self.drop.p if self.training else 0.0
        mixed = nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=spread, dropout_p=dropped)
        x = self.norm1(x + self.drop(self.out(mixed.transpose(1, 2).reshape(size, length, width))))
        return self.norm2(x + self.drop(self.down(nn.functional.gelu(self.up(x)))))


def unseen(mask: Tensor, x: Tensor) -> Tensor:
    """What is added to the scores so that nothing is heard of padding."""
    return (1.0 - mask.to(x.dtype))[:, None, None, :] * -10000.0
