"""Notation files → windows of token ids with what is to be learned from them.

    python examples.py --tokenizer ../../src/overread/judge/model/tokenizer.json --out examples.jsonl.gz ../../corpus/train

A window is a run of sentences of one section, with the section's name before it; links may lead from one window of a
report to another.
"""

import argparse
import gzip
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from overread.corpus.files import load, notation_files
from overread.corpus.records import Annotated, Mention, Quote, Sentence

ATTRIBUTES = (
    "location", "morphology", "distribution", "measurement", "previous_measurement", "severity", "comparison", "onset",
    "improved", "worsened", "no_change", "gone", "placement", "past_hx", "other_source", "assessment_limitations",
    "denied_by", "hedged_by",
)  # fmt: skip
CATEGORIES = ("PF", "CF", "OTH", "COF", "NCD", "PATIENT INFO")
LINKS = ("evidence", "associate", "same_as")
LONGEST = 180
"""Tokens of a window; a longer section is cut between sentences."""


class Window:
    """Sentences that are read together."""

    def __init__(self, section: str) -> None:
        self.section = section
        self.text = f"{section}: "
        self.starts: dict[int, int] = {}

    def add(self, number: int, sentence: str) -> None:
        self.text += "" if self.text.endswith(" ") else " "
        self.starts[number] = len(self.text)
        self.text += sentence


def windows(sentences: list[Sentence], tokenizer: Tokenizer) -> Iterator[Window]:
    """The sentences of a report in order, a new window for each section and for each run that grows too long."""
    now: Window | None = None
    size = 0
    for number, sentence in enumerate(sentences):
        more = len(tokenizer.encode(sentence.text).ids)
        if now is None or now.section != sentence.section or size + more > LONGEST:
            if now is not None:
                yield now
            now, size = Window(sentence.section), 4
        now.add(number, sentence.text)
        size += more
    if now is not None:
        yield now


class Coded:
    """Windows of a report as tokens; where words of a sentence stand among them."""

    def __init__(self, made: list[Window], tokenizer: Tokenizer) -> None:
        self.windows = made
        self.coded = [tokenizer.encode(one.text) for one in made]
        self.home = {number: n for n, one in enumerate(made) for number in one.starts}

    def tokens(self, number: int, quote: Quote) -> list[list[int]]:
        """Runs of tokens, first and last plus one, of each span of the quotation."""
        n = self.home[number]
        start, offsets = self.windows[n].starts[number], self.coded[n].offsets
        found = []
        for span in quote.spans:
            a, b = span.start + start, span.end + start
            inner = [i for i, (x, y) in enumerate(offsets) if x < b and a < y and y > x]
            if inner:
                found.append([inner[0], inner[-1] + 1])
        return found


def example(report: Annotated, tokenizer: Tokenizer) -> dict[str, Any]:
    sentences = [s for s in report.sentences if s.section]
    coded = Coded(list(windows(sentences, tokenizer)), tokenizer)
    mentions: list[dict[str, Any]] = []
    number_of: dict[str, int] = {}
    linked: list[tuple[str, str, str]] = []
    for number, sentence in enumerate(sentences):
        for mention in sentence.mentions:
            made = of_mention(coded, number, mention)
            if made is None:
                continue
            number_of[mention.id] = len(mentions)
            mentions.append(made)
            linked += [(mention.id, kind, to) for kind, ids in mention.links.items() for to in ids]
    for number, sentence in enumerate(sentences):
        for addition in sentence.additions:
            if addition.to in number_of:
                mentions[number_of[addition.to]]["attributes"] += values(coded, number, addition.attributes)
    return {
        "id": report.id,
        "windows": [
            {"ids": one.ids, "section": window.section} for one, window in zip(coded.coded, coded.windows, strict=True)
        ],
        "mentions": mentions,
        "links": [
            [number_of[a], LINKS.index(kind), number_of[b]] for a, kind, b in linked if a in number_of and b in number_of
        ],
    }


def of_mention(coded: Coded, number: int, mention: Mention) -> dict[str, Any] | None:
    places = coded.tokens(number, mention.words)
    if not places:
        return None
    return {
        "window": coded.home[number],
        "tokens": [places[0][0], places[-1][1]],
        "positive": int(mention.positive),
        "tentative": int(mention.tentative),
        "category": CATEGORIES.index(mention.category),
        "attributes": values(coded, number, mention.attributes),
    }


def values(coded: Coded, number: int, attributes: dict[str, tuple[Quote, ...]]) -> list[list[int]]:
    """[kind, window, first token, last token + 1] of each value."""
    return [
        [ATTRIBUTES.index(name), coded.home[number], *place]
        for name, quotes in attributes.items()
        for quote in quotes
        for place in coded.tokens(number, quote)
    ]


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", type=Path, nargs="+")
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    tokenizer = Tokenizer.from_file(str(a.tokenizer))
    write(a.out, (example(report, tokenizer) for _, report in load(notation_files(a.files))))


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
