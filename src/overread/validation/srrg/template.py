"""Is the template filled in right? Bullets under the headers of SRRG's findings against a person's.

A line of a gold file is a report in the shape of `overread read --as srrg`, with its text:

    {"id", "text", "structured": {"findings": {"Pleura": ["No effusion"]}}}

A header counts where it has a bullet. The bullets of a header are held against each other as one text, by ROUGE-L F1 of
their words, plural and small words aside; a header of one side alone has 0. The figure is the mean over all headers of
all reports.
"""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from overread.baselines.overlap import rouge_l
from overread.stats.agreement import Average, Counts, micro, total
from overread.stats.bootstrap import Interval, f1_interval, mean_of_sums, ratio_interval
from overread.systems.srrg.cells import ordered
from overread.systems.srrg.schema import HEADERS
from overread.validation.annotated import AnnotatedReport
from overread.validation.fuzzy import statement_words
from overread.validation.shown import NOTES, figure, interval_told, table

SHAPE = (
    "is not as it should be. A line is a report with `id`, `text` and `structured`, whose `findings` are lists of "
    f"bullets by header: {'; '.join(HEADERS)}."
)

Bullets = Mapping[str, Sequence[str]]
"""Header → its lines."""


class Template(Struct, frozen=True):
    """A structured report; only the findings are compared."""

    findings: dict[str, list[str]]


class GoldTemplate(Template, frozen=True):
    """A structured report by a person: a header that is mistyped would count as missed."""

    def __post_init__(self) -> None:
        if not set(HEADERS).issuperset(self.findings):
            raise ValueError("a header that the template does not have")


class View(Struct, frozen=True):
    """A structured report by anybody."""

    id: str
    structured: Template


class GoldReport(AnnotatedReport, frozen=True, kw_only=True):
    """A report and its structured form."""

    structured: GoldTemplate


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """One header over a file, or all of them."""

    found: Average
    """Is it there? Its support is how often people have it."""

    rouge_l: float | None
    """Mean over the reports in which either side has it."""


class TemplateAgreement(Struct, frozen=True, forbid_unknown_fields=True):
    """How the templates agree with people's, over a file."""

    reports: int
    all: Header
    f1_interval: Interval | None
    """Of the headers' F1, reports drawn again; None where no report has a header."""

    rouge_l_interval: Interval | None
    headers: dict[str, Header]
    """Those that occur, in the order of the template; headers it does not have come last."""


class HeaderCounts(Struct, frozen=True):
    """One header of one report."""

    counts: Counts
    rouge_l: float


def compare(gold: Bullets, ours: Bullets) -> dict[str, HeaderCounts]:
    """The headers that either side has, of one report."""
    found = {}
    for name in {**gold, **ours}:
        known, own = (" ".join(side.get(name, ())).strip() for side in (gold, ours))
        one, other = statement_words(known), statement_words(own)
        if known and own:
            found[name] = HeaderCounts(Counts(1), 1.0 if one == other else rouge_l(one, other).value or 0.0)
        elif known or own:
            found[name] = HeaderCounts(Counts(0, not known, not own), 0.0)
    return found


def agreement(reports: Sequence[Mapping[str, HeaderCounts]]) -> TemplateAgreement:
    """From the headers of many reports to what is printed."""
    sums = [[sum(h.rouge_l for h in one.values()), len(one)] for one in reports]
    named = set[str]().union(*reports)
    return TemplateAgreement(
        reports=len(reports),
        all=header(h for one in reports for h in one.values()),
        f1_interval=f1_interval([total(h.counts for h in one.values()) for one in reports]),
        rouge_l_interval=ratio_interval(sums, mean_of_sums) if named else None,
        headers={name: header(one[name] for one in reports if name in one) for name in ordered(named)},
    )


def header(found: Iterable[HeaderCounts]) -> Header:
    every = list(found)
    mean = sum(one.rouge_l for one in every) / len(every) if every else None
    return Header(micro({"": total(one.counts for one in every)}), mean)


def render(found: TemplateAgreement, unmatched: int = 0) -> str:
    """All headers, then each."""
    lines = [f"{found.reports} reports compared"]
    if unmatched:
        lines.append(f"{unmatched} gold reports without a view: not counted")
    rows = {"all headers": found.all} | {f"  {name}": one for name, one in found.headers.items()}
    cells = [
        (
            name,
            *map(figure, (h.found.precision, h.found.recall, h.found.f1, h.rouge_l)),
            f"{h.found.support:g}",
        )
        for name, h in rows.items()
    ]
    lines += table(("", "precision", "recall", "F1", "ROUGE-L", "reports"), *cells)
    lines += interval_told("F1", found.f1_interval) + interval_told("ROUGE-L", found.rouge_l_interval)
    lines.append(NOTES["template"])
    return "\n".join(lines) + "\n"
