"""Annotated reports → notation, and a file of it with other annotation lines: read again it is the same."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from overread.corpus.notation import SENTENCE, parse
from overread.corpus.quotes import Problem, quote_of, with_denial, with_hedge
from overread.corpus.records import (
    ATTRIBUTES,
    CATEGORIES,
    LINKS,
    SECTIONS,
    Addition,
    Annotated,
    Mention,
    Quote,
    Sentence,
)
from overread.report.span import Span

LETTER = {name: letter for letter, name in SECTIONS.items()}
CATEGORY = {name: letter for letter, name in CATEGORIES.items()}
ATTRIBUTE = {name: letters for letters, name in ATTRIBUTES.items()}
LINK = {name: letters for letters, name in LINKS.items()}
Tags = dict[str, str]
"""Id of a mention → how its links are written."""


def write_notation(report: Annotated) -> str:
    """One report, all that is known of it behind its id.

    >>> from overread.corpus.notation import parse
    >>> text = "# a modality=CT_chest\\nF No mass.\\n- mass -\\n"
    >>> write_notation(parse(text, "example")[0][0]) == text
    True
    """
    return "".join(f"{line}\n" for line in report_lines(report, report.about))


def report_lines(report: Annotated, about: dict[str, str]) -> Iterator[str]:
    yield " ".join(["#", report.id, *(f"{key}={value.replace(' ', '_')}" for key, value in about.items())])
    tags = tags_of(report)
    for sentence in report.sentences:
        yield from [*head_lines(sentence), *annotation_lines(sentence, tags)]


def head_lines(sentence: Sentence) -> list[str]:
    if not sentence.section:
        return [f"= {sentence.text}".rstrip()]
    return [f"{LETTER[sentence.section]}{'/' if sentence.new_line else ''} {sentence.text}"]


def annotation_lines(sentence: Sentence, tags: Tags) -> list[str]:
    """What is annotated in a sentence, a line each."""
    lines = [line for mention in sentence.mentions for line in mention_lines(mention, sentence, tags)]
    lines += [addition_line(one, sentence, tags) for one in sentence.additions]
    return lines + ([f"~ {sentence.kind}"] if sentence.kind else [])


def addition_line(one: Addition, sentence: Sentence, tags: Tags) -> str:
    return " ; ".join([f"^{tags[one.to]}", *attribute_parts(one.attributes, sentence.text, Span(0, 0))])


def tags_of(report: Annotated) -> Tags:
    """Tags as the writer chose them; a mention that is linked to and has none is called by its id."""
    mentions = [mention for sentence in report.sentences for mention in sentence.mentions]
    versions = [one for mention in mentions for one in (mention, *mention.alternatives)]
    linked = {to for one in versions for ids in one.links.values() for to in ids}
    linked |= {one.to for sentence in report.sentences for one in sentence.additions}
    return {one.id: one.tag or one.id for one in mentions if one.tag or one.id in linked}


def mention_lines(mention: Mention, sentence: Sentence, tags: Tags) -> Iterator[str]:
    yield f"- {mention_line(mention, sentence, tags, tags.get(mention.id, ''))}"
    for other in mention.alternatives:
        yield f"/- {mention_line(other, sentence, tags, '')}"


def mention_line(mention: Mention, sentence: Sentence, tags: Tags, tag: str) -> str:
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


def without_plain_cues(mention: Mention, sentence: Sentence) -> dict[str, tuple[Quote, ...]]:
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


What = Literal["sentence", "annotation", "other"]


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
    ends = [*begins[1:], len(lines)]
    return (
        ["".join(lines[start:end]) for start, end in zip([0, *begins[1:]], ends, strict=True)]
        if begins
        else []
    )


def annotated(notation: str) -> list[tuple[str, str]]:
    """The lines of a report's sentences, each with the lines that annotate it.

    >>> annotated("# a\\nF No mass or nodule.\\n- mass -\\n- nodule -\\n")
    [('F No mass or nodule.', '- mass -\\n- nodule -')]
    """
    heads: list[str] = []
    found: list[list[str]] = []
    for number, what, line in scanned(notation):
        if what == "sentence":
            heads.append(line.rstrip())
            found.append([])
        elif what == "annotation" and found:
            found[number].append(line.rstrip())
    return [(head, "\n".join(lines)) for head, lines in zip(heads, found, strict=True)]


def scanned(notation: str) -> Iterator[tuple[int, What, str]]:
    """Every line with the number of the sentence it stands at or below, and what it is."""
    number = -1
    for line in notation.splitlines(keepends=True):
        bare = line.rstrip()
        if SENTENCE.fullmatch(bare):
            number += 1
            yield number, "sentence", line
        else:
            yield number, "annotation" if bare and not begins_more(bare) else "other", line


def begins_more(line: str) -> bool:
    """Is this a line of the report itself, not of an annotation?"""
    return line.startswith(("%", "=", "# ")) or SENTENCE.fullmatch(line) is not None


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
    text = "".join(line for _, _, line in with_annotations(whole, given, end))
    return text if whole == notation else text.removesuffix(end)


def with_annotations(notation: str, given: Sequence[str], end: str = "\n") -> Iterator[tuple[int, What, str]]:
    """As `scanned`, after the exchange of annotations."""
    new = [tidy_lines(one) for one in given]
    changed = {n for n, (_, was) in enumerate(annotated(notation)) if tidy_lines(was) != new[n]}
    as_written = {(n, line.rstrip()): line for n, _, line in scanned(notation)}
    for number, what, line in scanned(notation):
        if number not in changed or what != "annotation":
            yield number, what, line
        if number in changed and what == "sentence":
            for one in new[number].splitlines():
                yield number, "annotation", as_written.get((number, one), one + end)


def troubles(notation: str, given: Sequence[str]) -> list[Trouble]:
    """What the checker says of the report with the given annotation; of a sentence as a whole last.

    >>> troubles("# a\\nF No mass.\\n- mass -\\n", ["- masses -"])[0].line
    1
    """
    misplaced = [
        Trouble(n, k, f"{line.split()[0]} begins another line of the report: annotate with -, /-, ^ or ~")
        for n, lines in enumerate(given)
        for k, line in enumerate(tidy_lines(lines).splitlines(), 1)
        if begins_more(line)
    ]
    if misplaced:
        return misplaced
    lines = list(with_annotations(notation, given))
    seen: Counter[int] = Counter()
    places = []
    for number, what, _ in lines:
        seen[number] += what == "annotation"
        places.append((max(number, 0), seen[number] if what == "annotation" else 0))
    _, complaints = parse("".join(line for _, _, line in lines), "")
    found = [Trouble(*places[one.line - 1], one.problem) for one in complaints]
    return sorted(found, key=lambda one: (one.sentence, one.line == 0, one.line))
