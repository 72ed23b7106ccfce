"""Trained weights → an int8 file for the encoder with its tags and pairs, and the small matrices beside it.

    python export.py network.pt folder/

Several trainings from the same beginning are averaged: `python export.py one.pt two.pt folder/`.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from exact import write
from torch import Tensor

HEADS = frozenset(
    "mention attribute kind fits far one other related apart hidden slots purpose asked spoken heard status lean faults".split()
)
"""What is worked out outside the encoder."""


def mean(states: list[dict[str, Tensor]]) -> dict[str, np.ndarray]:
    return {name: (sum(one[name].float() for one in states) / len(states)).numpy() for name in states[0]}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("weights", type=Path, nargs="+")
    ap.add_argument("folder", type=Path)
    a = ap.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    weights = mean([torch.load(one, map_location="cpu") for one in a.weights])
    write(weights, a.folder / "network.onnx")
    heads = {name: value.astype(np.float16) for name, value in weights.items() if name.split(".")[0] in HEADS}
    np.savez_compressed(a.folder / "heads.npz", **heads)


if __name__ == "__main__":
    main()
