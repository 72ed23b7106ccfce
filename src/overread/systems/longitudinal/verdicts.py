"""What a candidate gets wrong about change: missing comparisons, redundant comparisons, wrong trends."""

from collections import Counter
from typing import Literal

from msgspec import Struct

from overread.systems.longitudinal.schema import TRENDS, ComparedSentence, Progression

Labels = dict[str, dict[Progression, list[ComparedSentence]]]
"""Disease → progression → the sentences that say so."""

Kind = Literal["agreed", "wrong trend", "missing comparison", "redundant comparison"]
KINDS: tuple[Kind, ...] = ("agreed", "wrong trend", "missing comparison", "redundant comparison")


class Verdict(Struct, frozen=True, forbid_unknown_fields=True):
    """One label of one side, or a wrong pair of them."""

    kind: Kind
    disease: str
    reference: Progression | None
    candidate: Progression | None
    anchored: bool
    """Does the reference give this disease any label?"""

    reference_sentences: tuple[ComparedSentence, ...] = ()
    candidate_sentences: tuple[ComparedSentence, ...] = ()

    def plain(self) -> dict[str, object]:
        """As JSON values."""
        return {
            "kind": self.kind,
            "disease": self.disease,
            "reference": self.reference,
            "candidate": self.candidate,
            "reference_sentences": [quoted(s) for s in self.reference_sentences],
            "candidate_sentences": [quoted(s) for s in self.candidate_sentences],
        }


def quoted(sentence: ComparedSentence) -> dict[str, object]:
    return {"start": sentence.start, "end": sentence.end, "text": sentence.text}


def verdicts(reference: Labels, candidate: Labels) -> list[Verdict]:
    """Every label of both sides, judged once; diseases in the order of the reference, then the candidate's."""
    return [
        verdict
        for disease in dict.fromkeys([*reference, *candidate])
        for verdict in judged(disease, reference.get(disease, {}), candidate.get(disease, {}))
    ]


def judged(
    disease: str,
    wanted: dict[Progression, list[ComparedSentence]],
    given: dict[Progression, list[ComparedSentence]],
) -> list[Verdict]:
    """Labels of one disease: equal ones agree, leftovers of both sides make wrong trends, the rest stands alone.

    Right effusion better, left worse, against effusion better: one agrees, one is missing.
    """
    lost: list[Progression | None] = [p for p in TRENDS if p in wanted and p not in given]
    extra: list[Progression | None] = [p for p in TRENDS if p in given and p not in wanted]
    pairs = [(p, p) for p in TRENDS if p in wanted and p in given]
    length = max(len(lost), len(extra))
    rest = zip(lost + [None] * (length - len(lost)), extra + [None] * (length - len(extra)), strict=True)
    return [
        Verdict(
            kind_of(one, other),
            disease,
            one,
            other,
            bool(wanted),
            tuple(wanted.get(one, ())) if one else (),
            tuple(given.get(other, ())) if other else (),
        )
        for one, other in [*pairs, *rest]
    ]


def kind_of(reference: Progression | None, candidate: Progression | None) -> Kind:
    """
    >>> kind_of("improved", "worsened"), kind_of("improved", None)
    ('wrong trend', 'missing comparison')
    """
    if reference is None or candidate is None:
        return "missing comparison" if candidate is None else "redundant comparison"
    return "agreed" if reference == candidate else "wrong trend"


def counted(found: list[Verdict]) -> dict[str, float]:
    """Sufficient statistics: labels per class and errors per kind.

    A class has `tp`, `fn`, `fp` (of diseases the reference compares) and `elsewhere` (of other diseases).
    """
    counts: Counter[str] = Counter()
    for trend in TRENDS:
        counts.update({f"{trend}:{kind}": 0 for kind in ("tp", "fn", "fp", "elsewhere")})
    counts.update(dict.fromkeys(KINDS, 0))
    for verdict in found:
        counts[verdict.kind] += 1
        if verdict.kind == "agreed":
            counts[f"{verdict.reference}:tp"] += 1
            continue
        if verdict.reference is not None:
            counts[f"{verdict.reference}:fn"] += 1
        if verdict.candidate is not None:
            counts[f"{verdict.candidate}:{'fp' if verdict.anchored else 'elsewhere'}"] += 1
    return {name: float(n) for name, n in counts.items()}
