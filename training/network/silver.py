"""Reports that nobody annotated → windows with the places where the shipped reader finds something.

    python silver.py --tokenizer ../../src/overread/network/model/tokenizer.json --out silver.jsonl.gz \\
        --aligned ../meaning/aligned.txt ../meaning/ladders.txt --turned ../meaning/turned.txt ../../corpus/train

The reports are the candidates and references of rankings and of aligned pairs. What is true of those places the large
network says (`train.py --silver`): here stands only where to ask.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from aligned import blocks
from support import turned_reports
from tokenizers import Tokenizer
from windows import example, write

from overread.corpus.rankings import rankings
from overread.corpus.records import Annotated, Mention, Quote, CorpusSentence
from overread.reader.hearing import Heard, hear
from overread.reader.windows import AS_TAUGHT
from overread.report import parse
from overread.report.layout import as_seen
from overread.report.marks import alike
from overread.report.model import Sentence as Plain
from overread.report.span import Span


def texts(a: argparse.Namespace) -> Iterator[str]:
    files = [f for one in a.files for f in (sorted(one.glob("*.rank")) if one.is_dir() else [one])]
    for ranking in (one for path in files for one in rankings(path)[0]):
        yield from (ranking.reference, *(c.text for c in ranking.candidates))
    for path in a.aligned:
        yield from (text for pair, _ in blocks(path) for text in pair.texts)
    for path in a.turned:
        yield from (report for _, report, _ in turned_reports(path))


def marked(number: int, text: str) -> Annotated:
    """The sentences of a report with what is heard in each."""
    report, seen = parse(text), as_seen(text)
    heard, _ = hear(report, seen)
    made = []
    for section in report.sections:
        for sentence in section.sentences:
            words = sentence.span.of(seen)
            if words == alike(words):  # blanks are taken in as other words
                own = (mention(f"{number}.{n}", one, sentence) for n, one in enumerate(heard) if one.sentence == sentence.index)
                made.append(CorpusSentence(words, AS_TAUGHT.get(section.name, section.name), False, tuple(own)))
    return Annotated(f"silver-{number}", {}, tuple(made))


def mention(id: str, heard: Heard, sentence: Plain) -> Mention:
    def quote(span: Span) -> Quote:
        start = sentence.span.start
        return Quote("", (Span(span.start - start, span.end - start),))

    values: dict[str, tuple[Quote, ...]] = {}
    for one in heard.values:
        if one.sentence == sentence.index:
            values[one.kind] = (*values.get(one.kind, ()), quote(one.span))
    return Mention(id, quote(heard.span), True, False, "PF", values, {})


def main() -> None:
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("files", type=Path, nargs="*")
    ap.add_argument("--aligned", type=Path, nargs="*", default=[])
    ap.add_argument("--turned", type=Path, nargs="*", default=[])
    ap.add_argument("--tokenizer", type=Path, required=True)
    ap.add_argument("--out", type=Path, required=True)
    a = ap.parse_args()
    tokenizer = Tokenizer.from_file(str(a.tokenizer))
    write(a.out, (example(marked(n, text), tokenizer, 1) for n, text in enumerate(dict.fromkeys(texts(a)))))


if __name__ == "__main__":
    main()
