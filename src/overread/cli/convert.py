"""`overread convert`: reports and findings from one format to another."""

from pathlib import Path
from typing import Annotated

from overread.cli.terminal.options import Columns, Share, argument, verb
from overread.cli.terminal.voice import note, wrote
from overread.runner.convert import convert as moved
from overread.runner.views import lexicon_of

NAMED = 10
"""How many of the reports that were left out are named on the terminal."""


@verb("convert")
def convert(
    source: Annotated[Path, argument(metavar="IN")],
    output: Annotated[Path, argument(metavar="OUT")],
    columns: Columns,
    to_format: str | None = None,
    from_format: str | None = None,
    again: bool = False,
    codes: Path | None = None,
    conditions: bool = False,
    code_system: bool = False,
    keep_resources: bool = False,
    first_date: str | None = None,
    strict: bool = False,
    lexicon: Path | None = None,
    share: Share = False,
) -> None:
    """Convert reports and findings between clinical and annotation formats.

    Existing annotations are kept; reports without annotations are read by overread first.

        overread convert reports.csv reports.fhir.json
        overread convert export.ndjson tasks.labelstudio.json
        overread convert annotated/ train.conll
    """
    options: dict[str, object] = {
        "codes": codes, "conditions": conditions, "code_system": code_system, "first_date": first_date,
        "keep_resources": keep_resources,
    }  # fmt: skip
    done = moved(
        source, output, from_format=from_format, to_format=to_format, columns=columns.named, encoding=columns.encoding,
        again=again, words=lexicon_of(lexicon), strict=strict, options=options,
    )  # fmt: skip
    for problem in done.left_out[:NAMED]:
        note(problem)
    note(done.told())
    wrote(output)
