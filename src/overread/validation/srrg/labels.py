"""A labeller of utterances against people's labels: the SRRG paper's Tables 3 and 4, with exact match and Jaccard."""

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from overread.errors import AskFailed, BadInput
from overread.reader import read
from overread.report import Report, parse
from overread.runner.views import Views
from overread.systems.registry import system
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.cells import Rows, Scores, averaged
from overread.systems.srrg.classifier import AVERAGES, Classifier
from overread.systems.srrg.corpus import Labelled
from overread.systems.srrg.labellers import OWN, Relabel, labeller, space_of
from overread.systems.srrg.labels import NO_FINDING, SPACES, Label, SpaceName, chexpert, space, upper
from overread.systems.srrg.schema import LabelRead, Utterance
from overread.validation.clear import labellers
from overread.validation.shown import NOTES, figure, table

if TYPE_CHECKING:
    from overread.llm import Client

OURS = ("rules", "model", "vote")
"""The labellers that need nothing but this package."""

GivenLabels = Sequence[Label] | frozenset[str]
"""What somebody gives an utterance or a report: labels, or CheXbert's classes themselves."""


class Agreed(Struct, frozen=True, forbid_unknown_fields=True):
    """One label space."""

    averages: dict[str, Scores]
    exact: float
    """Utterances whose whole set of labels is right."""

    jaccard: float
    """Mean of shared over all labels of an utterance."""

    support: int


# ---- who labels
class Labeller(Struct, frozen=True):
    """Who labels utterances that stand alone, and reports whole, as they came."""

    lines: Callable[[Sequence[str]], Sequence[GivenLabels]]
    report: Callable[[Report], GivenLabels]
    only: SpaceName | None = None
    """The one space its lines are looked at in; None for all of them, and CheXbert's classes."""


def called(name: str, named: str | None = None) -> Labeller:
    """The labeller of that name; a user's classifier is looked at in the one space it was trained for."""
    if name == "chexbert":
        present = partial(labellers.present, labeller=labellers.chexbert())
        return Labeller(lambda texts: [*map(present, texts)], lambda report: present(report.text))

    def whole(report: Report) -> GivenLabels:
        return labels_in(Views(report, labels=name).of(system("srrg")).utterances)

    if name == "rules":
        return Labeller(by_rules, whole)
    if not name.startswith(OWN):
        return Labeller(partial(of_lines, labeller(name)), whole)
    folder = Path(name.removeprefix(OWN))
    mine = space(named).name if named else space_of(folder)
    return Labeller(partial(of_lines, Classifier(folder, mine).relabelled), whole, mine)


def by_rules(texts: Iterable[str]) -> list[list[Label]]:
    """Our own labels of utterances that stand alone."""
    return [list(rules_of(text)) for text in texts]


@lru_cache(maxsize=20_000)
def rules_of(text: str) -> tuple[Label, ...]:
    said = labels_in(view(read(parse(f"FINDINGS: {text}", ""))).utterances)
    kept = {one for one in said if one.label != NO_FINDING} or {Label(NO_FINDING)}
    return tuple(sorted(kept, key=lambda one: str((one.label, one.status))))


def of_lines(relabel: Relabel, texts: Sequence[str]) -> list[list[Label]]:
    """The labels that utterances which stand alone are given in place of those of the rules."""
    alone = [
        Utterance(
            "findings", 0, len(text), text, [LabelRead(one.label, one.status) for one in rules_of(text)]
        )
        for text in texts
    ]
    return [labels_in([one]) for one in relabel(alone)]


def labels_in(utterances: Iterable[Utterance]) -> list[Label]:
    return [Label(one.label, one.status) for u in utterances for one in u.labels]


# ---- against people
def measured(
    gold: Sequence[Labelled], who: Labeller, reports: Iterable[Report] | None = None
) -> dict[str, Agreed]:
    """Its lines, and where there are reports, all it says of them against all labels of their lines (Table 4)."""
    found = agreement_of_labels(gold, who.lines([one.text for one in gold]))
    if who.only is not None:
        found = {who.only: found[who.only]}
    if reports is None:
        return found
    known: dict[str, list[Label]] = {}
    for row in gold:
        known.setdefault(row.report, []).extend(row.labels)
    pairs = [(known[one.id], who.report(one)) for one in reports if one.id in known]
    if not pairs:
        raise BadInput("No report has an id that the utterances name under `report`.")
    return found | fourteen(pairs, " of whole reports")


