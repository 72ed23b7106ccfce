"""What Python gives back of single reports: read(), with the view of every system a call away, and errors()."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, overload

from msgspec import Struct, to_builtins
from msgspec.structs import asdict

from overread.errors import BadInput, kind_of
from overread.extras import require
from overread.lexicon.lexicon import Lexicon
from overread.reader import Finding, Reading
from overread.reader import read as read_report
from overread.reader.check import Doubt
from overread.reader.check import check as check_reading
from overread.report import Report, parse
from overread.runner.files import Wanted, sources_named
from overread.runner.given import is_there
from overread.runner.limits import unfailed, warned
from overread.runner.run.pairs import Pairs
from overread.runner.views import lexicon_of, with_doubts
from overread.systems.clear.schema import Table
from overread.systems.definitions import chosen, defined
from overread.systems.ledger.bookkeeper import Judge, ledger
from overread.systems.ledger.by_rules import view as account
from overread.systems.ledger.ledger import Error, Ledger
from overread.systems.ledger.schema import Account
from overread.systems.ledger.weights import weights as weights_of
from overread.systems.longitudinal.schema import LongitudinalReport
from overread.systems.lunguage.schema import StructuredReport
from overread.systems.radsem.schema import Atoms
from overread.systems.registry import system
from overread.systems.srrg.labellers import check_labels, labelled_by
from overread.systems.srrg.schema import SrrgView

if TYPE_CHECKING:
    import pandas


class Viewed(Reading):
    """A reading that can be asked for views, and for what is doubtful in it."""

    checked = False
    """Do the findings of its views carry their doubts?"""

    words: Any = None

    @cached_property
    def doubts(self) -> tuple[Doubt, ...]:
        """What the judge hears otherwise, and where it decided against rules; each with the reasons of both."""
        return check_reading(self)

    @overload
    def view(
        self, name: Literal["lunguage"], definitions: str = "wide", labels: str = "rules"
    ) -> StructuredReport: ...
    @overload
    def view(self, name: Literal["radsem"], definitions: str = "wide", labels: str = "rules") -> Atoms: ...
    @overload
    def view(self, name: Literal["clear"], definitions: str = "wide", labels: str = "rules") -> Table: ...
    @overload
    def view(self, name: Literal["srrg"], definitions: str = "wide", labels: str = "rules") -> SrrgView: ...
    @overload
    def view(
        self, name: Literal["longitudinal"], definitions: str = "wide", labels: str = "rules"
    ) -> LongitudinalReport: ...
    @overload
    def view(self, name: Literal["ledger"], definitions: str = "wide", labels: str = "rules") -> Account: ...
    @overload
    def view(self, name: str, definitions: str = "wide", labels: str = "rules") -> Any: ...
    def view(self, name: str, definitions: str = "wide", labels: str = "rules") -> Any:
        """What a system makes of it: lunguage, radsem, clear, srrg, longitudinal or ledger.

        `labels` says who labels the lines of srrg: rules, model, vote, or model:FOLDER.

        >>> read("Small left effusion.").view("clear").conditions["Pleural Effusion"].presence
        'positive'
        """
        check_labels(labels, definitions=definitions)
        view = labelled_by(defined(system(name), chosen(definitions)), labels).by_rules(self)
        return with_doubts(view, self.doubts) if self.checked and isinstance(view, StructuredReport) else view

    def explain(self) -> str:
        """Why it was read so: each sentence with its findings, and the words and rows that made them."""
        from rich.console import Console

        from overread.lexicon.lexicon import lexicon
        from overread.runner.explained import trees

        console = Console(width=110, no_color=True, force_terminal=False)
        with console.capture() as held:
            for tree in trees(self, self.words or lexicon()):
                console.print(tree)
        return held.get()

    def __repr__(self) -> str:
        many, sentences = len(self.findings), len(self.sentences)
        lines = [f"{many} finding{'s'[many == 1 :]} in {sentences} sentence{'s'[sentences == 1 :]}"]
        return "\n".join([*lines, *(f"  {f.status:<9} {described_finding(f)}" for f in self.findings)])

    def _repr_html_(self) -> str:
        """A table for notebooks."""
        rows = (
            (f.entity, f.status, f.certainty, attribute_words(f),
             " ".join(self.quote(self.sentences[f.sentence].span).split()))
            for f in self.findings
        )  # fmt: skip
        return html_table(("finding", "status", "certainty", "attributes", "sentence"), rows)


def described_finding(finding: Finding) -> str:
    """
    >>> described_finding(read("Small left effusion.").findings[0])
    'effusion (left; Small)'
    """
    more = attribute_words(finding)
    return f"{finding.entity} ({more})" if more else finding.entity


def attribute_words(finding: Finding) -> str:
    return "; ".join(dict.fromkeys(one.text for one in finding.attributes))


def read(
    report: str | Report, words: Any = None, *, lexicon: str | None = None, check: bool = False
) -> Viewed:
    """Read a report offline; views are computed when they are first asked for.

    `lexicon` is a file with rows of your own. `check` lets findings of LUNGUAGE's view carry their doubts, as
    `overread read --check` writes them; `.doubts` has them all.

    >>> [(finding.entity, finding.status) for finding in read("No effusion.").findings]
    [('effusion', 'negative')]
    """
    if not isinstance(report, (str, Report)):
        raise BadInput(
            f"The report is {kind_of(report)}; it must be a text. For a list: "
            "[overread.read(text) for text in texts]."
        )
    found = parse(report) if isinstance(report, str) else report
    known = words or (lexicon_of(lexicon) if lexicon else None)
    made = read_report(found, known)
    viewed = Viewed(made.report, made._work)
    viewed.words, viewed.checked = known, check
    return viewed


LEFT = " style='text-align:left'"


def html_table(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table whose first column stands out.

    >>> html_table(["finding"], [["<b>"]]).partition("<tbody>")[2]
    "<tr><th style='text-align:left'>&lt;b&gt;</th></tr></tbody></table>"
    """
    head = "".join(f"<th{LEFT}>{escape(name)}</th>" for name in columns)
    body = "".join(
        f"<tr><th{LEFT}>{escape(first)}</th>{''.join(f'<td{LEFT}>{escape(one)}</td>' for one in rest)}</tr>"
        for first, *rest in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


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
    ours, theirs = (account(read_report(report, words)) for report in (reference, candidate))
    return ledger(ours, theirs, weights_of(weights), judge=judge, with_context=context)


def ledgers_between(
    reference: str, candidate: str, wanted: Wanted, context: bool, weights: Path | None, lexicon: Path | None
) -> Iterator[Ledgered]:
    """The ledgers of two files joined by id, in the order of the references, or of two reports given in quotes.

    A pair that cannot be read is named, and left out.
    """
    settings: dict[str, Any] = {
        "context": context,
        "weights": str(weights) if weights else None,
        "judge": None,
        "words": lexicon_of(lexicon),
    }
    there = [bool(text) and is_there(text) for text in (reference, candidate)]
    if all(there):
        pairs = Pairs.gather(*sources_named(wanted))
        told = ((pair.reference, *named) for pair in pairs for named in pair.candidates.items())

        def ledgered(one: tuple[Report, str, Report]) -> Ledgered:
            reference, system, report = one
            return Ledgered(reference.id, system, of_pair(reference, report, **settings))

        return unfailed(told, ledgered, lambda one: one[0].id, warned)
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
