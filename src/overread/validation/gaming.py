"""What would a policy learn? Candidates that try to please a metric instead of describing the patient.

Each cheat is written for every reference and scored under every metric, beside an honest candidate that makes one minor
error: it forgets the finding that matters least, or shifts one degree by a step. A metric is safe as a reward when the
honest candidate stands above all cheats.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from msgspec import Struct

from overread.reader import Reading, read
from overread.report import Report
from overread.runner.limits import unfailed, warned
from overread.runner.measures import measure
from overread.stats.bootstrap import Interval, mean_interval
from overread.systems.ledger.by_rules import view
from overread.systems.ledger.schema import Claim
from overread.systems.ledger.significance import NOBODY, significance
from overread.systems.ledger.weights import weights
from overread.validation.injection.places import BODY
from overread.validation.laws.cases import CHEATS
from overread.validation.measured import Asking, values_by_metric
from overread.validation.tables import table

HONEST = "honest, one minor error"
STEPS = (
    ("mild", "moderate"), ("moderate", "mild"), ("small", "moderate"), ("large", "moderate"), ("minimal", "mild"),
    ("trace", "small"),
)  # fmt: skip
NORMAL = "No acute findings."
FINDINGS = (
    "pneumothorax", "pleural effusion", "consolidation", "pneumonia", "edema", "atelectasis", "cardiomegaly", "nodule",
    "mass", "fracture", "hemorrhage", "infarct", "hydronephrosis", "lymphadenopathy", "free air", "aneurysm",
)  # fmt: skip
"""What the cheats deny, doubt, list and pour out."""


class Scored(Struct, frozen=True, forbid_unknown_fields=True):
    """One metric on every candidate."""

    metric: str
    title: str
    candidates: dict[str, Interval | None]
    """Cheat, or the honest one → mean over the references; None where no score is defined."""

    undefined: dict[str, int]

    @property
    def fooled_by(self) -> tuple[str, ...]:
        """Cheats that do as well as the honest candidate, or better."""
        honest = self.candidates[HONEST]
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


def cheats(reports: Sequence[Report]) -> dict[str, Callable[[Report], str]]:
    """Every cheat by name, as a way to write a candidate for a reference."""
    frequent = common(reports)
    return {
        "empty": lambda _: "",
        "no acute findings": lambda _: NORMAL,
        "the most common report": lambda _: frequent,
        "everything denied": lambda _: " ".join(f"No {name}." for name in FINDINGS),
        "everything hedged": lambda r: hedged(read(r)),
        "every finding listed": lambda _: " ".join(f"There is {name}." for name in FINDINGS),
        "the reference twice": lambda r: f"{r.text}\n{r.text}",
        "keyword soup": lambda _: " ".join(FINDINGS),
        **{f"no report: {name}": partial(always, text) for name, text in CHEATS.items()},
    }


def always(text: str, _: Report) -> str:
    return text


def hedged(reading: Reading) -> str:
    """Every sentence of the reference as a possibility, and every other finding too."""
    told = [
        s.span.of(reading.report.text).strip().rstrip(".") for s in reading.sentences if s.section in BODY
    ]
    own = [f"Possible {one[:1].lower()}{one[1:]}." for one in told if one]
    return " ".join([*own, *(f"Possible {name}." for name in FINDINGS)])


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
        text = without(reading, claim)
        if text is not None:
            return text
    for words, other in STEPS:
        if found and re.search(rf"\b{words}\b", report.text):
            return re.sub(rf"\b{words}\b", other, report.text, count=1)
    if several:
        return f"{report.text.rstrip()} Minimal atelectasis at the left base."
    said = {f.sentence for f in reading.findings if f.status == "positive"}
    normal = [s.span for s in reading.sentences if s.index not in said] if len(reading.sentences) > 1 else []
    return report.text[: normal[-1].start] + report.text[normal[-1].end :] if normal else report.text


def heaviness(claim: Claim) -> float:
    return weights().levels[significance(claim, NOBODY, weights()).level]


def without(reading: Reading, claim: Claim) -> str | None:
    """The report without the sentences that speak of one finding alone; None where others stand beside it."""
    at = {s.start for s in claim.spans}
    own = {f.sentence for f in reading.findings if f.span.start in at}
    others = {f.sentence for f in reading.findings if f.span.start not in at and f.section in BODY}
    if own & others or len(reading.sentences) <= len(own):
        return None
    text = reading.report.text
    for sentence in sorted((s for s in reading.sentences if s.index in own), key=lambda s: -s.span.start):
        text = text[: sentence.span.start] + text[sentence.span.end :]
    return text


def gaming(reports: Sequence[Report], names: Sequence[str], how: Asking) -> list[Scored]:
    """Every metric on every cheat and on the honest candidate."""
    ways = {HONEST: honest, **cheats(reports)}
    made = unfailed(
        reports, lambda r: (r.text, *(write(r) for write in ways.values())), lambda r: r.id, warned
    )
    found = values_by_metric(names, list(made), how)
    return [scored(name, list(ways), rows, how) for name, rows in found.items()]


def scored(name: str, ways: Sequence[str], rows: Sequence[tuple[float | None, ...]], how: Asking) -> Scored:
    candidates: dict[str, Interval | None] = {}
    undefined = {}
    for n, way in enumerate(ways):
        known = [value for row in rows if (value := row[n]) is not None]
        candidates[way] = mean_interval(known, resamples=how.resamples, seed=how.seed) if known else None
        undefined[way] = len(rows) - len(known)
    return Scored(name, measure(name).title, candidates, undefined)


def render(found: Sequence[Scored], reports: int) -> str:
    """A row per candidate, a column per metric; a cheat that does as well as the honest candidate is marked."""
    rows = [[way, *(cell(one, way) for one in found)] for way in found[0].candidates] if found else []
    lines = [
        f"{reports} references; mean score of each candidate, * where it does as well as the honest one",
        "",
    ]
    lines += [*table(("candidate", *(one.title for one in found)), rows), ""]
    for one in found:
        fooled = f"fooled by {', '.join(one.fooled_by)}"
        lines.append(f"{one.title}: {fooled if one.fooled_by else 'no cheat reaches the honest candidate'}")
    return "\n".join(lines) + "\n"


def cell(one: Scored, way: str) -> str:
    mean = one.candidates[way]
    mark = "*" if way in one.fooled_by else ""
    missing = f" ({one.undefined[way]} undefined)" if one.undefined[way] else ""
    return "–" if mean is None else f"{mean.value:.3f}{mark}{missing}"
