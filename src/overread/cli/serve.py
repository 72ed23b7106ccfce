"""`overread serve`: reading, scores and rewards over HTTP."""

from pathlib import Path
from typing import Annotated

import typer

from overread.cli.terminal.options import LabelSource, LexiconFile, Quiet


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; other machines need --keys.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 takes a free one.")
    ] = 8700,
    workers: Annotated[int, typer.Option("-w", "--workers", min=1, help="Processes that read.")] = 2,
    room: Annotated[
        int, typer.Option("--queue", min=1, help="Items in the queue at once; more are refused with 429.")
    ] = 2048,
    item_seconds: Annotated[float, typer.Option(min=0.1, help="Time limit of one item.")] = 30.0,
    request_seconds: Annotated[
        float,
        typer.Option(min=0.1, help="Time limit of one request, waiting included; the rest of it fails."),
    ] = 300.0,
    max_characters: Annotated[int, typer.Option(min=1, help="Length limit of one text.")] = 200_000,
    max_megabytes: Annotated[float, typer.Option(min=0.001, help="Size limit of one request.")] = 64.0,
    drain_seconds: Annotated[
        int, typer.Option(min=0, help="Time for requests in flight to finish after TERM.")
    ] = 60,
    keys: Annotated[
        Path | None, typer.Option(help="File of API keys, hashed; requests must bring one.")
    ] = None,
    new_key: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Make a key in the file of --keys, print it, and leave."),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            metavar="NAME[:WEIGHT],…",
            help="What rewards are made of where a request does not say: a metric, or several with weights.",
        ),
    ] = "overread",
    lexicon: LexiconFile = None,
    labels: LabelSource = "rules",
    quiet: Quiet = False,
) -> None:
    """Serve reading, scores and rewards over HTTP, on this machine unless --host says otherwise.

    Routes: /read /score /rewards /explain /metrics /health /version /telemetry; /docs shows and tries them. No word
    of a report is kept or logged. TERM finishes what is in flight.

        overread serve --workers 4
        overread serve --metric radsem:0.7,clear:0.3
    """
    from overread.errors import BadInput
    from overread.serve.settings import Settings

    if new_key is not None:
        from overread.serve.keys import new_key as make

        if keys is None:
            raise BadInput("Name the file that keeps the key's hash: --keys FILE.")
        print(make(keys, new_key))
        return
    from overread.serve.start import serve as start

    start(
        Settings(
            host, port, workers, room, item_seconds, request_seconds, max_characters, max_megabytes, drain_seconds,
            keys, str(lexicon) if lexicon else None, labels, quiet, metric,
        )
    )  # fmt: skip
