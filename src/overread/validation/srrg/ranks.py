"""Do like lines stand in like places? Ranks of structured reports, after the SRRG paper's Tables 11 to 13.

The rank of a line is its place in its section, the first line having rank 0. A structuring that keeps to an order
puts lines that say the same at the same rank, whatever the report. Like lines are found three ways: the K nearest by
phrase embedding (Table 11), those with ROUGE-L of .9 or more (Table 12), and those read as the same findings, or
where its package is installed with the same RadGraph (Table 13).
"""

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import numpy as np
from msgspec import Struct

from overread.baselines.optional import radgraphs
from overread.baselines.overlap import rouge_l
from overread.encoders.base import Encoder
from overread.reader import read
from overread.report import parse
from overread.systems.srrg.schema import SectionOfInterest, SrrgView
from overread.validation.annotated import lines_by_id
from overread.validation.shown import figure, table

LEAST_ROUGE_L = 0.9
"""ROUGE-L from which two lines count as the same."""

RANKED_SECTIONS: tuple[SectionOfInterest, ...] = ("findings", "impression")


RankedLine = tuple[str, int]
"""A line of a structured report, and its place in its section."""


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


def lines_of(views: Iterable[SrrgView], section: SectionOfInterest) -> list[RankedLine]:
    """Every line of a section with its rank."""
    found: list[RankedLine] = []
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
    for section in RANKED_SECTIONS:
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


def render(found: Sequence[Ranked]) -> str:
    rows = [("section", "like lines", "lines", "groups", "mean rank", "± within")]
    for one in found:
        spread = figure(one.mean, 2), figure(one.spread, 2)
        rows.append((one.section, one.how, str(one.lines), str(one.groups), *spread))
    lines = table(*rows)
    lines.append(
        "Published (GPT-4 on MIMIC-CXR and CheXpert Plus): nearest 2.6 ± 1.5 findings, 1.0 ± 0.9 impression; "
        "ROUGE-L 3.0 ± 1.8, 0.4 ± 0.1; RadGraph 2.2 ± 1.0, 0.5 ± 0.1."
    )
    return "\n".join(lines) + "\n"
