"""What is to be done, and the input files cut into pieces, each small enough to do at a time and to do again."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.network.encoder import encoder
from overread.runner.files import Wanted
from overread.runner.limits import Limits
from overread.runner.measures import measure
from overread.runner.results.conclusion import Counted
from overread.runner.run.folder import code_hash, hashed
from overread.runner.run.workers import batches
from overread.runner.settings import Settings
from overread.sources.load import FORMATS, rows_of
from overread.sources.table_files import opened_parquet
from overread.systems.srrg.labellers import marked

Format = Literal["jsonl", "parquet"]
ROWS_AT_ONCE = 256
"""Reports in memory at a time."""

SAMPLE = 100
"""Lines looked at for the names of columns."""

PIECES = 64
"""Pieces a whole run aims at; more where they would be larger than LARGEST, fewer than SMALLEST."""

SMALLEST, LARGEST = 128_000, 16_000_000
"""Of a piece, in bytes: in the end all wait for the last one, so that small runs have small pieces."""

ROWS = (ROWS_AT_ONCE, 50_000)
"""The same bounds for Parquet, in rows."""


class Piece(Struct, frozen=True, forbid_unknown_fields=True):
    """Part of a file: bytes of JSON lines, rows of Parquet, or the whole of anything."""

    name: str
    files: tuple[str, ...]
    """One; or a reference and what each system wrote for it, files of one name."""

    start: int = 0
    stop: int | None = None
    """None: to the end."""

    names: tuple[str, ...] = ()
    """Columns of the file, where its rows may leave some out."""

    @property
    def path(self) -> Path:
        return Path(self.files[0])

    def content(self) -> str:
        """A hash of what goes in."""
        if self.path.suffix.lower() in LINE_ENDINGS and len(self.files) == 1:
            digest = sha256()
            for line in piece_lines(self):
                digest.update(line)
            return digest.hexdigest()
        return sha256("".join(hashed(Path(file)) for file in self.files).encode()).hexdigest()


LINE_ENDINGS = (".jsonl", ".ndjson")


def tables_in(place: Path) -> list[Path]:
    """The files of a folder, or the one file."""
    if not place.exists():
        raise BadInput(f"There is no {place}; name a table, or a folder of them.")
    found = [place] if place.is_file() else sorted(p for p in place.iterdir() if p.suffix.lower() in FORMATS)
    wrong = place if not found else next((p for p in found if p.suffix.lower() not in FORMATS), None)
    if wrong is not None:
        held = "is no table" if found else "holds no table"
        raise BadInput(f"{wrong} {held}; shards are read from {', '.join(FORMATS)}.")
    return found


def cut_files(files: list[Path]) -> list[Piece]:
    """Files → pieces, in order; the same however many will work on them."""
    kinds = {file: file.suffix.lower() for file in files}
    lines = {file: file.stat().st_size for file in files if kinds[file] in LINE_ENDINGS}
    rows = {file: int(opened_parquet(file).metadata.num_rows) for file in files if kinds[file] == ".parquet"}
    steps = (
        max(SMALLEST, min(LARGEST, sum(lines.values()) // PIECES)),
        max(ROWS[0], min(ROWS[1], sum(rows.values()) // PIECES)),
    )
    found: list[Piece] = []
    for file in files:
        total, step = (lines[file], steps[0]) if file in lines else (rows.get(file, 1), steps[1])
        first = line_rows(Piece("", (str(file),))) if file in lines else ()
        names = tuple(dict.fromkeys(name for row in islice(first, SAMPLE) for name in row))
        for start in range(0, total, step):
            stop = start + step if start + step < total else None
            found.append(Piece(f"part-{len(found):05}", (str(file),), start, stop, names))
    return found


def pieces_side_by_side(references: Path, candidates: dict[str, Path]) -> list[Piece]:
    """Files of one name belong together: a piece each."""
    sides = {name: {f.name: f for f in tables_in(place)} for name, place in candidates.items()}
    first = tables_in(references)
    if references.is_file() and all(place.is_file() for place in candidates.values()):
        return [Piece("part-00000", tuple(map(str, [references, *candidates.values()])))]
    for name, found in sides.items():
        unlike = sorted({f.name for f in first} ^ set(found))
        if unlike:
            raise BadInput(
                f"The folders of references and of {name} hold different files ({', '.join(unlike[:3])}); files of "
                "one name are scored together, so give both sides the same names."
            )
    return [
        Piece(f"part-{n:05}", (str(file), *(str(found[file.name]) for found in sides.values())))
        for n, file in enumerate(first)
    ]


def piece_rows(piece: Piece) -> Iterator[list[dict[str, Any]]]:
    """The rows of the piece, a few hundred at a time."""
    if piece.path.suffix.lower() == ".parquet":
        yield from (found.to_pylist() for found in parquet_batches(piece))
        return
    lined = piece.path.suffix.lower() in LINE_ENDINGS
    rows = line_rows(piece) if lined else (dict(cells) for _, cells in rows_of(piece.path, None))
    yield from batches(rows, ROWS_AT_ONCE)


def parquet_batches(piece: Piece) -> Iterator[Any]:
    """Rows start … stop, reading no row group that has none of them."""
    file = opened_parquet(piece.path)
    stop = piece.stop if piece.stop is not None else file.metadata.num_rows
    groups, above, skip = [], 0, None
    for group in range(file.metadata.num_row_groups):
        below = above + file.metadata.row_group(group).num_rows
        if above < stop and below > piece.start:
            groups.append(group)
            skip = piece.start - above if skip is None else skip
        above = below
    left, skip = stop - piece.start, skip or 0
    for batch in file.iter_batches(batch_size=ROWS_AT_ONCE, row_groups=groups):
        part = batch.slice(skip, left) if skip < len(batch) else batch.slice(0, 0)
        skip, left = max(0, skip - len(batch)), left - len(part)
        if len(part):
            yield part
        if left <= 0:
            return


def piece_lines(piece: Piece) -> Iterator[bytes]:
    """Lines that begin inside the piece."""
    with piece.path.open("rb") as file:
        if piece.start:
            file.seek(piece.start - 1)
            file.readline()
        while piece.stop is None or file.tell() < piece.stop:
            line = file.readline()
            if not line:
                return
            yield line


def line_rows(piece: Piece) -> Iterator[dict[str, Any]]:
    decoder = msgspec.json.Decoder(dict[str, Any])
    empty = dict.fromkeys(piece.names)
    for number, line in enumerate(piece_lines(piece), 1):
        if line.strip():
            try:
                yield empty | decoder.decode(line)
            except msgspec.DecodeError:
                where = f"line {number} after byte {piece.start:,}" if piece.start else f"line {number}"
                raise BadInput(
                    f"{piece.path}, {where}: not a JSON object; each line must hold one."
                ) from None


def format_of(files: list[Path]) -> Format:
    return "parquet" if all(file.suffix.lower() == ".parquet" for file in files) else "jsonl"


def pieces_of(wanted: Wanted, names: Sequence[str]) -> list[Piece]:
    """The references cut; or each file of them with the candidates' files of the same name."""
    if not wanted.candidates:
        return cut_files(tables_in(wanted.reference))
    return pieces_side_by_side(wanted.reference, dict(zip(names, wanted.candidates, strict=True)))


