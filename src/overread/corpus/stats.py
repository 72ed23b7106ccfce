"""What a corpus holds, in counts for each split: as tables for the terminal, and as bars."""

from collections import Counter
from collections.abc import Iterable, Iterator

from overread.corpus.build import Line, LineMention
from overread.corpus.files import SPLITS
from overread.validation import shown
from overread.validation.shown import Amount

FREQUENT = {"noun": 40, "place": 25, "denial": 25, "hedge": 25}
"""Tables of words, and how many of the most frequent are shown."""
ALL_TABLES = (
    "size", "modality", "setting", "style", "writer", "section", "sentences in a report", "without a mention",
    "category", "status", "attribute", "link", "cue", *FREQUENT,
)  # fmt: skip

TableCounts = dict[str, dict[str, Counter[str]]]
"""Table → name → how many in each split."""


def count(lines: Iterable[Line]) -> TableCounts:
    """
    >>> count([])["category"]
    {}
    """
    found: TableCounts = {table: {} for table in ALL_TABLES}
    patients = set()
    for line in lines:
        pairs = [*names_in_report(line), *(pair for mention in line.mentions for pair in of_mention(mention))]
        if line.patient and line.patient not in patients:
            patients.add(line.patient)
            pairs.append(("size", "patients"))
        for table, name in pairs:
            found[table].setdefault(name, Counter())[line.split] += 1
    return found


def names_in_report(line: Line) -> Iterator[tuple[str, str]]:
    yield "size", "reports"
    for table in ("modality", "setting", "style", "writer"):
        yield table, getattr(line, table) or "not given"
    yield "sentences in a report", str(len(line.sentences))
    for sentence in line.sentences:
        yield "size", "sentences"
        yield "section", sentence.section
        if sentence.kind:
            yield "without a mention", sentence.kind
    yield from (("without a mention", "only points back (^)") for _ in line.additions)
    yield from (("size", "accepted alternatives") for _ in line.alternatives)


def of_mention(mention: LineMention) -> Iterator[tuple[str, str]]:
    yield "size", "mentions"
    yield "category", mention.category
    yield "status", f"{mention.status}, {mention.certainty}"
    yield "noun", mention.entity.lower()
    for value in mention.attributes:
        yield "attribute", value.kind
        if value.kind == "location":
            yield "place", value.text.lower()
    for cue in mention.cues:
        yield "cue", cue.kind
        yield cue.kind, cue.text.lower()
    yield from (("link", link.kind) for link in mention.links)


def rows_as_shown(counts: TableCounts, table: str) -> list[tuple[str, Counter[str]]]:
    """A table in the order in which it is shown: the most frequent first, numbers of sentences by size."""
    found = list(counts[table].items())
    if table == "sentences in a report":
        return sorted(found, key=lambda row: int(row[0]))
    found.sort(key=lambda row: (-row[1].total(), row[0]))
    return found[: FREQUENT.get(table)]


def splits_of(counts: TableCounts) -> list[str]:
    return [split for split in SPLITS if any(row[split] for row in counts["size"].values())]


def text_of(counts: TableCounts) -> str:
    """All tables for the terminal, a column for each split."""
    splits = splits_of(counts)
    blocks = []
    for table in (name for name in ALL_TABLES if counts[name]):
        distinct = f" ({len(counts[table]):,} different)" if table in FREQUENT else ""
        lines: list[tuple[str, ...]] = [(table + distinct, *splits, "all")]
        for name, row in rows_as_shown(counts, table):
            cells = (f"{count:,}" for count in [*(row[split] for split in splits), row.total()])
            lines.append((f"  {name[:41]}", *cells))
        blocks.append("\n".join(shown.table(*lines)) + "\n")
    return "\n".join(blocks)


DRAWN = (
    "modality", "setting", "style", "sentences in a report", "category", "attribute", "link", "noun", "hedge",
)  # fmt: skip
"""Tables that a picture shows better than numbers."""


def pictures(counts: TableCounts) -> dict[str, str]:
    """File name → picture with a panel for each split, for every table that has something in it."""
    found = {}
    for table in (name for name in DRAWN if counts[name]):
        rows = rows_as_shown(counts, table)
        panels = {
            split: {name: Amount(row[split], f"{row[split]:,}") for name, row in rows if row[split]}
            for split in splits_of(counts)
        }
        found[f"{table.replace(' ', '-')}.svg"] = shown.bars(f"The corpus by {table}", panels)
    return found
