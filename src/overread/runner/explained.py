"""A reading with all that decided it: as plain values, and as trees for people."""

from collections.abc import Iterator
from typing import Any

from msgspec import to_builtins
from rich.markup import escape
from rich.text import Text
from rich.tree import Tree

from overread.lexicon.lexicon import Lexicon
from overread.reader import Finding, Reading, SentenceReading
from overread.reader.read import parts
from overread.report.span import Span
from overread.runner.traced import Step, row_meanings, single_spaced, steps_of
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.schema import Atom

CATEGORY_NAMES = {
    "PF": "visible finding",
    "CF": "inferred diagnosis",
    "OTH": "device or procedure",
    "COF": "measured outside the image",
    "NCD": "diagnosed by other means",
}


def explained(reading: Reading, words: Lexicon) -> dict[str, Any]:
    """The record of a reading, with `parts` of its sentences and its `atoms`; plain values.

    >>> from overread.lexicon.lexicon import lexicon
    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> found = explained(read(parse("No effusion.")), lexicon())
    >>> found["parts"][0]["tokens"][0]["taken_for"]
    'denied'
    """
    own: dict[str, Any] = to_builtins(reading.record)
    apart = [parts(reading, sentence, words) for sentence in reading.sentences]
    more: dict[str, Any] = to_builtins({"parts": apart, "atoms": view(reading).atoms})
    return own | more


def trees(reading: Reading, words: Lexicon) -> Iterator[Tree]:
    """A tree per sentence."""
    sources = row_meanings(words)
    made = view(reading).atoms
    silent = {one.span.start: one.reason for one in reading.not_read}
    for sentence in reading.sentences:
        tree = sentence_tree(reading, sentence, sources)
        if sentence.span.start in silent:
            tree.add(f"[dim]not read: {silent[sentence.span.start]}[/dim]")
        told = [token for token in parts(reading, sentence, words).tokens if token.taken_for]
        said = (Text(f"“{quoted(reading, t.span)}” ").append(t.taken_for, style="dim") for t in told)
        tree.add(Text("words: ") + Text(" · ").join(said))
        add_atoms(tree, [a for a in made if (a.start, a.end) == (sentence.span.start, sentence.span.end)])
        yield tree


def sentence_tree(reading: Reading, sentence: SentenceReading, sources: dict[str, str]) -> Tree:
    tree = Tree(Text(quoted(reading, sentence.span), style="bold"))
    if sentence.kind != "statement":
        tree.add(f"read as {sentence.kind}")
    for id in sentence.findings:
        add_finding(tree, reading, reading.finding(id), sources)
    if sentence.cues:
        cues = tree.add("cues")
        for cue in sentence.cues:
            cues.add(line(Step("cue", quoted(reading, cue.span), cue.rule, sources.get(cue.rule, ""))))
    if not sentence.findings:
        tree.add("no finding")
    return tree


def add_finding(tree: Tree, reading: Reading, finding: Finding, sources: dict[str, str]) -> None:
    colour = "red" if finding.status == "positive" else "green"
    head = (
        f"[bold]{finding.id} {escape(finding.entity)}[/] [{colour}]{finding.status}[/], {finding.level}, "
        f"{CATEGORY_NAMES.get(finding.category, finding.category.lower())}"
    )
    known = f"concept {finding.concept}" if finding.concept else "open vocabulary: no lexicon concept"
    branch = tree.add(f"{head} · {known}")
    for step in steps_of(reading, finding, sources):
        branch.add(Text(f"{step.what}: ") + line(step))
    for name, ids in (("associated with", finding.associate), ("supported by", finding.evidence)):
        if ids:
            branch.add(f"{name} {', '.join(f'{i} {reading.finding(i).entity}' for i in ids)}")


def add_atoms(tree: Tree, found: list[Atom]) -> None:
    """RadSEM's sentences, each with the finding that it was made of."""
    branch = tree.add("atoms (RadSEM)") if found else tree
    for atom in found:
        colour = "red" if atom.normality == "abnormal" else "green"
        origin = f"from {atom.finding}" if atom.finding else "as it stands"
        branch.add(f"[bold]{escape(atom.text)}[/] [{colour}]{atom.normality}[/] [dim]{origin}[/dim]")


def quoted(reading: Reading, span: Span) -> str:
    return single_spaced(reading.quote(span))


def line(step: Step) -> Text:
    chance = "" if step.sure is None else f", {step.sure:.0%} sure"
    return Text(f"“{step.words}” ").append(f"{step.rule} {step.meaning}".rstrip() + chance, style="dim")
