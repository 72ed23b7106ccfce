"""A layer of a small BERT encoder.

Written out here because the shipped file is exported from it: plain matrix products, no library of models needed.
"""

import math

import torch
from torch import Tensor, nn

WIDTH, HEADS, INNER, WORDS, PLACES = 384, 12, 1536, 30522, 256



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