class Work(Struct, frozen=True, forbid_unknown_fields=True):
    """Reports are read, or pairs scored."""

    settings: Settings
    columns: dict[str, str] = {}
    system: str | None = None
    """Whose views are made; None: pairs are scored."""

    candidates: tuple[str, ...] = ()
    """Names of the candidates' files; none: the columns of a table of pairs."""

    candidate_columns: dict[str, str] = {}


class Order(Struct, frozen=True, forbid_unknown_fields=True):
    """The work, where its parts go, and the fingerprint of both inputs and settings."""

    work: Work
    place: str
    format: Format
    limits: Limits = Limits()
    shared: bool = False
    """May others on this machine read the parts?"""

    fingerprint: str = ""

    def part(self, piece: Piece) -> Path:
        return Path(self.place) / f"{piece.name}.{self.format}"

    def marker(self, piece: Piece) -> Path:
        return Path(self.place) / f"{piece.name}.done"


class PieceDone(Struct, frozen=True, forbid_unknown_fields=True):
    """A piece that is finished: the line its marker holds."""

    name: str
    fingerprint: str
    content: str
    """Hash of what went in."""

    sha256: str
    """Hash of the part that came out."""

    seconds: float
    counted: Counted


def fingerprint(work: Work, pieces: list[Piece]) -> str:
    """Changes with anything that could change a part: settings, weights, code, and names and sizes of the files."""
    files = [(one.files, one.start, one.stop, [Path(f).stat().st_size for f in one.files]) for one in pieces]
    own = (work.settings.lexicon, work.settings.error_weights)
    words = [sha256(Path(one).read_bytes()).hexdigest() if one else "" for one in own]
    labels = marked(work.settings.labels)
    return sha256(msgspec.json.encode([work, files, words, encoder().hash, labels, code_hash()])).hexdigest()


def check_single_pairs(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """Metrics that look at one pair at a time."""
    for name in metrics:
        found = measure(name)
        if found.unit == "patient" or found.family == "trained" or name == "cider":
            raise BadInput(
                f"{name} needs more than one pair, or a model, at a time; score it without --shards."
            )
    return metrics
