"""`overread build english`: reports in another language as English ones without identifiers."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.cli.terminal.columns import takes_columns
from overread.cli.terminal.llm_options import LlmOptions, takes_llm_options
from overread.cli.terminal.options import Encoding, Quiet, argument, existing, option

if TYPE_CHECKING:
    from overread.validation.translation import Outcome


@takes_llm_options
@takes_columns
def build_english(
    reports: Annotated[Path, argument("Reports in any language.", callback=existing)],
    output: Annotated[Path, option("File to write, a JSON line per report.", "-o", "--output")],
    translations: Annotated[
        Path | None,
        option("Your own translations, with the same ids; without it a language model translates."),
    ] = None,
    encoding: Encoding = None,
    quiet: Quiet = False,
    *,
    columns: dict[str, str] | None,
    llm: LlmOptions,
) -> None:
    """Write reports in another language as English reports without identifiers (RadSEM, section 4.1).

    A translation that lost a measurement or is not in English is refused, and named with the reason; the exit code
    is then 1. Names, dates, numbers and places of work that are still there are cut out and counted; this is no
    substitute for de-identifying a corpus.

        overread build english berichte.csv --translations english.csv -o reports.jsonl

        overread build english berichte.csv --base-url http://localhost:8080/v1 --model MODEL -o reports.jsonl
    """
    from overread.formats import load
    from overread.validation.translation import by_llm, from_file

    source = list(load(reports, columns, encoding=encoding))
    if translations is not None:
        found = from_file(source, {one.id: one.text for one in load(translations)})
    else:
        with llm.client(len(source)) as client:
            found = by_llm(client, source)
    tell(found, output, quiet)


def tell(found: "Outcome", output: Path, quiet: bool) -> None:
    import msgspec

    from overread.cli.terminal.stopping import FAILED
    from overread.cli.terminal.voice import note, wrote
    from overread.whole import write

    write(output, b"".join(msgspec.json.encode(one) + b"\n" for one in found.reports))
    for id, why in found.refused.items():
        note(f"{id}: {why}")
    if not quiet:
        left = f"{len(found.refused)} refused, {found.cut} identifiers cut out"
        typer.echo(
            f"{len(found.reports)} of {len(found.reports) + len(found.refused)} reports; {left}", err=True
        )
        wrote(output)
    if found.refused:
        raise typer.Exit(FAILED)
