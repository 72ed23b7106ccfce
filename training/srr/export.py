"""A trained labeller → the file that ships: int8 ONNX of fixed opset, beside its tokenizer.

    python export.py srr.safetensors ../../src/overread/systems/srrg/model

Run vote.py afterwards: it settles whom to follow where rules and network differ.
"""

import argparse
import tempfile
import warnings
from pathlib import Path

import torch
from safetensors.torch import load_file

from network import Quick, Srr
from small import int8  # beside the judge, whose folder `network` adds
from train import names

OPSET = 17


def plain(weights: Path, path: Path) -> None:
    """The model in full precision."""
    Quick.written_out = True
    state = {k: v.float() for k, v in load_file(weights).items()}
    layers = 1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers."))
    model = Srr(len(names()), layers, len(state["words.weight"]), len(state["places.weight"])).eval()
    model.load_state_dict(state)
    ids = torch.randint(200, 400, (2, 16))
    shape = {0: "utterances", 1: "tokens"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model, (ids, torch.ones_like(ids)), str(path), opset_version=OPSET, dynamo=False,
            input_names=["ids", "mask"], output_names=["labels"],
            dynamic_axes={"ids": shape, "mask": shape, "labels": {0: "utterances"}},
        )  # fmt: skip


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("weights", type=Path)
    ap.add_argument("folder", type=Path)
    a = ap.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as spare:
        full = Path(spare) / "full.onnx"
        plain(a.weights, full)
        int8(full, a.folder / "srr.onnx")
    (a.folder / "tokenizer.json").write_text(a.weights.with_suffix(".json").read_text("utf-8"), "utf-8")
    (a.folder / "vote.json").write_text("{}\n", "utf-8")


if __name__ == "__main__":
    main()