def compare_labellers(
    gold: Sequence[Labelled], names: Sequence[str] = OURS, reports: Sequence[Report] | None = None
) -> dict[str, dict[str, Agreed]]:
    """Each labeller on the same utterances."""
    return {name: measured(gold, called(name), reports) for name in names}


def by_llm(client: "Client", gold: Sequence[Labelled]) -> tuple[dict[str, Agreed], int]:
    """What the client's models agree on, against people; and how many utterances have an answer, the others left out.

    An utterance they do not agree on counts as without labels.
    """
    from overread.llm import Failure
    from overread.systems.srrg.by_llm import label_lines

    found = label_lines(client, [one.text for one in gold])
    answered = [(g, f) for g, f in zip(gold, found, strict=True) if not isinstance(f, Failure)]
    if not answered:
        raise AskFailed("The model answered nothing that can be used; the lines above say why.")
    told = [[Label(one.label, one.status) for one in f] for _, f in answered]
    return agreement_of_labels([g for g, _ in answered], told), len(answered)


def agreement_of_labels(gold: Sequence[Labelled], told: Sequence[GivenLabels]) -> dict[str, Agreed]:
    """Every space that labels have, and CheXbert's 14 classes through leaves and through uppers."""
    pairs = [(g.labels, t) for g, t in zip(gold, told, strict=True)]
    labels = [(known, own) for known, own in pairs if not isinstance(own, frozenset)]
    spaces = [space(name) for name in SPACES] if labels else []
    found = {str(one.name): agreed_figures([(one.of(a), one.of(b)) for a, b in labels]) for one in spaces}
    return found | fourteen(pairs)


def fourteen(pairs: Sequence[tuple[Sequence[Label], GivenLabels]], of: str = "") -> dict[str, Agreed]:
    """CheXbert's classes, each label mapped as it is and as its upper label; pairs whose gold has none are left out."""
    levels: dict[str, Callable[[str], str]] = {"leaves": str, "uppers": upper}
    found = {}
    for name, level in levels.items():
        rows = [(classes(known, level), classes(told, level)) for known, told in pairs]
        found[f"14 classes{of}, through {name}"] = agreed_figures([row for row in rows if row[0]])
    return found


def classes(told: GivenLabels, level: Callable[[str], str]) -> frozenset[str]:
    """The 14 classes that are present or uncertain; what is denied has none."""
    if isinstance(told, frozenset):
        return told
    return frozenset(c for one in told if one.status != "Absent" for c in chexpert(level(one.label)))


def agreed_figures(rows: Rows) -> Agreed:
    filled = [row for row in rows if row[0] or row[1]]
    found = {name: averaged(filled, name) for name in AVERAGES}
    n = len(filled) or 1
    return Agreed(
        {str(name): scores for name, scores in found.items() if scores is not None},
        sum(a == b for a, b in filled) / n,
        sum(len(a & b) / len(a | b) for a, b in filled) / n,
        sum(len(a) for a, _ in filled),
    )


# ---- in words
def render(found: dict[str, Agreed], utterances: int) -> str:
    """A block per space, as Table 3."""
    rows: list[tuple[str, ...]] = [("", "precision", "recall", "F1", "support")]
    for name, one in found.items():
        rows.append((f"{name}: exact match {one.exact:.3f}, Jaccard {one.jaccard:.3f}",))
        for average, s in one.averages.items():
            rows.append(
                (f"  {average} average", *map(figure, (s.precision, s.recall, s.f1)), str(one.support))
            )
    return "\n".join([f"{utterances} utterances", *table(*rows), NOTES["labels"]]) + "\n"


def render_side_by_side(found: dict[str, dict[str, Agreed]], utterances: int) -> str:
    """F1 of every space and average, a column per labeller."""
    rows: list[tuple[str, ...]] = [("", *found)]
    for name in next(iter(found.values())):
        ours = [one[name] for one in found.values()]
        scores = {a: [one.averages.get(a) for one in ours] for a in AVERAGES}
        shown = {f"{a} average": [s.f1 if s else None for s in own] for a, own in scores.items()}
        shown |= {"exact match": [one.exact for one in ours], "Jaccard": [one.jaccard for one in ours]}
        rows += [(name,), *((f"  {title}", *map(figure, row)) for title, row in shown.items())]
    return "\n".join([f"{utterances} utterances, F1", *table(*rows), NOTES["labels"]]) + "\n"
