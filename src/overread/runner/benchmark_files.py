"""The files of a longitudinal benchmark: lines, table and picture."""

from pathlib import Path

from msgspec.json import encode

from overread.errors import BadInput
from overread.systems.longitudinal.benchmark import SPLITS, Entry, Split
from overread.systems.longitudinal.statistics import figures_table, picture, statistics
from overread.whole import make_folder, write_whole


def write(folder: Path, entries: list[Entry], keep_all: bool) -> None:
    """A file of lines per split, and the table and the picture of all follow-up reports."""
    found = statistics(entries)
    content = {f"{split}.jsonl": lines(entries, split, keep_all) for split in SPLITS}
    content |= {"statistics.tsv": figures_table(found).encode(), "statistics.svg": picture(found).encode()}
    try:
        make_folder(folder)
        for name, text in content.items():
            write_whole(folder / name, text)
    except OSError as error:
        raise BadInput(
            f"Cannot write to {folder}: {error.strerror}. Is it a folder you may write to?"
        ) from None


def lines(entries: list[Entry], split: Split, keep_all: bool) -> bytes:
    kept = (e for e in entries if e.split == split and (keep_all or e.longitudinal))
    return b"".join(encode(e) + b"\n" for e in kept)
