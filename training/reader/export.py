"""Trained weights → an int8 file for the encoder and its tags, and the small matrices of links and slots beside it.

    python export.py reader.pt folder/
"""

import argparse
import sys
import warnings
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

from network import Reader

sys.path.insert(0, str(Path(__file__).parents[1] / "judge"))
from small import int8  # noqa: E402


class Encoder(nn.Module):
    """Ids and mask → tags and the vectors of all tokens."""

    def __init__(self, reader: Reader) -> None:
        super().__init__()
        self.reader = reader

    def forward(self, ids: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        x = self.reader.encoded(ids, mask)
        return self.reader.tags(x), x


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("weights", type=Path)
    ap.add_argument("folder", type=Path)
    a = ap.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    reader = Reader().eval()
    reader.load_state_dict({k: v.float() for k, v in torch.load(a.weights, map_location="cpu").items()})
    ids = torch.randint(1000, 2000, (2, 16))
    shape = {0: "windows", 1: "tokens"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Encoder(reader), (ids, torch.ones_like(ids)), str(a.folder / "full.onnx"), opset_version=17, dynamo=False,
            input_names=["ids", "mask"], output_names=["tags", "tokens"],
            dynamic_axes={"ids": shape, "mask": shape, "tags": shape, "tokens": shape},
        )  # fmt: skip
    int8(a.folder / "full.onnx", a.folder / "reader.onnx")
    (a.folder / "full.onnx").unlink()
    heads = {
        name: value.numpy().astype(np.float16)
        for name, value in reader.state_dict().items()
        if name.split(".")[0] in ("mention", "attribute", "kind", "fits", "far", "one", "other", "related", "apart", "hidden", "slots")
    }
    np.savez_compressed(a.folder / "heads.npz", **heads)


if __name__ == "__main__":
    main()
