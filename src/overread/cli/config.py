"""`overread config`, `cache` and `batch`: how language models are asked, and what they answered."""

import re
import stat
import time
from datetime import date
from pathlib import Path
from typing import Any

import typer

from overread.cli.terminal.llm_options import read_key
from overread.cli.terminal.options import verb
from overread.cli.terminal.output import print_json
from overread.cli.terminal.voice import FAILED, note
from overread.errors import BadInput
from overread.llm.batch_folder import Batches
from overread.llm.cache import Cache
from overread.llm.settings import config_file, resolve


@verb("config")
def config(json: bool = False) -> None:
    """Show the language-model settings and where each comes from. Keys are not shown."""
    rows = list(resolve().rows())
    if json:
        found = {name: {"value": value, "from": origin} for name, value, origin in rows}
        print_json({"settings": found, "file": str(config_file())})
        return
    names, values = (max(len(row[column]) for row in rows) for column in (0, 1))
    for name, value, origin in rows:
        typer.echo(f"{name:<{names}}  {value:<{values}}  {origin}")
    path = config_file()
    known = ""
    if not path.exists():
        known = " (there is none)"
    elif path.stat().st_mode & (stat.S_IRGRP | stat.S_IROTH):
        known = " (other users can read it: chmod 600 it if it holds a key)"
    typer.echo(f"\nConfig file: {path}{known}")


@verb("cache")
def show_cache(context: typer.Context) -> None:
    """Show, prune or clear the cached answers of language models."""
    if context.invoked_subcommand:
        return
    path, cache = kept_answers()
    if cache is None:
        typer.echo(f"No answers are kept yet ({path}).")
        return
    shares = cache.shares()
    typer.echo(f"{path}: {sum(one.answers for one in shares):,} answers, {cache.size() / 1e6:.1f} MB")
    for one in shares:
        period = " to ".join(str(date.fromtimestamp(moment)) for moment in (one.oldest, one.newest))
        typer.echo(
            f"  {one.prompt}  {one.model}  {one.answers:,} answers  {one.bytes / 1e6:.1f} MB  {period}"
        )


@verb("cache prune")
def prune(
    older_than: str | None = None,
    model: str | None = None,
    max_size: str | None = None,
) -> None:
    """Remove some of the cached answers."""
    if older_than is None and model is None and max_size is None:
        raise BadInput("Say what to remove: --older-than, --model or --max-size.")
    before = limit = None
    if older_than is not None:
        before = time.time() - amount(
            older_than, PERIODS, "no period: write hours, days or weeks as 12h, 30d or 8w"
        )
    if max_size is not None:
        limit = int(amount(max_size, SIZES, "no size: write bytes, or 500M, 2G"))
    _, cache = kept_answers()
    removed = cache.prune(before=before, model=model, max_bytes=limit) if cache else 0
    typer.echo(f"{removed:,} answers removed.")


@verb("cache clear")
def clear(yes: bool = False) -> None:
    """Remove all cached answers."""
    path, cache = kept_answers()
    if cache is None:
        typer.echo("There is nothing to remove.")
        return
    if not yes:
        typer.confirm(f"Remove every answer in {path}?", abort=True)
    typer.echo(f"{cache.clear():,} answers removed.")


SIZES = {unit + end: 1000**n for n, unit in enumerate(("", "k", "m", "g")) for end in ("", "b")}
PERIODS = {"h": 3600, "d": 86400, "w": 7 * 86400}


def amount(written: str, units: dict[str, int], wrong: str) -> float:
    """A number with its unit, as seconds or bytes.

    >>> amount("2d", PERIODS, "no period"), amount("1.5M", SIZES, "no size"), amount("20kB", SIZES, "no size")
    (172800.0, 1500000.0, 20000.0)
    """
    found = re.fullmatch(rf"(\d+(?:\.\d+)?)({'|'.join(units)})", written.strip().lower())
    if not found:
        raise BadInput(f"{written!r} is {wrong}.")
    return float(found[1]) * units[found[2]]


def kept_answers() -> tuple[Path, Cache | None]:
    """Where answers are kept, and the cache if there is one."""
    path = resolve().settings.answers
    return path, Cache(path) if path.exists() else None


@verb("batch")
def batch() -> None:
    """Submit the batch files written by --batch FOLDER, and fetch the answers."""


@verb("batch send")
def send(
    folder: Path, base_url: str | None = None, key_file: Path | None = None, yes_send: bool = False
) -> None:
    """Submit every request file that has not been submitted yet.

    overread read reports.csv --as clear --by llm --model MODEL --batch asked -o clear.jsonl

    overread batch send asked --base-url https://api.example.org/v1

    overread batch fetch asked --base-url https://api.example.org/v1
    """
    sent = batches_of(folder, base_url, key_file, yes_send).send()
    note(f"{len(sent)} files sent{': ' if sent else ''}{', '.join(sent)}")


@verb("batch fetch")
def fetch(
    folder: Path, base_url: str | None = None, key_file: Path | None = None, yes_send: bool = False
) -> None:
    """Fetch the answers that are ready; exit code 1 while some are pending.

    Then re-run the command that wrote the requests: it continues with the answers.
    """
    found = batches_of(folder, base_url, key_file, yes_send).fetch()
    for name, one in found.items():
        typer.echo(f"{name}  {one.status}{'  answers are here' if one.answers else ''}")
    if not found:
        note(f"Nothing of {folder} was sent; `overread batch send {folder}` does.")
    if not found or not all(one.answers for one in found.values()):
        raise typer.Exit(FAILED)


def batches_of(folder: Path, base_url: str | None, key_file: Path | None, yes_send: bool) -> Batches:
    given: dict[str, Any] = {"base_url": base_url, "yes_send": yes_send or None}
    given["api_key"] = read_key(key_file) if key_file else None
    return Batches(resolve(given).settings, folder)
