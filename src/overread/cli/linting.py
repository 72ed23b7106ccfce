"""What stands around the linter: structured reports in, faults and fidelity out."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean, pstdev

import msgspec
import typer
from msgspec import Struct

from overread.cli.voice import hushed, note, wrote
from overread.errors import BadInput
from overread.runner.whole import write_whole
from overread.sources import load
from overread.systems.srrg.lint import Fault
from overread.systems.srrg.schema import StructuredReport


class Checked(Struct, frozen=True):
    """A structured report and what it was made from."""

    id: str
    structured: str
    original: str | None


class ViewLine(Struct, frozen=True):
    """What is wanted of a line of `overread read --as srrg`."""

    id: str
    structured: StructuredReport


def pairs(
    reports: Path, original: Path | None, columns: Mapping[str, str] | None, encoding: str | None
) -> Iterator[Checked]:
    """The structured reports, each with its original where there is one."""
    texts = structured_texts(reports, columns, encoding)
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


def structured_texts(
    reports: Path, columns: Mapping[str, str] | None, encoding: str | None
) -> dict[str, str]:
    """Id → structured report as text."""
    views = view_lines(reports) if reports.suffix.lower() in (".jsonl", ".ndjson") else None
    if views is not None:
        return views
    return {report.id: report.text for report in load(reports, columns, encoding=encoding)}


def view_lines(path: Path) -> dict[str, str] | None:
    """The structured reports of view lines, printed; None when the file holds something else."""
    from overread.systems.srrg.template import show

    try:
        lines = [line for line in path.read_bytes().splitlines() if line.strip()]
        found = [msgspec.json.decode(line, type=ViewLine) for line in lines]
    except OSError as error:
        raise BadInput(f"Cannot read {path}: {error.strerror}.") from None
    except msgspec.DecodeError:
        return None
    return {one.id: show(one.structured) for one in found}


def check(found: Sequence[Checked]) -> list[tuple[Checked, Fault]]:
    from overread.systems.srrg.lint import lint

    return [(one, fault) for one in found for fault in lint(one.structured, one.original)]


def tell(
    faults: Sequence[tuple[Checked, Fault]],
    output: Path | None,
    path: Path,
    count: int,
    quiet: bool,
    json: bool = False,
) -> None:
    """One line per fault: to the file as JSON, or to standard output as text; a summary on standard error."""
    if json:
        typer.echo(encoded(faults).decode(), nl=False)
    elif output is None:
        for one, fault in faults:
            where = one.id if count > 1 else str(path)
            typer.echo(f"{where}:{fault.line or '-'}: {fault.rule}: {fault.message}")
    if output is not None:
        write(faults, output)
    with hushed(quiet):
        wrong = len({one.id for one, _ in faults})
        note(f"{count} structured reports, {wrong} with faults, {len(faults)} faults")
        if output is not None:
            wrote(output)


def encoded(faults: Sequence[tuple[Checked, Fault]]) -> bytes:
    rows = [{"id": one.id, **msgspec.to_builtins(fault)} for one, fault in faults]
    return b"".join(msgspec.json.encode(row) + b"\n" for row in rows)


def write(faults: Sequence[tuple[Checked, Fault]], output: Path) -> None:
    try:
        write_whole(output, encoded(faults))
    except OSError as error:
        raise BadInput(f"Cannot write {output}: {error.strerror}.") from None


def tell_fidelity(found: Sequence[Checked]) -> None:
    """Means and deviations over all reports, as the paper's Table 10 and its reader study give them, by section."""
    from overread.systems.srrg.fidelity import PARTS, parts

    told = [parts(one.original or "", one.structured) for one in found]
    columns = {name: figures([one[name] for one in told if name in one]) for name in PARTS}
    typer.echo(f"{'':<22}" + "".join(f"{name:>18}" for name in columns))
    for row in columns["whole"]:
        typer.echo(f"{row:<22}" + "".join(f"{one.get(row, '–'):>18}" for one in columns.values()))


def figures(texts: Sequence[tuple[str, str]]) -> dict[str, str]:
    """One column: originals and structured texts of one section."""
    from overread.baselines.registry import lookup
    from overread.encoders.load import load as encoder
    from overread.systems.srrg.fidelity import fidelity

    if not texts:
        return {}
    rouge, bleu = lookup("rouge-l"), lookup("bleu-4")
    metrics = {"ROUGE-L": lambda a, b: rouge.score(a, b).value, "BLEU-4": lambda a, b: bleu.score(a, b).value}
    told = [fidelity(*pair, encoder(), metrics) for pair in texts]
    changed = sum(one.edits.similarity < 1 for one in told)
    rows: dict[str, list[float]] = {
        "cosine": [one.cosine for one in told],
        **{name: [one.texts[name] or 0.0 for one in told] for name in metrics},
        "edit distance": [one.edit_distance for one in told],
        "word insertions": [one.edits.insertions for one in told],
        "word deletions": [one.edits.deletions for one in told],
        "word replacements": [one.edits.replacements for one in told],
        "similarity ratio": [one.edits.similarity for one in told],
    }
    means = {name: f"{mean(values):.2f} ± {pstdev(values):.2f}" for name, values in rows.items()}
    return {"reports": str(len(told)), "changed": f"{changed} ({changed / len(told):.0%})"} | means
