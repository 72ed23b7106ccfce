"""View × View → Score: does the candidate say which way each disease went?

A report's labels are (disease, progression) pairs from its longitudinal sentences, each once; support devices
and `unmentioned` give none. A disease can have two: the right effusion smaller, the left one larger.

    F1 = 2 TP / (2 TP + FP + FN)

TP are labels on both sides, FN reference labels the candidate lacks, FP candidate labels the reference lacks.
The two metrics differ in the FP alone:

- `longitudinal` is anchored in the reference, as published: only diseases with a reference label are asked
- `longitudinal-symmetric` also counts progressions of diseases that the reference does not compare

Temporal entity matching (`tem`) is an older way. It matches expressions (*increased*, *stable*) and not what became of
a disease, so another word for the same course costs and the same word for another disease does not. The lexicon is
`temporal.tsv`, forms of one word counted as one; words count in sentences that compare, which stands in for
the entity recogniser of the original.

F1 of disease diagnosis over fourteen CheXpert-style classes takes labels from outside (a mapping of class to label per
report) and only counts. A class that a labeller leaves out is not mentioned, which is the same as negative here.
`No Finding` is positive when no other class but `Support Devices` is."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import zip_longest
from typing import Literal, get_args

from msgspec import Struct, structs, to_builtins

from overread.lexicon.words import forms_of
from overread.stats.agreement import Counts as Decisions
from overread.systems.base import Metric, Score
from overread.systems.longitudinal.schema import (
    SUPPORT_DEVICES,
    TRENDS,
    ComparedSentence,
    LongitudinalReport,
    Progression,
)
from overread.systems.tables import lookup

# ---- verdicts
Ways = dict[Progression, list[ComparedSentence]]
"""Progression → the sentences that say so."""

Progressions = dict[str, Ways]
"""The same by disease."""

TrendKind = Literal["agreed", "wrong trend", "missing comparison", "redundant comparison"]


class TrendVerdict(Struct, frozen=True, forbid_unknown_fields=True):
    """One label of one side, or a wrong pair of them."""

    kind: TrendKind
    disease: str
    reference: Progression | None
    candidate: Progression | None
    reference_sentences: list[dict[str, int | str]]
    """The sentences that say so, and where they stand."""

    candidate_sentences: list[dict[str, int | str]]


def verdicts(reference: Progressions, candidate: Progressions) -> list[TrendVerdict]:
    """Every label of both sides, judged once; diseases in the order of the reference, then the candidate's.

    Of one disease equal labels agree, leftovers of both sides make wrong trends, the rest stands alone. Right effusion
    better, left worse, against effusion better: one agrees, one is missing.
    """
    found = []
    for disease in dict.fromkeys([*reference, *candidate]):
        wanted, given = reference.get(disease, {}), candidate.get(disease, {})
        agreed = [(p, p) for p in TRENDS if p in wanted and p in given]
        lost = [p for p in TRENDS if p in wanted and p not in given]
        extra = [p for p in TRENDS if p in given and p not in wanted]
        for one, other in [*agreed, *zip_longest(lost, extra)]:
            quotes = quoted_sentences(wanted, one), quoted_sentences(given, other)
            found.append(TrendVerdict(trend_kind(one, other), disease, one, other, *quotes))
    return found


def quoted_sentences(said: Ways, progression: Progression | None) -> list[dict[str, int | str]]:
    found = said.get(progression, ()) if progression else ()
    return [{"start": s.start, "end": s.end, "text": s.text} for s in found]


def trend_kind(reference: Progression | None, candidate: Progression | None) -> TrendKind:
    """
    >>> trend_kind("improved", "worsened"), trend_kind("improved", None)
    ('wrong trend', 'missing comparison')
    """
    if reference is None or candidate is None:
        return "missing comparison" if candidate is None else "redundant comparison"
    return "agreed" if reference == candidate else "wrong trend"


def counted(found: list[TrendVerdict]) -> dict[str, float]:
    """Sufficient statistics: labels per class and errors per kind.

    A class has `tp`, `fn`, `fp` (of diseases the reference compares) and `elsewhere` (of other diseases).
    """
    anchored = {verdict.disease for verdict in found if verdict.reference is not None}
    counts = {f"{trend}:{kind}": 0.0 for trend in TRENDS for kind in ("tp", "fn", "fp", "elsewhere")}
    counts |= dict.fromkeys(get_args(TrendKind), 0.0)
    for verdict in found:
        counts[verdict.kind] += 1
        if verdict.kind == "agreed":
            counts[f"{verdict.reference}:tp"] += 1
            continue
        if verdict.reference is not None:
            counts[f"{verdict.reference}:fn"] += 1
        if verdict.candidate is not None:
            counts[f"{verdict.candidate}:{'fp' if verdict.disease in anchored else 'elsewhere'}"] += 1
    return counts


# ---- temporal entity matching
def changes_said(view: LongitudinalReport) -> frozenset[str]:
    """The words of change in the sentences that compare."""
    known = lookup("longitudinal", "temporal")  # word → the entity it counts as
    said = (word for sentence in view.compared() for word in forms_of(sentence.text))
    return frozenset(known[word] for word in said if word in known)


def tem(reference: LongitudinalReport, candidate: LongitudinalReport) -> Score:
    """F1 of the words of change of two reports; undefined where neither compares."""
    why = "neither report has a word of change in a sentence that compares"
    return of_sets(changes_said(reference), changes_said(candidate), "both", why)


def of_sets(reference: frozenset[str], candidate: frozenset[str], shared: str, why: str | None) -> Score:
    """F1 of what two reports name; the detail has what is in both under the name `shared`."""
    sides = {
        shared: sorted(reference & candidate),
        "missed": sorted(reference - candidate),
        "invented": sorted(candidate - reference),
    }
    both, missed, invented = (float(len(words)) for words in sides.values())
    counts = structs.asdict(Decisions(both, invented, missed))
    rates = tem_rates(counts)
    if rates is None:
        return Score(None, why, counts=counts)
    return Score(micro_f1(counts), None, *rates, counts, detail=sides)


def tem_rates(counts: Mapping[str, float]) -> tuple[float, float] | None:
    total = Decisions(**counts)
    return (total.precision or 0.0, total.recall or 0.0) if any(counts.values()) else None


def micro_f1(counts: Mapping[str, float]) -> float | None:
    """F1 over everything pooled, from counts summed over reports.

    >>> micro_f1({"tp": 3, "fp": 1, "fn": 1})
    0.75
    """
    return Decisions(**counts).f1


# ---- progressions
def labels(view: LongitudinalReport) -> Progressions:
    """Disease → progression → the sentences that say so."""
    found: Progressions = {}
    for sentence in view.compared():
        for item in sentence.items:
            if item.disease != SUPPORT_DEVICES and item.progression in TRENDS:
                found.setdefault(item.disease, {}).setdefault(item.progression, []).append(sentence)
    return found


def score(reference: LongitudinalReport, candidate: LongitudinalReport, anchored: bool = True) -> Score:
    """Micro F1 of the progressions of one report; undefined where there is nothing to compare."""
    wanted, given = labels(reference), labels(candidate)
    found = verdicts(wanted, given)
    counts, detail = counted(found), {"labels": to_builtins(found)}
    total = decisions(counts, anchored)
    if not (wanted if anchored else wanted or given):
        who = "the reference compares" if anchored else "neither report compares"
        why = f"{who} no disease with an earlier study"
        return Score(None, why, counts=counts, detail=detail)
    return Score(total.f1, None, total.precision, total.recall, counts, detail=detail)


def decisions(
    counts: Mapping[str, float], anchored: bool = True, trends: Iterable[Progression] = TRENDS
) -> Decisions:
    """True positives, false positives and false negatives of these trends together, of any number of reports.

    >>> decisions({"worsened:tp": 2, "worsened:fp": 1, "improved:elsewhere": 3}, anchored=False)
    Counts(tp=2.0, fp=4.0, fn=0.0)
    """
    kinds = (("tp",), ("fp",) if anchored else ("fp", "elsewhere"), ("fn",))
    sums = (sum(counts.get(f"{t}:{kind}", 0.0) for t in trends for kind in kinds_) for kinds_ in kinds)
    return Decisions(*map(float, sums))


def micro(counts: Mapping[str, float], anchored: bool = True) -> float | None:
    """F1 over the three classes pooled, from counts summed over any number of reports."""
    return decisions(counts, anchored).f1


TREND_LAWS = frozenset({"identity", "bounded"})

METRICS = (
    Metric(
        "longitudinal",
        "F1 of disease progressions (improved, no change, worsened) over the diseases the reference compares",
        score,
        micro,
        TREND_LAWS,
    ),
    Metric(
        "longitudinal-symmetric",
        "the same, and progressions of diseases the reference does not compare count as invented",
        partial(score, anchored=False),
        partial(micro, anchored=False),
        TREND_LAWS | {"symmetric"},
    ),
    Metric(
        "tem",
        "temporal entity matching: F1 of the words of change in comparing sentences, whichever finding they describe",
        tem,
        micro_f1,
        TREND_LAWS | {"symmetric"},
        rates=tem_rates,
    ),
)


# ---- diagnosis
ClassLabel = Literal["positive", "uncertain", "negative"]
ClassLabels = Mapping[str, ClassLabel]

DISEASES = (
    "Enlarged Cardiomediastinum", "Cardiomegaly", "Lung Opacity", "Lung Lesion", "Edema", "Consolidation",
    "Pneumonia", "Atelectasis", "Pneumothorax", "Pleural Effusion", "Pleural Other", "Fracture",
)  # fmt: skip
NO_FINDING, DEVICE_CLASS = "No Finding", "Support Devices"


def present(labels: ClassLabels) -> frozenset[str]:
    """The classes that count as present; one that is uncertain does.

    >>> sorted(present({"Edema": "negative", "Support Devices": "positive"}))
    ['No Finding', 'Support Devices']
    """
    found = frozenset(
        name for name in (*DISEASES, DEVICE_CLASS) if labels.get(name, "negative") != "negative"
    )
    return found if found & set(DISEASES) else found | {NO_FINDING}


def diagnosis(reference: ClassLabels, candidate: ClassLabels) -> Score:
    """Micro F1 of one pair; the corpus value is `micro_f1` of the summed counts."""
    return of_sets(present(reference), present(candidate), "agreed", None)
