"""Which sentences of two reports match, pair by pair: read and matched by rules or by language model."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from overread.errors import BadInput, UnknownName
from overread.llm.outcome import Failure
from overread.runner.run.pairs import Pair
from overread.runner.run.workers import batches
from overread.runner.settings import Settings
from overread.runner.views import Unread, reader_of, unless_failed
from overread.systems.radsem.match import match
from overread.systems.radsem.schema import Atoms
from overread.systems.radsem.tags import Tags

if TYPE_CHECKING:
    from overread.llm import Client


PAIRS_AT_ONCE = 64
"""Pairs asked about at once, so that a long run writes as it goes."""


def matched(
    pairs: Iterable[Pair], by: tuple[str, str], client: "Client | None", lexicon: Path | None
) -> Iterator[Tags | Failure | Unread]:
    """A record, or a failure, per pair, in order: that of the side that could not be read, or of the match.

    `by` says who reads, and who matches.
    """
    settings = Settings(lexicon=str(lexicon) if lexicon else None)
    read = reader_of("radsem", settings, client if by[0] == "llm" else None)
    for batch in batches(pairs, PAIRS_AT_ONCE):
        ours = read([pair.reference for pair in batch])
        theirs = read([next(iter(pair.candidates.values())) for pair in batch])
        both = [
            one if not isinstance(one, Atoms) else (one, two) if isinstance(two, Atoms) else two
            for one, two in zip(ours, theirs, strict=True)
        ]
        views = [one for one in both if isinstance(one, tuple)]
        found: Iterator[Tags | Failure | Unread]
        if by[1] == "llm":
            from overread.systems.radsem.match_by_llm import tags

            assert client is not None
            found = iter(tags(client, views))
        else:
            found = (unless_failed(one[0].id, partial(match, *one)) for one in views)
        yield from (next(found) if isinstance(one, tuple) else one for one in both)


def system_of(known: Sequence[str], wanted: str | None) -> str:
    """The system asked for; the only one where there is one."""
    if wanted is not None and wanted not in known:
        raise UnknownName("system", wanted, known)
    if wanted is None and len(known) > 1:
        raise BadInput(f"There are {len(known)} systems; choose one with --system: {', '.join(known)}.")
    return wanted or known[0]
