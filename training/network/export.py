"""Trained weights → an int8 file for the encoder with its tags and pairs, and the small matrices beside it.

    python export.py network.pt folder/

Several trainings from the same beginning are averaged: `python export.py one.pt two.pt folder/`.
"""

import argparse
import warnings
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from network import Network
from small import int8


LONGEST = 256
"""Tokens that the shipped file takes in at once."""

HEADS = frozenset(
    "mention attribute kind fits far one other related apart hidden slots purpose asked spoken heard status lean".split()
)
"""What is worked out outside the encoder."""


class Encoder(nn.Module):
    """Ids, segments and mask → answers for a pair, tags, and the vectors of all tokens."""

    def __init__(self, reader: Network) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, ids: Tensor, segments: Tensor, mask: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        pair, x = self.reader(ids, segments, mask)
        return pair, self.reader.tags(x), x


def mean(states: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    return {name: sum(one[name].float() for one in states) / len(states) for name in states[0]}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("weights", type=Path, nargs="+")
    ap.add_argument("folder", type=Path)
    a = ap.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    reader = Network().eval()
    reader.load_state_dict(mean([torch.load(one, map_location="cpu") for one in a.weights]))
    reader.places = nn.Embedding.from_pretrained(reader.places.weight[:LONGEST].clone())
    ids = torch.randint(1000, 2000, (2, 16))
    shape = {0: "windows", 1: "tokens"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Encoder(reader), (ids, torch.zeros_like(ids), torch.ones_like(ids)), str(a.folder / "full.onnx"), opset_version=17, dynamo=False,
            input_names=["ids", "segments", "mask"], output_names=["pair", "tags", "tokens"],
            dynamic_axes={"ids": shape, "segments": shape, "mask": shape, "pair": {0: "windows"}, "tags": shape, "tokens": shape},
        )  # fmt: skip
    int8(a.folder / "full.onnx", a.folder / "network.onnx")
    (a.folder / "full.onnx").unlink()
    heads = {
        name: value.numpy().astype(np.float16)
        for name, value in reader.state_dict().items()
        if name.split(".")[0] in HEADS
    }
    np.savez_compressed(a.folder / "heads.npz", **heads)


if __name__ == "__main__":
    main()
