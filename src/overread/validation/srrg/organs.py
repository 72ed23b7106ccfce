"""The SRRG paper's tables for generators: diseases, headers and text metrics of both sections, and every organ.

Tables 5 and 7 (precision, recall and F1 of diseases, and of headers as Category), Table 6 (text metrics on aligned
lines) and Table 8 (by organ); averages over labels are weighted by their support in all references, as printed there.
"""

from collections.abc import Sequence
from itertools import product

from msgspec import Struct, field
from msgspec.structs import astuple

from overread.baselines.optional import EXTRAS
from overread.baselines.registry import lookup
from overread.runner.results.compare import organ_block
from overread.stats.agreement import added
from overread.systems.srrg.cells import Alignment, LabelScoring, Scores, text_score
from overread.systems.srrg.schema import SectionOfInterest, SrrgView
from overread.systems.srrg.score import Organ, corpus_scores, header_scores, headers, per_header, score
from overread.validation.shown import figure, shipped

TEXT_METRICS = ("bleu-4", "rouge-l")
TRAINED = ("bertscore", "radgraph-f1")
"""The paper's other two text metrics, where their packages are installed."""

TABLE_SECTIONS: tuple[SectionOfInterest, ...] = ("findings", "impression")
WAYS: tuple[Alignment, ...] = ("unaligned", "aligned")
Pairs = Sequence[tuple[SrrgView, SrrgView]]


class Organs(Struct, frozen=True, forbid_unknown_fields=True):
    """One system."""

    headers: dict[str, Organ]
    texts: dict[str, float | None]
    """`findings, aligned, bleu-4` and so on: mean over headers and reports."""

    diseases: dict[str, Scores] = field(default_factory=dict)
    """`findings, unaligned` and so on, where there is a label to compare."""

    category: Scores | None = None
    """Headers as labels."""


def text_metrics() -> tuple[str, ...]:
    """Those that can be computed here."""
    return (*TEXT_METRICS, *(name for name in TRAINED if EXTRAS[name].installed))


def organs(pairs: Pairs, metrics: Sequence[str] = TEXT_METRICS) -> Organs:
    """Every figure over all pairs."""
    diseases: dict[str, Scores] = {}
    texts: dict[str, float | None] = {}
    for section, way in product(TABLE_SECTIONS, WAYS):
        one, name = LabelScoring(section=section, lines=way), f"{section}, {way}"
        if found := corpus_scores(summed_counts(pairs, one), one):
            diseases[name] = found
        texts |= {f"{name}, {metric}": mean_text(pairs, metric, one) for metric in metrics}
    category = header_scores(added([headers(one, two).counts for one, two in pairs]), "weighted")
    return Organs(per_header(summed_counts(pairs, LabelScoring())), texts, diseases, category)


def summed_counts(pairs: Pairs, settings: LabelScoring) -> dict[str, float]:
    return added([score(one, two, settings).counts for one, two in pairs])


def mean_text(pairs: Pairs, metric: str, settings: LabelScoring) -> float | None:
    baseline = lookup(metric)
    scores = [text_score(one, two, lambda a, b: baseline.score(a, b).value, settings) for one, two in pairs]
    total = added([one.counts for one in scores])
    return total["f1"] / total["cells"] if total else None


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """The paper's figures on its reviewed test split; they rest on its data, not on yours."""

    headers: dict[str, Scores]
    texts: dict[str, float | None]
    diseases: dict[str, Scores]
    category: Scores


def published_organs() -> Published:
    return shipped("srrg_published.toml", Published)


def render(found: dict[str, Organs]) -> str:
    lines = []
    for name, one in found.items():
        lines += [*organ_block(name, one.headers), *score_lines(one)]
    known = published_organs()
    lines += ["", "published: CheXpert-Plus fine-tuned, the paper's reviewed test split, labels by SRR-BERT"]
    lines += [*(scores_line(name, one) for name, one in known.headers.items()), *score_lines(known)]
    return "\n".join(lines) + "\n"


def score_lines(one: Organs | Published) -> list[str]:
    """Diseases, headers as labels and text metrics."""
    lines = [scores_line(f"diseases: {what}", scores) for what, scores in one.diseases.items()]
    lines += [scores_line("headers (Category)", one.category)] if one.category else []
    return lines + [f"  {what:<40}{figure(value):>10}" for what, value in one.texts.items()]


def scores_line(name: str, scores: Scores) -> str:
    return f"  {name:<40}" + "".join(f"{figure(value):>10}" for value in astuple(scores))
