"""The SRRG paper's tables for generators: diseases, headers and text metrics of both sections, and every organ.

Tables 5 and 7 (precision, recall and F1 of diseases, and of headers as Category), Table 6 (text metrics on aligned
lines) and Table 8 (by organ); averages over labels are weighted by their support in all references, as printed there.
"""

from collections.abc import Sequence

from msgspec import Struct, field

from overread.baselines.optional import EXTRAS
from overread.baselines.registry import lookup
from overread.runner.results.history import heading, organ_line
from overread.stats.agreement import added
from overread.systems.srrg.cells import Alignment, Scores, Settings, text_score
from overread.systems.srrg.schema import SectionOfInterest, SrrgView
from overread.systems.srrg.score import Organ, corpus_scores, header_scores, headers, per_header, score
from overread.validation.tables import shipped

TEXT = ("bleu-4", "rouge-l")
TRAINED = ("bertscore", "radgraph-f1")
"""The paper's other two text metrics, where their packages are installed."""

SECTIONS: tuple[SectionOfInterest, ...] = ("findings", "impression")
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
    return (*TEXT, *(name for name in TRAINED if EXTRAS[name].installed))


def organs(pairs: Pairs, metrics: Sequence[str] = TEXT) -> Organs:
    """Every figure over all pairs."""
    settings = {
        f"{section}, {way}": Settings(section=section, lines=way) for section in SECTIONS for way in WAYS
    }
    found = {name: corpus_scores(summed(pairs, one), one) for name, one in settings.items()}
    texts = {
        f"{name}, {metric}": mean_text(pairs, metric, one)
        for name, one in settings.items()
        for metric in metrics
    }
    return Organs(
        per_header(summed(pairs, Settings())),
        texts,
        {name: scores for name, scores in found.items() if scores},
        header_scores(added([headers(one, two).counts for one, two in pairs]), "weighted"),
    )


def summed(pairs: Pairs, settings: Settings) -> dict[str, float]:
    return added([score(one, two, settings).counts for one, two in pairs])


def mean_text(pairs: Pairs, metric: str, settings: Settings) -> float | None:
    baseline = lookup(metric)
    scores = [text_score(one, two, lambda a, b: baseline.score(a, b).value, settings) for one, two in pairs]
    total = sum(s.counts.get("f1", 0.0) for s in scores)
    cells = sum(s.counts.get("cells", 0.0) for s in scores)
    return total / cells if cells else None


class Published(Struct, frozen=True, forbid_unknown_fields=True):
    """The paper's figures on its reviewed test split, in per cent; they rest on its data, not on yours."""

    diseases: dict[str, tuple[float, float, float]]
    category: tuple[float, float, float]
    headers: dict[str, dict[str, float]]
    """precision, recall and f1 of each."""

    texts: dict[str, float]


def published() -> Published:
    return shipped("srrg_published.toml", Published)


def render(found: dict[str, Organs]) -> str:
    lines = []
    for name, one in found.items():
        lines += [heading(name), *map(organ_line, one.headers, one.headers.values())]
        lines += [three(f"diseases: {what}", s) for what, s in one.diseases.items()]
        lines += [three("headers (Category)", one.category)] if one.category else []
        lines += [
            f"  {what:<40}{'–' if value is None else f'{value:.3f}':>10}" for what, value in one.texts.items()
        ]
    return "\n".join([*lines, *in_print()]) + "\n"


def three(name: str, s: Scores) -> str:
    return f"  {name:<40}{s.precision:>10.3f}{s.recall:>10.3f}{s.f1:>10.3f}"


def in_print() -> list[str]:
    """The published row, under ours."""
    known = published()
    rows = [
        *((name, tuple(row.values())) for name, row in known.headers.items()),
        *((f"diseases: {what}", row) for what, row in known.diseases.items()),
        ("headers (Category)", known.category),
    ]
    return [
        "",
        "published: CheXpert-Plus fine-tuned, the paper's reviewed test split, labels by SRR-BERT",
        *(three(name, Scores(*(value / 100 for value in row))) for name, row in rows),
        *(f"  {name:<40}{value / 100:>10.3f}" for name, value in known.texts.items()),
    ]
