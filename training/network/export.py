"""Trained weights → an int8 file for the encoder with its tags and pairs, and the small matrices beside it.

    python export.py network.pt folder/              # everything anew; several trainings of one beginning are averaged
    python export.py --aligned align.pt folder/      # only what aligns atoms; all else stays as it is, to the last bit
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from exact import read, write
from torch import Tensor

from network import HERE, SHIPPED

HEADS = frozenset(
    "mention attribute kind fits far one other related apart hidden slots purpose asked spoken heard status lean".split()
)
"""What is worked out outside the encoder."""

ALIGNING = frozenset("atom both shared unlike aligned abnormal word leads leading following product way beside".split())
"""The same of what cuts sentences into atoms and aligns them."""


def mean(states: list[dict[str, Tensor]]) -> dict[str, np.ndarray]:
    return {name: (sum(one[name].float() for one in states) / len(states)).numpy() for name in states[0]}


def small(weights: dict[str, np.ndarray], names: frozenset[str]) -> dict[str, np.ndarray]:
    return {name: value.astype(np.float16) for name, value in weights.items() if name.split(".")[0] in names}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("weights", type=Path, nargs="+")
    ap.add_argument("folder", type=Path)
    ap.add_argument("--aligned", action="store_true", help="the weights are those of align.py")
    a = ap.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    weights = mean([torch.load(one, map_location="cpu") for one in a.weights])
    file, heads = a.folder / "network.onnx", small(weights, ALIGNING if a.aligned else HEADS)
    if a.aligned:
        held = {name: value for name, value in read(file).items() if not name.startswith("aligning.")}
        held["places.weight"] = np.concatenate([held["places.weight"], np.load(HERE / "places.npy")[len(held["places.weight"]) - SHIPPED :]])
        write(held | weights, file, kept=file, anew="aligning.")
        with np.load(a.folder / "heads.npz") as before:
            heads = {name: before[name] for name in before.files} | heads
    else:
        write({name: value for name, value in weights.items() if not name.startswith("aligning.")}, file)
    np.savez_compressed(a.folder / "heads.npz", **heads)


if __name__ == "__main__":
    main()
