"""Several trained weights → their mean, where it does better on the concepts kept for testing than the best alone.

    python average.py --tokenizer tokenizer.json --data ../meaning --out weights.safetensors one.safetensors two.safetensors
"""

import argparse
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

import examples as ex
from encoder import Judge
from train import figures

COUNTED = ("relation accuracy", "same above opposite", "same above other", "claim accuracy", "slot status", "slot change", "slot side")


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("weights", type=Path, nargs="+")
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--data", type=Path, default=Path(__file__).parent.parent / "meaning")
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    groups = [g for g in ex.rows(*sorted(a.data.glob("groups*.gz"))) if ex.tested(g)]
    texts = [t for t in ex.rows(*sorted(a.data.glob("texts*.gz"))) if ex.tested(t)]
    states = [{k: v.float() for k, v in load_file(path).items()} for path in a.weights]
    names = [path.stem for path in a.weights]
    states.append({k: sum(s[k] for s in states) / len(states) for k in states[0]})
    best, best_sum = states[0], 0.0
    for name, state in zip([*names, "mean"], states, strict=True):
        model = Judge(1 + max(int(k.split(".")[1]) for k in state if k.startswith("layers."))).to(device)
        model.load_state_dict(state)
        found = figures(model, groups, texts, ex.Words(a.tokenizer), device)
        print(name, {k: round(v, 4) for k, v in found.items()}, flush=True)
        if sum(found[k] for k in COUNTED) > best_sum:
            best, best_sum = state, sum(found[k] for k in COUNTED)
    save_file({k: v.half().contiguous().cpu() for k, v in best.items()}, a.out)


if __name__ == "__main__":
    main()
