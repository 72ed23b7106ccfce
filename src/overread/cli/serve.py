"""`overread serve` and `mcp`: for programs and assistants."""

from pathlib import Path
from typing import Annotated

from overread.cli.terminal.options import LabelSource, LexiconFile, Quiet, option


def serve(
    host: Annotated[str, option("Address to listen on; other machines need --keys.")] = "127.0.0.1",
    port: Annotated[int, option("Port to listen on; 0 picks a free one.", min=0, max=65535)] = 8700,
    workers: Annotated[int, option("Number of worker processes.", "-w", "--workers", min=1)] = 2,
    room: Annotated[
        int, option("Maximum queue length; further items are refused with status 429.", "--queue", min=1)
    ] = 2048,
    item_seconds: Annotated[float, option("Time limit per item in seconds.", min=0.1)] = 30.0,
    request_seconds: Annotated[
        float, option("Time limit per request in seconds, including waiting; unfinished items fail.", min=0.1)
    ] = 300.0,
    max_characters: Annotated[int, option("Length limit per text in characters.", min=1)] = 200_000,
    max_megabytes: Annotated[float, option("Size limit per request in MB.", min=0.001)] = 64.0,
    drain_seconds: Annotated[
        int, option("Seconds that requests in flight have to finish after SIGTERM.", min=0)
    ] = 60,
    keys: Annotated[
        Path | None, option("File of hashed API keys; every request must then carry a key.")
    ] = None,
    new_key: Annotated[
        str | None, option("Add a new key to the --keys file, print it and exit.", metavar="NAME")
    ] = None,
    metric: Annotated[
        str, option("Default reward: a metric, or several with weights.", metavar="NAME[:WEIGHT],…")
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


def mcp() -> None:
    """Run an MCP server (stdio) that gives assistants readings, scores, errors, explanations and timelines.

    Tools: read_report, score_pair, list_errors, explain, follow_patient. Resources: overread://lexicon,
    overread://formulas. Assistants start it themselves; nothing leaves this machine.

        overread mcp
    """
    from overread.mcp.server import run

    run()
