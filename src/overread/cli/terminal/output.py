"""One JSON line after another to a file or standard output, and what failed beside them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from msgspec.json import encode, format

from overread.cli.terminal.voice import FAILED, note, warn
from overread.errors import BadInput
from overread.whole import STANDARD_OUTPUT, whole, write, write_whole


def json_line(view: Any) -> bytes:
    from overread.runner.views import as_json

    return as_json(view) + b"\n"


def print_json(found: Any) -> None:
    """One JSON value in a line of standard output."""
    print(encode(found).decode())


def json_lines(rows: Iterable[Any]) -> bytes:
    """Rows as lines of JSON."""
    return b"".join(encode(row) + b"\n" for row in rows)


def file_or_json(output: Path | None, json: bool) -> tuple[Path | None, bool]:
    """The file to write, if any, and whether standard output gets JSON: `-o -` is another word for --json."""
    return (None, True) if output == STANDARD_OUTPUT else (output, json)


def show(found: Any, text: Callable[[], str], json: bool) -> None:
    """What was measured: as a table, or with --json all of it."""
    if json:
        typer.echo(format(encode(found)).decode())
    else:
        typer.echo(text(), nl=False)


def save(path: Path, content: str) -> None:
    """A file that is there whole, and that is told of."""
    write(path, content.encode())
    note(f"wrote {path}")


def write_tsv(path: Path, rows: Iterable[Sequence[str]]) -> None:
    """Tabs and line breaks inside a cell become blanks."""
    lines = ["\t".join(" ".join(cell.split()) for cell in row) for row in rows]
    write(path, ("\n".join(lines) + "\n").encode())
    note(f"wrote {path}: {len(lines) - 1} rows")


@contextmanager
def sink(output: Path | None, encoded: Callable[[Any], bytes] = json_line) -> Iterator[Callable[[Any], None]]:
    """Write one thing after another: to standard output, or to a file that appears only when it is whole."""
    if output is None:
        yield lambda one: print(encoded(one).decode(), end="")
        return
    if output.is_dir():
        raise BadInput(f"{output} is a folder; give -o the name of a file to write.")
    try:
        with whole(output) as file:

            def write(one: Any) -> None:
                file.write(encoded(one))

            yield write
    except OSError as error:
        raise BadInput(
            f"Cannot write {output}: {error.strerror}. Does its folder exist, and may you write there?"
        ) from error


def tell(failed: Sequence[object], output: Path | None, lost: str = "reports have no view") -> None:
    """Failures as rows in a file beside the output, or on standard error."""
    lines = json_lines(failed)
    if output in (None, STANDARD_OUTPUT):
        warn(lines.decode().rstrip())
        return
    beside = reasons(output)
    write_whole(beside, lines)
    note(f"{len(failed)} {lost}; the reasons are in {beside}")


def conclude(failed: Sequence[object], output: Path | None) -> None:
    """Tell what failed and leave with 1; where nothing did, what an earlier run told is out of date."""
    if failed:
        tell(failed, output)
        raise typer.Exit(FAILED)
    if output not in (None, STANDARD_OUTPUT):
        reasons(output).unlink(missing_ok=True)


def reasons(output: Path) -> Path:
    """The file beside the output that says why something has no line in it."""
    return output.with_name(f"{output.stem}.failures.jsonl")
