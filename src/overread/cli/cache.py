"""`overread cache`: the answers of language models kept on this machine."""

import re
import time
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from overread.errors import BadInput

if TYPE_CHECKING:
    from overread.llm.cache import Cache

app = typer.Typer(name="cache", help="Show, prune or clear the cached answers of language models.")

UNITS = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}
PERIODS = {"h": 3600, "d": 86400, "w": 7 * 86400}


@app.callback(invoke_without_command=True)
def show(context: typer.Context) -> None:
    """Show where the kept answers are and how much room they take."""
    if context.invoked_subcommand:
        return
    path = _path()
    if not path.exists():
        typer.echo(f"No answers are kept yet ({path}).")
        return
    cache = _open(path)
    shares = cache.shares()
    typer.echo(f"{path}: {sum(one.answers for one in shares):,} answers, {_megabytes(cache.size())}")
    for one in shares:
        period = f"{_day(one.oldest)} to {_day(one.newest)}"
        typer.echo(f"  {one.prompt}  {one.model}  {one.answers:,} answers  {_megabytes(one.bytes)}  {period}")


@app.command()
def prune(
    older_than: Annotated[
        str | None, typer.Option(help="Remove answers older than this: 12h, 30d, 8w.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Only the answers of this model.")] = None,
    max_size: Annotated[
        str | None, typer.Option(help="Remove the oldest answers until this much is left: 500M, 2G.")
    ] = None,
) -> None:
    """Remove some of the cached answers."""
    if older_than is None and model is None and max_size is None:
        raise BadInput("Say what to remove: --older-than, --model or --max-size.")
    before = time.time() - seconds(older_than) if older_than is not None else None
    limit = size(max_size) if max_size is not None else None
    path = _path()
    removed = _open(path).prune(before=before, model=model, max_bytes=limit) if path.exists() else 0
    typer.echo(f"{removed:,} answers removed.")


@app.command()
def clear(yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False) -> None:
    """Remove all cached answers."""
    path = _path()
    if not path.exists():
        typer.echo("There is nothing to remove.")
        return
    if not yes:
        typer.confirm(f"Remove every answer in {path}?", abort=True)
    typer.echo(f"{_open(path).clear():,} answers removed.")


def seconds(period: str) -> float:
    """A period in words.

    >>> seconds("2d")
    172800.0
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([hdw])", period.strip().lower())
    if not found:
        raise BadInput(f"{period!r} is no period: write hours, days or weeks as 12h, 30d or 8w.")
    return float(found[1]) * PERIODS[found[2]]


def size(amount: str) -> int:
    """Bytes.

    >>> size("1.5M"), size("20kB")
    (1500000, 20000)
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]?)B?", amount.strip().upper())
    if not found:
        raise BadInput(f"{amount!r} is no size: write bytes, or 500M, 2G.")
    return int(float(found[1]) * UNITS[found[2]])


def _path() -> Path:
    from overread.llm.settings import cache_file, resolve

    named = resolve().settings.cache_file
    return Path(named).expanduser() if named else cache_file()


def _open(path: Path) -> "Cache":
    from overread.llm.cache import Cache

    return Cache(path)


def _megabytes(count: int) -> str:
    return f"{count / 1e6:.1f} MB"


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment).date().isoformat()
