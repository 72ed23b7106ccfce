"""How encoders tell phrases apart: cosines of pairs that mean the same, and of others (LUNGUAGE, Figure C.1)."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from random import Random

import numpy as np
from msgspec import Struct

from overread.encoders import Encoder
from overread.errors import BadInput
from overread.systems.lunguage.likeness import of_report
from overread.systems.lunguage.schema import StructuredReport
from overread.validation.shown import Spread, spread, spreads, table

MOST_PAIRS = 5_000
"""Pairs of unlike phrases that are looked at; drawn where there are more."""

PhrasePair = tuple[str, str]


class EncoderFigures(Struct, frozen=True, forbid_unknown_fields=True):
    """One encoder."""

    alike: Spread
    """Cosines of phrases of one group."""

    unlike: Spread
    """Cosines of phrases of different groups."""

    separation: float
    """How likely a pair of one group lies above a pair of two: 1 is perfect, ½ is chance."""


def phrase_pairs(groups: Mapping[str, Sequence[str]]) -> tuple[list[PhrasePair], list[PhrasePair]]:
    """Pairs within groups, and pairs across them."""
    alike = [pair for phrases in groups.values() for pair in combinations(phrases, 2)]
    across = (pair for one, two in combinations(groups.values(), 2) for pair in product(one, two))
    unlike = [(a, b) for a, b in across if a.lower() != b.lower()]
    return alike, Random(0).sample(unlike, MOST_PAIRS) if len(unlike) > MOST_PAIRS else unlike


def compare_encoders(
    encoders: Mapping[str, Encoder], groups: Mapping[str, Sequence[str]]
) -> dict[str, EncoderFigures]:
    """Every encoder on the same pairs."""
    alike, unlike = phrase_pairs(groups)
    if not alike or not unlike:
        raise BadInput(
            "Give at least two groups, and one of two phrases: pairs are drawn within and across groups."
        )
    found = {}
    for name, encoder in encoders.items():
        same, other = cosines(encoder, alike), cosines(encoder, unlike)
        found[name] = EncoderFigures(spread(same), spread(other), probability_above(same, other))
    return found


def phrases_across(pairs: Iterable[tuple[StructuredReport, StructuredReport]]) -> list[PhrasePair]:
    """Every phrase of a reference with every phrase of its candidate, linearised as LUNGUAGESCORE does."""
    return [
        (one.phrase, two.phrase)
        for reference, candidate in pairs
        for one, two in product(of_report(reference), of_report(candidate))
    ]


def across(encoders: Mapping[str, Encoder], pairs: Sequence[PhrasePair]) -> dict[str, Spread]:
    """Every encoder's cosines on the same pairs, as the paper chose its encoders by them."""
    if not pairs:
        raise BadInput("No pair of reports has findings on both sides: there are no phrases to compare.")
    return {name: spread(cosines(encoder, pairs)) for name, encoder in encoders.items()}


def cosines(encoder: Encoder, pairs: Sequence[PhrasePair]) -> list[float]:
    phrases = list(dict.fromkeys(phrase for pair in pairs for phrase in pair))
    rows = dict(zip(phrases, np.asarray(encoder.encode(phrases)), strict=True))
    return [float(rows[a] @ rows[b]) for a, b in pairs]


def probability_above(same: Sequence[float], other: Sequence[float]) -> float:
    """
    >>> probability_above([0.9, 0.5], [0.5, 0.1])
    0.875
    """
    one, two = np.asarray(same)[:, None], np.asarray(other)[None, :]
    return float(((one > two) + 0.5 * (one == two)).mean())


FiguresFound = Mapping[str, EncoderFigures] | Mapping[str, Spread]
"""What `compare_encoders` or `across` gives."""


def panels(found: FiguresFound) -> dict[str, dict[str, Spread]]:
    """Of groups a panel for each encoder, of reports one for all."""
    told = {
        name: {"one group": one.alike, "different groups": one.unlike}
        for name, one in found.items()
        if isinstance(one, EncoderFigures)
    }
    return told or {"all pairs": {name: one for name, one in found.items() if isinstance(one, Spread)}}


def render(found: FiguresFound) -> str:
    rows: list[tuple[str, ...]] = [("", "lowest", "quartile", "median", "quartile", "highest", "pairs")]
    for title, drawn in panels(found).items():
        one = found.get(title)
        apart = f", separation {one.separation:.3f}" if isinstance(one, EncoderFigures) else ""
        rows.append((title + apart,))
        rows += [(f"  {name}", *(f"{v:.2f}" for v in s.five), f"{s.count:,}") for name, s in drawn.items()]
    return "\n".join(table(*rows)) + "\n"


def cosine_spreads(found: FiguresFound) -> str:
    return spreads("Cosines of phrases, by encoder", panels(found))
