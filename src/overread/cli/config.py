"""`overread config`: the settings in force for asking a language model."""

import stat
from pathlib import Path

import typer


def config() -> None:
    """Show the settings for asking a language model and where each comes from. Keys are not shown."""
    from overread.llm.configuration import resolve
    from overread.llm.places import config_file

    rows = list(resolve().rows())
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
