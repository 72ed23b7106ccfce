"""A labeller of utterances against people's labels: the SRRG paper's Tables 3 and 4, with exact match and Jaccard."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from overread.errors import AskFailed, BadInput
from overread.reader import read
from overread.report import Report, parse
from overread.runner.views import Views
from overread.systems.registry import system
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.cells import Average, Rows, Scores, averaged
from overread.systems.srrg.classifier import Classifier
from overread.systems.srrg.corpus import Labelled
from overread.systems.srrg.labellers import labeller, space_of
from overread.systems.srrg.labels import SPACES, Label, chexpert, parse_label, space, upper
from overread.systems.srrg.schema import LabelRead, Utterance
from overread.validation.tables import figure, in_columns

if TYPE_CHECKING:
    from overread.llm import Client

AVERAGES: tuple[Average, ...] = ("micro", "macro", "weighted", "samples")
MAPS: tuple[tuple[str, Callable[[str], str]], ...] = (("leaves", str), ("uppers", upper))
OURS = ("rules", "model", "vote")
"""The labellers that need nothing but this package."""

PUBLISHED = (
    "Published, 1,609 reviewed utterances: micro F1 leaves .84, upper .84, with statuses .80 and .80;\n"
    "through 14 classes (weighted) SRR-BERT .84 by leaves and .86 by upper, CheXbert .65 and .50;\n"
    "of whole reports SRR-BERT .58 and .70, CheXbert .62 and .56."
)


class Agreed(Struct, frozen=True, forbid_unknown_fields=True):
    """One label space."""

    averages: dict[str, Scores]
    exact: float
    """Utterances whose whole set of labels is right."""

    jaccard: float
    """Mean of shared over all labels of an utterance."""

    support: int


def by_rules(texts: Sequence[str]) -> list[list[Label]]:
    """Our own labels of utterances that stand alone."""
    found = []
    for text in texts:
        said = view(read(parse(f"FINDINGS: {text}", ""))).utterances
        labels = {(one.label, one.status) for u in said for one in u.labels}
        kept = {pair for pair in labels if pair[0] != "No Finding"} or {("No Finding", None)}
        found.append([Label(*pair) for pair in sorted(kept, key=str)])
    return found


def by_labeller(name: str, texts: Sequence[str], rules: Sequence[Sequence[Label]]) -> list[list[Label]]:
    """The labels that `name` gives to utterances that stand alone; `rules` are those of the rules."""
    if name == "rules":
        return [list(one) for one in rules]
    alone = [
        Utterance("findings", 0, len(text), text, [LabelRead(one.label, one.status) for one in ours])
        for text, ours in zip(texts, rules, strict=True)
    ]
    return [[Label(one.label, one.status) for one in u.labels] for u in labeller(name)(alone)]


def side_by_side(gold: Sequence[Labelled], names: Sequence[str] = OURS) -> dict[str, dict[str, Agreed]]:
    """Each labeller on the same utterances."""
    texts = [one.text for one in gold]
    rules = by_rules(texts)
    return {name: agreed(gold, by_labeller(name, texts, rules)) for name in names}


def with_own_model(gold: Sequence[Labelled], folder: Path, named: str | None) -> dict[str, Agreed]:
    """A user's model; a classifier is looked at in the one space it was trained for."""
    texts = [one.text for one in gold]
    mine = space(named).name if named else space_of(folder)
    told = Classifier(folder, mine).predict(texts)
    return {mine: agreed(gold, [[parse_label(name) for name in sorted(one)] for one in told])[mine]}


class Asked(Struct, frozen=True):
    """A language model's labels held against people's."""

    figures: dict[str, Agreed]
    failed: int
    """Utterances without an answer, which the figures leave out."""


def by_llm(client: "Client", gold: Sequence[Labelled]) -> Asked:
    """What the client's models agree on; an utterance they do not agree on counts as without labels."""
    from overread.llm import Failure
    from overread.systems.srrg.by_llm import label_lines

    found = label_lines(client, [one.text for one in gold])
    answered = [(g, f) for g, f in zip(gold, found, strict=True) if not isinstance(f, Failure)]
    if not answered:
        raise AskFailed("The model answered nothing that can be used; the lines above say why.")
    told = [[Label(one.label, one.status) for one in f] for _, f in answered]
    return Asked(agreed([g for g, _ in answered], told), len(gold) - len(answered))


