"""Trained weights → the file that ships: int8 ONNX of fixed opset, beside its tokenizer.

    python export.py weights.safetensors tokenizer.json ../../src/overread/judge/model
"""

import argparse
import json
import tempfile
import warnings
from pathlib import Path

import torch
from safetensors.torch import load_file

from encoder import RELATIONS, SLOTS, VERDICTS, Judge
from small import int8

OPSET = 17


def plain(weights: Path, path: Path) -> None:
    """The model in full precision."""
    state = {k: v.float() for k, v in load_file(weights).items()}
    model = Judge(1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers."))).eval()
    model.load_state_dict(state)
    ids = torch.randint(1000, 2000, (2, 16))
    shape = {0: "pairs", 1: "tokens"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.onnx.export(
            model, (ids, torch.zeros_like(ids), torch.ones_like(ids)), str(path), opset_version=OPSET, dynamo=False,
            input_names=["ids", "segments", "mask"], output_names=["pair", "slots"],
            dynamic_axes={"ids": shape, "segments": shape, "mask": shape, "pair": {0: "pairs"}, "slots": shape},
        )  # fmt: skip


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("weights", type=Path)
    ap.add_argument("tokenizer", type=Path)
    ap.add_argument("folder", type=Path)
    a = ap.parse_args()
    a.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as spare:
        full = Path(spare) / "full.onnx"
        plain(a.weights, full)
        int8(full, a.folder / "judge.onnx")
    tokenizer = json.loads(a.tokenizer.read_text("utf-8"))
    tokenizer["padding"] = tokenizer["truncation"] = None
    (a.folder / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), "utf-8")
    answers = {"relations": RELATIONS, "verdicts": VERDICTS, "slots": SLOTS}
    (a.folder / "answers.json").write_text(json.dumps(answers, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
