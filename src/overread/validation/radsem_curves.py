"""RadSEM, Figure 2: what one more finding does to the abnormal F1, matched in full, in part or not at all."""

from overread.systems.radsem.published import published
from overread.systems.radsem.score import class_f1
from overread.validation.shown import svg

LARGEST_CREDIT, CURVE_STEPS = 10, 100


def scenarios(unmatched: int = 1) -> dict[str, list[tuple[float, float]]]:
    """Abnormal F1 against the credit M₀ matched so far, with U₀ sentences unmatched before."""
    part = float(published().constants.part_whole)
    added = {"full match": (1.0, 0), f"partial match, {part:.2f}": (part, 0), "one unmatched": (0.0, 1)}
    added["two unmatched"] = (0.0, 2)
    credits = [LARGEST_CREDIT * n / CURVE_STEPS for n in range(CURVE_STEPS + 1)]
    return {
        name: [(m, class_f1(m + credit, unmatched, loose)) for m in credits]
        for name, (credit, loose) in added.items()
    }


def penalties() -> dict[str, list[tuple[float, float]]]:
    """(F_full − F_partial) / (F_full − F_unmatched), a curve for each number of sentences unmatched before."""
    found = {}
    for unmatched in (0, 1, 2, 4):
        full, partial, loose, _ = scenarios(unmatched).values()
        rows = zip(full, partial, loose, strict=True)
        found[f"{unmatched} unmatched before"] = [
            (m, (f - p) / (f - u)) for (m, f), (_, p), (_, u) in rows if f > u
        ]
    return found


def f1_curves() -> str:
    """Both panels."""
    panels = {
        "(a) Abnormal F1 against matched credit, one unmatched before": scenarios(),
        "(b) Penalty of a partial match as a share of a missed one": penalties(),
    }
    return svg("curves", panels=panels, most=LARGEST_CREDIT)
