"""The SRRG paper's tables for generators: diseases, headers and text metrics of both sections, and every organ.

Tables 5 and 7 (precision, recall and F1 of diseases, and of headers as Category), Table 6 (text metrics on aligned
lines) and Table 8 (by organ); averages over labels are weighted by their support in all references, as printed there.

And for structurings, Tables 11 to 13: do like lines stand in like places? The rank of a line is its place in its
section, the first line having rank 0. A structuring that keeps to an order puts lines that say the same at the same
rank, whatever the report. Like lines are found three ways: the K nearest by phrase embedding (Table 11), those with
ROUGE-L of .9 or more (Table 12), and those read as the same findings, or where its package is installed with the same
RadGraph (Table 13).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain, product
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import numpy as np
from msgspec import Struct, field
from msgspec.structs import astuple

from overread.baselines.optional import EXTRAS, radgraphs
from overread.baselines.overlap import rouge_l
from overread.baselines.registry import lookup
from overread.encoders import Encoder
from overread.reader import read
from overread.report import parse
from overread.runner.results.compare import organ_block
from overread.stats.agreement import added
from overread.systems.srrg.cells import Alignment, LabelScoring, Scores, text_score
from overread.systems.srrg.schema import SectionOfInterest, SrrgView
from overread.systems.srrg.score import Organ, corpus_scores, header_scores, headers, per_header, score
from overread.validation.annotated import lines_by_id
from overread.validation.shown import NOTES, figure, shipped, table

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


def render(found: dict[str, Organs]) -> str:
    lines = []
    for name, one in found.items():
        lines += [*organ_block(name, one.headers), *score_lines(one)]
    known = shipped("srrg_published.toml", Published)
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


# ---- ranks of like lines
LEAST_ROUGE_L = 0.9
"""ROUGE-L from which two lines count as the same."""


class Ranked(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of the tables."""

    section: str
    how: str
    lines: int
    groups: int
    """Lines that have like ones."""

    mean: float | None
    """Mean rank of the lines that are alike."""

    spread: float | None
    """Mean standard deviation of the ranks within a group of like lines."""


def load_structured(path: Path) -> list[SrrgView]:
    """Lines of `overread read --as srrg`, or reports.jsonl of `overread build srr`."""
    shape = "is no structured report; make them with `overread read --as srrg`."
    return list(lines_by_id(path, SrrgView, shape).values())


def lines_of(views: Iterable[SrrgView], section: SectionOfInterest) -> list[tuple[str, int]]:
    """Every line of a section with its rank."""
    found: list[tuple[str, int]] = []
    for view in views:
        bullets = view.structured.findings.values()
        told = [*chain(*bullets)] if section == "findings" else view.structured.impression
        found += [(text, rank) for rank, text in enumerate(told)]
    return found


def ranks(
    views: Sequence[SrrgView],
    encoder: Encoder,
    *,
    lines: int,
    nearest: Sequence[int],
    seed: int = 0,
    radgraph: bool = False,
) -> list[Ranked]:
    """Every table, for findings and impression; `lines` are drawn where there are more.

    With `radgraph` lines are also held to be alike by the paper's own annotations, where its package is installed.
    """
    found = []
    for section in TABLE_SECTIONS:
        every = lines_of(views, section)
        drawn = Random(seed).sample(every, lines) if len(every) > lines else every
        if drawn:
            texts = [text for text, _ in drawn]
            near = neighbours(texts, encoder, max(nearest))
            groups = {f"{k} nearest": [group[: k + 1] for group in near] for k in nearest}
            groups[f"ROUGE-L {LEAST_ROUGE_L} or more"] = same_words(texts)
            groups["same findings"] = grouped(map(findings_read, texts))
            if radgraph:
                groups["same RadGraph"] = grouped(radgraphs(texts))
            found += [
                rank_spread(section, how, [rank for _, rank in drawn], alike) for how, alike in groups.items()
            ]
    return found


def rank_spread(section: str, how: str, places: Sequence[int], groups: Sequence[Sequence[int]]) -> Ranked:
    told = [[places[n] for n in group] for group in groups if len(group) > 1]
    mean, spread = (fmean(map(of, told)) if told else None for of in (fmean, pstdev))
    return Ranked(section, how, len(places), len(told), mean, spread)


def neighbours(lines: Sequence[str], encoder: Encoder, most: int) -> list[list[int]]:
    """Each line and its nearest ones, nearest first; worked off in blocks, so that memory stays small."""
    vectors = encoder.encode(lines)
    most = min(most, len(lines) - 1)
    found: list[list[int]] = []
    for start in range(0, len(lines), 512):
        near = vectors[start : start + 512] @ vectors.T
        for row, likeness in enumerate(near):
            likeness[start + row] = 2.0  # itself comes first
            best = np.argpartition(-likeness, most)[: most + 1]
            found.append([int(n) for n in best[np.argsort(-likeness[best], kind="stable")]])
    return found


def same_words(lines: Sequence[str]) -> list[list[int]]:
    """Lines in groups around the first of them with nearly its words."""
    groups: dict[tuple[str, ...], list[int]] = {}
    by_length: dict[int, list[tuple[str, ...]]] = defaultdict(list)
    for n, line in enumerate(lines):
        words = tuple(line.lower().rstrip(".").split())
        near = (first for size in range(len(words) - 2, len(words) + 3) for first in by_length[size])
        home = next((first for first in near if (rouge_l(first, words).value or 0.0) >= LEAST_ROUGE_L), None)
        if home is None:
            home = words
            by_length[len(words)].append(words)
        groups.setdefault(home, []).append(n)
    return list(groups.values())


def findings_read(line: str) -> frozenset[Hashable]:
    """What rules read in a line: concept, status and sides of each finding."""
    return frozenset(
        (f.concept or f.entity.lower(), f.status, frozenset(a.side for a in f.values("location")))
        for f in read(parse(f"FINDINGS: {line}", "")).findings
    )


def grouped(keys: Iterable[Hashable]) -> list[list[int]]:
    """Places with the same key; one in which nothing is found is like no other."""
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for n, key in enumerate(keys):
        if key:
            groups[key].append(n)
    return list(groups.values())


def render_ranks(found: Sequence[Ranked]) -> str:
    rows = [("section", "like lines", "lines", "groups", "mean rank", "± within")]
    for one in found:
        spread = figure(one.mean, 2), figure(one.spread, 2)
        rows.append((one.section, one.how, str(one.lines), str(one.groups), *spread))
    return "\n".join([*table(*rows), NOTES["ranks"]]) + "\n"
