"""What a score is made of, as plain values: pairs with their factors, and what found no partner."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from overread.systems.lunguage.constants import attribute_weights
from overread.systems.lunguage.items import Item
from overread.systems.lunguage.likeness import Factors, Matrix
from overread.systems.lunguage.matching import Pairs, unmatched


def breakdown(
    candidates: Sequence[Item],
    references: Sequence[Item],
    found: Factors | None,
    pairs: Pairs,
    *,
    strict: bool,
) -> dict[str, Any]:
    """Every pair with its factors and each attribute's part in them; unmatched findings with their nearest.

    `pairs` from best to worst; `missed` are references, `invented` candidates without a partner;
    `contradicted` are positions in `pairs` where one side affirms what the other denies.
    """
    match = found.match if found else np.zeros((len(candidates), len(references)))
    ordered = sorted(pairs, key=lambda pair: (-match[pair], pair))
    described = [pair(candidates[i], references[j], found, match, i, j) for i, j in ordered] if found else []
    lost = unmatched(len(references), [j for _, j in pairs])
    extra = unmatched(len(candidates), [i for i, _ in pairs])
    return {
        "pairs": described,
        "missed": [left_over(references[j], match.T[j], candidates, strict) for j in lost],
        "invented": [left_over(candidates[i], match[i], references, strict) for i in extra],
        "contradicted": [
            n for n, (i, j) in enumerate(ordered) if candidates[i].status != references[j].status
        ],
    }


def pair(candidate: Item, reference: Item, found: Factors, match: Matrix, i: int, j: int) -> dict[str, Any]:
    described = {
        "reference": words(reference),
        "candidate": words(candidate),
        "match": float(match[i, j]),
        "semantic": float(found.semantic[i, j]),
        "structural": float(found.structural[i, j]),
        "attributes": attribute_parts(candidate, reference, found.attributes, i, j),
    }
    if found.temporal is not None:
        described["temporal"] = float(found.temporal[i, j])
    return described


def attribute_parts(
    candidate: Item, reference: Item, similarities: dict[str, Matrix], i: int, j: int
) -> list[dict[str, Any]]:
    """Each attribute's weight, similarity, and what it earned and cost of the structural factor."""
    weights = attribute_weights()
    present = {name: float(sims[i, j]) for name, sims in similarities.items() if not np.isnan(sims[i, j])}
    total = sum(weights[name] for name in present)
    return [
        {
            "name": name,
            "reference": value(reference, name),
            "candidate": value(candidate, name),
            "weight": weights[name],
            "similarity": similarity,
            "earned": weights[name] * similarity / total,
            "lost": weights[name] * (1 - similarity) / total,
        }
        for name, similarity in present.items()
    ]


def value(item: Item, name: str) -> str:
    if name == "status":
        return item.status
    return item.certainty if name == "certainty" else item.words.get(name, "")


def left_over(item: Item, row: Matrix, others: Sequence[Item], strict: bool) -> dict[str, Any]:
    """A finding without partner, the nearest one of the other side, and what it costs."""
    if not others:
        return {**words(item), "nearest": None, "likeness": 0.0, "cost": 1.0}
    best = int(row.argmax())
    likeness = float(row[best])
    return {
        **words(item),
        "nearest": others[best].id,
        "likeness": likeness,
        "cost": 1.0 if strict else 1 - likeness,
    }


def words(item: Item) -> dict[str, Any]:
    """A finding's own words and where they stand."""
    described: dict[str, Any] = {
        "id": item.id,
        "entity": item.entity,
        "phrase": item.phrase,
        "status": item.status,
    }
    if item.study:
        described |= {"study": item.study, "episode": item.episode}
    described["report"] = item.report
    described["spans"] = {name: [[s.start, s.end] for s in spans] for name, spans in item.spans.items()}
    return described
