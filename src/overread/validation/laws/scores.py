"""Laws of scores, for any metric: 8 what must not matter, 9 damage is monotone, 10 a hedge lies between its poles,
11 only words about a finding deny it, 12 negation counts, 14 sizes and positions count, 15 what says nothing earns
nothing."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random

from msgspec import Struct

from overread.report import Report
from overread.validation.laws.cases import (
    APART,
    CHEATS,
    FINDINGS,
    NORMAL_REPORT,
    PLAIN,
    POSITIONS,
    SIZES,
    UNRELATED,
    Found,
)
from overread.validation.laws.outcome import Break, Outcome, counted

SLACK = 0.01
"""Differences up to this are none: a network's .998 is its 1."""

LEANING = ("it ", "its ", "this ", "these ", "those ", "they ", "both ", "the former", "the latter", "again", "also")

Scores = Sequence[float | None]
Scorer = Callable[[Sequence[tuple[str, str]]], Scores]
"""Pairs of reference and candidate → a value each, higher is better."""

Judged = Callable[[Scores], Break | None]


class Question(Struct, frozen=True):
    """Pairs to score, and what their scores must be to each other."""

    law: int
    name: str
    pairs: tuple[tuple[str, str], ...]
    judged: Judged


def check_scores(score: Scorer, reports: Sequence[Report], metric: str) -> list[Outcome]:
    """Every law of scores for one metric, over these reports and the cases that every run holds."""
    asked = list(questions(reports))
    pairs = list(dict.fromkeys(pair for one in asked for pair in one.pairs))
    known = dict(zip(pairs, score(pairs), strict=True))
    found: dict[tuple[int, str], list[Break | None]] = {key: [] for key in SCORE_LAWS}
    for one in asked:
        found[one.law, one.name].append(one.judged([known[pair] for pair in one.pairs]))
    return [counted(law, name, cases, metric) for (law, name), cases in found.items()]


def questions(reports: Sequence[Report]) -> Iterator[Question]:
    for report in reports:
        yield from of_report(report)
    yield from of_cases()


# ---- over reports
def of_report(report: Report) -> Iterator[Question]:
    """What holds for a report and a damaged copy of it."""
    said = [s.span.of(report.text).strip() for part in report.section("findings") for s in part.sentences]
    told = [one if one.endswith((".", "?", "!")) else f"{one}." for one in said if any(c.isalpha() for c in one)]
    if len(told) < 2 or len(told) > 25:
        return
    whole, less = " ".join(told), " ".join(told[:-1])
    yield Question(8, SAME, ((whole, whole),), lambda v: equal(report.id, v[0], 1.0, "scores itself", undefined=True))
    if not any(one.lower().startswith(LEANING) for one in told):
        mixed = told[:-1]
        Random(report.id).shuffle(mixed)
        yield Question(
            8, ORDER, ((whole, less), (whole, " ".join(mixed))), lambda v: equal(report.id, v[1], v[0], "another order")
        )
    yield Question(
        8, TWICE, ((whole, less), (whole, f"{less} {told[0]}")), lambda v: no_more(report.id, v, "a repeated sentence")
    )
    yield Question(
        8, HEADED, ((whole, less), (whole, f"FINDINGS: {less}")), lambda v: equal(report.id, v[1], v[0], "a heading")
    )
    for n, more in enumerate((" ".join(PLAIN), PLAIN[0])):
        yield Question(
            8,
            BOTH,
            ((whole, less), (f"{whole} {more}", f"{less} {more}")),
            lambda v, n=n: no_less(f"{report.id} +{3 - 2 * n}", v, "a sentence added to both"),
        )
    for cheat in (CHEATS["gibberish"], CHEATS["refusal"]):
        yield nothing(report.id, whole, cheat, "")
    yield Question(
        8,
        TOKENS,
        ((whole, less), (whole, f"{less}<eos>")),
        lambda v: equal(report.id, v[1], v[0], "a special token at the end"),
    )


# ---- over cases of ours
def of_cases() -> Iterator[Question]:
    for ref, same in PARAPHRASES:
        more = " ".join(PLAIN)
        yield Question(
            8,
            BOTH,
            ((ref, same), (f"{ref} {more}", f"{same} {more}")),
            lambda v, ref=ref: no_less(ref, v, "equal sentences added to both"),
        )
    for n, some in enumerate(reports_of_findings()):
        yield from damage(n, some)
    for one in FINDINGS:
        yield from poles(one)
        yield Question(12, NEGATION, ((one.there, one.denied), (one.there, one.there)), lambda v, o=one: heard(o.there, v))
        for other in UNRELATED:
            yield Question(
                11, DENIAL, ((one.there, other), (one.there, "")), lambda v, o=one: no_less_than_empty(o.there, v)
            )
    for law, name, cases in ((14, SIZE, SIZES), (14, POSITION, POSITIONS)):
        for ref, same, other in cases:
            yield Question(law, name, ((ref, same), (ref, other)), lambda v, ref=ref: apart(ref, v))
    for name, cheat in CHEATS.items():
        for n, ref in enumerate((NORMAL_REPORT, *(" ".join(o.there for o in some) for some in reports_of_findings()[:4]))):
            yield nothing(f"{name} for report {n}", ref, cheat, name)


PARAPHRASES = (
    ("The heart is big.", "There is cardiomegaly."),
    ("A small amount of fluid lies in the left pleural space.", "Small left pleural effusion."),
    ("The right lung has come down.", "Right pneumothorax."),
    ("Water on the lungs.", "Pulmonary edema."),
)


