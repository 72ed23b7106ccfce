"""errors(): the ledger of one pair, or of many, from Python."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, to_builtins
from msgspec.structs import asdict

from overread.errors import BadInput, kind_of
from overread.extras import require
from overread.lexicon.lexicon import Lexicon
from overread.reader import read
from overread.report import Report, parse
from overread.runner.files import Wanted, sources_named
from overread.runner.given import is_there
from overread.runner.limits import unfailed, warned
from overread.runner.notebook import html_table
from overread.runner.run.pairs import Pairs
from overread.runner.views import lexicon_of
from overread.systems.ledger.bookkeeper import Judge, ledger
from overread.systems.ledger.by_rules import view
from overread.systems.ledger.ledger import Error, Ledger
from overread.systems.ledger.weights import weights as weights_of

if TYPE_CHECKING:
    import pandas


class Ledgered(Struct, frozen=True):
    """One pair and its ledger."""

    id: str
    system: str
    ledger: Ledger


class FoundErrors(Ledger, frozen=True, forbid_unknown_fields=True):
    """A ledger that shows itself: a line per error, a table in notebooks, a frame."""

    def to_dicts(self) -> list[dict[str, Any]]:
        """One dict per error, most serious first."""
        return [to_builtins(error) for error in self.errors]

    def to_pandas(self) -> "pandas.DataFrame":
        """One row per error."""
        made: pandas.DataFrame = require("pandas", "pandas").DataFrame(
            self.to_dicts(), columns=list(Error.__struct_fields__)
        )
        return made

    def __repr__(self) -> str:
        lines = [f"{len(self.errors)} error{'s' if len(self.errors) != 1 else ''}, score {self.value:.3f}"]
        lines += [
            f"  {e.significance:<11} {e.kind:<17} {e.finding}: {e.candidate_says or 'nothing'} "
            f"(reference: {e.reference_says or 'nothing'})"
            for e in self.errors
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = ([getattr(e, name) for name in ERROR_COLUMNS.values()] for e in self.errors)
        verdict = f"<p>Score <b>{self.value:.3f}</b>; {escape(self.verdict)}.</p>"
        return verdict + html_table(ERROR_COLUMNS, rows)


ERROR_COLUMNS = {
    "significance": "significance",
    "error": "kind",
    "finding": "finding",
    "reference": "reference_says",
    "candidate": "candidate_says",
    "why it matters": "reason",
}
"""Columns of the table in notebooks → fields of an error."""


def find_errors(
    reference: str,
    candidate: str,
    *,
    context: bool = True,
    weights: str | None = None,
    judge: Judge | None = None,
    lexicon: str | None = None,
) -> FoundErrors:
    """Every error of a candidate report, most serious first; also as `overread.errors(…)`.

    `context=False` leaves the indication and the age of the patient out of account; `weights` is a hospital's own
    table (TOML); `judge` is asked whether sentences in dispute and the nearest ones of the other report are the same.

    >>> found = find_errors("Large right pneumothorax.", "Small left pneumothorax.")
    >>> [(e.kind, e.significance) for e in found], found.errors[0].correction
    ([('wrong degree', 'critical'), ('wrong place', 'critical')], 'write Large instead of Small')
    """
    for name, given in (("reference", reference), ("candidate", candidate)):
        if not isinstance(given, str):
            raise BadInput(
                f"The {name} is {kind_of(given)}; it must be a text. For lists: "
                "[overread.find_errors(r, c) for r, c in zip(references, candidates)]."
            )
    found = of_pair(parse(reference), parse(candidate), context, weights, judge, lexicon_of(lexicon))
    return FoundErrors(**asdict(found))


def of_pair(
    reference: Report,
    candidate: Report,
    context: bool,
    weights: str | None,
    judge: Judge | None,
    words: Lexicon,
) -> Ledger:
    ours, theirs = (view(read(report, words)) for report in (reference, candidate))
    return ledger(ours, theirs, weights_of(weights), judge=judge, with_context=context)


def ledgers(pairs: Pairs, **settings: Any) -> Iterator[Ledgered]:
    """The ledger of every pair, in the order of the references; a pair that cannot be read is named, and left out."""
    told = ((pair.reference, name, report) for pair in pairs for name, report in pair.candidates.items())

    def ledgered(one: tuple[Report, str, Report]) -> Ledgered:
        reference, system, report = one
        return Ledgered(reference.id, system, of_pair(reference, report, **settings))

    return unfailed(told, ledgered, lambda one: one[0].id, warned)


def ledgers_between(
    reference: str, candidate: str, wanted: Wanted, context: bool, weights: Path | None, lexicon: Path | None
) -> Iterator[Ledgered]:
    """The ledgers of two files joined by id, or of two reports given in quotes."""
    settings: dict[str, Any] = {
        "context": context,
        "weights": str(weights) if weights else None,
        "judge": None,
        "words": lexicon_of(lexicon),
    }
    there = [bool(text) and is_there(text) for text in (reference, candidate)]
    if all(there):
        references, candidates = sources_named(wanted)
        return ledgers(Pairs.gather(references, candidates), **settings)
    if any(there):
        missing = candidate if there[0] else reference
        raise BadInput(f"There is no file {short_text(missing)!r}: give two files, or two reports in quotes.")
    if not any(mark in text for text in (reference, candidate) for mark in " .\n"):
        raise BadInput(
            f"There is no file {short_text(reference)!r}; a report in quotes has more than one word."
        )
    return iter([Ledgered("", "candidate", of_pair(parse(reference), parse(candidate), **settings))])


def short_text(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:40]}…"
