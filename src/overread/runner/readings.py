"""read(): a text or a report in, what it says out, with every system's view of it a call away."""

from functools import cached_property
from typing import Any, Literal, overload

from overread.reader import Reading
from overread.reader import read as read_report
from overread.reader.check import check as check_reading
from overread.reader.doubts import Doubt
from overread.report import Report, parse
from overread.runner.doubted import doubted
from overread.runner.views import words_of
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
        return check_reading(self, self.words)

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
        return doubted(view, self.doubts) if self.checked and isinstance(view, StructuredReport) else view


def read(
    report: str | Report, words: Any = None, *, lexicon: str | None = None, check: bool = False
) -> Viewed:
    """Read a report offline; views are computed when they are first asked for.

    `lexicon` is a file with rows of your own. `check` lets findings of LUNGUAGE's view carry their doubts, as
    `overread read --check` writes them; `.doubts` has them all.

    >>> [(finding.entity, finding.status) for finding in read("No effusion.").findings]
    [('effusion', 'negative')]
    """
    found = parse(report) if isinstance(report, str) else report
    known = words or (words_of(lexicon) if lexicon else None)
    made = read_report(found, known)
    viewed = Viewed(made.report, made._work)
    viewed.words, viewed.checked = known, check
    return viewed
