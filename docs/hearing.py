"""What each metric hears: of 40 invented pairs, how often a changed report scores below the same report in other words.

python docs/hearing.py            prints the table of docs/which-metric.md
python docs/hearing.py --write    writes it into the page
"""

import json
import sys
from pathlib import Path

import overread
from overread import examples

PAGE = Path(__file__).with_name("which-metric.md")
METRICS = (
    "overread", "radsem", "lunguage", "clear", "f1-srr-statuses", "f1-srr", "longitudinal", "bleu-4", "rouge-l",
    "meteor-stem",
)  # fmt: skip
COLUMNS = ("negation", "side", "degree", "change", "impression")
START, END = "<!-- made by docs/hearing.py -->", "<!-- end -->"


def probes() -> list[dict[str, str]]:
    with examples.folder() as place:
        return [json.loads(line) for line in (place / "hearing.jsonl").read_text("utf-8").splitlines()]


def heard() -> dict[str, dict[str, float]]:
    """Metric → what was changed → share of pairs in which the change scores below the paraphrase."""
    found = probes()
    references = [one["reference"] for one in found]
    systems = {side: [one[side] for one in found] for side in ("changed", "same")}
    scores = overread.score(references, systems, METRICS, resamples=1, shuffles=1)
    table: dict[str, dict[str, float]] = {}
    for metric in METRICS:
        changed, same = (scores.values(metric, side) for side in ("changed", "same"))
        table[metric] = {
            what: sum(
                lower(a, b) for one, a, b in zip(found, changed, same, strict=True) if one["what"] == what
            )
            / sum(one["what"] == what for one in found)
            for what in COLUMNS
        }
    return table


def lower(changed: float | None, same: float | None) -> bool:
    """No value on either side hears nothing; no value for the change alone, as if it were 0, hears it."""
    return (changed or 0.0) < (same or 0.0) - 1e-9


def markdown(table: dict[str, dict[str, float]]) -> str:
    lines = [f"| metric | {' | '.join(COLUMNS)} |", "|---|" + "---:|" * len(COLUMNS)]
    for metric, row in table.items():
        lines.append(f"| `{metric}` | " + " | ".join(f"{100 * row[what]:.0f}%" for what in COLUMNS) + " |")
    return "\n".join(lines)


def main() -> None:
    table = markdown(heard())
    if "--write" not in sys.argv:
        print(table)
        return
    text = PAGE.read_text("utf-8")
    before, after = text.split(START)[0], text.split(END)[1]
    PAGE.write_text(f"{before}{START}\n{table}\n{END}{after}", "utf-8")


if __name__ == "__main__":
    main()