def agreed(gold: Sequence[Labelled], told: Sequence[Sequence[Label]]) -> dict[str, Agreed]:
    """Every space, and CheXbert's 14 classes through leaves and through uppers."""
    pairs = [(g.labels, t) for g, t in zip(gold, told, strict=True)]
    found = {name: figures([(space(name).of(g), space(name).of(t)) for g, t in pairs]) for name in SPACES}
    return found | fourteen(pairs)


def whole_reports(gold: Sequence[Labelled], reports: Iterable[Report], labels: str) -> dict[str, Agreed]:
    """Reports read whole, as they came, against all labels of their utterances (Table 4, full reports)."""
    pairs = []
    for known, report in of_reports(gold, reports):
        view = Views(report, labels=labels).of(system("srrg"))
        pairs.append((known, [Label(one.label, one.status) for u in view.utterances for one in u.labels]))
    return fourteen(pairs, " of whole reports")


def of_reports(gold: Sequence[Labelled], reports: Iterable[Report]) -> list[tuple[list[Label], Report]]:
    """All labels of a report's utterances, with the report."""
    known: dict[str, list[Label]] = {}
    for row in gold:
        known.setdefault(row.report, []).extend(row.labels)
    found = [(known[r.id], r) for r in reports if r.id in known]
    if not found:
        raise BadInput("No report has an id that the utterances name under `report`.")
    return found


def fourteen(
    pairs: Sequence[tuple[Sequence[Label], Sequence[Label] | frozenset[str]]], of: str = ""
) -> dict[str, Agreed]:
    """CheXbert's classes, each label mapped as it is and as its upper label; pairs whose gold has none are left out.

    A labeller may also give the classes themselves.
    """
    found = {}
    for name, level in MAPS:
        rows = [(classes(a, level), b if isinstance(b, frozenset) else classes(b, level)) for a, b in pairs]
        found[f"14 classes{of}, through {name}"] = figures([row for row in rows if row[0]])
    return found


def classes(labels: Iterable[Label], level: Callable[[str], str] = str) -> frozenset[str]:
    """The 14 classes that are present or uncertain; what is denied has none."""
    return frozenset(c for one in labels if one.status != "Absent" for c in chexpert(level(one.label)))


def figures(rows: Rows) -> Agreed:
    filled = [row for row in rows if row[0] or row[1]]
    averages: dict[str, Scores] = {
        name: found for name in AVERAGES if (found := averaged(filled, name)) is not None
    }
    shares = [len(a & b) / len(a | b) for a, b in filled]
    n = len(filled) or 1
    exact = sum(a == b for a, b in filled) / n
    return Agreed(averages, exact, sum(shares) / n, sum(len(a) for a, _ in filled))


def render(found: dict[str, Agreed], utterances: int) -> str:
    """A block per space, as Table 3."""
    lines = [f"{utterances} utterances", in_columns(("", "precision", "recall", "F1", "support"), 30, 10)]
    for name, one in found.items():
        lines.append(f"{name}: exact match {one.exact:.3f}, Jaccard {one.jaccard:.3f}")
        for average, s in one.averages.items():
            cells = map(figure, (s.precision, s.recall, s.f1))
            lines.append(in_columns((f"  {average} average", *cells, str(one.support)), 30, 10))
    return "\n".join([*lines, PUBLISHED]) + "\n"


def render_side_by_side(found: dict[str, dict[str, Agreed]], utterances: int) -> str:
    """F1 of every space and average, a column per labeller."""
    lines = [f"{utterances} utterances, F1", in_columns(("", *found), 34, 10)]
    for space_name in next(iter(found.values())):
        ours = [one[space_name] for one in found.values()]
        lines.append(space_name)
        for average in AVERAGES:
            scores = [one.averages.get(average) for one in ours]
            lines.append(row(f"{average} average", [s.f1 if s else None for s in scores]))
        lines.append(row("exact match", [one.exact for one in ours]))
        lines.append(row("Jaccard", [one.jaccard for one in ours]))
    return "\n".join([*lines, PUBLISHED]) + "\n"


def row(name: str, values: Iterable[float | None]) -> str:
    """
    >>> row("exact match", [0.5, None])
    '  exact match                          0.500         –'
    """
    return in_columns((f"  {name}", *map(figure, values)), 34, 10)