def reports_of_findings() -> list[list[Found]]:
    """Short reports of two to five findings that have nothing to do with each other."""
    return [[FINDINGS[(start + step * 4) % len(FINDINGS)] for step in range(size)] for size, start in APART]


def damage(n: int, some: list[Found]) -> Iterator[Question]:
    """One finding more left out, denied or turned to the other side, again and again."""
    whole = " ".join(one.there for one in some)
    ways = {
        OMITTED: [" ".join(one.there for one in some[k:]) for k in range(len(some))],
        DENIED: [" ".join(one.denied if i < k else one.there for i, one in enumerate(some)) for k in range(len(some) + 1)],
        TURNED: [
            " ".join(one.turned or one.there if i < k else one.there for i, one in enumerate(some))
            for k in range(len(some) + 1)
        ],
    }
    for name, texts in ways.items():
        pairs = tuple((whole, text) for text in dict.fromkeys(texts))
        if len(pairs) > 1:
            yield Question(9, name, pairs, lambda v, name=name: monotone(f"report {n}", v, name))
    for k in range(len(some)):
        less = " ".join(one.there for i, one in enumerate(some) if i != k)
        yield Question(9, SHARE, ((whole, less),), lambda v, k=k: shared(f"report {n} without finding {k}", v[0], len(some)))


def poles(one: Found) -> Iterator[Question]:
    between = ((one.there, one.there), (one.there, one.hedged), (one.there, one.denied))
    yield Question(10, POLES, between, lambda v: monotone(one.there, v, "asserted, hedged, denied"))
    back = ((one.denied, one.denied), (one.denied, one.hedged), (one.denied, one.there))
    yield Question(10, POLES, back, lambda v: monotone(one.denied, v, "denied, hedged, asserted"))


def nothing(id: str, reference: str, cheat: str, name: str) -> Question:
    pairs = ((reference, cheat), (reference, ""))
    return Question(15, NOTHING, pairs, lambda v: empty(id, v, name))


# ---- verdicts
def equal(id: str, value: float | None, wanted: float | None, what: str, undefined: bool = False) -> Break | None:
    if value is None or wanted is None:
        return None if value == wanted or undefined else Break(id, f"{what}: undefined on one side only")
    return Break(id, f"{what}: {value:.3f} for {wanted:.3f}", abs(value - wanted)) if abs(value - wanted) > SLACK else None


def no_more(id: str, v: Scores, what: str) -> Break | None:
    before, after = v[0] or 0.0, v[1] or 0.0
    return Break(id, f"{what}: {before:.3f} → {after:.3f}", after - before) if after > before + SLACK else None


def no_less(id: str, v: Scores, what: str) -> Break | None:
    if v[0] is None:
        return None
    after = v[1] or 0.0
    return Break(id, f"{what}: {v[0]:.3f} → {after:.3f}", v[0] - after) if after < v[0] - SLACK else None


def monotone(id: str, v: Scores, what: str) -> Break | None:
    values = [one or 0.0 for one in v]
    rise = max((b - a for a, b in pairwise(values)), default=0.0)
    shown = " ".join(f"{one:.3f}" for one in values)
    return Break(id, f"{what}: {shown}", rise) if rise > SLACK else None


def shared(id: str, value: float | None, findings: int) -> Break | None:
    """Something is left, and leaving out one of n is not free."""
    left = value or 0.0
    if left < 0.2 * (1 - 1 / findings) or left > 1 - SLACK:
        return Break(id, f"one of {findings} left out: {left:.3f}", abs(1 - 1 / findings - left))
    return None


def heard(id: str, v: Scores) -> Break | None:
    denied, same = v[0] or 0.0, v[1] or 0.0
    return Break(id, f"denied {denied:.3f}, the same {same:.3f}", denied) if denied > same / 2 else None


def no_less_than_empty(id: str, v: Scores) -> Break | None:
    """A sentence about something else is no worse an answer than none at all."""
    before, after = v[1] or 0.0, v[0] or 0.0
    return Break(id, f"{after:.3f}, nothing said {before:.3f}", before - after) if after < before - SLACK else None


def apart(id: str, v: Scores) -> Break | None:
    same, other = v[0] or 0.0, v[1] or 0.0
    return Break(id, f"same {same:.3f}, other {other:.3f}", other) if other >= same - SLACK else None


def empty(id: str, v: Scores, name: str) -> Break | None:
    given, none = v[0] or 0.0, v[1] or 0.0
    return Break(id, f"{name or 'no report'}: {given:.3f}, empty {none:.3f}", given - none) if given > none + SLACK else None


SAME, ORDER, TWICE = "equal reports score 1", "order of sentences changes nothing", "repetition never pays"
HEADED, BOTH, TOKENS = "headings change nothing", "the same added to both never costs", "special tokens change nothing"
OMITTED, DENIED, TURNED = "one more left out never pays", "one more denied never pays", "one more side turned never pays"
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


def scorer(names: Iterable[str], jobs: int = 1) -> dict[str, Scorer]:
    """Metrics by name, as the laws ask them."""
    from overread.validation.measured import values

    def of(name: str) -> Scorer:
        def ask(pairs: Sequence[tuple[str, str]]) -> Scores:
            grouped: dict[str, list[str]] = {}
            for reference, candidate in pairs:
                grouped.setdefault(reference, []).append(candidate)
            items = [(reference, *candidates) for reference, candidates in grouped.items()]
            known = {
                (item[0], candidate): value
                for item, row in zip(items, values([name], items, jobs=jobs), strict=True)
                for candidate, value in zip(item[1:], row[name], strict=True)
            }
            return [known[pair] for pair in pairs]

        return ask

    return {name: of(name) for name in names}
