"""Laws of scores, for any metric: 8 what must not matter, 9 damage is monotone, 10 a hedge lies between its poles,
11 only words about a finding deny it, 12 negation counts, 14 sizes and positions count, 15 what says nothing earns
nothing."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from itertools import pairwise
from random import Random
from typing import Any

from msgspec import Struct

from overread.errors import BadInput
from overread.report import Report
from overread.validation.laws.cases import APART, CASES, CHEATS, FINDINGS, NORMAL_REPORT, Found
from overread.validation.laws.outcome import Break, Outcome, outcome_of
from overread.validation.measured import Asking, values_of_pairs

SLACK = 0.01
"""Differences up to this are none: a network's .998 is its 1."""

LEAST = 0.2
"""Share of what is still right that must be left: findings weigh differently, none weighs everything."""

MOST = 25
"""Sentences of the reports that are tried."""

LEANING = re.compile(
    r"\b(?:it|its|this|these|those|they|them|both|former|latter|again|also|other|others|one|ones|none|same|where|rest|"
    r"remaining|otherwise|now|then|there had)\b",
    re.IGNORECASE,
)
"""Words by which a sentence may lean on another: its place among them matters."""

ALONE = 4
"""Words from which a sentence stands by itself."""

Scores = Sequence[float | None]
Scorer = Callable[[Sequence[tuple[str, str]]], Scores]
"""Pairs of reference and candidate → a value each, higher is better."""


class Question(Struct, frozen=True):
    """Pairs to score, and what their scores must be to each other."""

    law: int
    name: str
    pairs: tuple[tuple[str, str], ...]
    rule: Callable[..., Break | None]
    """One of the verdicts below."""

    args: tuple[Any, ...]
    """What it must know besides the scores, first of all the case."""


def check_scores(score: Scorer, reports: Sequence[Report], metric: str) -> list[Outcome]:
    """Every law of scores for one metric, over these reports and the cases that every run holds."""
    asked = list(questions(reports))
    pairs = list(dict.fromkeys(pair for one in asked for pair in one.pairs))
    known = dict(zip(pairs, score(pairs), strict=True))
    found: dict[tuple[int, str], list[Break | None]] = {key: [] for key in SCORE_LAWS}
    for one in asked:
        scores = [known[pair] for pair in one.pairs]
        found[one.law, one.name].append(one.rule(*one.args, scores))
    return [outcome_of(law, name, cases, metric) for (law, name), cases in found.items()]


def questions(reports: Sequence[Report]) -> Iterator[Question]:
    for report in reports:
        yield from of_report(report)
    yield from of_cases()


# ---- over reports
def of_report(report: Report) -> Iterator[Question]:
    """What holds for a report and a damaged copy of it."""
    said = [s.span.of(report.text).strip() for part in report.section("findings") for s in part.sentences]
    told = [one if one.endswith((".", "?", "!")) else f"{one}." for one in said if any(map(str.isalpha, one))]
    if not 1 < len(told) <= MOST:
        return
    whole, less = " ".join(told), " ".join(told[:-1])
    yield Question(8, SAME, ((whole, whole),), perfect, (report.id,))

    def beside(law: str, other: str, rule: Callable[[str, str, Scores], Break | None]) -> Question:
        return Question(8, law, ((whole, less), (whole, other)), rule, (report.id, law))

    if not any(LEANING.search(one) or ":" in one or len(one.split()) < ALONE for one in told):
        mixed = told[:-1]
        Random(report.id).shuffle(mixed)
        yield beside(ORDER, " ".join(mixed), equal)
    yield beside(TWICE, f"{less} {told[0]}", no_more)
    yield beside(HEADED, f"FINDINGS: {less}", equal)
    yield beside(TOKENS, f"{less}<eos>", equal)
    for more in (" ".join(CASES.plain), CASES.plain[0]):
        yield added_to_both(report.id, whole, less, more)
    for name in ("gibberish", "refusal"):
        yield nothing(report.id, whole, name)


def added_to_both(id: str, reference: str, candidate: str, more: str) -> Question:
    pairs = ((reference, candidate), (f"{reference} {more}", f"{candidate} {more}"))
    return Question(8, BOTH, pairs, no_less, (id, BOTH))


# ---- over cases of ours
def of_cases() -> Iterator[Question]:
    for reference, same in CASES.paraphrases:
        yield added_to_both(reference, reference, same, " ".join(CASES.plain))
    for n, some in enumerate(reports_of_findings()):
        yield from damage(f"report {n}", some)
    for one in FINDINGS:
        for reference, other in ((one.there, one.denied), (one.denied, one.there)):
            poles = ((reference, reference), (reference, one.hedged), (reference, other))
            yield Question(10, POLES, poles, monotone, (reference, POLES))
        pairs = ((one.there, one.denied), (one.there, one.there))
        yield Question(12, NEGATION, pairs, heard, (one.there,))
        for other in CASES.unrelated:
            pairs = ((one.there, ""), (one.there, other))
            yield Question(11, DENIAL, pairs, no_less, (one.there, DENIAL))
    for name, cases in ((SIZE, CASES.sizes), (POSITION, CASES.positions)):
        for reference, same, other in cases:
            yield Question(14, name, ((reference, same), (reference, other)), apart, (reference,))
    references = [NORMAL_REPORT, *(" ".join(one.there for one in some) for some in reports_of_findings()[:4])]
    for name in CHEATS:
        for n, reference in enumerate(references):
            yield nothing(f"reference {n}", reference, name)


