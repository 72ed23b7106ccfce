"""read(): a text or a report in, what it says out, with every system's view of it a call away."""

from functools import cached_property
from typing import Any, Literal, overload

from overread.errors import BadInput, kind_of
from overread.reader import Finding, Reading
from overread.reader import read as read_report
from overread.reader.check import Doubt
from overread.reader.check import check as check_reading
from overread.report import Report, parse
from overread.runner.notebook import html_table
from overread.runner.views import lexicon_of, with_doubts
from overread.systems.clear.schema import Table
from overread.systems.definitions import chosen, defined
from overread.systems.ledger.schema import Account
from overread.systems.longitudinal.schema import LongitudinalReport
from overread.systems.lunguage.schema import StructuredReport
from overread.systems.radsem.schema import Atoms
from overread.systems.registry import system
from overread.systems.srrg.labellers import check_labels, labelled_by
from overread.systems.srrg.schema import SrrgView


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
            (f.entity, f.status, f.certainty, attribute_words(f), self.sentence_of(f)) for f in self.findings
        )
        return html_table(("finding", "status", "certainty", "attributes", "sentence"), rows)

    def sentence_of(self, finding: Finding) -> str:
        """The sentence that tells a finding."""
        return " ".join(self.quote(self.sentences[finding.sentence].span).split())


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
