"""`overread serve` and `mcp`: for programs and assistants."""

from pathlib import Path
from typing import Annotated

from overread.cli.terminal.options import AtLeastOne, option, verb
from overread.cli.terminal.voice import voice
from overread.errors import BadInput
from overread.extras import require
from overread.serve.settings import ServerSettings
from overread.serve.settings import new_key as make


@verb("serve")
def serve(
    host: str = "127.0.0.1",
    port: Annotated[int, option(min=0, max=65535)] = 8700,
    workers: AtLeastOne = 2,
    room: AtLeastOne = 2048,
    item_seconds: Annotated[float, option(min=0.1)] = 30.0,
    request_seconds: Annotated[float, option(min=0.1)] = 300.0,
    max_characters: AtLeastOne = 200_000,
    max_megabytes: Annotated[float, option(min=0.001)] = 64.0,
    drain_seconds: Annotated[int, option(min=0)] = 60,
    keys: Path | None = None,
    new_key: Annotated[str | None, option(metavar="NAME")] = None,
    metric: Annotated[str, option(metavar="NAME[:WEIGHT],…")] = "overread",
    lexicon: Path | None = None,
    labels: str = "rules",
) -> None:
    """Serve readings, scores and rewards over HTTP (local only unless --host is given).

    Routes: /read /score /rewards /explain /metrics /health /version /telemetry; interactive documentation at
    /docs. Report text is never stored or logged. On SIGTERM, requests in flight are completed.

        overread serve --workers 4
        overread serve --metric radsem:0.7,clear:0.3
    """
    if new_key is not None:
        if keys is None:
            raise BadInput("Name the file that keeps the key's hash: --keys FILE.")
        print(make(keys, new_key))
        return
    require("uvicorn", "serve")
    require("fastapi", "serve")
    from overread.serve.start import serve as start

    start(
        ServerSettings(
            host, port, workers, room, item_seconds, request_seconds, max_characters, max_megabytes, drain_seconds,
            keys, str(lexicon) if lexicon else None, labels, voice.quiet, metric,
        )
    )  # fmt: skip


@verb("mcp")
def mcp() -> None:
    """Run an MCP server (stdio) that gives assistants readings, scores, errors, explanations and timelines.

    Tools: read_report, score_pair, list_errors, explain, follow_patient. Resources: overread://lexicon,
    overread://formulas. Assistants start it themselves; nothing leaves this machine.

        overread mcp
    """
    from overread.mcp.server import run

    run()
