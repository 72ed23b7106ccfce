"""Write the tables of figures into README.md and the pages on accuracy and laws, from docs/figures.toml."""

import tomllib
from pathlib import Path
from typing import Any

from overread.corpus.layered import MEASURES as VIEWS

HERE = Path(__file__).parent
ROOT = HERE.parent
END = "<!-- end -->"
MEASURES = {
    "entity": "findings, structures and devices detected",
    "status": "present or absent, of those detected",
    "certainty": "hedged or certain, of those detected",
    "triplet": "detected with the correct status and location",
    "attributes": "attribute values",
    "evidence": "evidence links",
}
TRUST = ("entity", "status", "triplet")
TEXTS = {
    "probes": "short texts on 24 linguistic phenomena",
    "kinds": "whole reports of other types (ultrasound, breast, nuclear medicine, bones, head, …)",
    "settings": "whole reports of other settings (ICU, oncology, children, emergencies, …)",
    "layouts": "reports in lists, tables, templates and forms",
}


def figures() -> dict[str, Any]:
    return tomllib.loads((HERE / "figures.toml").read_text("utf-8"))


def corpus_table(found: dict[str, Any]) -> list[str]:
    rows = found["corpus"]
    heads = [
        f"{rows[f'{name}, reports']} {title}"
        for name, title in (("films", "chest radiographs"), ("others", "other studies"))
    ]
    lines = [f"| F1 (95% CI) | {heads[0]} | annotators | {heads[1]} | annotators |", "|---|---|---|---|---|"]
    for name, words in MEASURES.items():
        cells = []
        for part in ("films", "others"):
            value, interval = rows[f"{part}, {name}"], rows[f"{part}, {name}, interval"]
            cells += [f"{value} ({interval})", rows[f"{part}, {name}, annotators"]]
        lines.append(f"| {words} | {' | '.join(cells)} |")
    return lines


def trust_table(found: dict[str, Any]) -> list[str]:
    """Three rows for the README."""
    head, rule, *rows = corpus_table(found)
    return [head, rule, *(row for row in rows if row[2:].startswith(tuple(MEASURES[name] for name in TRUST)))]


def view_table(found: dict[str, Any]) -> list[str]:
    rows = found["views"]
    lines = [f"| view of {rows['films']} chest radiographs | F1 |", "|---|---|"]
    return lines + [f"| {words} | {rows[name]} |" for name, words in VIEWS.items()]


def text_table(found: dict[str, Any]) -> list[str]:
    rows = found["probes"]
    lines = [
        "| texts | facts correct | whole texts correct | RadSEM statements correct |",
        "|---|---|---|---|",
    ]
    for name, words in TEXTS.items():
        cells = [rows[f"{name}, {part}"] for part in ("facts", "whole texts", "atoms")]
        lines.append(f"| {rows[f'{name}, texts']} {words} | {' | '.join(cells)} |")
    return lines


def law_table(found: dict[str, Any]) -> list[str]:
    lines = ["| law | of | what holds | breaks |", "|---|---|---|---|"]
    for name, count in found["laws"].items():
        law, _, rest = name.partition(", ")
        of, _, what = rest.partition(": ")
        lines.append(f"| {law.removeprefix('law ')} | {of} | {what} | {count} |")
    return lines


def dated(found: dict[str, Any]) -> list[str]:
    return [
        "",
        f"Measured {found['measured']} as shipped (network {found['network']}) by `python tools/figures.py`.",
    ]


def blocks() -> dict[Path, dict[str, list[str]]]:
    """Page → mark → the lines that stand below it."""
    found = figures()
    return {
        ROOT / "README.md": {"<!-- trust -->": [*trust_table(found), *dated(found)]},
        HERE / "how-good-is-it.md": {"<!-- corpus -->": [*corpus_table(found), *dated(found)]},
        HERE / "measurements.md": {"<!-- views -->": view_table(found), "<!-- texts -->": text_table(found)},
        HERE / "laws.md": {"<!-- laws -->": [*law_table(found), *dated(found)]},
    }


def page(path: Path) -> str:
    """A page with its tables as they should be."""
    text = path.read_text("utf-8")
    for mark, lines in blocks()[path].items():
        before, rest = text.split(mark)
        text = "\n".join([f"{before}{mark}", *lines, END]) + rest.split(END, 1)[1]
    return text


if __name__ == "__main__":
    for path in blocks():
        path.write_text(page(path), "utf-8")