def reports_of_findings() -> list[list[Found]]:
    """Short reports of two to five findings that have nothing to do with each other."""
    return [[FINDINGS[(start + step * 4) % len(FINDINGS)] for step in range(size)] for size, start in APART]


def damage(id: str, some: list[Found]) -> Iterator[Question]:
    """One finding more left out, denied or turned to the other side, again and again."""
    whole = " ".join(one.there for one in some)
    steps = range(len(some) + 1)

    def changed(how: Callable[[Found], str], first: int) -> str:
        return " ".join(how(one) if n < first else one.there for n, one in enumerate(some)).strip()

    ways = {
        OMITTED: [changed(lambda _: "", n) for n in steps[:-1]],
        DENIED: [changed(lambda one: one.denied, n) for n in steps],
        TURNED: [changed(lambda one: one.turned or one.there, n) for n in steps],
    }
    for name, texts in ways.items():
        pairs = tuple((whole, " ".join(text.split())) for text in dict.fromkeys(texts))
        if len(pairs) > 1:
            yield Question(9, name, pairs, monotone, (id, name))
    for n in range(len(some)):
        less = " ".join(one.there for k, one in enumerate(some) if k != n)
        yield Question(9, SHARE, ((whole, less),), shared, (f"{id} without finding {n}", len(some)))


def nothing(id: str, reference: str, cheat: str) -> Question:
    pairs = ((reference, ""), (reference, CHEATS[cheat]))
    return Question(15, NOTHING, pairs, no_more, (id, cheat))


# ---- verdicts
def perfect(id: str, v: Scores) -> Break | None:
    return None if v[0] is None or v[0] > 1 - SLACK else Break(id, f"{SAME}: {v[0]:.3f}", 1 - v[0])


def equal(id: str, what: str, v: Scores) -> Break | None:
    if v[0] is None or v[1] is None:
        return None if v[0] == v[1] else Break(id, f"{what}: undefined on one side only")
    off = abs(v[1] - v[0])
    return Break(id, f"{what}: {v[1]:.3f} for {v[0]:.3f}", off) if off > SLACK else None


def no_more(id: str, what: str, v: Scores) -> Break | None:
    return lost(id, what, v, (v[1] or 0.0) - (v[0] or 0.0))


def no_less(id: str, what: str, v: Scores) -> Break | None:
    return lost(id, what, v, (v[0] or 0.0) - (v[1] or 0.0))


def lost(id: str, what: str, v: Scores, off: float) -> Break | None:
    return Break(id, f"{what}: {v[0] or 0.0:.3f} → {v[1] or 0.0:.3f}", off) if off > SLACK else None


def monotone(id: str, what: str, v: Scores) -> Break | None:
    values = [one or 0.0 for one in v]
    rise = max((b - a for a, b in pairwise(values)), default=0.0)
    shown = " ".join(f"{one:.3f}" for one in values)
    return Break(id, f"{what}: {shown}", rise) if rise > SLACK else None


def shared(id: str, findings: int, v: Scores) -> Break | None:
    """Something is left, and leaving out one of n is not free."""
    left, whole = v[0] or 0.0, 1 - 1 / findings
    fair = LEAST * whole <= left <= 1 - SLACK
    return None if fair else Break(id, f"one of {findings} left out: {left:.3f}", abs(whole - left))


def heard(id: str, v: Scores) -> Break | None:
    denied, same = v[0] or 0.0, v[1] or 0.0
    return Break(id, f"denied {denied:.3f}, the same {same:.3f}", denied) if denied > same / 2 else None


def apart(id: str, v: Scores) -> Break | None:
    same, other = v[0] or 0.0, v[1] or 0.0
    return Break(id, f"same {same:.3f}, other {other:.3f}", other) if other >= same - SLACK else None


SAME, ORDER, TWICE = "equal reports score 1", "order of sentences changes nothing", "repetition never pays"
HEADED, BOTH = "headings change nothing", "the same added to both never costs"
TOKENS, OMITTED = "special tokens change nothing", "one more left out never pays"
DENIED, TURNED = "one more denied never pays", "one more side turned never pays"
SHARE, POLES = "one of several left out costs its share", "a hedge lies between its poles"
DENIAL, NEGATION = "other things denied are no denial", "negation counts"
SIZE, POSITION = "sizes of any noun count", "positions of any device count"
NOTHING = "what says nothing earns nothing"
SCORE_LAWS: tuple[tuple[int, str], ...] = (
    *((8, name) for name in (SAME, ORDER, TWICE, HEADED, TOKENS, BOTH)),
    *((9, name) for name in (OMITTED, DENIED, TURNED, SHARE)),
    (10, POLES),
    (11, DENIAL),
    (12, NEGATION),
    (14, SIZE),
    (14, POSITION),
    (15, NOTHING),
)


def scorer(names: Iterable[str], how: Asking) -> dict[str, Scorer]:
    """Metrics by name, as the laws ask them."""

    def one(name: str) -> Scorer:
        return lambda pairs: values_of_pairs([name], pairs, how)[name]

    return {name: one(name) for name in names}


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

    def ask(pairs: Sequence[tuple[str, str]]) -> Scores:
        found = list(called([one for one, _ in pairs], [two for _, two in pairs]))
        if len(found) != len(pairs):
            raise BadInput(f"{name} returned {len(found)} values for {len(pairs)} pairs.")
        return [None if value is None else float(value) for value in found]

    return ask
