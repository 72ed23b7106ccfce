"""Several annotators of the same studies: their majority as labels, what they could not settle, how far they agree.

And label curation as the CLEAR paper has it: studies on which a reader and the annotators differ in a few
conditions are worth another look at the labels.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec import Struct

from overread.stats.raters import fleiss_kappa, krippendorff_alpha
from overread.systems.clear.schema import CONDITIONS, PRESENCE, Cell, Condition, Level, Presence, Table
from overread.validation.clear_files import Expert

NUMBERS: dict[Presence, str] = {"positive": "1", "negative": "0", "unclear": "-1"}
ORDER: dict[Level, int] = {level: n for n, level in enumerate(PRESENCE)}
MOST = 5
"""A study with more differing conditions than this is another matter than a slip of the pen."""


class Votes(Struct, frozen=True):
    """What several annotators decided together."""

    experts: dict[str, Expert]
    """Their majority; a cell without one is unclear."""

    unresolved: tuple[tuple[str, Condition], ...]
    """Cells without a majority: left out of every score until they are settled."""

    annotators: int
    cells: int
    agreed: int
    """Cells on which all of them say the same."""

    kappa: float | None
    """Fleiss' kappa over positive, negative and unclear."""

    alpha: float | None
    """Krippendorff's alpha, which also takes studies that not everybody labelled."""

    levels: float | None = None
    """Krippendorff's alpha over the five levels as they were given, before they are merged to three."""

    unsaid: int = 0
    """Cells they differ on that somebody calls not mentioned: read between the lines, not a slip."""

    def without_open(self, views: Mapping[str, Table]) -> dict[str, Table]:
        """The views with the unresolved cells left open, so that they count for nobody."""
        found = {id: dict(table.conditions) for id, table in views.items()}
        for id, condition in self.unresolved:
            if id in found:
                found[id][condition] = Cell()
        return {id: Table(id, cells) for id, cells in found.items()}

    def rows(self) -> list[dict[str, str]]:
        """One row a study for a CSV: 1, 0 or -1, and `?` where people must still agree."""
        return [{"study_id": id, **self.row(id)} for id in sorted(self.experts)]

    def row(self, id: str) -> dict[str, str]:
        cells = self.experts[id].table.conditions
        return {c: "?" if (id, c) in self.unresolved else NUMBERS[cells[c].presence] for c in CONDITIONS}


def vote(annotators: Sequence[Mapping[str, Expert]]) -> Votes:
    """The majority of all annotators, study by study and condition by condition."""
    units = {
        (id, c): [one[id].table.conditions[c].presence for one in annotators if id in one]
        for id in sorted({id for one in annotators for id in one})
        for c in CONDITIONS
    }
    chosen = {key: majority(said) for key, said in units.items()}
    ids = dict.fromkeys(id for id, _ in units)
    shared = [said for said in units.values() if len(said) == len(annotators)]
    cells = {
        (id, c): [one[id].table.conditions[c] for one in annotators if id in one]
        for id in ids
        for c in CONDITIONS
    }
    apart = [cells[key] for key, said in units.items() if len(set(said)) > 1]
    flagged = any(cell.mentioned for held in cells.values() for cell in held)
    return Votes(
        levels=krippendorff_alpha(
            [[ORDER[cell.level] for cell in held] for held in cells.values()], "ordinal"
        ),
        unsaid=sum(not all(cell.mentioned for cell in held) for held in apart) if flagged else 0,
        experts={id: decided(id, {c: chosen[id, c] for c in CONDITIONS}, annotators) for id in ids},
        unresolved=tuple(key for key, label in chosen.items() if label is None),
        annotators=len(annotators),
        cells=len(units),
        agreed=sum(len(set(said)) == 1 for said in units.values()),
        kappa=fleiss_kappa(shared) if len(annotators) > 1 and shared else None,
        alpha=krippendorff_alpha(list(units.values())),
    )


def majority(said: Sequence[Presence]) -> Presence | None:
    """More than half of them, or None.

    >>> majority(["positive", "positive", "unclear"]), majority(["positive", "negative"])
    ('positive', None)
    """
    label, count = Counter(said).most_common(1)[0]
    return label if 2 * count > len(said) else None


def decided(
    id: str, labels: Mapping[Condition, Presence | None], annotators: Sequence[Mapping[str, Expert]]
) -> Expert:
    """The table of the majority; attributes come from the first annotator who calls the condition positive."""
    cells: dict[Condition, Cell] = {}
    given: set[tuple[Condition, str]] = set()
    for condition, label in labels.items():
        voters = [one[id] for one in annotators if id in one]
        agreeing = [v for v in voters if v.table.conditions[condition].presence == label]
        cells[condition] = agreeing[0].table.conditions[condition] if label and agreeing else Cell()
        if label == "positive":
            answering = next((v for v in agreeing if any(c == condition for c, _ in v.given)), None)
            if answering is not None:
                cells[condition] = answering.table.conditions[condition]
                given |= {pair for pair in answering.given if pair[0] == condition}
    return Expert(Table(id, cells), frozenset(given))


def differing(
    experts: Mapping[str, Expert], views: Mapping[str, Table], most: int = MOST
) -> list[dict[str, str]]:
    """A row for every label on which a reader differs, in studies with one to `most` of them."""
    rows: list[dict[str, str]] = []
    for id in sorted(set(experts) & set(views)):
        one, two = experts[id].table.conditions, views[id].conditions
        apart = [c for c in CONDITIONS if one[c].presence != two[c].presence]
        if 0 < len(apart) <= most:
            rows += [
                {"study_id": id, "condition": c, "experts": one[c].presence, "reader": two[c].presence}
                for c in apart
            ]
    return rows


def told(votes: Votes) -> str:
    """The vote in one paragraph."""
    figures = {"Fleiss' kappa": votes.kappa, "Krippendorff's alpha": votes.alpha}
    figures |= {"alpha of the five levels": votes.levels} if votes.levels != votes.alpha else {}
    agreement = ", ".join(f"{name} {value:.3f}" for name, value in figures.items() if value is not None)
    studies = len({id for id, _ in votes.unresolved})
    lines = [
        f"{votes.annotators} annotators, {len(votes.experts)} studies: all agree on {votes.agreed} of "
        f"{votes.cells} labels" + (f"; {agreement}" if agreement else ""),
    ]
    if votes.unsaid:
        lines.append(
            f"  {votes.unsaid} of the {votes.cells - votes.agreed} they differ on somebody calls not mentioned: "
            "a matter of interpretation rather than of reading"
        )
    if votes.unresolved:
        lines.append(
            f"  {len(votes.unresolved)} labels of {studies} studies have no majority and are not scored; settle "
            "them in the file of --save-labels and give that as EXPERTS"
        )
    return "\n".join(lines)
