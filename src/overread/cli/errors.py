"""`overread errors`: what is wrong with a report beside its reference, finding by finding."""

import sys
from collections import Counter
from contextlib import nullcontext
from pathlib import Path

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from overread.cli.terminal.options import Columns, verb
from overread.cli.terminal.output import file_or_json, json_lines
from overread.cli.terminal.voice import note, voice
from overread.runner.files import Wanted
from overread.runner.readings import Ledgered, ledgers_between
from overread.systems.ledger.weights import LEVELS

COLOURS = {"critical": "bold red", "significant": "red", "minor": "yellow", "none": "dim"}
SHOWN = {"none": "negligible"}
"""Levels that are not shown by their name."""


@verb("errors")
def show_errors(
    reference: str,
    candidate: str,
    columns: Columns,
    context: bool = True,
    weights: Path | None = None,
    output: Path | None = None,
    json: bool = False,
    candidate_id: str | None = None,
    candidate_text: str | None = None,
    lexicon: Path | None = None,
) -> None:
    """List every error in a candidate report: type, wording on both sides, significance and suggested
    correction.

    Exit codes: 0 no error found, 1 errors found, 2 bad input or option.

        overread errors "Large right pneumothorax." "Small left pneumothorax."
        overread errors references.csv ours.csv -o errors.jsonl
    """
    wanted = Wanted(
        Path(reference), [Path(candidate)], (), columns.named, candidate_id, candidate_text, columns.encoding
    )
    found = ledgers_between(reference, candidate, wanted, context, weights, lexicon)
    output, json = file_or_json(output, json)
    console = Console(highlight=False)
    kinds: Counter[tuple[str, str]] = Counter()
    pairs = 0
    with output.open("w", encoding="utf-8") if output else nullcontext(sys.stdout) as target:
        for one in found:
            pairs += 1
            kinds.update((e.kind, e.significance) for e in one.ledger.errors)
            if output or json:
                row = {
                    "id": one.id, "system": one.system, "score": round(one.ledger.value, 6),
                    "verdict": one.ledger.verdict, "errors": one.ledger.errors, "agreed": one.ledger.agreed,
                }  # fmt: skip
                target.write(json_lines([row]).decode())
            else:
                show_ledger(one, console)
    if not voice.quiet and not json and (pairs > 1 or output):
        console.print(totals(kinds, pairs))
    if output:
        note(f"Wrote {pairs} ledgers to {output}.")
    raise typer.Exit(1 if any(kinds) else 0)


def show_ledger(one: Ledgered, console: Console) -> None:
    """The verdict, then three short lines per error."""
    ledger = one.ledger
    head = f"{one.id}: " if one.id else ""
    console.print(f"[bold]{head}{ledger.value:.2f}[/]  {escape(ledger.verdict)}", soft_wrap=True)
    for e in ledger.errors:
        level = f"[{COLOURS[e.significance]}]{SHOWN.get(e.significance, e.significance):<12}[/]"
        doubt = "  [dim](uncertain)[/]" if e.uncertain else ""
        console.print(f"  {level}{e.kind}: {escape(e.finding)}{doubt}", soft_wrap=True)
        said = escape(f"reference: {e.reference_says}  candidate: {e.candidate_says}")
        console.print(f"{'':14}{said}  → {escape(e.correction)}", soft_wrap=True)
        console.print(f"{'':14}[dim]why it matters: {escape(e.reason)}[/]", soft_wrap=True)


def totals(kinds: Counter[tuple[str, str]], pairs: int) -> Table:
    """Kinds by significance over all pairs."""

    levels = (SHOWN.get(level, level) for level in (*reversed(LEVELS), "all"))
    head = (Column(level, justify="right") for level in levels)
    found = Table("error", *head, title=f"{pairs} pairs", title_justify="left", show_edge=False)
    for kind in dict.fromkeys(kind for kind, _ in sorted(kinds)):
        row = [kinds[kind, level] for level in reversed(LEVELS)]
        found.add_row(kind, *(str(n) for n in (*row, sum(row))))
    return found
