"""Notation files → annotated reports, and what is wrong with them. The notation is described in `corpus/guide.md`."""

import re
from pathlib import Path

from msgspec.structs import replace

from overread.corpus import records
from overread.corpus.quotes import Problem, quote_of, with_denial, with_hedge
from overread.corpus.records import Addition, Annotated, Complaint, CorpusSentence, Mention, Quote
from overread.report.span import Span

SENTENCE = re.compile(r"([XICFP])(/?) (.*\S)\s*")
MENTION = re.compile(
    r"(/?)- (?P<words>.+?) (?P<status>[-+])(?P<doubt>\??)(?P<marks>(?: [@#&]\S+)*)\s*(?:$|;(?P<rest>.*))"
)


def parse_notation(text: str, file: str) -> tuple[list[Annotated], list[Complaint]]:
    """The reports of a notation file, and its complaints; a line that is refused is left out."""
    reader = Parser(file)
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.take(line.rstrip(), number)
        except Problem as problem:
            reader.complain(number, str(problem))
    reader.finish()
    return reader.reports, reader.complaints


def parse_file(path: Path) -> tuple[list[Annotated], list[Complaint]]:
    try:
        return parse_notation(path.read_text("utf-8"), path.name)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return [], [Complaint(path.name, line, "not UTF-8 from here on: save the file as UTF-8")]


