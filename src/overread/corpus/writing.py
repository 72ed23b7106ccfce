"""Annotated reports → notation, and a file of it with other annotation lines: read again it is the same."""

from collections.abc import Iterator, Sequence
from itertools import count, pairwise

from msgspec import Struct
from msgspec.structs import replace

from overread.corpus import records
from overread.corpus.notation import SENTENCE, parse_notation
from overread.corpus.quotes import Problem, quote_of, with_denial, with_hedge
from overread.corpus.records import Addition, Annotated, CorpusSentence, Mention, Quote
from overread.report.span import Span

LETTER = {name: letter for letter, name in records.SECTIONS.items()}
CATEGORY = {name: letter for letter, name in records.CATEGORIES.items()}
ATTRIBUTE = {name: letters for letters, name in records.ATTRIBUTES.items()}
LINK = {name: letters for letters, name in records.LINKS.items()}
Tags = dict[str, str]
"""Id of a mention → how its links are written."""


def write_notation(report: Annotated) -> str:
    """One report, all that is known of it behind its id.

    >>> from overread.corpus.notation import parse_notation
    >>> text = "# a modality=CT_chest\\nF No mass.\\n- mass -\\n"
    >>> write_notation(parse_notation(text, "example")[0][0]) == text
    True
    """
    told = (f"{key}={value.replace(' ', '_')}" for key, value in report.about.items())
    lines, tags = [" ".join(["#", report.id, *told])], tags_of(report)
    for sentence in report.sentences:
        lines += head_lines(sentence)
        lines += [line for mention in sentence.mentions for line in mention_lines(mention, sentence, tags)]
        lines += [addition_line(one, sentence, tags) for one in sentence.additions]
        lines += [f"~ {sentence.kind}"] if sentence.kind else []
    return "".join(f"{line}\n" for line in lines)


def head_lines(sentence: CorpusSentence) -> list[str]:
    if not sentence.section:
        return [f"= {sentence.text}".rstrip()]
    return [f"{LETTER[sentence.section]}{'/' if sentence.new_line else ''} {sentence.text}"]


def addition_line(one: Addition, sentence: CorpusSentence, tags: Tags) -> str:
    return " ; ".join([f"^{tags[one.to]}", *attribute_parts(one.attributes, sentence.text, Span(0, 0))])


def tags_of(report: Annotated) -> Tags:
    """Tags as the writer chose them; a mention that is linked to and has none is called by its id."""
    mentions = [mention for sentence in report.sentences for mention in sentence.mentions]
    versions = [one for mention in mentions for one in (mention, *mention.alternatives)]
    linked = {to for one in versions for ids in one.links.values() for to in ids}
    linked |= {one.to for sentence in report.sentences for one in sentence.additions}
    return {one.id: one.tag or one.id for one in mentions if one.tag or one.id in linked}


def mention_lines(mention: Mention, sentence: CorpusSentence, tags: Tags) -> Iterator[str]:
    yield f"- {mention_line(mention, sentence, tags, tags.get(mention.id, ''))}"
    for other in mention.alternatives:
        yield f"/- {mention_line(other, sentence, tags, '')}"


def mention_line(mention: Mention, sentence: CorpusSentence, tags: Tags, tag: str) -> str:
    usual = "PATIENT INFO" if sentence.section == "indication" else "PF"
    marks = [
        quotation(mention.words, sentence.text, None),
        ("+" if mention.positive else "-") + ("?" if mention.tentative else ""),
        f"@{CATEGORY[mention.category]}" if mention.category != usual else "",
        f"#{tag}" if tag else "",
        f"&{mention.group}" if mention.group else "",
    ]
    said = without_plain_cues(mention, sentence)
    parts = attribute_parts(said, sentence.text, mention.words.spans[0])
    parts += [f"{LINK[name]}={','.join(tags[to] for to in ids)}" for name, ids in mention.links.items()]
    return " ; ".join([" ".join(filter(None, marks)), *parts])


def attribute_parts(attributes: dict[str, tuple[Quote, ...]], sentence: str, near: Span) -> list[str]:
    return [
        f"{ATTRIBUTE[name]}={'|'.join(quotation(one, sentence, near) for one in quotes)}"
        for name, quotes in attributes.items()
    ]


def quotation(quote: Quote, sentence: str, near: Span | None) -> str:
    """The words so that they are found where they stand: with a number only where the words alone lead elsewhere."""
    words = " .. ".join(span.of(sentence) for span in quote.spans)
    for written in (words, *(f"{words}~{n}" for n in range(1, 10))):
        try:
            if quote_of(written, sentence, near).spans == quote.spans:
                return written
        except Problem:  # the nearest of two may have nothing behind it
            continue
    raise ValueError(f"{words!r} cannot be quoted from its sentence")


