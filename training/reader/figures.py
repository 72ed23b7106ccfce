"""What a network said, and what today's reader says, beside the annotation: one table.

    python figures.py --tokenizer … ../../corpus/dev --said said.jsonl.gz [--reader]
"""

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from examples import ATTRIBUTES, CATEGORIES, LINKS, Coded, windows
from tokenizers import Tokenizer

from overread.corpus.agree import agreement
from overread.corpus.files import load, notation_files
from overread.corpus.pairing import compare_reports
from overread.corpus.reading import as_comparable, as_read
from overread.corpus.records import Annotated, Mention, Quote
from overread.report.span import Span

LEAST = 0.5
SHOWN = ("entity", "entity, same words", "status", "certainty", "category", "triplet", "attributes", "evidence", "associate", "same_as")


def annotated(report: Annotated, said: dict[str, Any], tokenizer: Tokenizer) -> Annotated:
    """The report as the network has it."""
    from msgspec.structs import replace

    sentences = [s for s in report.sentences if s.section]
    coded = Coded(list(windows(sentences, tokenizer)), tokenizer)
    values: dict[int, list[int]] = {}
    best: dict[int, tuple[float, int]] = {}
    for n, k, p in said["fits"]:
        if p >= LEAST:
            values.setdefault(k, []).append(n)
        best[n] = max(best.get(n, (0.0, 0)), (p, k))
    for n, (p, k) in best.items():
        if p < LEAST:
            values.setdefault(k, []).append(n)
    links: dict[int, dict[str, list[str]]] = {}
    for a, b, *scores in said["related"]:
        for kind, p in zip(LINKS, scores, strict=True):
            if p >= LEAST and (kind == "evidence" or a < b):
                links.setdefault(a, {}).setdefault(kind, []).append(f"m{b}")
    found: dict[int, list[Mention]] = {}
    for k, (place, slots) in enumerate(zip(said["mentions"], said["slots"], strict=True)):
        where = quoted(coded, *place)
        if where is None:
            continue
        number, words = where
        attributes: dict[str, tuple[Quote, ...]] = {}
        for n in values.get(k, ()):
            kind, *at = said["values"][n]
            own = quoted(coded, *at)
            if own is not None and own[0] == number:
                attributes[ATTRIBUTES[kind]] = (*attributes.get(ATTRIBUTES[kind], ()), own[1])
        category = CATEGORIES[max(range(len(CATEGORIES)), key=lambda c: slots[4 + c])]
        own_links = {kind: tuple(ids) for kind, ids in links.get(k, {}).items()}
        mention = Mention(f"m{k}", words, slots[1] >= slots[0], slots[3] > slots[2], category, attributes, own_links)
        found.setdefault(number, []).append(mention)
    made = [replace(s, mentions=tuple(found.get(n, ())), additions=(), kind="") for n, s in enumerate(sentences)]
    return replace(report, sentences=tuple(made))


def quoted(coded: Coded, window: int, first: int, last: int) -> tuple[int, Quote] | None:
    """The sentence in which these tokens stand, and their words."""
    offsets = coded.coded[window].offsets
    start, end = offsets[first][0], offsets[last - 1][1]
    at = [(s, n) for n, s in coded.windows[window].starts.items() if s <= start]
    if not at or end <= start:
        return None
    base, number = max(at)
    span = Span(start - base, end - base)
    return number, Quote(coded.windows[window].text[start:end], (span,))


def rows(files: list[Path], said: list[Path], reader: bool, tokenizer: Tokenizer) -> Iterator[tuple[str, dict[str, Any]]]:
    gold = [report for _, report in load(notation_files(files))]
    right = list(map(as_comparable, gold))
    for path in said:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            told = {row["id"]: row for row in map(json.loads, file)}
        made = [as_comparable(annotated(report, told[report.id], tokenizer)) for report in gold]
        yield path.name, agreement(compare_reports(right, made))
    if reader:
        yield "reader today", agreement(compare_reports(right, list(as_read(gold))))


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", type=Path, nargs="+")
    ap.add_argument("--said", type=Path, nargs="*", default=[])
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--reader", action="store_true")
    a = ap.parse_args()
    tokenizer = Tokenizer.from_file(str(a.tokenizer))
    print(" " * 30, *(name[:10].rjust(10) for name in SHOWN))
    for name, found in rows(a.files, a.said, a.reader, tokenizer):
        print(name.ljust(30), *(f"{found[one].f1 or 0:.3f}".rjust(10) for one in SHOWN), flush=True)


if __name__ == "__main__":
    main()