class Parser:
    """Line by line; each line belongs to the sentence above it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.about: dict[str, str] = {}
        self.reports: list[Annotated] = []
        self.complaints: list[Complaint] = []
        self.head: Annotated | None = None
        """The report being read, and below what is not settled before its end."""

        self.sentences: list[CorpusSentence] = []
        self.tags: dict[str, str] = {}
        self.count = 0

    def complain(self, line: int, problem: str) -> None:
        self.complaints.append(Complaint(self.file, line, problem))

    def take(self, line: str, number: int) -> None:
        if not line:
            return
        if line[0] == "%":
            key, colon, value = line[1:].partition(":")
            if not colon:
                raise Problem("'% key: value' is missing its colon")
            self.about[key.strip()] = known_value(key.strip(), value.strip())
        elif line.startswith("# "):
            self.begin(line[2:], number)
        elif self.head is None:
            raise Problem("stands before the first report (a line '# id')")
        elif line[0] == "=":
            self.sentences.append(CorpusSentence(line[1:].removeprefix(" "), "", new_line=True, line=number))
        elif sentence := SENTENCE.fullmatch(line):
            letter, slash, text = sentence.groups()
            self.sentences.append(
                CorpusSentence(text, records.SECTIONS[letter], new_line=bool(slash), line=number)
            )
        elif not self.sentences or not self.sentences[-1].section:
            raise Problem("an annotation without a sentence above it")
        else:
            self.sentences[-1] = self.annotated_with(self.sentences[-1], line, number)

    def begin(self, line: str, number: int) -> None:
        self.finish()
        name, *more = line.split()
        pairs = [one.partition("=") for one in more]
        own = {key: value.replace("_", " ") for key, equals, value in pairs if equals}
        self.head = Annotated(name, {**self.about, **own}, (), number)
        self.sentences, self.tags, self.count = [], {}, 0
        for key, equals, value in pairs:
            if not equals:
                raise Problem(f"{key!r} behind the id is not key=value")
            known_value(key, value)

    def annotated_with(self, sentence: CorpusSentence, line: str, number: int) -> CorpusSentence:
        if line.startswith("~"):
            kind = line[1:].strip()
            if kind not in records.KINDS:
                raise Problem(f"~ {kind} is not one of {', '.join(sorted(records.KINDS))}")
            return replace(sentence, kind=kind)
        if line.startswith("^"):
            return replace(sentence, additions=(*sentence.additions, addition_of(line, sentence)))
        if match := MENTION.fullmatch(line):
            told = self.with_alternative if match[1] else self.with_mention
            return told(sentence, match, number)
        raise Problem(
            "not understood: a line begins with %, #, =, a section letter, -, /-, ^ or ~; a mention needs + or -"
        )

    def with_alternative(self, sentence: CorpusSentence, match: re.Match[str], number: int) -> CorpusSentence:
        if not sentence.mentions:
            raise Problem("an alternative without a mention above it")
        *earlier, last = sentence.mentions
        other = noted_mention(match, sentence, last.id, number)
        if other.tag:
            raise Problem("an alternative has no tag of its own: links lead to the mention above it")
        return replace(sentence, mentions=(*earlier, replace(last, alternatives=(*last.alternatives, other))))

    def with_mention(self, sentence: CorpusSentence, match: re.Match[str], number: int) -> CorpusSentence:
        self.count += 1
        mention = noted_mention(match, sentence, f"m{self.count}", number)
        if mention.tag:
            if mention.tag in self.tags:
                raise Problem(f"the tag #{mention.tag} is used twice in this report")
            self.tags[mention.tag] = mention.id
        return replace(sentence, mentions=(*sentence.mentions, mention))

    def finish(self) -> None:
        """Close the report being read: links point to ids, cues are found, every sentence is accounted for."""
        head, self.head = self.head, None
        if head is None:
            return
        if any(one.id == head.id for one in self.reports):
            self.complain(head.line, f"the report id {head.id} is used twice")
        sentences = tuple(map(self.settled, self.sentences))
        if not any(sentence.section for sentence in sentences):
            self.complain(head.line, "a report without a sentence")
        self.reports.append(replace(head, sentences=sentences))

    def settled(self, sentence: CorpusSentence) -> CorpusSentence:
        if sentence.section and not (sentence.mentions or sentence.additions or sentence.kind):
            self.complain(sentence.line, "no mention, and no '~ kind' that says why")
        if sentence.kind and sentence.mentions:
            self.complain(
                sentence.line, f"~ {sentence.kind} beside mentions: a sentence has one or the other"
            )
        mentions = tuple(self.resolved(sentence, mention) for mention in sentence.mentions)
        additions = (replace(one, to=self.id_of(one.to, sentence.line)) for one in sentence.additions)
        return replace(sentence, mentions=mentions, additions=tuple(additions))

    def resolved(self, sentence: CorpusSentence, mention: Mention) -> Mention:
        links = {
            kind: tuple(self.id_of(tag, mention.line) for tag in tags) for kind, tags in mention.links.items()
        }
        if mention.id in [one for ids in links.values() for one in ids]:
            self.complain(mention.line, "a mention linked to itself")
        others = tuple(self.resolved(sentence, other) for other in mention.alternatives)
        settled = replace(mention, links=links, alternatives=others)
        for add in (with_denial, with_hedge):
            try:
                settled = add(settled, sentence)
            except Problem as problem:
                self.complain(mention.line, str(problem))
        return settled

    def id_of(self, tag: str, line: int) -> str:
        if tag not in self.tags:
            self.complain(line, f"no mention of this report has the tag #{tag}")
        return self.tags.get(tag, "")


def known_value(key: str, value: str) -> str:
    """The value, where the key is known and takes it."""
    if key not in records.ABOUT:
        raise Problem(f"{key!r} is not one of {', '.join(records.ABOUT)}")
    if key == "day" and not re.fullmatch(r"-?\d+(\.\d+)?", value):
        raise Problem(f"the day is a number, counted from the patient's first report, not {value!r}")
    return value


def noted_mention(match: re.Match[str], sentence: CorpusSentence, name: str, line: int) -> Mention:
    marks = signs_of(match["marks"])
    letter = marks.get("@", "I" if sentence.section == "indication" else "P")
    if letter not in records.CATEGORIES:
        raise Problem(f"@{letter} is not one of {', '.join('@' + one for one in records.CATEGORIES)}")
    words = quote_of(match["words"], sentence.text)
    attributes, links = attributes_and_links(match["rest"] or "", sentence.text, near=words.spans[0])
    return Mention(
        id=name,
        words=words,
        positive=match["status"] == "+",
        tentative=bool(match["doubt"]),
        category=records.CATEGORIES[letter],
        attributes=attributes,
        links=links,
        tag=marks.get("#", ""),
        group=marks.get("&", ""),
        line=line,
    )


def signs_of(written: str) -> dict[str, str]:
    """
    >>> signs_of(" @C #p")
    {'@': 'C', '#': 'p'}
    """
    pairs = re.findall(r"([@#&])(\S+)", written)
    if len(dict(pairs)) < len(pairs):
        raise Problem(f"{written.strip()!r}: one category, one tag and one group at most")
    return dict(pairs)


def addition_of(line: str, sentence: CorpusSentence) -> Addition:
    tag, _, rest = line[1:].partition(";")
    attributes, links = attributes_and_links(rest, sentence.text, near=Span(0, 0))
    if links or not attributes:
        raise Problem("'^tag ; …' needs attributes and takes no links")
    return Addition(tag.strip(), attributes)


def attributes_and_links(
    rest: str, sentence: str, near: Span
) -> tuple[dict[str, tuple[Quote, ...]], dict[str, tuple[str, ...]]]:
    attributes: dict[str, tuple[Quote, ...]] = {}
    links: dict[str, tuple[str, ...]] = {}
    for part in filter(None, (one.strip() for one in rest.split(" ; "))):
        letters, equals, value = part.lstrip("; ").partition("=")
        if not equals or not value.strip():
            raise Problem(f"{part!r} is not letters=words")
        if letters in records.LINKS:
            tags = (one.strip().lstrip("#") for one in re.split(r"[,|]", value))
            links[records.LINKS[letters]] = links.get(records.LINKS[letters], ()) + tuple(filter(None, tags))
        elif letters in records.ATTRIBUTES:
            values = tuple(quote_of(one.strip(), sentence, near) for one in value.split("|"))
            attributes[records.ATTRIBUTES[letters]] = attributes.get(records.ATTRIBUTES[letters], ()) + values
        else:
            raise Problem(f"{letters}= is not one of {', '.join([*records.ATTRIBUTES, *records.LINKS])}")
    return attributes, links
