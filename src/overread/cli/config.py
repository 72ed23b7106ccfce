"""`overread config`: the settings in force for asking a language model."""

import stat
from pathlib import Path
from typing import Annotated

import typer


def config(
    json: Annotated[
        bool, typer.Option("--json", help="Print name, value and origin of each setting as JSON.")
    ] = False,
) -> None:
    """Show the language-model settings and where each comes from. Keys are not shown."""
    from overread.llm.settings import config_file, resolve

    rows = list(resolve().rows())
    if json:
        from msgspec.json import encode

        found = {name: {"value": value, "from": origin} for name, value, origin in rows}
        typer.echo(encode({"settings": found, "file": str(config_file())}).decode())
        return
    names, values = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, value, origin in rows:
        typer.echo(f"{name:<{names}}  {value:<{values}}  {origin}")
    path = config_file()
    typer.echo(f"\nConfig file: {path}{_state(path)}")


def _state(path: Path) -> str:
    """What is worth knowing about the file, if anything."""
    if not path.exists():
        return " (there is none)"
    exposed = path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH)
    return " (other users can read it: chmod 600 it if it holds a key)" if exposed else ""
