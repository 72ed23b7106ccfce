"""`overread explain`, `lexicon` and `judge`: how words are read, what they mean, and how two statements relate."""

import sys
from pathlib import Path
from typing import Annotated

from rich.console import Console
from rich.table import Table

from overread.cli.terminal.options import argument, verb
from overread.cli.terminal.output import print_json
from overread.errors import UnknownName
from overread.judge import judge as relation
from overread.judge import verdict
from overread.lexicon.lexicon import look_up
from overread.reader import read
from overread.report import SECTION_NAMES, from_sections, parse
from overread.runner.explained import explained, trees
from overread.runner.views import lexicon_of


@verb("explain")
def show_explanation(
    sentence: str,
    section: str = "findings",
    lexicon: Path | None = None,
    json: bool = False,
) -> None:
    """Show how a sentence is read: findings, attributes, negation and uncertainty, with the words, lexicon
    rows and probabilities behind them.

    overread explain "No new focal consolidation; small left effusion has decreased."
    """
    if section not in SECTION_NAMES:
        raise UnknownName("section", section, SECTION_NAMES)
    text = sys.stdin.read() if sentence == "-" else sentence
    report = parse(text)
    if not report.headed and section != "findings":
        report = from_sections({section: text})
    words = lexicon_of(lexicon)
    reading = read(report, words)
    if json:
        print_json(explained(reading, words))
    else:
        console = Console()
        for tree in trees(reading, words):
            console.print(tree)
        if not reading.sentences:
            console.print("Nothing to read: the text holds no sentence.")


@verb("lexicon")
def lexicon(
    term: str,
    lexicon: Path | None = None,
    json: bool = False,
) -> None:
    """Look up a term in the lexicon: its rows, its concept and related concepts.

    overread lexicon effusion
    """

    found = look_up(term, lexicon_of(lexicon))
    if json:
        print_json({"concepts": found.concepts, "rows": found.rows, "cues": found.cues})
        return
    console = Console()
    for concept in found.concepts:
        line = " > ".join([*found.parents[concept.name], concept.name])
        console.print(
            f"[bold]{line}[/]  {concept.kind}, {concept.category}, site {concept.site or 'not fixed'}"
        )
    table = Table("id", "table", "form", "means", "path", "unless", "source")
    for row in found.rows:
        path, unless = " > ".join(row.path), " | ".join(row.unless)
        table.add_row(row.id, row.table, row.form, row.concept, path, unless, row.source)
    for cue in found.cues:
        means = f"{cue.kind} {cue.sense}".strip(" -")
        table.add_row(cue.id, "cues", cue.form, means, f"reaches {cue.reach}", "", cue.source)
    console.print(table)


@verb("judge")
def show_judgements(
    first: Annotated[str, argument(metavar="STATEMENT")],
    second: Annotated[str, argument(metavar="STATEMENT")],
    claim: bool = False,
    json: bool = False,
) -> None:
    """Compare two statements: do they mean the same, contradict each other, or neither?

    overread judge "The heart is enlarged." "There is cardiomegaly."

    overread judge --claim "The effusion has resolved." "There is an effusion."
    """
    answer = (verdict if claim else relation)(first, second)._asdict()
    if json:
        print_json(answer)
        return
    for name, probability in sorted(answer.items(), key=lambda one: -one[1]):
        print(f"{name:<9} {probability:.2f}")
