"""Change: which disease went which way, and where the candidate compares otherwise."""

from typing import Any

from overread.systems.panel import Cell, Kind, Mark, Panel, Table, TableRow, Told, both, span_of

KINDS: dict[str, Kind] = {
    "agreed": "matched",
    "wrong trend": "contradicted",
    "missing comparison": "missed",
    "redundant comparison": "invented",
}


def panel(detail: Any) -> Panel:
    labels = detail["labels"]
    rows = [row(group, label) for group, label in enumerate(labels)]
    head = ["disease", "reference", "candidate", "verdict", "sentences"]
    marked = [mark for group, label in enumerate(labels) for mark in words(group, label)]
    agreed = sum(label["kind"] == "agreed" for label in labels)
    lead = f"{agreed} of {len(labels)} trends agree." if labels else "Neither report compares a disease."
    return Panel(lead, marked, [Table("Trends", head, rows)] if rows else [])


def row(group: int, label: dict[str, Any]) -> TableRow:
    kind = KINDS[label["kind"]]
    cells = [
        Cell(label["disease"]),
        Cell(label["reference"] or "–"),
        Cell(label["candidate"] or "–"),
        Cell(label["kind"], kind),
        Cell(quotes(label["reference_sentences"]), "", quotes(label["candidate_sentences"])),
    ]
    return TableRow(kind, group, cells)


def quotes(sentences: list[dict[str, Any]]) -> str:
    return " … ".join(sentence["text"] for sentence in sentences)


def words(group: int, label: dict[str, Any]) -> list[Mark]:
    kind, disease = KINDS[label["kind"]], label["disease"]
    reference = [span_of(sentence) for sentence in label["reference_sentences"]]
    candidate = [span_of(sentence) for sentence in label["candidate_sentences"]]
    return both(reference, candidate, kind, group, f"{disease}: {label['kind']}")


def outcomes(detail: Any) -> Told:
    """Trends by class; a wrong trend counts under what the reference says."""
    for label in detail["labels"]:
        trend = label["reference"] or label["candidate"]
        yield "Trends (longitudinal)", trend, KINDS[label["kind"]]
