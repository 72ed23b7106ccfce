"""`overread errors` and `lint`: what is wrong with a report, against the reference or against the template."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from statistics import mean, pstdev

import typer
from msgspec import Struct, to_builtins
from rich.console import Console
from rich.markup import escape
from rich.table import Column, Table

from overread.baselines.registry import lookup
from overread.cli.terminal.options import Columns, verb
from overread.cli.terminal.output import file_or_json, json_lines
from overread.cli.terminal.voice import note, voice, wrote
from overread.encoders import Encoder
from overread.encoders.load import load as load_encoder
from overread.errors import BadInput
from overread.formats import load
from overread.runner.files import Wanted
from overread.runner.limits import unfailed, warned
from overread.runner.readings import Ledgered, ledgers_between
from overread.runner.view_files import load_view_file, views_kind
from overread.systems.ledger.weights import LEVELS
from overread.systems.srrg.lint import PARTS, TemplateFault, fidelity, parts
from overread.systems.srrg.lint import lint as faults_of
from overread.systems.srrg.template import show
from overread.whole import write

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


class Checked(Struct, frozen=True):
    """A structured report and what it was made from."""

    id: str
    structured: str
    original: str | None


@verb("lint")
def lint(
    reports: Path,
    columns: Columns,
    original: Path | None = None,
    fidelity: bool = False,
    encoder: str = "embedded",
    models: Path | None = None,
    output: Path | None = None,
    json: bool = False,
) -> None:
    """Check structured reports for errors; exit code 1 if there are any.

    Without --original, only the format is checked; with it, also that nothing was added and no positive
    finding was lost.

        overread lint structured.txt --original report.txt
    """
    if fidelity and original is None:
        raise BadInput("--fidelity compares with the originals: say where they are with --original.")
    found = list(structured_pairs(reports, original, columns.named, columns.encoding))

    def faults_in(one: Checked) -> list[tuple[Checked, TemplateFault]]:
        return [(one, fault) for fault in faults_of(one.structured, one.original)]

    faults = list(chain.from_iterable(unfailed(found, faults_in, lambda one: one.id, warned)))
    output, json = file_or_json(output, json)
    rows = [{"id": one.id, **to_builtins(fault)} for one, fault in faults]
    if json:
        typer.echo(json_lines(rows).decode(), nl=False)
    elif output is None:
        for one, fault in faults:
            where = one.id if len(found) > 1 else str(reports)
            typer.echo(f"{where}:{fault.line or '-'}: {fault.rule}: {fault.message}")
    if output is not None:
        write(output, json_lines(rows))
    wrong = len({one.id for one, _ in faults})
    note(f"{len(found)} structured reports, {wrong} with faults, {len(faults)} faults")
    if output is not None:
        wrote(output)
    if fidelity:
        tell_fidelity(found, encoder, models)
    raise typer.Exit(1 if faults else 0)


def tell_fidelity(found: Sequence[Checked], encoder: str, models: Path | None) -> None:
    """Means and deviations over all reports, as the paper's Table 10 and its reader study give them, by section."""
    if encoder == "judge":
        raise BadInput("The judge has no vectors of whole texts; choose another --encoder.")
    vectors = load_encoder(encoder, models)
    told = [parts(one.original or "", one.structured) for one in found]
    columns = {name: fidelity_figures([one[name] for one in told if name in one], vectors) for name in PARTS}
    typer.echo(f"{'':<22}" + "".join(f"{name:>18}" for name in columns))
    for row in columns["whole"]:
        typer.echo(f"{row:<22}" + "".join(f"{one.get(row, '–'):>18}" for one in columns.values()))


def structured_pairs(
    reports: Path, original: Path | None, columns: Mapping[str, str] | None, encoding: str | None
) -> Iterator[Checked]:
    """The structured reports, each with its original where there is one."""
    if views_kind(reports) == "srrg":
        texts = {id: show(view.structured) for id, view in load_view_file(str(reports)).views.items()}
    else:
        texts = {report.id: report.text for report in load(reports, columns, encoding=encoding)}
    if original is None:
        yield from (Checked(id, text, None) for id, text in texts.items())
        return
    sources = {report.id: report.text for report in load(original, encoding=encoding)}
    if len(texts) == len(sources) == 1:
        (id, text), (source,) = next(iter(texts.items())), sources.values()
        yield Checked(id, text, source)
        return
    missing = sorted(texts.keys() - sources.keys())
    if missing:
        raise BadInput(
            f"{original} has no report with the id {missing[0]!r}"
            + (f" and {len(missing) - 1} others" if len(missing) > 1 else "")
            + f"; the ids of {reports} and {original} must be the same."
        )
    yield from (Checked(id, text, sources[id]) for id, text in texts.items())


def fidelity_figures(texts: Sequence[tuple[str, str]], encoder: Encoder) -> dict[str, str]:
    """One column: originals and structured texts of one section."""
    if not texts:
        return {}
    rouge, bleu = lookup("rouge-l"), lookup("bleu-4")
    metrics = {"ROUGE-L": lambda a, b: rouge.score(a, b).value, "BLEU-4": lambda a, b: bleu.score(a, b).value}
    told = [fidelity(*pair, encoder, metrics) for pair in texts]
    changed = sum(one["similarity ratio"] < 1 for one in told)
    rows = {name: [one[name] for one in told] for name in told[0]}
    means = {name: f"{mean(values):.2f} ± {pstdev(values):.2f}" for name, values in rows.items()}
    return {"reports": str(len(told)), "changed": f"{changed} ({changed / len(told):.0%})"} | means
