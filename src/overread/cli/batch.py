"""`overread batch`: batch files of requests to a service, and its answers back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from overread.cli.terminal.llm_options import read_key
from overread.cli.terminal.stopping import FAILED
from overread.cli.terminal.voice import note

if TYPE_CHECKING:
    from overread.llm.batch_folder import Batches

app = typer.Typer(
    name="batch",
    no_args_is_help=True,
    help="Submit the batch files written by --batch FOLDER, and fetch the answers.",
)
Folder = Annotated[Path, typer.Argument(help="The folder given to --batch.")]
BaseUrl = Annotated[str | None, typer.Option(help="Endpoint with OpenAI's /files and /batches.")]
KeyFile = Annotated[Path | None, typer.Option(help="File that holds the API key.")]
YesSend = Annotated[
    bool,
    typer.Option(
        "--yes-send", help="Confirm that report text may be sent to an endpoint outside this machine."
    ),
]


@app.command()
def send(
    folder: Folder, base_url: BaseUrl = None, key_file: KeyFile = None, yes_send: YesSend = False
) -> None:
    """Submit every request file that has not been submitted yet.

    overread read reports.csv --as clear --by llm --model MODEL --batch asked -o clear.jsonl

    overread batch send asked --base-url https://api.example.org/v1

    overread batch fetch asked --base-url https://api.example.org/v1
    """
    sent = batches(folder, base_url, key_file, yes_send).send()
    note(f"{len(sent)} files sent{': ' if sent else ''}{', '.join(sent)}")


@app.command()
def fetch(
    folder: Folder, base_url: BaseUrl = None, key_file: KeyFile = None, yes_send: YesSend = False
) -> None:
    """Fetch the answers that are ready; exit code 1 while some are pending.

    Then re-run the command that wrote the requests: it continues with the answers.
    """
    found = batches(folder, base_url, key_file, yes_send).fetch()
    for name, one in found.items():
        typer.echo(f"{name}  {one.status}{'  answers are here' if one.answers else ''}")
    if not found:
        note(f"Nothing of {folder} was sent; `overread batch send {folder}` does.")
    if not found or not all(one.answers for one in found.values()):
        raise typer.Exit(FAILED)


def batches(folder: Path, base_url: str | None, key_file: Path | None, yes_send: bool) -> "Batches":
    from overread.llm.batch_folder import Batches
    from overread.llm.settings import resolve

    given: dict[str, Any] = {"base_url": base_url, "yes_send": yes_send or None}
    given["api_key"] = read_key(key_file) if key_file else None
    return Batches(resolve(given).settings, folder)
