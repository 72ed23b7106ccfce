"""What is to be done with every piece, as one value that can be sent to any machine."""

from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct

from overread.errors import BadInput
from overread.runner.limits import Limits
from overread.runner.measures import measure
from overread.runner.results.conclusion import Counted
from overread.runner.run.folder import code_hash
from overread.runner.settings import Settings
from overread.scale.pieces import Format, Piece
from overread.systems.srrg.labellers import marked


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

    judge: str = ""
    """Hash of the judge that reads along; empty: rules alone."""

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


def fingerprint(work: Work, pieces: list[Piece], judge: str) -> str:
    """Changes with anything that could change a part: settings, judge, code, and names and sizes of the files."""
    files = [(one.files, one.start, one.stop, [Path(f).stat().st_size for f in one.files]) for one in pieces]
    own = (work.settings.lexicon, work.settings.error_weights)
    words = [sha256(Path(one).read_bytes()).hexdigest() if one else "" for one in own]
    labels = marked(work.settings.labels)
    return sha256(msgspec.json.encode([work, files, words, judge, labels, code_hash()])).hexdigest()


def check_single_pairs(metrics: tuple[str, ...]) -> tuple[str, ...]:
    """Metrics that look at one pair at a time."""
    for name in metrics:
        found = measure(name)
        if found.unit == "patient" or found.family == "trained" or name == "cider":
            raise BadInput(
                f"{name} needs more than one pair, or a model, at a time; score it without --shards."
            )
    return metrics
