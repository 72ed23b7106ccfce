"""Lines as written → one file of labelled utterances, each with the part it belongs to.

    python gather.py utterances.jsonl.gz first.jsonl second.jsonl --whole third.jsonl --mended mended.jsonl

Needs overread installed: most writers gave leaves only, and rules add the two parents (plain opacity, plain
consolidation) to their lines; lines of files named with --whole have them already. A line as written is {"text": …, "labels": {label: status}}. What is badly formed is dropped and counted. Lines that
share most of their words go into the same part, so that nothing in the test part was nearly seen in training.
"""

import argparse
import gzip
import json
import re
import tomllib
from collections import Counter
from hashlib import sha256
from pathlib import Path

LABELS = Path(__file__).parents[2] / "src/overread/systems/srrg/labels.toml"
PARENTS = ("Consolidation", "Air space opacity")
STATUSES = ("Present", "Uncertain", "Absent")
NO_FINDING = "No Finding"
ALIKE = 0.6
"""Share of common words and word pairs from which two lines count as nearly the same."""

TEST, VALIDATE = 0.15, 0.15
Row = dict[str, object]


def well_formed(row: Row, known: set[str]) -> bool:
    labels = row.get("labels")
    text = row.get("text")
    if not isinstance(labels, dict) or not labels or not isinstance(text, str) or not 1 <= len(text.split()) <= 60:
        return False
    if not all(name in known and status in STATUSES for name, status in labels.items()):
        return False
    return NO_FINDING not in labels or len(labels) == 1


def plain(text: str) -> str:
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


def pieces(text: str) -> frozenset[str]:
    """Words and neighbours, without the sides: the same line about the other lung is nearly the same line."""
    words = [w for w in plain(text).split() if w not in ("left", "right")]
    return frozenset(words) | frozenset(f"{a} {b}" for a, b in zip(words, words[1:], strict=False))


def families(texts: list[str]) -> list[int]:
    """For each text the number of the family it is in: joined to all that are nearly the same."""
    cut = [pieces(t) for t in texts]
    where: dict[str, list[int]] = {}
    for n, found in enumerate(cut):
        for piece in found:
            where.setdefault(piece, []).append(n)
    head = list(range(len(texts)))

    def top(n: int) -> int:
        while head[n] != n:
            head[n] = head[head[n]]
            n = head[n]
        return n

    for n, found in enumerate(cut):
        shared = Counter(m for piece in found for m in where[piece] if m < n)
        for m, common in shared.items():
            if common / (len(found) + len(cut[m]) - common) >= ALIKE:
                head[top(n)] = top(m)
    return [top(n) for n in range(len(texts))]


def part(key: str) -> str:
    share = int(sha256(key.encode()).hexdigest()[:8], 16) / 16**8
    return "test" if share < TEST else "validate" if share < TEST + VALIDATE else "train"


def with_parents(rows: list[tuple[str, str, dict[str, str]]], whole: set[str]) -> None:
    """Plain opacity and plain consolidation as rules read them, where the writer was not asked for them."""
    from overread.validation.srrg.labels import by_rules

    asked = [(text, labels) for id, text, labels in rows if id.rpartition("-")[0] not in whole]
    for (_, labels), told in zip(asked, by_rules([text for text, _ in asked]), strict=True):
        found = {
            one.label: str(one.status)
            for one in told
            if one.label in PARENTS and not said_better(one.label, str(one.status), labels)
        }
        if found:
            labels.pop(NO_FINDING, None)
            labels.update({name: status for name, status in found.items() if name not in labels})


def said_better(parent: str, status: str, labels: dict[str, str]) -> bool:
    """Does a leaf under the parent say the same? `Patchy opacities` is multifocal and no plain opacity beside.

    A denied opacity is denied beside what it might have been: `no opacity to suggest pneumonia` denies both.
    """
    from overread.systems.srrg.labels import above

    under = [leaf for leaf, told in labels.items() if leaf != parent and told == status and parent in above(leaf)]
    return any(status != "Absent" or "opacity" in leaf for leaf in under)


def mended(path: Path | None) -> dict[str, dict[str, str] | None]:
    """What the second reading changed: text → labels, or None where the line is dropped."""
    found: dict[str, dict[str, str] | None] = {}
    for line in path.read_text("utf-8").splitlines() if path else ():
        row = json.loads(line)
        found[row["text"]] = row["labels"]
    return found


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("out", type=Path)
    ap.add_argument("written", type=Path, nargs="*")
    ap.add_argument("--whole", type=Path, action="append", default=[], help="a file whose writer gave parents too")
    ap.add_argument("--mended", type=Path, help="JSON lines {text, labels or null} from the second reading")
    a = ap.parse_args()
    known = {*tomllib.loads(LABELS.read_text("utf-8"))["leaves"], *PARENTS}
    changes = mended(a.mended)
    rows: dict[str, tuple[str, str, dict[str, str]]] = {}
    dropped: Counter[str] = Counter()
    for path in [*a.written, *a.whole]:
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                row = json.loads(line)
            except json.JSONDecodeError:
                dropped["not JSON"] += 1
                continue
            if isinstance(row, dict) and row.get("text") in changes:
                row["labels"] = changes[row["text"]]
                if row["labels"] is None:
                    dropped["taken out"] += 1
                    continue
            if not isinstance(row, dict) or not well_formed(row, known):
                dropped["badly formed"] += 1
            elif plain(row["text"]) in rows:
                dropped["written twice"] += 1
            else:
                rows[plain(row["text"])] = (f"{path.stem}-{number}", row["text"].strip(), row["labels"])
    made = list(rows.values())
    with_parents(made, {path.stem for path in a.whole})
    family = families([text for _, text, _ in made])
    names = [plain(made[n][1]) for n in family]
    with gzip.GzipFile(a.out, "wb", mtime=0) as file:
        for (id, text, labels), key in zip(made, names, strict=True):
            told = [{"label": k} if k == NO_FINDING else {"label": k, "status": v} for k, v in labels.items()]
            line = {"text": text, "labels": told, "report": id, "split": part(key)}
            file.write((json.dumps(line, ensure_ascii=False) + "\n").encode())
    print(len(made), "utterances;", dict(dropped), "dropped;", dict(Counter(part(k) for k in names)))
    print(len(set(family)), "families;", sum(len(labels) > 1 for _, _, labels in made), "with several labels")
    count = Counter(name for *_, labels in made for name in labels)
    print("fewest:", count.most_common()[-8:], "missing:", sorted(known - set(count)))


if __name__ == "__main__":
    main()
