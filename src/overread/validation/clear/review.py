"""Several people on one corpus: annotators' votes, and two models' attributes dealt to two experts.

The majority of annotators becomes the labels; what they could not settle, and how far they agree, is told. As the
CLEAR paper curates labels, studies on which a reader and the annotators differ in a few conditions are listed.

    set-1.csv, set-2.csv   item, study_id, condition, attribute, answer, rating, revision; one for each expert
    key.csv                item, model: kept from the experts

Each set has every study once, half of them answered by one model and half by the other; the other set has the reverse.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from pathlib import Path
from random import Random

from msgspec import Struct
from msgspec.structs import replace

from overread.errors import BadInput
from overread.stats.raters import alpha, fleiss
from overread.systems.clear.schema import (
    CHOICES,
    CONDITIONS,
    PRESENCE,
    Cell,
    Condition,
    Level,
    Presence,
    Table,
    attributes_of,
)
from overread.validation.clear.files import Answer, Expert, Key, Rating, answer_of, rating, rows_of

NUMBERS: dict[Presence, str] = {"positive": "1", "negative": "0", "unclear": "-1"}
PRESENCE_RANK: dict[Level, int] = {level: n for n, level in enumerate(PRESENCE)}
MOST_DIFFERENCES = 5
"""A study with more differing conditions than this is another matter than a slip of the pen."""


class Votes(Struct, frozen=True):
    """What several annotators decided together."""

    annotators: int
    cells: dict[tuple[str, Condition], list[Cell]]
    """What those who labelled a study say of each condition."""

    experts: dict[str, Expert]
    """Their majority; a cell without one is unclear."""

    unresolved: tuple[tuple[str, Condition], ...]
    """Cells without a majority: left out of every score until they are settled."""

    def without_open(self, views: Mapping[str, Table]) -> dict[str, Table]:
        """The views with the unresolved cells left open, so that they count for nobody."""
        found = {id: dict(table.conditions) for id, table in views.items()}
        for id, condition in self.unresolved:
            if id in found:
                found[id][condition] = Cell()
        return {id: Table(id, cells) for id, cells in found.items()}

    def rows(self) -> list[dict[str, str]]:
        """One row a study for a CSV: 1, 0 or -1, and `?` where people must still agree."""
        return [
            {"study_id": id}
            | {
                c: "?" if (id, c) in self.unresolved else NUMBERS[one.table.conditions[c].presence]
                for c in CONDITIONS
            }
            for id, one in sorted(self.experts.items())
        ]


def vote(annotators: Sequence[Mapping[str, Expert]]) -> Votes:
    """The majority of all annotators, study by study and condition by condition."""
    ids = sorted({id for one in annotators for id in one})
    cells = {
        (id, c): [one[id].table.conditions[c] for one in annotators if id in one]
        for id in ids
        for c in CONDITIONS
    }
    chosen = {key: majority([cell.presence for cell in held]) for key, held in cells.items()}
    experts = {id: majority_table(id, {c: chosen[id, c] for c in CONDITIONS}, annotators) for id in ids}
    return Votes(
        len(annotators), cells, experts, tuple(key for key, label in chosen.items() if label is None)
    )


def majority(said: Sequence[Presence]) -> Presence | None:
    """More than half of them, or None.

    >>> majority(["positive", "positive", "unclear"]), majority(["positive", "negative"])
    ('positive', None)
    """
    label, count = Counter(said).most_common(1)[0]
    return label if 2 * count > len(said) else None


def majority_table(
    id: str, labels: Mapping[Condition, Presence | None], annotators: Sequence[Mapping[str, Expert]]
) -> Expert:
    """The table of the majority; attributes come from the first annotator who calls the condition positive."""
    cells: dict[Condition, Cell] = {}
    given: set[tuple[Condition, str]] = set()
    for condition, label in labels.items():
        voters = [one[id] for one in annotators if id in one]
        agreeing = [v for v in voters if v.table.conditions[condition].presence == label]
        answers = [{pair for pair in v.given if pair[0] == condition} for v in agreeing]
        best = next((n for n, own in enumerate(answers) if own), 0)
        cells[condition] = agreeing[best].table.conditions[condition] if agreeing else Cell()
        given |= answers[best] if agreeing else set()
    return Expert(Table(id, cells), frozenset(given))


def differing(experts: Mapping[str, Expert], views: Mapping[str, Table]) -> list[dict[str, str]]:
    """A row for every label on which a reader differs, in studies with one to `MOST_DIFFERENCES` of them."""
    rows: list[dict[str, str]] = []
    for id in sorted(set(experts) & set(views)):
        both = {
            c: (experts[id].table.conditions[c].presence, views[id].conditions[c].presence)
            for c in CONDITIONS
        }
        apart = [
            {"study_id": id, "condition": c, "experts": one, "reader": other}
            for c, (one, other) in both.items()
            if one != other
        ]
        rows += apart if len(apart) <= MOST_DIFFERENCES else []
    return rows


def vote_summary(votes: Votes) -> str:
    """The vote in one paragraph; Krippendorff's alpha also takes studies that not everybody labelled."""
    cells = list(votes.cells.values())
    units = [[cell.presence for cell in held] for held in cells]
    levels = alpha([[[PRESENCE_RANK[cell.level] for cell in held] for held in cells]], "ordinal").agreement()
    shared = [said for said in units if len(said) == votes.annotators > 1]
    figures = {
        "Fleiss' kappa": fleiss([shared]).agreement(),
        "Krippendorff's alpha": alpha([units]).agreement(),
    }
    if levels != figures["Krippendorff's alpha"]:
        figures["alpha of the five levels"] = levels
    agreement = ", ".join(f"{name} {value:.3f}" for name, value in figures.items() if value is not None)
    apart = [held for held, said in zip(cells, units, strict=True) if len(set(said)) > 1]
    lines = [
        f"{votes.annotators} annotators, {len(votes.experts)} studies: all agree on {len(cells) - len(apart)} of "
        f"{len(cells)} labels" + (f"; {agreement}" if agreement else ""),
    ]
    flagged = any(cell.mentioned for held in cells for cell in held)
    unsaid = sum(not all(cell.mentioned for cell in held) for held in apart) if flagged else 0
    if unsaid:
        lines.append(
            f"  {unsaid} of the {len(apart)} they differ on somebody calls not mentioned: "
            "a matter of interpretation rather than of reading"
        )
    if votes.unresolved:
        studies = len({id for id, _ in votes.unresolved})
        lines.append(
            f"  {len(votes.unresolved)} labels of {studies} studies have no majority and are not scored; settle "
            "them in the file of --save-labels and give that as EXPERTS"
        )
    return "\n".join(lines)


