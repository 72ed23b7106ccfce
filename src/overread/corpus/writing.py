"""Annotated reports → notation, so that corrections can be written back; reading it again gives the same reports."""

from collections.abc import Iterator

from msgspec.structs import replace

from overread.corpus.cues import with_denial, with_hedge
from overread.corpus.quotes import Problem, quote_of
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
