"""The ledger: every error with its words on both sides, and what would mend it."""

from typing import Any

from overread.pages.panels.panel import Cell, Kind, Mark, Panel, Table, TableRow, both

KINDS: dict[str, Kind] = {"missed finding": "missed", "false finding": "invented"}
TURNED = {"wrong direction", "says both", "device position"}
HEAD = ["error", "significance", "finding", "reference / candidate", "what would mend it"]


def panel(detail: Any) -> Panel:
    """The errors, gravest first, then what both reports tell."""
    errors, agreed = detail["errors"], detail["agreed"]
    rows = [row(group, error) for group, error in enumerate(errors)]
    told = [same(len(errors) + n, one) for n, one in enumerate(agreed)]
    marked = [m for group, error in enumerate(errors) for m in words(group, error)]
    for n, one in enumerate(agreed):
        kind: Kind = "matched" if one["credit"] >= 0.85 else "partial"
        marked += both(
            spans(one["reference"]), spans(one["candidate"]), kind, len(errors) + n, one["finding"]
        )
    tables = [Table("Errors", HEAD, rows)] if rows else []
    tables += [Table("Told by both", ["finding", "significance", "part earned"], told)] if told else []
    return Panel(f"{detail['verdict'][:1].upper()}{detail['verdict'][1:]}.", marked, tables)


def kind_of(error: dict[str, Any]) -> Kind:
    """Denied is contradicted; an error about a finding that both tell is partial."""
    kind = KINDS.get(error["kind"])
    if kind is not None:
        return "contradicted" if error["reference"] and error["candidate"] else kind
    return "contradicted" if error["kind"] in TURNED else "partial"


def row(group: int, error: dict[str, Any]) -> TableRow:
    kind = kind_of(error)
    cells = [
        Cell(error["kind"], kind),
        Cell(error["significance"], "", error["reason"]),
        Cell(error["finding"]),
        Cell(error["reference_says"], "", error["candidate_says"]),
        Cell(error["mend"]),
    ]
    return TableRow(kind, group, cells)


def same(group: int, one: dict[str, Any]) -> TableRow:
    kind: Kind = "matched" if one["credit"] >= 0.85 else "partial"
    return TableRow(
        kind, group, [Cell(one["finding"]), Cell(one["significance"]), Cell(f"{one['credit']:.2f}", kind)]
    )


def words(group: int, error: dict[str, Any]) -> list[Mark]:
    label = f"{error['kind']}: {error['finding']}"
    return both(spans(error["reference"]), spans(error["candidate"]), kind_of(error), group, label)


def spans(found: list[list[int]]) -> list[tuple[int, int]]:
    return [(one[0], one[1]) for one in found]
