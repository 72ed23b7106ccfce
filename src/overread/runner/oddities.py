"""What a reader must know before trusting a table of scores."""

from collections.abc import Iterable, Iterator

from overread.runner.ids import shortened
from overread.runner.summary import Ranking, Summary


def oddities(summary: Summary, metrics: Iterable[Ranking]) -> Iterator[str]:
    """One line each: candidates without reference or text, and values that these metrics lack."""
    for system, account in summary.accounts.items():
        if account.missing:
            yield f"{system}: no candidate for {shortened(account.missing)}; scored as empty reports."
        if account.extra:
            yield f"{system}: no reference for {shortened(account.extra)}; not scored."
        empty = summary.notes.get(system, {}).get("empty candidate", 0)
        if empty:
            yield f"{system}: {empty} candidate{'s' if empty > 1 else ''} without text."
    for m in metrics:
        yield from gaps(m)


def gaps(m: Ranking) -> Iterator[str]:
    """Why a metric has fewer values than there are items."""
    for system, one in m.systems.items():
        for reason, count in one.why.items():
            yield f"{m.name}, {system}: {count} of {one.total} undefined: {reason}."
        for reason, count in one.failures.items():
            yield f"{m.name}, {system}: {count} of {one.total} failed: {reason}"
