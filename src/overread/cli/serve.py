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
        int, typer.Option(min=0, max=65535, help="Port to listen on; 0 picks a free one.")
    ] = 8700,
    workers: Annotated[int, typer.Option("-w", "--workers", min=1, help="Number of worker processes.")] = 2,
    room: Annotated[
        int,
        typer.Option(
            "--queue", min=1, help="Maximum queue length; further items are refused with status 429."
        ),
    ] = 2048,
    item_seconds: Annotated[float, typer.Option(min=0.1, help="Time limit per item in seconds.")] = 30.0,
    request_seconds: Annotated[
        float,
        typer.Option(
            min=0.1, help="Time limit per request in seconds, including waiting; unfinished items fail."
        ),
    ] = 300.0,
    max_characters: Annotated[
        int, typer.Option(min=1, help="Length limit per text in characters.")
    ] = 200_000,
    max_megabytes: Annotated[float, typer.Option(min=0.001, help="Size limit per request in MB.")] = 64.0,
    drain_seconds: Annotated[
        int, typer.Option(min=0, help="Seconds that requests in flight have to finish after SIGTERM.")
    ] = 60,
    keys: Annotated[
        Path | None, typer.Option(help="File of hashed API keys; every request must then carry a key.")
    ] = None,
    new_key: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Add a new key to the --keys file, print it and exit."),
    ] = None,
    metric: Annotated[
        str,
        typer.Option(
            metavar="NAME[:WEIGHT],…",
            help="Default reward: a metric, or several with weights.",
        ),
    ] = "overread",
    lexicon: LexiconFile = None,
    labels: LabelSource = "rules",
    quiet: Quiet = False,
) -> None:
    """Serve readings, scores and rewards over HTTP (local only unless --host is given).

    Routes: /read /score /rewards /explain /metrics /health /version /telemetry; interactive documentation at
    /docs. Report text is never stored or logged. On SIGTERM, requests in flight are completed.

        overread serve --workers 4
        overread serve --metric radsem:0.7,clear:0.3
    """
    from overread.errors import BadInput
    from overread.serve.settings import ServerSettings

    if new_key is not None:
        from overread.serve.keys import new_key as make

        if keys is None:
            raise BadInput("Name the file that keeps the key's hash: --keys FILE.")
        print(make(keys, new_key))
        return
    from overread.serve.start import serve as start

    start(
        ServerSettings(
            host, port, workers, room, item_seconds, request_seconds, max_characters, max_megabytes, drain_seconds,
            keys, str(lexicon) if lexicon else None, labels, quiet, metric,
        )
    )  # fmt: skip
