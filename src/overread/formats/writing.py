"""Writing to disk: a file or folder appears when it is whole, never half."""

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from msgspec import json

from overread.errors import BadInput
from overread.whole import STANDARD_OUTPUT, file_mode, whole, write_whole, writing


@contextmanager
def opened_whole(output: Path) -> Iterator[BinaryIO]:
    """A file to write, which takes its name when all went well, or goes to standard output for `-`."""
    if output.is_dir():
        raise BadInput(f"{output} is a folder; give the name of a file to write.")
    with telling_complaints(output):
        if output != STANDARD_OUTPUT:
            with whole(output) as file:
                yield file
        else:
            held = BytesIO()
            yield held
            write_whole(output, held.getvalue())


@contextmanager
def whole_folder(output: Path) -> Iterator[Path]:
    """The same for a folder, by its path; one that holds files already is left alone."""
    if output == STANDARD_OUTPUT:
        raise BadInput(
            "This format is a folder of files, and standard output (-) cannot hold one; name a folder."
        )
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise BadInput(f"{output} is there already; name a folder that is not, or empty it.")
    part = output.with_name(output.name + ".part")
    with telling_complaints(output):
        shutil.rmtree(part, ignore_errors=True)
        part.mkdir()
        try:
            yield part
            if output.exists():
                output.rmdir()
            part.replace(output)
        finally:
            shutil.rmtree(part, ignore_errors=True)


def write_lines(output: Path, items: Iterable[object]) -> None:
    """JSON, one object a line."""
    with opened_whole(output) as file:
        file.writelines(json.encode(one) + b"\n" for one in items)


def write_list(
    output: Path, items: Iterable[bytes], before: bytes, behind: bytes, between: bytes = b","
) -> None:
    """Items on lines of their own inside what goes around them, held in memory one at a time."""
    with opened_whole(output) as file:
        file.write(before)
        for number, one in enumerate(items):
            file.write((between + b"\n" if number else b"\n") + one)
        file.write(b"\n" + behind + b"\n")


@contextmanager
def telling_complaints(output: Path) -> Iterator[None]:
    """What goes wrong is a sentence; what is written is for its owner alone unless it is to be shared."""
    before = os.umask(0o077) if file_mode() == 0o600 else None
    try:
        with writing(output):
            yield
    except UnicodeEncodeError:
        raise BadInput(
            f"Cannot write {output}: a report holds half a character (a lone surrogate)."
        ) from None
    finally:
        if before is not None:
            os.umask(before)


def filled_template(
    name: str, values: Mapping[str, object], escaped: bool = True, package: str = "overread.formats"
) -> str:
    """A file of a package with values where it asks for them."""
    from jinja2 import Environment

    template = files(package).joinpath(name).read_text("utf-8")
    environment = Environment(
        autoescape=escaped, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(template).render(values)
