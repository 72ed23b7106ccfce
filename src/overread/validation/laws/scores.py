"""Laws of scores, for any metric: 8 what must not matter, 9 damage is monotone, 10 a hedge lies between its poles,
11 only words about a finding deny it, 12 negation counts, 14 sizes and positions count, 15 what says nothing earns
nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from itertools import pairwise, product
from random import Random
from typing import Any

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Report
from overread.validation.laws.law import (
    CASES,
    CHEATS,
    FINDINGS,
    Break,
    Found,
    Law,
    Outcome,
    outcome_of,
    unless,
)
from overread.validation.measured import Asking, values_of_pairs
from overread.validation.shown import shipped_rows

SLACK = 0.01
"""Differences up to this are none: a network's .998 is its 1."""

LEAST_SHARE_LEFT = 0.2
"""Share of what is still right that must be left: findings weigh differently, none weighs everything."""

MOST_SENTENCES = 25
"""Sentences of the reports that are tried."""

LEANING = re.compile(
    r"\b(?:it|its|this|these|those|they|them|both|former|latter|again|also|other|others|one|ones|none|same|where|rest|"
    r"remaining|otherwise|now|then|there had)\b",
    re.IGNORECASE,
)
"""Words by which a sentence may lean on another: its place among them matters."""

NORMAL_REPORT = "The heart is normal in size. The lungs are clear. No pleural effusion or pneumothorax."

ALONE = 4
"""Words from which a sentence stands by itself."""

CaseScores = Sequence[float | None]
Scorer = Callable[[Sequence[tuple[str, str]]], CaseScores]
"""Pairs of reference and candidate → a value each, higher is better."""


class Question(Struct, frozen=True):
    """Pairs to score for a law."""

    law: Law
    case: str
    pairs: tuple[tuple[str, str], ...]
    args: tuple[Any, ...] = ()
    """What the rule must know besides case and scores."""


# ---- verdicts
def perfect(id: str, v: CaseScores) -> Break | None:
    value = 1.0 if v[0] is None else v[0]
    return unless(value > 1 - SLACK, id, f"equal reports score 1: {value:.3f}", 1 - value)


def equal(id: str, what: str, v: CaseScores) -> Break | None:
    if v[0] is None or v[1] is None:
        return unless(v[0] == v[1], id, f"{what}: undefined on one side only")
    off = abs(v[1] - v[0])
    return unless(off <= SLACK, id, f"{what}: {v[1]:.3f} for {v[0]:.3f}", off)


def no_more(id: str, what: str, v: CaseScores) -> Break | None:
    before, after = v[0] or 0.0, v[1] or 0.0
    return unless(after - before <= SLACK, id, f"{what}: {before:.3f} → {after:.3f}", after - before)


def no_less(id: str, what: str, v: CaseScores) -> Break | None:
    before, after = v[0] or 0.0, v[1] or 0.0
    return unless(before - after <= SLACK, id, f"{what}: {before:.3f} → {after:.3f}", before - after)


def monotone(id: str, what: str, v: CaseScores) -> Break | None:
    values = [one or 0.0 for one in v]
    rise = max((b - a for a, b in pairwise(values)), default=0.0)
    shown = " ".join(f"{one:.3f}" for one in values)
    return unless(rise <= SLACK, id, f"{what}: {shown}", rise)


def shared(id: str, findings: int, v: CaseScores) -> Break | None:
    """Something is left, and leaving out one of n is not free."""
    left, whole = v[0] or 0.0, 1 - 1 / findings
    fair = LEAST_SHARE_LEFT * whole <= left <= 1 - SLACK
    return unless(fair, id, f"one of {findings} left out: {left:.3f}", abs(whole - left))


def heard(id: str, v: CaseScores) -> Break | None:
    denied, same = v[0] or 0.0, v[1] or 0.0
    return unless(denied <= same / 2, id, f"denied {denied:.3f}, the same {same:.3f}", denied)


def apart(id: str, v: CaseScores) -> Break | None:
    same, other = v[0] or 0.0, v[1] or 0.0
    return unless(other < same - SLACK, id, f"same {same:.3f}, other {other:.3f}", other)


VERDICTS: dict[str, Callable[..., Break | None]] = {
    one.__name__: one for one in (perfect, equal, no_more, no_less, monotone, shared, heard, apart)
}
SCORE_LAWS = {
    row["key"]: Law(int(row["number"]), row["name"], VERDICTS[row["verdict"]])
    for row in shipped_rows("laws/scores.tsv", "key", "number", "name", "verdict")
}


def told_by_name(key: str, case: str, *pairs: tuple[str, str]) -> Question:
    """A question whose break is told by the name of the law."""
    law = SCORE_LAWS[key]
    return Question(law, case, pairs, (law.name,))


def check_scores(score: Scorer, reports: Sequence[Report], metric: str) -> list[Outcome]:
    """Every law of scores for one metric, over these reports and the cases that every run holds."""
    asked = list(questions(reports))
    pairs = list(dict.fromkeys(pair for one in asked for pair in one.pairs))
    known = dict(zip(pairs, score(pairs), strict=True))
    found: dict[Law, list[Break | None]] = {law: [] for law in SCORE_LAWS.values()}
    for one in asked:
        scores = [known[pair] for pair in one.pairs]
        found[one.law].append(one.law.check(one.case, *one.args, scores))
    return [outcome_of(law, cases, metric) for law, cases in found.items()]


