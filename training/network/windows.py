"""Notation files → windows of token ids with what is to be learned from them.

    python windows.py --tokenizer ../../src/overread/network/model/tokenizer.json --out examples.jsonl.gz ../../corpus/train

A window is a run of sentences of one section, with the section's name before it; links may lead from one window of a
report to another.
"""

import argparse
import gzip
import json
import random
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pairs as meaning
from tokenizers import Tokenizer

from msgspec.structs import replace

from overread.corpus.files import load_annotated, notation_files
from overread.corpus.records import Annotated, Mention, Quote, CorpusSentence
from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import phrase
from overread.reader.hearing import CATEGORIES, LINK_KINDS, PURPOSES
from overread.reader.hearing import VALUE_KINDS as ATTRIBUTES
from overread.report.span import Span

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


def windows(sentences: list[CorpusSentence], tokenizer: Tokenizer, longest: int) -> Iterator[Window]:
    """The sentences of a report in order, a new window for each section and for each run that grows too long."""
    now: Window | None = None
    size = 0
    for number, sentence in enumerate(sentences):
        more = len(tokenizer.encode(sentence.text).ids)
        if now is None or now.section != sentence.section or size + more > longest:
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

    def whole(self, number: int, text: str) -> list[int]:
        """Window, first token and last plus one of a sentence."""
        places = self.tokens(number, Quote(text, (Span(0, len(text)),)))
        return [self.home[number], *places[0]] if places else []


