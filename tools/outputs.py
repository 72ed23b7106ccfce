"""What a tree of overread gives, in a folder: the demo, every view of the bundled reports, every export.

    PYTHONPATH=old/src python tools/outputs.py before
    PYTHONPATH=new/src python tools/outputs.py after
    diff -r before after

Times, paths and what changes with any line of code are left out, so that equal behaviour gives equal bytes.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import BytesIO, TextIOWrapper
from pathlib import Path
from unittest.mock import patch

PASSING = ("created", "seconds", "seal", "fingerprint", "outputs", "path", "python", "sha256")
"""Fields of manifests and markers that tell of this moment, this machine or this very code."""

MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?")
HASH = re.compile(r"\b[0-9a-f]{64}\b")
CHECKSUM = re.compile(r"^[0-9a-f]{16} ", re.MULTILINE)
"""Of a line of a journal."""

ENDINGS = {
    "fhir": ".ndjson", "omop": ".omop", "dicom-sr": ".sr", "brat": ".brat", "conll": ".conll", "bioc": ".bioc.xml",
    "label-studio": ".labelstudio.json", "prodigy": ".prodigy.jsonl", "overread": ".jsonl", "table": ".csv",
}  # fmt: skip
"""Format → a name of which it is written; one that is missing here is written under its own name."""


def typed(*words: object) -> str:
    """The command with these words: exit status and both streams."""
    from overread.cli import main

    out, err = (TextIOWrapper(BytesIO(), "utf-8", write_through=True) for _ in "oe")
    code: object = 0
    with (
        patch.object(sys, "argv", ["overread", *map(str, words)]),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main.main()
        except SystemExit as left:
            code = left.code
    said = [stream.buffer.getvalue().decode() for stream in (out, err)]  # type: ignore[attr-defined]
    return f"{code}\n{said[0]}\n{said[1]}"


def commands() -> Iterator[tuple[str, Callable[[], str]]]:
    """Name of an output → what makes it, beside the files that it writes."""
    from overread import examples
    from overread.formats.registry import FORMATS
    from overread.systems.registry import SYSTEMS

    reports = Path(examples.__file__).parent / examples.REFERENCES
    yield "demo", lambda: typed("demo", "-o", "demo", "--no-open")
    for name in SYSTEMS:
        yield (
            f"view-{name}",
            lambda name=name: typed("read", reports, "--as", name, "-o", f"{name}.jsonl"),  # type: ignore[misc]
        )
    yield "view-checked", lambda: typed("read", reports, "--check", "-o", "checked.jsonl")
    yield "timelines", lambda: typed("follow", reports, "-o", "timelines.jsonl")
    for name in FORMATS:
        target = f"export{ENDINGS.get(name, f'.{name}')}"
        yield (
            f"export-{name}",
            lambda name=name, target=target: typed("convert", reports, target, "--to", name),  # type: ignore[misc]
        )


def settle(place: Path, home: Path) -> None:
    """Take out of a file what may differ between two runs of the same code."""
    if place.suffix == ".dcm":
        return
    text = place.read_bytes().decode("utf-8", "surrogateescape").replace(str(home), "HERE")
    text = text.replace(str(Path(sys.modules["overread"].__file__ or "").parent), "OVERREAD")
    if place.name.endswith("manifest.json") or place.suffix == ".done":
        text = json.dumps(without_passing(json.loads(text)), indent=1)
    if place.name == "unfinished.jsonl":
        text = CHECKSUM.sub("", text)
    place.write_bytes(HASH.sub("HASH", MOMENT.sub("MOMENT", text)).encode("utf-8", "surrogateescape"))


def without_passing(value: object) -> object:
    if isinstance(value, dict):
        return {name: without_passing(one) for name, one in value.items() if name not in PASSING}
    return [without_passing(one) for one in value] if isinstance(value, list) else value


def store(folder: Path, found: Iterator[tuple[str, Callable[[], str]]]) -> None:
    """Each output into a folder of its own; one may begin with the files of another."""
    for name, make in found:
        here = folder / name
        here.mkdir(parents=True)
        with chdir(here):
            (here / "said.txt").write_text(make(), "utf-8")
    for place in sorted(p for p in folder.rglob("*") if p.is_file()):
        settle(place, folder)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="a folder that is not there yet")
    folder = parser.parse_args().folder.resolve()
    if folder.exists():
        parser.error(f"{folder} exists; name a folder that is not there yet.")
    store(folder, commands())
