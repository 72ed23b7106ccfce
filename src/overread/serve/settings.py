"""How a server is set up, as one value."""

from pathlib import Path

from msgspec import Struct

from overread.errors import BadInput
from overread.runner.measures import REWARD
from overread.systems.srrg.labellers import check_labels
from overread.trainers.openrlhf import weights_in
from overread.trainers.reward import weights_of

LOOPBACK = ("127.0.0.1", "localhost", "::1")


class ServerSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Defaults are those of `overread serve`."""

    host: str = "127.0.0.1"
    port: int = 8700
    workers: int = 2
    room: int = 2048
    """Items that may wait or be worked on at once; more are refused with 429."""

    item_seconds: float = 30.0
    request_seconds: float = 300.0
    """Of all items of a request together, waiting included; of a stream, of lines that came together."""

    max_characters: int = 200_000
    max_megabytes: float = 64.0
    """Of one request; streams of lines have no end, but each line has."""

    drain_seconds: int = 60
    """How long requests in flight are waited for after TERM."""

    keys: Path | None = None
    lexicon: str | None = None
    labels: str = "rules"
    """Who labels the lines of SRRG where a request does not say."""

    quiet: bool = False
    metric: str = REWARD
    """What rewards are made of where a request does not say: NAME, or NAME:WEIGHT,NAME:WEIGHT."""

    def __post_init__(self) -> None:
        check_labels(self.labels)
        weights_of(weights_in(self.metric))
        if self.keys is None and self.host not in LOOPBACK:
            raise BadInput(
                f"Serving on {self.host} lets other machines in: name a file of keys with --keys "
                "(`overread serve --keys FILE --new-key NAME` makes one), or stay on 127.0.0.1."
            )

    @property
    def max_bytes(self) -> int:
        return int(self.max_megabytes * 1_000_000)
