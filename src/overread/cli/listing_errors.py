"""Ledgers at the terminal: tables, JSON lines, and a count at the end."""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from overread.cli.scoring import Wanted, sources_of
from overread.errors import BadInput
from overread.report import parse
from overread.runner.ledgers import Ledgered, ledgers, of_pair
from overread.runner.pairs import Pairs
from overread.runner.views import words_of
from overread.systems.ledger.weights import LEVELS

COLOURS = {"critical": "bold red", "significant": "red", "minor": "yellow", "none": "dim"}


def found_in(
    reference: str, candidate: str, wanted: Wanted, context: bool, weights: Path | None, lexicon: Path | None
) -> Iterator[Ledgered]:
    """The ledgers of two files joined by id, or of two reports given in quotes."""
    settings: dict[str, Any] = {
        "context": context,
        "weights": str(weights) if weights else None,
        "judge": None,
        "words": words_of(str(lexicon) if lexicon else None),
    }
    there = [is_file(text) for text in (reference, candidate)]
    if all(there):
        references, candidates = sources_of(wanted)
        return ledgers(Pairs.gather(references, candidates), **settings)
    if any(there):
        missing = candidate if there[0] else reference
        raise BadInput(f"There is no file {short(missing)!r}: give two files, or two reports in quotes.")
    if not any(mark in text for text in (reference, candidate) for mark in " .\n"):
        raise BadInput(f"There is no file {short(reference)!r}; a report in quotes has more than one word.")
    one, two = parse(reference), parse(candidate)
    return iter([Ledgered("", "candidate", one, two, of_pair(one, two, **settings))])


def short(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"


def is_file(text: str) -> bool:
    try:
        return Path(text).exists()
    except OSError:
        return False


def tell(found: Iterable[Ledgered], output: Path | None, json: bool, quiet: bool) -> bool:
    """Print or write every ledger; true where there was an error."""
    console = Console(highlight=False)
    kinds: Counter[tuple[str, str]] = Counter()
    pairs = 0
    with output.open("w", encoding="utf-8") if output else nullcontext(sys.stdout) as target:
        for one in found:
            pairs += 1
            kinds.update((e.kind, e.significance) for e in one.ledger.errors)
            if output or json:
                target.write(line(one) + "\n")
            else:
                show(one, console)
    if not quiet and not json and (pairs > 1 or output):
        console.print(totals(kinds, pairs))
    if output and not quiet:
        print(f"Wrote {pairs} ledgers to {output}.", file=sys.stderr)
    return any(kinds)


def line(one: Ledgered) -> str:
    ledger = one.ledger
    return msgspec.json.encode(
        {
            "id": one.id, "system": one.system, "score": round(ledger.value, 6), "verdict": ledger.verdict,
            "errors": ledger.errors, "agreed": ledger.agreed,
        }
    ).decode()  # fmt: skip


def show(one: Ledgered, console: Console) -> None:
    """The verdict, then three short lines per error."""
    ledger = one.ledger
    head = f"{one.id}: " if one.id else ""
    console.print(f"[bold]{head}{ledger.value:.2f}[/]  {escape(ledger.verdict)}", soft_wrap=True)
    for e in ledger.errors:
        console.print(
            f"  [{COLOURS[e.significance]}]{e.significance:<12}[/]{e.kind}: {escape(e.finding)}",
            soft_wrap=True,
        )
        said = escape(f"reference: {e.reference_says}  candidate: {e.candidate_says}")
        console.print(f"{'':14}{said}  → {escape(e.mend)}", soft_wrap=True)
        console.print(f"{'':14}[dim]because {escape(e.reason)}[/]", soft_wrap=True)


def totals(kinds: Counter[tuple[str, str]], pairs: int) -> Table:
    """Kinds by significance over all pairs."""
    found = Table(title=f"{pairs} pairs", title_justify="left", show_edge=False)
    found.add_column("error")
    for level in (*reversed(LEVELS), "all"):
        found.add_column(level, justify="right")
    for kind in dict.fromkeys(kind for kind, _ in sorted(kinds)):
        row = [kinds[kind, level] for level in reversed(LEVELS)]
        found.add_row(kind, *(str(n) for n in (*row, sum(row))))
    return found
