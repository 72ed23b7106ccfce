"""Lines as they were written → checked, numbered rows with their concept, as the training reads them.

    python gather.py --groups written/groups --texts written/facts --reports written/reports --known ../meaning --out ../meaning

Rows that were gathered before (`--known`) keep their concept, and with it their part, training or test. A new row that
names a thing kept for testing becomes a test row too.
"""

import argparse
import gzip
import json
import re
from collections import Counter
from pathlib import Path

from examples import rows, tested

KINDS = set("presence negation normality diagnosis change device severity measurement location level certainty laterality".split())
FACT = re.compile(r"(.+?(?:#\d)?) @ (present|absent|none)((?: \w+=\w+)*)")
WORD = re.compile(r"[a-z]{4,}")
RARE = 6
"""A word in no more rows than this names a thing; commoner ones say how things are."""


def group_rows(folder: Path, faults: Counter[str]) -> list[dict[str, object]]:
    made = []
    for path in sorted(folder.glob("*.txt")):
        for n, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            parts = [p.strip() for p in line.split(" | ")]
            if not line.strip():
                continue
            if len(parts) != 8 or parts[0] not in KINDS or len(set(parts[1:])) < 7:
                faults["group"] += 1
                continue
            kind, original, far, near, near_no, far_no, one, two = parts
            made.append({"id": f"{path.stem}-{n:03d}", "area": path.stem.split("-")[0], "kind": kind, "original": original,
                         "same": [far, near], "opposite": [near_no, far_no], "other": [one, two]})  # fmt: skip
    return made


def report_rows(folder: Path, faults: Counter[str]) -> list[dict[str, object]]:
    """Whole reports, a statement a line: what the others of its report say is neither the same nor opposite."""
    made: list[dict[str, object]] = []
    for path in sorted(folder.glob("*.txt")):
        area, report = path.stem.split("-")[0], list[dict[str, object]]()
        for n, line in enumerate([*path.read_text("utf-8").splitlines(), "## end"], 1):
            parts = [p.strip() for p in line.split(" | ")]
            if line.startswith("## "):
                made += with_neighbours(report)
                name, report = f"{path.stem}-{n:03d}", []
            elif len(parts) == 5 and len(set(parts)) == 5:
                report.append({"id": f"{path.stem}-{n:03d}", "area": area, "kind": "report", "report": name, "concept": name,
                               "original": parts[0], "same": parts[1:3], "opposite": parts[3:]})  # fmt: skip
            else:
                faults["group"] += bool(line.strip())
    return made


def with_neighbours(report: list[dict[str, object]]) -> list[dict[str, object]]:
    """The two statements that follow in the report are what each is told from in tests."""
    count = len(report)
    if count < 4:
        return []
    return [{**g, "other": [report[(n + k) % count]["original"] for k in (1, 2)]} for n, g in enumerate(report)]


def fact(text: str) -> dict[str, str] | None:
    match = FACT.fullmatch(text.strip())
    if match is None:
        return None
    return {"what": match[1], "status": match[2], **dict(pair.split("=") for pair in match[3].split())}


def text_rows(folder: Path, faults: Counter[str]) -> list[dict[str, object]]:
    made = []
    for path in sorted(folder.glob("*.txt")):
        for n, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            parts = [p.strip() for p in line.split(" || ")]
            if not line.strip():
                continue
            facts = [fact(f) for f in parts[2].split(" ; ")] if len(parts) > 4 else [None]
            claims = [c.rpartition(" => ") for c in parts[3:]]
            if None in facts or any(c[2] not in ("said", "denied", "open") for c in claims) or not all(stands(f, parts[1]) for f in facts if f):
                faults["text"] += 1
                continue
            made.append({"id": f"{path.stem}-{n:03d}", "phenomenon": parts[0], "text": parts[1], "facts": facts,
                         "claims": [[c[0], c[2]] for c in claims]})  # fmt: skip
    return made


def stands(one: dict[str, str], text: str) -> bool:
    """Does the finding word stand in the text, often enough?"""
    word, _, number = one["what"].lower().partition("#")
    return len(re.findall(rf"(?<![a-z]){re.escape(word)}(?![a-z])", text.lower())) >= int(number or 1)


def with_concepts(rows: list[dict[str, object]], text: str, common: int) -> None:
    """The concept of a row: the rarest word that is still shared, so that rows on one thing stay together."""
    seen = Counter(w for r in rows for w in set(WORD.findall(str(r[text]).lower())))
    kept = {str(r["concept"]) for r in rows if "concept" in r and tested(r)}
    for row in (r for r in rows if "concept" not in r):
        words = set(WORD.findall(str(row[text]).lower()))
        if held := [w for w in WORD.findall(f"{row[text]} {row.get('same', '')}".lower()) if w in kept and seen[w] <= RARE]:
            row["concept"] = min(held)
            continue
        shared = sorted((seen[w], w) for w in words if 3 <= seen[w] <= common)
        row["concept"] = shared[0][1] if shared else min(words, default=str(row["id"]), key=lambda w: (seen[w], w))


def said_once(found: list[dict[str, object]], text: str) -> list[dict[str, object]]:
    """Rows without those that begin like an earlier one; a group begins with another of its wordings instead.

    It keeps the earlier one's concept, and so its part, training or test.
    """
    known: dict[str, dict[str, object]] = {}
    for row in found:
        first = known.get(str(row[text]).lower())
        while first is not None and turned(row) and (again := known.get(str(row[text]).lower())) is not None:
            first = again
        if first is not None and "concept" in first:
            row["concept"] = first["concept"]
        row.pop("turned", None)
        known.setdefault(str(row[text]).lower(), row)
    return list(known.values())


def turned(row: dict[str, object]) -> bool:
    """Let the group begin with its next wording; False where all have been first."""
    same = list(row.get("same", ()))  # type: ignore[call-overload]
    tried = int(str(row.get("turned", 0)))
    if tried >= len(same):
        return False
    row |= {"original": same[0], "same": [*same[1:], row["original"]], "turned": tried + 1}
    return True


def save(rows: list[dict[str, object]], path: Path) -> None:
    with path.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0, filename="") as file:
        file.writelines((json.dumps(r, ensure_ascii=False) + "\n").encode() for r in rows)


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("--groups", type=Path, required=True)
    ap.add_argument("--texts", type=Path, required=True)
    ap.add_argument("--reports", type=Path, help="folder of whole reports, a statement a line")
    ap.add_argument("--known", type=Path, help="folder of rows gathered before")
    ap.add_argument("--drop", type=Path, help="ids that a second reader refused, one a line")
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    dropped = set(a.drop.read_text("utf-8").split()) if a.drop else set()
    faults: Counter[str] = Counter()
    groups, texts = group_rows(a.groups, faults), text_rows(a.texts, faults)
    if a.reports:
        groups += report_rows(a.reports, faults)
    if a.known:
        groups, texts = ([*rows(a.known / f"{name}.jsonl.gz"), *new] for name, new in (("groups", groups), ("texts", texts)))
    for found, text, name in ((groups, "original", "groups"), (texts, "text", "texts")):
        kept = sorted(said_once([r for r in found if r["id"] not in dropped], text), key=lambda r: str(r["id"]))
        with_concepts(kept, text, common=60)
        save(kept, a.out / f"{name}.jsonl.gz")
        print(f"{name}: {len(kept)} kept of {len(found)}, {faults[name[:-1]]} badly formed")


if __name__ == "__main__":
    main()
