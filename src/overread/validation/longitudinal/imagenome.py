"""Gold of Chest ImaGenome as people's sentences: its comparison rows, and the sentences of the same studies.

The data set needs credentials; its layout is known from public descriptions. The gold comparisons are a table
(tab-separated, one row per sentence, finding and relation) with columns for the study, the sentence, the finding
(`anatomicalfinding|yes|pleural effusion`, or the bare name) and the comparison (`comparison|yes|worsened`, or the
bare trend). It holds comparing sentences only; a second table lists all sentences of the studies, and those that
the first does not name compare nothing. Columns are found under any of the names below.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from overread.runner.limits import Tell, warned
from overread.sources.encoding import detect
from overread.sources.table_files import delimited
from overread.systems.longitudinal.schema import SUPPORT_DEVICES, TRENDS, keywords
from overread.validation.clear.files import named, usual_columns
from overread.validation.longitudinal.agreement import GoldItem, GoldReport, GoldSentence, load_gold
from overread.validation.shown import shipped

IMAGENOME_COLUMNS = shipped("columns.toml", dict[str, dict[str, tuple[str, ...]]])["imagenome"]
DEVICE_KINDS = ("tubesandlines", "device")
"""Kinds of findings that are lines, tubes and hardware."""


def is_imagenome(path: Path) -> bool:
    """A table whose first line has the columns of gold comparisons."""
    if path.suffix.lower() not in (".txt", ".tsv", ".csv"):
        return False
    there = delimited(path, detect(path)).names
    return all(named(there, names) for names in IMAGENOME_COLUMNS.values())


def load_compared(gold: Path, sentences: Path | None = None, tell: Tell = warned) -> dict[str, GoldReport]:
    """People's sentences of a file of JSON lines or of Chest ImaGenome; findings that are no keywords are told."""
    if not is_imagenome(gold):
        return load_gold(gold)
    found, unknown = load_imagenome(gold, sentences)
    for name in unknown:
        tell(f"not one of the fifty keywords, left out: {name}")
    return found


def load_imagenome(
    comparisons: Path, sentences: Path | None = None
) -> tuple[dict[str, GoldReport], list[str]]:
    """The gold by study, and findings that are none of the fifty keywords: their sentences stay, without the item.

    Sentences of other studies than the compared ones are passed over.
    """
    told: dict[str, dict[str, list[GoldItem]]] = {}
    unknown: dict[str, None] = {}
    for row in role_rows(comparisons, IMAGENOME_COLUMNS):
        items = told.setdefault(row["study"], {}).setdefault(row["sentence"], [])
        item, name = read_item(row["finding"], row["comparison"])
        if item is None:
            unknown[name] = None
        elif item not in items:
            items.append(item)
    whole = (
        list(role_rows(sentences, {role: IMAGENOME_COLUMNS[role] for role in ("study", "sentence")}))
        if sentences
        else []
    )
    reports = {}
    for id, said in told.items():  # sentences of the second table, then compared ones that it lacks
        texts = dict.fromkeys([*(row["sentence"] for row in whole if row["study"] == id), *said])
        sentences_of = (GoldSentence(text, text in said, tuple(said.get(text, ()))) for text in texts)
        reports[id] = GoldReport(id, tuple(sentences_of))
    return reports, list(unknown)


def read_item(finding: str, comparison: str) -> tuple[GoldItem | None, str]:
    """Keyword and trend; None where the finding is none of the fifty.

    >>> read_item("anatomicalfinding|yes|pleural effusion", "comparison|yes|worsened")[0]
    GoldItem(disease='pleural effusion', progression='worsened')
    >>> read_item("tubesandlines|yes|chest tube", "no change")[0].disease
    'support devices'
    """
    kind, *_ = finding.lower().split("|")
    name = finding.lower().split("|")[-1].strip()
    trend = comparison.lower().split("|")[-1].strip().replace("_", " ")
    if kind in DEVICE_KINDS:
        return GoldItem(SUPPORT_DEVICES), name
    if name not in keywords() or trend not in TRENDS:
        return None, name if name not in keywords() else f"{name}: {trend}"
    return GoldItem(name, trend), name


# ---- tables
def role_rows(path: Path, usual: Mapping[str, Iterable[str]]) -> Iterator[dict[str, str]]:
    """The rows with the columns we use, under our names."""
    table = delimited(path, detect(path))
    wanted = usual_columns(path, table.names, usual)
    for _, cells in table:
        yield {role: " ".join(str(cells[name]).split()) for role, name in wanted.items()}