def example(report: Annotated, tokenizer: Tokenizer, longest: int = LONGEST) -> dict[str, Any]:
    sentences = [s for s in report.sentences if s.section]
    coded = Coded(list(windows(sentences, tokenizer, longest)), tokenizer)
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
        "sentences": [
            [*where, PURPOSES.index(s.kind)] for n, s in enumerate(sentences) if (where := coded.whole(n, s.text))
        ],
        "mentions": mentions,
        "links": [
            [number_of[a], LINK_KINDS.index(kind), number_of[b]] for a, kind, b in linked if a in number_of and b in number_of
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


# ---- other nouns and cues, so that no word is learned by heart
class Strange:
    """Nouns and cues of the lexicon, and nouns that nobody has met."""

    def __init__(self, seed: int) -> None:
        words, self.dice = lexicon(), random.Random(seed)
        kinds: dict[str, list[str]] = {}
        for row in words.rows:
            if row.table == "findings":
                kinds.setdefault(words.concepts[row.concept].kind, []).append(row.form)
        self.nouns = {
            "PF": kinds["finding"], "CF": kinds["diagnosis"], "OTH": kinds["device"], "NCD": kinds["diagnosis"],
        }  # fmt: skip
        self.cues = [c for c in words.cues if c.kind in ("negation", "hedge") and c.reach in ("after", "before")]

    def noun(self, category: str) -> str:
        if category not in self.nouns or self.dice.random() < 0.3:
            return meaning.unknown_word(self.dice)
        return self.dice.choice(self.nouns[category])

    def renamed(self, report: Annotated) -> Annotated:
        """The report with a third of its findings called by other nouns."""
        return replace(report, sentences=tuple(map(self.sentence, report.sentences)))

    def sentence(self, sentence: CorpusSentence) -> CorpusSentence:
        once = {m.words.spans for m in sentence.mentions if len(m.words.spans) == 1 and m.category != "PATIENT INFO"}
        for spans in sorted(once, key=lambda spans: -spans[0].start):  # from behind, so that earlier places stay
            mention = next(m for m in sentence.mentions if m.words.spans == spans)
            if mention.category in self.nouns and not self.is_structure(mention) and self.dice.random() < 0.33:
                sentence = exchanged(sentence, spans[0], self.noun(mention.category))
        return sentence

    def is_structure(self, mention: Mention) -> bool:
        words = lexicon()
        row = words.named(phrase(mention.words.text))
        return words.concepts[row.concept].kind == "structure" if row is not None else words.is_place(phrase(mention.words.text))

    def plain(self) -> Iterator[Annotated]:
        """Each denial and hedge of the lexicon in plain sentences, four at a time."""
        made = []
        for cue in self.cues:
            for _ in range(2):
                made.append(self.cued(cue.form, cue.reach == "after", cue.kind == "negation", "likely" in cue.sense))
        self.dice.shuffle(made)
        for n in range(0, len(made), 4):
            yield Annotated(f"cues-{n}", {}, tuple(made[n : n + 4]))

    def cued(self, form: str, before: bool, denies: bool, doubtful: bool) -> CorpusSentence:
        noun = self.dice.choice(self.nouns["PF"]) if self.dice.random() < 0.7 else "pleural effusion"
        side = self.dice.choice(("", "", "left ", "right "))
        words = f"{side}{noun}"
        text = f"{form[:1].upper()}{form[1:]} {words}." if before else f"{words[:1].upper()}{words[1:]} {form}."
        start, at = text.lower().rindex(noun) if before else len(side), text.lower().find(form)
        cue = Quote(form, (Span(at, at + len(form)),))
        attributes: dict[str, tuple[Quote, ...]] = {"denied_by" if denies else "hedged_by": (cue,)}
        if side:
            attributes["location"] = (Quote(side.strip(), (Span(start - len(side), start - 1),)),)
        words_of = Quote(noun, (Span(start, start + len(noun)),))
        return CorpusSentence(text, "findings", False, (Mention("m", words_of, not denies, doubtful or not denies, "PF", attributes, {}),))


def exchanged(sentence: CorpusSentence, gone: Span, words: str) -> CorpusSentence:
    """The sentence with other words in one place, and everything behind it moved."""
    by = len(words) - (gone.end - gone.start)

    def moved(quote: Quote) -> Quote:
        spans = (
            Span(s.start + by * (s.start >= gone.end), s.end + by * (s.end >= gone.end)) for s in quote.spans
        )
        return Quote(quote.text, tuple(spans))

    def values(given: dict[str, tuple[Quote, ...]]) -> dict[str, tuple[Quote, ...]]:
        return {name: tuple(map(moved, quotes)) for name, quotes in given.items()}

    mentions = tuple(replace(m, words=moved(m.words), attributes=values(m.attributes)) for m in sentence.mentions)
    additions = tuple(replace(a, attributes=values(a.attributes)) for a in sentence.additions)
    text = sentence.text[: gone.start] + words + sentence.text[gone.end :]
    return replace(sentence, text=text, mentions=mentions, additions=additions)


def facts(row: dict[str, Any], tokenizer: Tokenizer, dice: random.Random) -> Iterator[dict[str, Any]]:
    """A text of which only some facts of its finding words are known; and again with a word that nobody knows."""
    for text in (row, meaning.renamed(row, dice)):
        before = "findings: "
        coded = tokenizer.encode(before + str(text["text"]))
        told = []
        for start, end, slots in meaning.mentions(text):
            inner = [n for n, (a, b) in enumerate(coded.offsets) if a < end + len(before) and start + len(before) < b and b > a]
            gone = slots["status"] == 1 and slots["change"] > 0  # the corpus calls what has gone present
            status = -100 if gone else (1, 0, 2)[slots["status"]]
            if inner and len(coded.ids) <= 2 * LONGEST:
                told.append([0, inner[0], inner[-1] + 1, status, slots["sure"], slots["side"], slots["change"]])
        if told:
            yield {"id": row["id"], "windows": [{"ids": coded.ids, "section": "findings"}], "mentions": [], "links": [], "facts": told}


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", type=Path, nargs="+")
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    ap.add_argument("--alone", action="store_true", help="every sentence by itself, as the reader takes them in")
    ap.add_argument("--meaning", action="store_true", help="the files are texts with facts, not notation")
    ap.add_argument("--strange", type=int, metavar="SEED", help="with other nouns, plain sentences of every cue, and many sentences by themselves")
    a = ap.parse_args()
    tokenizer = Tokenizer.from_file(str(a.tokenizer))
    if a.meaning:
        dice, texts = random.Random(1), [r for r in meaning.rows(*a.files) if r.get("facts") and not meaning.tested(r)]
        return write(a.out, (made for row in texts for made in facts(row, tokenizer, dice)))
    reports = [report for _, report in load_annotated(notation_files(a.files))]
    if a.strange:
        strange = Strange(a.strange)
        reports = [*(strange.renamed(r) if strange.dice.random() < 0.5 else r for r in reports), *strange.plain()]
    dice = random.Random(a.strange)
    sizes = (1,) if a.alone else (1, 1, 30, 70, LONGEST) if a.strange else (LONGEST,)
    write(a.out, (example(report, tokenizer, dice.choice(sizes)) for report in reports))


def write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
