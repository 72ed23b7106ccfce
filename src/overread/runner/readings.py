"""read(): a text or a report in, what it says out, with every system's view of it a call away."""

from typing import Any

from overread.reader import Reading
from overread.reader import read as read_report
from overread.report import Report, parse
from overread.runner.views import words_of
from overread.systems.definitions import chosen, defined
from overread.systems.registry import system
from overread.systems.srrg.labellers import check_labels, labelled_by


class Viewed(Reading):
    """A reading that can be asked for views."""

    def view(self, name: str, definitions: str = "wide", labels: str = "rules") -> Any:
        """What a system makes of it: lunguage, radsem, clear, srrg, longitudinal or ledger.

        `labels` says who labels the lines of srrg: rules, model, vote, or model:FOLDER.

        >>> read("Small left effusion.").view("clear").conditions["Pleural Effusion"].presence
        'positive'
        """
        check_labels(labels, definitions=definitions)
        return labelled_by(defined(system(name), chosen(definitions)), labels).by_rules(self)


def read(report: str | Report, words: Any = None, *, lexicon: str | None = None) -> Viewed:
    """Read a report by rules; nothing is worked out before it is asked for.

    `lexicon` is a file with rows of your own.

    >>> [(finding.entity, finding.status) for finding in read("No effusion.").findings]
    [('effusion', 'negative')]
    """
    found = parse(report) if isinstance(report, str) else report
    made = read_report(found, words or (words_of(lexicon) if lexicon else None))
    return Viewed(made.report, made._outline, made._work)
