"""`overread lint`: what is wrong with structured reports."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from statistics import mean, pstdev

import typer
from msgspec import Struct, to_builtins

from overread.baselines.registry import lookup
from overread.cli.terminal.options import Columns, verb
from overread.cli.terminal.output import file_or_json, json_lines
from overread.cli.terminal.voice import note, wrote
from overread.encoders import Encoder
from overread.encoders.load import load as load_encoder
from overread.errors import BadInput
from overread.formats import load
from overread.runner.limits import unfailed, warned
from overread.runner.view_files import load_view_file, views_kind
from overread.systems.srrg.lint import PARTS, TemplateFault, fidelity, parts
from overread.systems.srrg.lint import lint as faults_of
from overread.systems.srrg.template import show
from overread.whole import write


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
