"""How encoders tell phrases apart: cosines of pairs that mean the same, and of others (LUNGUAGE, Figure C.1)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from pathlib import Path
from random import Random

import numpy as np
from msgspec import Struct

from overread.encoders import load
from overread.encoders.base import Encoder
from overread.errors import BadInput
from overread.systems.lunguage.items import of_report
from overread.systems.lunguage.schema import StructuredReport
from overread.validation.spreads import Spread, spread, spreads

MOST = 5_000
"""Pairs of unlike phrases that are looked at; drawn where there are more."""

Pair = tuple[str, str]


class Told(Struct, frozen=True, forbid_unknown_fields=True):
    """One encoder."""

    alike: Spread | None
    """Cosines of phrases of one group."""

    unlike: Spread | None
    """Cosines of phrases of different groups."""

    separation: float | None
    """How likely a pair of one group lies above a pair of two: 1 is perfect, ½ is chance."""


def pairs_of(groups: Mapping[str, Sequence[str]], seed: int = 0) -> tuple[list[Pair], list[Pair]]:
    """Pairs within groups, and pairs across them."""
    alike = [pair for phrases in groups.values() for pair in combinations(phrases, 2)]
    unlike = [
        (a, b)
        for one, two in combinations(groups.values(), 2)
        for a in one
        for b in two
        if a.lower() != b.lower()
    ]
    return alike, Random(seed).sample(unlike, MOST) if len(unlike) > MOST else unlike


def compare(
    names: Sequence[str],
    groups: Mapping[str, Sequence[str]],
    encoders: Mapping[str, Encoder] | None = None,
    folder: Path | None = None,
) -> dict[str, Told]:
    """Every encoder on the same pairs."""
    alike, unlike = pairs_of(groups)
    if not alike or not unlike:
        raise BadInput(
            "Give at least two groups, and one of two phrases: pairs are drawn within and across groups."
        )
    found = {}
    for name in names:
        encoder = encoders[name] if encoders is not None else load(name, folder)
        same, other = cosines(encoder, alike), cosines(encoder, unlike)
        found[name] = Told(spread(same), spread(other), above(same, other))
    return found


def phrases_across(pairs: Iterable[tuple[StructuredReport, StructuredReport]]) -> list[Pair]:
    """Every phrase of a reference with every phrase of its candidate, linearised as LUNGUAGESCORE does."""
    return [
        (one.phrase, two.phrase)
        for reference, candidate in pairs
        for one, two in product(of_report(reference), of_report(candidate))
    ]


def across(
    names: Sequence[str],
    pairs: Sequence[Pair],
    encoders: Mapping[str, Encoder] | None = None,
    folder: Path | None = None,
) -> dict[str, Spread]:
    """Every encoder's cosines on the same pairs, as the paper chose its encoders by them."""
    if not pairs:
        raise BadInput("No pair of reports has findings on both sides: there are no phrases to compare.")
    chosen = {name: encoders[name] if encoders is not None else load(name, folder) for name in names}
    return {name: spread(cosines(encoder, pairs)) for name, encoder in chosen.items()}


def cosines(encoder: Encoder, pairs: Sequence[Pair]) -> list[float]:
    phrases = list(dict.fromkeys(phrase for pair in pairs for phrase in pair))
    rows = dict(zip(phrases, np.asarray(encoder.encode(phrases)), strict=True))
    return [float(rows[a] @ rows[b]) for a, b in pairs]


def above(same: Sequence[float], other: Sequence[float]) -> float:
    """
    >>> above([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    one, two = np.asarray(same)[:, None], np.asarray(other)[None, :]
    return float(((one > two) + 0.5 * (one == two)).mean())


def render(found: Mapping[str, Told]) -> str:
    head = f"{'encoder':<24}{'alike: quartiles':>26}{'unlike: quartiles':>26}{'separation':>12}"
    lines = [head]
    for name, one in found.items():
        told = [
            "–" if part is None else " ".join(f"{v:.2f}" for v in part.five[1:4])
            for part in (one.alike, one.unlike)
        ]
        lines.append(f"{name:<24}{told[0]:>26}{told[1]:>26}{one.separation or 0:>12.3f}")
    return "\n".join(lines) + "\n"


def picture(found: Mapping[str, Told]) -> str:
    panels = {
        name: {"one group": one.alike, "different groups": one.unlike}
        for name, one in found.items()
        if one.alike and one.unlike
    }
    return spreads("Cosines of phrases, by encoder", panels)


def render_across(found: Mapping[str, Spread]) -> str:
    lines = [f"{'encoder':<24}{'lowest':>9}{'quartiles':>22}{'highest':>9}{'pairs':>9}"]
    for name, one in found.items():
        low, *middle, high = one.five
        quartiles = " ".join(f"{value:.2f}" for value in middle)
        lines.append(f"{name:<24}{low:>9.2f}{quartiles:>22}{high:>9.2f}{one.count:>9,}")
    return "\n".join(lines) + "\n"


def picture_across(found: Mapping[str, Spread]) -> str:
    return spreads("Cosines of reference and candidate phrases, by encoder", {"all pairs": found})
