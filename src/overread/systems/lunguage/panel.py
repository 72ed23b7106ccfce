"""LUNGUAGE: which finding was held against which, the factors of each pair, and what each attribute cost."""

from typing import Any, Literal

from overread.systems.panel import (
    Cell,
    Kind,
    Mark,
    Panel,
    PanelTable,
    Side,
    TableRow,
    Told,
    both,
    number,
    span_marks,
)

ALIKE, LEAST_SEMANTIC = 0.85, 0.4
"""LUNGUAGE pairs everything it can: from `ALIKE` on a pair is matched, below `LEAST_SEMANTIC` it is none at all."""

TRENDS = ("improved", "worsened", "no_change")
SIDES = frozenset({"left", "right"})


def pair_outcome(pair: Any) -> Kind | Literal["unrelated"]:
    """What a LUNGUAGE pair means to a reader; `unrelated` findings were only paired for want of better.

    >>> pair_outcome({"semantic": 1.0, "match": 0.5, "attributes": [{"name": "status", "similarity": 0.0}]})
    'contradicted'
    """
    if pair["semantic"] < LEAST_SEMANTIC:
        return "unrelated"
    if opposed(pair["attributes"]):
        return "contradicted"
    return "matched" if pair["match"] >= ALIKE else "partial"


def opposed(attributes: Any) -> bool:
    """Do the two sides exclude each other: affirmed and denied, left and right, better and worse?"""
    parts = {part["name"]: part for part in attributes}
    if "status" in parts and not parts["status"]["similarity"]:
        return True
    ours, theirs = ({t for t in TRENDS if parts.get(t, {}).get(side)} for side in ("reference", "candidate"))
    if ours and theirs and not ours & theirs:
        return True
    place = parts.get("location", {"reference": "", "candidate": ""})
    one, two = (SIDES & set(place[side].replace("-", " ").split()) for side in ("reference", "candidate"))
    return bool(one and two and not one & two)


PAIR_HEAD = ["reference", "candidate", "match", "semantic", "structural", "what it cost"]


def panel(detail: Any) -> Panel:
    rows: list[TableRow] = []
    marked: list[Mark] = []
    missed, invented = [], []
    for pair in detail["pairs"]:
        kind, cost = pair_outcome(pair), {"cost": 1 - pair["match"]}
        if kind == "unrelated":  # as if each stood alone
            missed.append(pair["reference"] | cost)
            invented.append(pair["candidate"] | cost)
        else:
            marked += pair_marks(len(rows), pair, kind)
            rows.append(pair_row(len(rows), pair, kind))
    missed += detail["missed"]
    invented += detail["invented"]
    alone: list[TableRow] = []
    sides: tuple[tuple[Side, Kind, list[Any]], ...] = (("r", "missed", missed), ("c", "invented", invented))
    for side, kind, findings in sides:
        for finding in findings:
            group = len(rows) + len(alone)
            cells = [Cell(told(finding)), Cell(kind, kind), Cell(number(finding["cost"]))]
            alone.append(TableRow(kind, group, cells))
            spans = [span for found in finding["spans"].values() for span in found]
            marked += span_marks(side, spans, kind, group, f"{kind}: {finding['phrase']}")
    tables = [PanelTable("Pairs", PAIR_HEAD, rows)] if rows else []
    if alone:
        note = (
            "Findings without a counterpart; pairs that share nothing but being left over are shown here too."
        )
        tables.append(PanelTable("Missed and invented", ["finding", "", "cost"], alone, note))
    lead = f"{len(rows)} related pairs, {len(missed)} missed, {len(invented)} invented."
    return Panel(lead, marked, tables)


def pair_row(group: int, pair: Any, kind: Kind) -> TableRow:
    said = (Cell(told(pair[side])) for side in ("reference", "candidate"))
    factors = (Cell(number(pair[factor])) for factor in ("semantic", "structural"))
    cells = [*said, Cell(number(pair["match"]), kind), *factors, Cell(costs(pair["attributes"]))]
    return TableRow(kind, group, cells)


def told(finding: Any) -> str:
    """A denied finding says so."""
    return finding["phrase"] if finding["status"] == "positive" else f"no: {finding['phrase']}"


def costs(attributes: list[Any]) -> str:
    """The attributes that lost something, the costliest first."""
    lost = sorted((a for a in attributes if a["lost"] > 0.005), key=lambda a: -a["lost"])
    return "\n".join(f"{both_say(a, '→')} (−{a['lost']:.2f})" for a in lost)


def both_say(part: Any, between: str) -> str:
    name = part["name"].replace("_", " ")
    return f"{name}: {part['reference'] or '–'} {between} {part['candidate'] or '–'}"


def pair_marks(group: int, pair: Any, kind: Kind) -> list[Mark]:
    label = (
        f"match {pair['match']:.2f} = semantic {pair['semantic']:.2f} × structural {pair['structural']:.2f}"
    )
    reference, candidate = pair["reference"]["spans"], pair["candidate"]["spans"]
    marked = both(reference.get("entity", ()), candidate.get("entity", ()), kind, group, label)
    for part in pair["attributes"]:
        name, fine = part["name"], part["similarity"] >= 0.85
        one: Kind = "matched" if fine else "partial" if part["candidate"] else "missed"
        two: Kind = "matched" if fine else "partial" if part["reference"] else "invented"
        marked += span_marks("r", reference.get(name, ()), one, group, both_say(part, "/"))
        marked += span_marks("c", candidate.get(name, ()), two, group, both_say(part, "/"))
    return marked


def attribute_outcome(part: Any) -> str:
    if part["similarity"] >= ALIKE:
        return "matched"
    if part["name"] == "status":
        return "contradicted"
    if not part["reference"] or not part["candidate"]:
        return "missed" if part["reference"] else "invented"
    return "partial"


def outcomes(detail: Any) -> Told:
    """Findings as affirmed or denied by the reference, and every attribute of related pairs."""
    group = "Findings (LUNGUAGE)"
    for pair in detail["pairs"]:
        outcome = pair_outcome(pair)
        if outcome == "unrelated":
            yield group, f"{pair['reference']['status']} findings", "missed"
            yield group, f"{pair['candidate']['status']} findings", "invented"
            continue
        yield group, f"{pair['reference']['status']} findings", outcome
        for part in pair["attributes"]:
            yield "Attributes (LUNGUAGE)", part["name"].replace("_", " "), attribute_outcome(part)
    for outcome in ("missed", "invented"):
        for finding in detail[outcome]:
            yield group, f"{finding['status']} findings", outcome
