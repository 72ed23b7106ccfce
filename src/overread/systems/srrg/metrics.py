"""The metrics of this system by name: the paper's setting, and each setting changed alone."""

from functools import partial

import msgspec

from overread.systems.base import Metric
from overread.systems.srrg.averages import Average
from overread.systems.srrg.cells import Settings
from overread.systems.srrg.schema import SectionOfInterest
from overread.systems.srrg.score import corpus, headers, headers_corpus, headers_rates, rates, score

DEAF = "blind to negation (a label counts whether affirmed or denied)"


def variants() -> dict[str, Settings]:
    """Name → settings: the paper's, and each setting changed alone, for findings and for the impression."""
    sections: tuple[SectionOfInterest, ...] = ("findings", "impression")
    named: dict[str, Settings] = {}
    for section in sections:
        name = "f1-srr" if section == "findings" else "f1-srr-impression"
        paper = Settings(section=section)
        named |= {
            name: paper,
            f"{name}-upper": replaced(paper, space="upper"),
            f"{name}-statuses": replaced(paper, space="leaves-statuses"),
            f"{name}-upper-statuses": replaced(paper, space="upper-statuses"),
            f"{name}-aligned": replaced(paper, lines="aligned"),
            f"{name}-micro": replaced(paper, average="micro"),
            f"{name}-macro": replaced(paper, average="macro"),
            f"{name}-samples": replaced(paper, average="samples"),
            f"{name}-sections": replaced(paper, over="sections"),
            f"{name}-as-released": replaced(paper, lines="aligned", average="samples", extra="dropped"),
        }
    return named


def replaced(settings: Settings, **changes: str) -> Settings:
    changed: Settings = msgspec.structs.replace(settings, **changes)
    return changed


SPACES_IN_WORDS = {
    "leaves": "55 diseases",
    "upper": "groups of diseases",
    "leaves-statuses": "55 diseases with statuses",
    "upper-statuses": "groups of diseases with statuses",
}


def metric(name: str, settings: Settings) -> Metric:
    """The metric of these settings."""
    laws = {"identity", "bounded"} | (set() if settings.extra == "dropped" else {"symmetric"})
    own = partial(score, settings=settings)
    return Metric(
        name,
        about(settings),
        own,
        partial(corpus, settings=settings),
        frozenset(laws),
        negation=settings.space.endswith("statuses"),
        rates=partial(rates, settings=settings),
    )


def about(settings: Settings) -> str:
    """One line for tables; a space without statuses says what it cannot hear."""
    dropped = ", extra lines dropped" if settings.extra == "dropped" else ""
    labels = SPACES_IN_WORDS[settings.space]
    average = "mean over sections" if settings.over == "sections" else f"{settings.average} average"
    return (
        f"F1 of SRR labels, {settings.section}: {labels}, lines {settings.lines}, {average}"
        f"{dropped}{'' if settings.space.endswith('statuses') else '; ' + DEAF}"
    )


def category(average: Average) -> Metric:
    """Which headers are there, over a corpus as the paper has it (weighted) or of the pooled counts."""
    return Metric(
        "srr-headers" if average == "weighted" else f"srr-headers-{average}",
        f"F1 of the template's headers that are present (Category in the paper), {average} average",
        headers,
        partial(headers_corpus, average=average),
        frozenset({"identity", "bounded", "symmetric"}),
        negation=False,
        rates=partial(headers_rates, average=average),
    )


METRICS: tuple[Metric, ...] = (
    *(metric(name, settings) for name, settings in variants().items()),
    category("weighted"),
    category("micro"),
)
