"""Values that are known, line by line, so that a bench that was stopped goes on where it stopped."""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from overread.bench.items import Pair
from overread.errors import BadInput
from overread.whole import file_mode, writing

NAME = "values.jsonl"


def key_of(pair: Pair) -> str:
    """Sixteen hex digits for a pair: the journal holds no text."""
    reference, candidate = (one.encode() for one in pair)
    return blake2b(b"%d " % len(reference) + reference + candidate, digest_size=8).hexdigest()


def decoded(line: bytes, path: Path) -> Any:
    try:
        return msgspec.json.decode(line)
    except msgspec.DecodeError:
        raise BadInput(
            f"{path} is damaged. Begin anew with --restart, or in another folder with -o."
        ) from None


class Journal:
    """Metric → pair → value, and what it cost; values of a metric with other settings are forgotten."""

    def __init__(self, path: Path, signatures: Mapping[str, str], restart: bool = False) -> None:
        self.path = path
        self.values: dict[str, dict[str, float | None]] = {name: {} for name in signatures}
        self.spent: dict[str, list[tuple[int, float, float | None]]] = {name: [] for name in signatures}
        """Metric → stints: pairs, seconds, money."""

        if restart:
            path.unlink(missing_ok=True)
        known: dict[str, str] = {}
        for line in path.read_bytes().splitlines(keepends=True) if path.exists() else ():
            if line.endswith(b"\n"):
                self.take(decoded(line, path), known)
        with writing(path.parent):
            path.touch(mode=file_mode())
            whole = path.read_bytes()
            self.file = path.open("ab")
            self.file.truncate(whole.rfind(b"\n") + 1)
        for name, signature in signatures.items():
            if known.get(name) != signature:
                self.values[name], self.spent[name] = {}, []
                self.write({"metric": name, "signature": signature})

    def take(self, line: Any, known: dict[str, str]) -> None:
        if "signature" in line:
            known[line["metric"]] = line["signature"]
            self.values[line["metric"]], self.spent[line["metric"]] = {}, []
        elif "seconds" in line:
            stint = (line["pairs"], line["seconds"], line.get("money"))
            self.spent.setdefault(line["metric"], []).append(stint)
        else:
            for name, value in line["values"].items():
                self.values.setdefault(name, {})[line["pair"]] = value

    def write(self, line: dict[str, Any]) -> None:
        with writing(self.path.parent):
            self.file.write(msgspec.json.encode(line) + b"\n")
            self.file.flush()

    def add(self, pair: Pair, values: Mapping[str, float | None]) -> None:
        key = key_of(pair)
        for name, value in values.items():
            self.values[name][key] = value
        self.write({"pair": key, "values": dict(values)})

    def add_stint(self, metric: str, pairs: int, seconds: float, money: float | None = None) -> None:
        self.spent[metric].append((pairs, seconds, money))
        self.write({"metric": metric, "pairs": pairs, "seconds": seconds, "money": money})

    def missing(self, names: Sequence[str], pairs: Sequence[Pair]) -> list[Pair]:
        """Pairs for which some of these metrics have no value yet."""
        return [pair for pair in pairs if any(key_of(pair) not in self.values[name] for name in names)]

    def of(self, metric: str, pair: Pair) -> float | None:
        return self.values[metric][key_of(pair)]

    def close(self) -> None:
        self.file.close()