def questions(reports: Sequence[Report]) -> Iterator[Question]:
    for report in reports:
        yield from of_report(report)
    yield from of_cases()


# ---- over reports
def of_report(report: Report) -> Iterator[Question]:
    """What holds for a report and a damaged copy of it."""
    said = [s.span.of(report.text).strip() for part in report.section("findings") for s in part.sentences]
    told = [one if one.endswith((".", "?", "!")) else f"{one}." for one in said if any(map(str.isalpha, one))]
    if not 1 < len(told) <= MOST_SENTENCES:
        return
    whole, less = " ".join(told), " ".join(told[:-1])
    yield Question(SCORE_LAWS["same"], report.id, ((whole, whole),))
    changed = {"twice": f"{less} {told[0]}", "headed": f"FINDINGS: {less}", "tokens": f"{less}<eos>"}
    if not any(LEANING.search(one) or ":" in one or len(one.split()) < ALONE for one in told):
        mixed = told[:-1]
        Random(report.id).shuffle(mixed)
        changed = {"order": " ".join(mixed), **changed}
    for key, other in changed.items():
        yield told_by_name(key, report.id, (whole, less), (whole, other))
    for more in (" ".join(CASES.plain), CASES.plain[0]):
        yield added_to_both(report.id, whole, less, more)
    for name in ("gibberish", "refusal"):
        yield nothing(report.id, whole, name)


def added_to_both(case: str, reference: str, candidate: str, more: str) -> Question:
    return told_by_name("both", case, (reference, candidate), (f"{reference} {more}", f"{candidate} {more}"))


# ---- over cases of ours
def of_cases() -> Iterator[Question]:
    for reference, same in CASES.paraphrases:
        yield added_to_both(reference, reference, same, " ".join(CASES.plain))
    for n, some in enumerate(reports_of_findings()):
        yield from damage(f"report {n}", some)
    for one in FINDINGS:
        for reference, other in ((one.there, one.denied), (one.denied, one.there)):
            poles = ((reference, reference), (reference, one.hedged), (reference, other))
            yield told_by_name("poles", reference, *poles)
        negated = ((one.there, one.denied), (one.there, one.there))
        yield Question(SCORE_LAWS["negation"], one.there, negated)
        for other in CASES.unrelated:
            yield told_by_name("denial", one.there, (one.there, ""), (one.there, other))
    for key, cases in (("size", CASES.sizes), ("position", CASES.positions)):
        for reference, same, other in cases:
            yield Question(SCORE_LAWS[key], reference, ((reference, same), (reference, other)))
    references = [NORMAL_REPORT, *(" ".join(one.there for one in some) for some in reports_of_findings()[:4])]
    for name in CHEATS:
        for n, reference in enumerate(references):
            yield nothing(f"reference {n}", reference, name)


def reports_of_findings() -> list[list[Found]]:
    """Short reports of two to five findings that have nothing to do with each other, five of each size."""
    return [
        [FINDINGS[(start + step * 4) % len(FINDINGS)] for step in range(size)]
        for size, start in product((2, 3, 4, 5), range(5))
    ]


def damage(case: str, some: list[Found]) -> Iterator[Question]:
    """One finding more left out, denied or turned to the other side, again and again."""
    there = [one.there for one in some]
    whole = " ".join(there)
    ways = {
        "omitted": [""] * len(some),
        "denied": [one.denied for one in some],
        "turned": [one.turned or one.there for one in some],
    }
    for key, damaged in ways.items():
        texts = [" ".join(filter(None, damaged[:n] + there[n:])) for n in range(len(some) + 1)]
        pairs = [(whole, text) for text in dict.fromkeys(texts) if text]
        if len(pairs) > 1:
            yield told_by_name(key, case, *pairs)
    for n in range(len(some)):
        less = " ".join(there[:n] + there[n + 1 :])
        yield Question(SCORE_LAWS["share"], f"{case} without finding {n}", ((whole, less),), (len(some),))


def nothing(case: str, reference: str, cheat: str) -> Question:
    return Question(SCORE_LAWS["nothing"], case, ((reference, ""), (reference, CHEATS[cheat])), (cheat,))


def scorer(names: Iterable[str], how: Asking) -> dict[str, Scorer]:
    """Metrics by name, as the laws ask them."""

    def ask(name: str, pairs: Sequence[tuple[str, str]]) -> CaseScores:
        return values_of_pairs([name], pairs, how)[name]

    return {name: partial(ask, name) for name in names}


def of_function(name: str) -> Scorer:
    """A metric of a user's, `module:function`: lists of references and candidates in, a number for each pair out."""
    module, _, function = name.partition(":")
    try:
        called = getattr(import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise BadInput(
            f"{name!r} is no function that can be imported ({error}). Write module:function, and run where the module "
            "can be found, for instance with PYTHONPATH=."
        ) from error

    def ask(pairs: Sequence[tuple[str, str]]) -> CaseScores:
        found = list(called([one for one, _ in pairs], [two for _, two in pairs]))
        if len(found) != len(pairs):
            raise BadInput(f"{name} returned {len(found)} values for {len(pairs)} pairs.")
        return [None if value is None else float(value) for value in found]

    return ask
