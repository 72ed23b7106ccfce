"""The judge's tokenizer cut down to the word pieces that our own texts and lexicon use most.

A word that lost its piece is read in smaller ones, down to letters, so that nothing becomes unknown.
"""

import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from tokenizers import Tokenizer

HERE = Path(__file__).parent
MOST = 6500
SIGNS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def texts() -> Iterator[str]:
    """All that was written for this project and is not a test: statements, utterances, words of the lexicon."""
    for path in sorted((HERE.parent / "meaning").glob("*.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from file
    with gzip.open(HERE / "utterances.jsonl.gz", "rt", encoding="utf-8") as file:
        yield from (row["text"] for row in map(json.loads, file) if row["split"] == "train")
    for path in sorted((HERE.parents[1] / "src/overread/lexicon").rglob("*.tsv")):
        yield from path.read_text("utf-8").splitlines()


def pieces(words: Tokenizer) -> list[str]:
    """The pieces to keep, in the order they had."""
    numbers = words.get_vocab()
    letters = {p for p in numbers if len(p.removeprefix("##")) == 1 and p.isascii()}
    count: Counter[str] = Counter()
    for line in texts():
        count.update(words.encode(line, add_special_tokens=False).tokens)
    kept = {*SIGNS, *letters}
    kept.update([p for p, _ in count.most_common() if p not in kept][: MOST - len(kept)])
    return sorted(kept, key=numbers.__getitem__)


def cut(path: Path) -> tuple[str, list[int]]:
    """The tokenizer with those pieces, as JSON, and the number each piece had before."""
    words = Tokenizer.from_file(str(path))
    words.no_padding()
    words.no_truncation()
    before = words.get_vocab()
    kept = pieces(words)
    now = {piece: n for n, piece in enumerate(kept)}
    made = json.loads(words.to_str())
    made["model"]["vocab"] = now
    made["added_tokens"] = [one | {"id": now[one["content"]]} for one in made["added_tokens"] if one["content"] in now]
    for name, one in made["post_processor"].get("special_tokens", {}).items():
        one["ids"] = [now[name]]
    return json.dumps(made, ensure_ascii=False), [before[piece] for piece in kept]
