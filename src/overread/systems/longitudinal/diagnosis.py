"""F1 of disease diagnosis over fourteen CheXpert-style classes, from whatever labeller there is.

The labels come from outside (a mapping of class to label per report): this file only counts. A class that a
labeller leaves out is not mentioned, which is the same as negative here. `No Finding` is positive when no
other class but `Support Devices` is.
"""

from collections.abc import Mapping
from typing import Literal

from overread.systems.base import Score
from overread.systems.longitudinal.score import f1, ratio

Label = Literal["positive", "uncertain", "negative"]
Labels = Mapping[str, Label]

DISEASES = (
    "Enlarged Cardiomediastinum", "Cardiomegaly", "Lung Opacity", "Lung Lesion", "Edema", "Consolidation",
    "Pneumonia", "Atelectasis", "Pneumothorax", "Pleural Effusion", "Pleural Other", "Fracture",
)  # fmt: skip
NO_FINDING, DEVICES = "No Finding", "Support Devices"
CLASSES = (NO_FINDING, *DISEASES, DEVICES)


def present(labels: Labels, uncertain: Literal["positive", "negative"] = "positive") -> frozenset[str]:
    """The classes that count as present.

    >>> sorted(present({"Edema": "uncertain", "Support Devices": "positive"}, uncertain="negative"))
    ['No Finding', 'Support Devices']
    """
    yes = {"positive", "uncertain"} if uncertain == "positive" else {"positive"}
    found = frozenset(name for name in (*DISEASES, DEVICES) if labels.get(name) in yes)
    return found if found & set(DISEASES) else found | {NO_FINDING}


def diagnosis(
    reference: Labels, candidate: Labels, uncertain: Literal["positive", "negative"] = "positive"
) -> Score:
    """Micro F1 of one pair; the corpus value is `micro` of the summed counts."""
    one, other = present(reference, uncertain), present(candidate, uncertain)
    counts = {"tp": len(one & other), "fp": len(other - one), "fn": len(one - other)}
    tp, fp, fn = (float(counts[k]) for k in ("tp", "fp", "fn"))
    detail = {
        "agreed": sorted(one & other),
        "missed": sorted(one - other),
        "invented": sorted(other - one),
    }
    return Score(
        f1(tp, fp, fn), None, ratio(tp, tp + fp), ratio(tp, tp + fn), {k: float(v) for k, v in counts.items()},
        detail=detail,
    )  # fmt: skip


def micro(counts: Mapping[str, float]) -> float | None:
    """F1 over all classes pooled, from summed counts."""
    return f1(counts["tp"], counts["fp"], counts["fn"])
