"""What would a policy learn? Candidates that try to please a metric instead of describing the patient.

Each cheat is written for every reference and scored under every metric, beside an honest candidate that makes one minor
error: it forgets the finding that matters least, or shifts one degree by a step. A metric is safe as a reward when the
honest candidate stands above all cheats.
"""

import re
from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from overread.reader import Reading, read
from overread.report import Report
from overread.runner.limits import unfailed, warned
from overread.runner.measures import measure
from overread.stats.bootstrap import Interval
from overread.systems.ledger.by_rules import view
from overread.systems.ledger.schema import Claim
from overread.systems.ledger.significance import NOBODY, significance
from overread.systems.ledger.weights import weights
from overread.validation.injection.changes import BODY, edited
from overread.validation.laws.law import CASES, CHEATS
from overread.validation.measured import Asking, values_by_metric
from overread.validation.shown import table

HONEST = "honest, one minor error"
NORMAL = "No acute findings."


class GamedMetric(Struct, frozen=True, forbid_unknown_fields=True):
    """One metric on every candidate."""

    metric: str
    title: str
    candidates: dict[str, Interval | None]
    """Cheat, or the honest one → mean over the references; None where no score is defined."""

    undefined: dict[str, int]

    @property
    def fooled_by(self) -> tuple[str, ...]:
        """Cheats that do as well as the honest candidate, or better."""
        honest = self.candidates.get(HONEST)
        return tuple(
            name
            for name, mean in self.candidates.items()
            if name != HONEST and mean is not None and honest is not None and mean.value >= honest.value
        )


def common(reports: Sequence[Report]) -> str:
    """The corpus's most common report: of equally common ones the first."""
    texts = Counter(body(report) for report in reports)
    return texts.most_common(1)[0][0] if texts else ""


def body(report: Report) -> str:
    """The findings and the impression as one text, without headings."""
    told = [s.span.of(report.text).strip() for s in report.sections if s.name in BODY]
    return " ".join(" ".join(one.split()) for one in told)


def cheats(report: Report, frequent: str) -> dict[str, str]:
    """Every cheat by name as a candidate for this reference; `frequent` is the most common report."""
    return {
        "empty": "",
        "no acute findings": NORMAL,
        "the most common report": frequent,
        "everything denied": " ".join(f"No {name}." for name in CASES.named),
        "everything hedged": hedged(read(report)),
        "every finding listed": " ".join(f"There is {name}." for name in CASES.named),
        "the reference twice": f"{report.text}\n{report.text}",
        "keyword soup": " ".join(CASES.named),
        **{f"no report: {name}": text for name, text in CHEATS.items()},
    }


def hedged(reading: Reading) -> str:
    """Every sentence of the reference as a possibility, and every other finding too."""
    said = (reading.text(s.span).strip().rstrip(".") for s in reading.sentences if s.section in BODY)
    possible = [*(f"{one[:1].lower()}{one[1:]}" for one in said if one), *CASES.named]
    return " ".join(f"Possible {one}." for one in possible)


def honest(report: Report) -> str:
    """The reference without the sentence of a minor finding; where none stands alone, with one degree a step off.

    A reference without findings, or with one that has no degree, loses a normal statement: there is no smaller error
    to make, and to forget the only finding is no small one.
    """
    reading = read(report)
    account = view(reading)
    found = sorted(account.present(), key=lambda c: (heaviness(c), c.spans[0].start))
    several = len({claim.name for claim in found}) > 1
    for claim in (c for c in found if several and heaviness(c) <= weights().levels["minor"]):
        if (text := without(reading, claim)) is not None:
            return text
    for words, other in CASES.steps:
        if found and re.search(rf"\b{words}\b", report.text):
            return re.sub(rf"\b{words}\b", other, report.text, count=1)
    if several:
        return f"{report.text.rstrip()} Minimal atelectasis at the left base."
    said = {f.sentence for f in reading.findings if f.status == "positive"}
    normal = [s.span for s in reading.sentences if s.index not in said] if len(reading.sentences) > 1 else []
    return edited(report.text, [(span, "") for span in normal[-1:]])


def heaviness(claim: Claim) -> float:
    return weights().levels[significance(claim, NOBODY, weights()).level]


def without(reading: Reading, claim: Claim) -> str | None:
    """The report without the sentences that speak of one finding alone; None where others stand beside it."""
    at = {s.start for s in claim.spans}
    own = {f.sentence for f in reading.findings if f.span.start in at}
    others = {f.sentence for f in reading.findings if f.span.start not in at and f.section in BODY}
    if own & others or len(reading.sentences) <= len(own):
        return None
    return edited(reading.report.text, [(s.span, "") for s in reading.sentences if s.index in own])


def gaming(reports: Sequence[Report], names: Sequence[str], how: Asking) -> list[GamedMetric]:
    """Every metric on every cheat and on the honest candidate."""
    frequent = common(reports)

    def written(report: Report) -> tuple[str, dict[str, str]]:
        return report.text, {HONEST: honest(report), **cheats(report, frequent)}

    made = list(unfailed(reports, written, lambda r: r.id, warned))
    ways = made[0][1] if made else {}
    items = [(text, *candidates.values()) for text, candidates in made]
    found = []
    for name, rows in values_by_metric(names, items, how).items():
        columns = dict(zip(ways, zip(*rows, strict=True), strict=True))
        means = {way: how.interval_of(values) for way, values in columns.items()}
        undefined = {way: values.count(None) for way, values in columns.items()}
        found.append(GamedMetric(name, measure(name).title, means, undefined))
    return found


def render(found: Sequence[GamedMetric], reports: int) -> str:
    """A row per candidate, a column per metric; a cheat that does as well as the honest candidate is marked."""
    rows = []
    for way in found[0].candidates if found else ():
        cells = []
        for one in found:
            mark = "*" if way in one.fooled_by else ""
            missing = f" ({one.undefined[way]} undefined)" if one.undefined[way] else ""
            mean = one.candidates[way]
            cells.append("–" if mean is None else f"{mean.value:.3f}{mark}{missing}")
        rows.append([way, *cells])
    head = f"{reports} references; mean score of each candidate, * where it does as well as the honest one"
    lines = [head, "", *table(("candidate", *(one.title for one in found)), *rows), ""]
    for one in found:
        fooled = f"fooled by {', '.join(one.fooled_by)}"
        lines.append(f"{one.title}: {fooled if one.fooled_by else 'no cheat reaches the honest candidate'}")
    return "\n".join(lines) + "\n"