def without_plain_cues(mention: Mention, sentence: CorpusSentence) -> dict[str, tuple[Quote, ...]]:
    """The attributes less the cues that a reader of the notation finds again."""
    said = dict(mention.attributes)
    for name, find in (("denied_by", with_denial), ("hedged_by", with_hedge)):
        try:
            bare = replace(mention, attributes={key: value for key, value in said.items() if key != name})
            if name in said and find(bare, sentence).attributes.get(name) == said[name]:
                said = bare.attributes
        except Problem:
            continue
    return said


class Trouble(Struct, frozen=True):
    """A complaint of the checker, by the sentence it is about."""

    sentence: int
    """From 0."""

    line: int
    """Of its annotation, from 1; 0 where the sentence as a whole is meant."""

    problem: str


def pieces(text: str) -> list[str]:
    """A notation file cut before every report but the first; put together they are the file.

    >>> pieces("% style: prose\\n# a\\nF Clear.\\n# b\\nF Dull.\\n")
    ['% style: prose\\n# a\\nF Clear.\\n', '# b\\nF Dull.\\n']
    """
    lines = text.splitlines(keepends=True)
    begins = [n for n, line in enumerate(lines) if line.startswith("# ")]
    cuts = [0, *begins[1:], len(lines)] if begins else []
    return ["".join(lines[start:end]) for start, end in pairwise(cuts)]


def sentence_blocks(notation: str) -> list[list[str]]:
    """The lines of a report, cut before each sentence; the first block is what stands above them."""
    found: list[list[str]] = [[]]
    for line in notation.splitlines(keepends=True):
        if SENTENCE.fullmatch(line.rstrip()):
            found.append([])
        found[-1].append(line)
    return found


def annotates(line: str) -> bool:
    """Is this a line of an annotation, none of the report itself?"""
    bare = line.rstrip()
    return bool(bare) and not bare.startswith(("%", "=", "# ")) and SENTENCE.fullmatch(bare) is None


def annotated_sentences(notation: str) -> list[tuple[str, str]]:
    """The lines of a report's sentences, each with the lines that annotate it.

    >>> annotated_sentences("# a\\nF No mass or nodule.\\n- mass -\\n- nodule -\\n")
    [('F No mass or nodule.', '- mass -\\n- nodule -')]
    """
    return [
        (head.rstrip(), "\n".join(line.rstrip() for line in below if annotates(line)))
        for head, *below in sentence_blocks(notation)[1:]
    ]


def tidy_lines(lines: str) -> str:
    """Annotation lines as they are compared and written.

    >>> tidy_lines("- mass - \\n\\n- nodule -\\n")
    '- mass -\\n- nodule -'
    """
    return "\n".join(line.strip() for line in lines.splitlines() if line.strip())


def rewritten(notation: str, given: Sequence[str]) -> str:
    """The report with the given annotation of each sentence; a sentence annotated as before keeps its bytes.

    >>> rewritten("# a\\nF No mass.\\n- mass +\\nF Clear.  \\n~ summary\\n", ["- mass -", "~ summary"])
    '# a\\nF No mass.\\n- mass -\\nF Clear.  \\n~ summary\\n'
    """
    end = "\r\n" if "\r\n" in notation else "\n"
    whole = notation if notation.endswith("\n") else notation + end
    text = "".join(line for block in with_annotations(whole, given, end) for line in block)
    return text if whole == notation else text.removesuffix(end)


def with_annotations(notation: str, given: Sequence[str], end: str = "\n") -> Iterator[list[str]]:
    """The blocks after the exchange of annotations."""
    above, *sentences = sentence_blocks(notation)
    yield above
    for block, told, (_, was) in zip(sentences, given, annotated_sentences(notation), strict=True):
        if tidy_lines(told) == tidy_lines(was):
            yield block
        else:
            as_written = {line.rstrip(): line for line in block}
            new = [as_written.get(one, one + end) for one in tidy_lines(told).splitlines()]
            yield [block[0], *new, *(line for line in block[1:] if not annotates(line))]


def troubles(notation: str, given: Sequence[str]) -> list[Trouble]:
    """What the checker says of the report with the given annotation; of a sentence as a whole last.

    >>> troubles("# a\\nF No mass.\\n- mass -\\n", ["- masses -"])[0].line
    1
    """
    misplaced = [
        Trouble(n, k, f"{line.split()[0]} begins another line of the report: annotate with -, /-, ^ or ~")
        for n, lines in enumerate(given)
        for k, line in enumerate(tidy_lines(lines).splitlines(), 1)
        if not annotates(line)
    ]
    if misplaced:
        return misplaced
    changed, places = list(with_annotations(notation, given)), []
    for n, block in enumerate(changed, -1):
        number = count(1)
        places += [(max(n, 0), next(number) if annotates(line) else 0) for line in block]
    _, complaints = parse_notation("".join(line for block in changed for line in block), "")
    found = [Trouble(*places[one.line - 1], one.problem) for one in complaints]
    return sorted(found, key=lambda one: (one.sentence, one.line == 0, one.line))
