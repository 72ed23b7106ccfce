"""Change: which disease went which way, and where the candidate compares otherwise."""

from typing import Any

from overread.systems.panel import Cell, Kind, Panel, PanelTable, TableRow, Told, both, span_of

KIND_OF_TREND: dict[str, Kind] = {
    "agreed": "matched",
    "wrong trend": "contradicted",
    "missing comparison": "missed",
    "redundant comparison": "invented",
}


TREND_COLUMNS = ["disease", "reference", "candidate", "verdict", "sentences"]


def panel(detail: Any) -> Panel:
    rows, marked = [], []
    for group, label in enumerate(detail["labels"]):
        kind, disease = KIND_OF_TREND[label["kind"]], label["disease"]
        said = [label["reference_sentences"], label["candidate_sentences"]]
        quotes = [" … ".join(sentence["text"] for sentence in sentences) for sentences in said]
        trends = [Cell(label[side] or "–") for side in ("reference", "candidate")]
        cells = [Cell(disease), *trends, Cell(label["kind"], kind), Cell(quotes[0], "", quotes[1])]
        rows.append(TableRow(kind, group, cells))
        ours, theirs = (map(span_of, sentences) for sentences in said)
        marked += both(ours, theirs, kind, group, f"{disease}: {label['kind']}")
    agreed = sum(row.kind == "matched" for row in rows)
    lead = f"{agreed} of {len(rows)} trends agree." if rows else "Neither report compares a disease."
    return Panel(lead, marked, [PanelTable("Trends", TREND_COLUMNS, rows)] if rows else [])


def outcomes(detail: Any) -> Told:
    """Trends by class; a wrong trend counts under what the reference says."""
    for label in detail["labels"]:
        trend = label["reference"] or label["candidate"]
        yield "Trends (longitudinal)", trend, KIND_OF_TREND[label["kind"]]