BETWEEN = " | "
"""Between the phrases of a list."""

SHEET = ("item", "study_id", "condition", "attribute", "answer", "rating", "revision")
KEY = ("item", "model")
CsvRows = list[dict[str, str]]


def mixed(
    labels: Mapping[str, Expert], models: Mapping[str, Mapping[str, Table]], draw: int = 0
) -> tuple[CsvRows, CsvRows, CsvRows]:
    """Both sets, and the key; as_csv leaves out of each what its reader must not see."""
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
    sets: list[CsvRows] = []
    for number, (first, second) in enumerate(((one, two), (two, one)), 1):
        dealt = [(id, first if n < half else second) for n, id in enumerate(studies)]
        Random(f"{draw}|set {number}").shuffle(dealt)
        told = [
            (id, *answer, model)
            for id, model in dealt
            for answer in model_answers(labels[id].table, models[model][id])
        ]
        names = ("item", "study_id", "condition", "attribute", "answer", "model")
        sets.append([dict(zip(names, (f"{number}-{n}", *row), strict=True)) for n, row in enumerate(told, 1)])
    return sets[0], sets[1], [*sets[0], *sets[1]]


def model_answers(labels: Table, view: Table) -> Iterator[tuple[Condition, str, str]]:
    """What a model says of every condition that the labels call positive; N/A where it says nothing."""
    for condition in labels.positive():
        cell = view.conditions[condition]
        for attribute in attributes_of(condition):
            said = getattr(cell, attribute)
            yield condition, attribute, (said if attribute in CHOICES else BETWEEN.join(said)) or "N/A"


def as_csv(columns: Sequence[str], rows: CsvRows) -> bytes:
    """These columns of the rows, empty where a row has none."""
    text = StringIO()
    table = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue().encode()


# ---- read back
def load_rated(path: Path) -> tuple[Rating, ...]:
    """A folder as it was dealt, or one table with a column model."""
    if not path.is_dir():
        return tuple(rated(row, path, line, str(row.get("model", "")).strip()) for line, row in rows_of(path))
    places = sorted(path.glob("set-*.csv"))
    if not places or not (path / "key.csv").is_file():
        raise BadInput(f"{path} holds no set-1.csv and key.csv as `overread build clear-review` writes them.")
    key = {str(row["item"]): str(row["model"]) for _, row in rows_of(path / "key.csv")}
    found = tuple(
        rated(row, place, line, key.get(str(row.get("item", "")), ""))
        for place in places
        for line, row in rows_of(place)
        if str(row.get("rating", "")).strip()
    )
    if not found:
        raise BadInput(f"Nobody has rated anything in {path} yet: fill in the column rating of the sets.")
    return found


def rated(row: Mapping[str, object], path: Path, line: int, model: str) -> Rating:
    where = f"{path}, line {line}"
    if "answer" not in row or not model:
        raise BadInput(f"{where}: rated answers need model, answer and rating.")
    mark = rating(row, path, line)
    answer, revision = (str(row.get(name) or "").strip() for name in ("answer", "revision"))
    lists = [phrases.split(BETWEEN.strip()) for phrases in (answer, revision if mark.rating < 1 else "")]
    given, mended = (answer_of(mark.attribute, phrases, where) for phrases in lists)
    return replace(mark, model=model, answer=given, revision=mended if any(lists[1]) else None)


def gold_of(experts: Mapping[str, Expert]) -> dict[Key, Answer]:
    """Experts' attributes as right answers."""
    return {
        (id, condition, attribute): getattr(one.table.conditions[condition], attribute)
        for id, one in experts.items()
        for condition, attribute in one.given
    }
