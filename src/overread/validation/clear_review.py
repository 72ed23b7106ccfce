"""Two models' attributes mixed and dealt to two experts, and the sheets read back when they are filled in.

    set-1.csv, set-2.csv   item, study_id, condition, attribute, answer, rating, revision; one for each expert
    key.csv                item, model: kept from the experts

Each set has every study once, half of them answered by one model and half by the other; the other set has the reverse.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from random import Random

from overread.errors import BadInput
from overread.systems.clear.schema import CHOICES, Condition, Table, attributes_of
from overread.validation.clear_curated import ALL, Answer, Cell, Rated
from overread.validation.clear_files import Expert, condition_of, id_of, mark_of, one_of, phrases, rows_of

BETWEEN = " | "
"""Between the phrases of a list."""

SHEET = ("item", "study_id", "condition", "attribute", "answer", "rating", "revision")
KEY = ("item", "model")
Rows = list[dict[str, str]]


def mixed(
    labels: Mapping[str, Expert], models: Mapping[str, Mapping[str, Table]], draw: int = 0
) -> tuple[Rows, Rows, Rows]:
    """Both sets and the key."""
    if len(models) != 2:
        raise BadInput("Two models' answers are mixed; give two files.")
    one, two = models
    studies = [
        id for id in sorted(labels) if labels[id].table.positive() and id in models[one] and id in models[two]
    ]
    if not studies:
        raise BadInput(
            "No study has a positive condition and an answer of both models; are the ids the same?"
        )
    Random(f"{draw}|studies").shuffle(studies)
    half = (len(studies) + 1) // 2
    sets: list[Rows] = []
    key: Rows = []
    for number in (1, 2):
        sheet: Rows = []
        first, second = (one, two) if number == 1 else (two, one)
        dealt = [(id, first if n < half else second) for n, id in enumerate(studies)]
        Random(f"{draw}|set {number}").shuffle(dealt)
        for id, model in dealt:
            for condition, attribute, answer in answers(labels[id].table, models[model][id]):
                item = f"{number}-{len(sheet) + 1}"
                sheet.append(dict(zip(SHEET, (item, id, condition, attribute, answer, "", ""), strict=True)))
                key.append({"item": item, "model": model})
        sets.append(sheet)
    return sets[0], sets[1], key


def answers(labels: Table, view: Table) -> Iterator[tuple[Condition, str, str]]:
    """What a model says of every condition that the labels call positive; N/A where it says nothing."""
    for condition in labels.positive():
        cell = view.conditions[condition]
        for attribute in attributes_of(condition):
            said = getattr(cell, attribute)
            yield condition, attribute, (said if attribute in CHOICES else BETWEEN.join(said)) or "N/A"


def as_csv(columns: Sequence[str], rows: Rows) -> bytes:
    text = StringIO()
    table = csv.DictWriter(text, columns, lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()


# ---- read back
def load_rated(path: Path) -> tuple[Rated, ...]:
    """A folder as it was dealt, or one table with a column model."""
    if not path.is_dir():
        return tuple(rated(row, path, line, str(row.get("model", "")).strip()) for line, row in rows_of(path))
    places = sorted(path.glob("set-*.csv"))
    if not places or not (path / "key.csv").is_file():
        raise BadInput(f"{path} holds no set-1.csv and key.csv as `overread build clear-review` writes them.")
    key = {str(row["item"]): str(row["model"]) for _, row in rows_of(path / "key.csv")}
    found = []
    for place in places:
        for line, row in rows_of(place):
            if str(row.get("rating", "")).strip():
                found.append(rated(row, place, line, key.get(str(row.get("item", "")), "")))
    if not found:
        raise BadInput(f"Nobody has rated anything in {path} yet: fill in the column rating of the sets.")
    return tuple(found)


def rated(row: Mapping[str, object], path: Path, line: int, model: str) -> Rated:
    where = f"{path}, line {line}"
    missing = [name for name in ("condition", "attribute", "answer", "rating") if name not in row]
    if missing or not model:
        raise BadInput(
            f"{where}: no {', '.join(missing or ['model'])}; rated answers need model, answer and rating."
        )
    attribute = str(row["attribute"]).strip().lower().replace(" ", "_")
    if attribute not in ALL:
        raise BadInput(f"{where}: attribute must be one of {', '.join(ALL)}.")
    mark = mark_of(row["rating"], where)
    mended = str(row.get("revision") or "").strip()
    return Rated(
        id_of(row, path, line),
        condition_of(str(row["condition"]), path, line),
        attribute,
        model,
        answer_of(attribute, str(row["answer"] or ""), where),
        mark,
        answer_of(attribute, mended, where) if mended and mark < 1 else None,
    )


def answer_of(attribute: str, text: str, where: str) -> Answer:
    """
    >>> answer_of("location", "left base | right apex", ""), answer_of("change", "Stable", "")
    (('left base', 'right apex'), 'stable')
    >>> answer_of("location", "N/A", "")
    ()
    """
    listed = phrases(text.split(BETWEEN.strip()))
    return one_of(attribute, listed, where) if attribute in CHOICES else listed


def gold_of(experts: Mapping[str, Expert]) -> dict[Cell, Answer]:
    """Experts' attributes as right answers."""
    return {
        (id, condition, attribute): getattr(one.table.conditions[condition], attribute)
        for id, one in experts.items()
        for condition, attribute in one.given
    }
