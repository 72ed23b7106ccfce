"""The longitudinal paper's Figure 3 for any reader: detection, progression and each trend, published rows in grey."""

from overread.systems.longitudinal.published import published
from overread.validation.bars import Amount, bars
from overread.validation.longitudinal import Agreement, Rates
from overread.validation.longitudinal_text import COLUMNS, percent


def picture(found: Agreement) -> str:
    """One panel for each question, all in per cent."""
    panels = {
        "Does a sentence compare?": ours(found.detection) | others("detection"),
        "Progression, micro average": ours(found.progression) | others("progression"),
    }
    panels |= {f"Progression: {trend}": ours(rates) for trend, rates in found.classes.items()}
    panels["Comparing sentences found, by trend"] = {
        trend: Amount(n / total, f"{n} of {total}") for trend, (n, total) in found.detected.items() if total
    }
    told = {title: rows for title, rows in panels.items() if rows}
    return bars(f"Longitudinal annotation against people, {found.reports} reports", told, top=1.0)


def ours(rates: Rates) -> dict[str, Amount]:
    values = {name: getattr(rates, name) for name in COLUMNS}
    return {name: Amount(value, percent(value)) for name, value in values.items()}


def others(task: str) -> dict[str, Amount]:
    systems = published()[task]["systems"]
    return {
        f"F1, published: {name}": Amount(one["f1"] / 100, f"{one['f1']:.1f}", ours=False)
        for name, one in systems.items()
        if "f1" in one
    }
