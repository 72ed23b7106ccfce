"""RadSEM: atomic sentences, the links between them with labels and weights, and what stayed without a partner."""

from typing import Any

from overread.systems.panel import (
    Cell,
    Kind,
    Mark,
    Panel,
    PanelTable,
    Side,
    TableRow,
    Told,
    number,
    span_marks,
)

LINK_COLUMNS = ["reference", "candidate", "class", "anatomy", "finding", "details", "weight", "credit"]


def panel(detail: Any) -> Panel:
    places = {
        side: {a["text"]: a for a in detail[own]} for side, own in (("r", "reference"), ("c", "candidate"))
    }
    rows: list[TableRow] = []
    marked: list[Mark] = []
    for group, pair in enumerate(detail["pairs"]):
        kind: Kind = "matched" if pair["weight"] == 1 else "partial"
        rows.append(TableRow(kind, group, link(pair, kind)))
        label = f"weight {pair['weight']:.2f}, credit {pair['credit']:.2f}"
        marked += sentence_marks("r", places["r"][pair["ref_sentence"]], kind, group, label)
        marked += sentence_marks("c", places["c"][pair["gen_sentence"]], kind, group, label)
    alone: list[TableRow] = []
    against = opponents(detail["contradicted"])
    sides: tuple[tuple[Side, str, Kind], ...] = (("r", "missed", "missed"), ("c", "invented", "invented"))
    for side, name, usual in sides:
        for text in detail[name]:
            other = against[side].get(text)
            kind = "contradicted" if other else usual
            group = len(rows) + len(alone)
            atom = places[side][text]
            told = f"{usual}; {other}" if other else str(usual)
            alone.append(TableRow(kind, group, [Cell(text), Cell(atom["normality"]), Cell(told, kind)]))
            marked += sentence_marks(side, atom, kind, group, f"{told}: {text}")
    tables = [PanelTable("Links", LINK_COLUMNS, rows)] if rows else []
    if alone:
        tables.append(PanelTable("Without a partner", ["sentence", "class", ""], alone))
    return Panel(lead(detail["classes"]), marked, tables)


def opponents(contradicted: list[dict[str, Any]]) -> dict[str, dict[str, str]]:
    """Side → sentence → why it cannot be true beside a sentence of the other report, and which."""
    found: dict[str, dict[str, str]] = {"r": {}, "c": {}}
    for one in contradicted:
        ref, gen, reason = one["ref_sentence"], one["gen_sentence"], one["reason"]
        found["r"].setdefault(ref, f"{reason}: {gen}")
        found["c"].setdefault(gen, f"{reason}: {ref}")
    return found


def lead(classes: dict[str, Any]) -> str:
    """The F1 of each class, and what it was made of."""
    told = [
        f"{name} F1 {one['f1']:.3f} ({number(one['matched'])} matched, {one['missed']} missed, "
        f"{one['invented']} invented{rule(one['rule'])})"
        for name, one in sorted(classes.items())
    ]
    if not told:
        return "No finding sentences."
    whole = "; ".join(told)
    return f"{whole[0].upper()}{whole[1:]}. Abnormal weighs 0.9, normal 0.1."


def rule(name: str) -> str:
    return "; some partners fit in part" if name == "partial-adjustment" else ""


def link(pair: dict[str, Any], kind: Kind) -> list[Cell]:
    finding = pair["asserted_abnormality_relationship"] or pair["negated_abnormality_relationship"]
    return [
        Cell(pair["ref_sentence"]),
        Cell(pair["gen_sentence"]),
        Cell(pair["normality"]),
        label(pair["anatomical_relationship"]),
        label(finding),
        label(pair["details_of_abnormality_relationship"]),
        Cell(number(pair["weight"]), kind),
        Cell(number(pair["credit"])),
    ]


def label(value: str | None) -> Cell:
    return Cell(value or "–", "" if value in (None, "equivalent") else "partial")


def sentence_marks(side: Side, atom: dict[str, Any], kind: Kind, group: int, told: str) -> list[Mark]:
    """The sentence an atom was read from; nobody knows where when a model made it up of several."""
    return span_marks(side, [(atom["start"], atom["end"])], kind, group, told) if atom["start"] >= 0 else []


def outcomes(detail: Any) -> Told:
    """Atomic sentences by class."""
    group = "Sentences (RadSEM)"
    weight: dict[str, float] = {}
    for pair in detail["pairs"]:
        weight[pair["ref_sentence"]] = max(weight.get(pair["ref_sentence"], 0.0), pair["weight"])
    denied = {one[side] for one in detail["contradicted"] for side in ("ref_sentence", "gen_sentence")}
    classes = {side: {a["text"]: a["normality"] for a in detail[side]} for side in ("reference", "candidate")}
    for text, best in weight.items():
        yield group, classes["reference"][text], "matched" if best == 1 else "partial"
    for outcome, side in (("missed", "reference"), ("invented", "candidate")):
        for text in detail[outcome]:
            yield group, classes[side][text], "contradicted" if text in denied else outcome
