"""The paper's constants and figures, read once from `weights.toml`; the constants may be changed for a trial."""

from fractions import Fraction
from functools import cache, cached_property
from math import lcm

from msgspec import Struct, convert

from overread.errors import BadInput
from overread.systems.tables import constants

Four = tuple[float, float, float, float]
LABELS = 3
"""Relationships of a pair that may be part-whole."""


class Constants(Struct, frozen=True, dict=True):
    """What decides the score of given tags."""

    part_whole: Fraction
    details: dict[str, Fraction]
    classes: dict[str, float]
    adjustment: float

    @cached_property
    def shares(self) -> dict[tuple[int, str | None], Fraction]:
        """(part-whole labels, details) → credit of a pair."""
        every: dict[str | None, Fraction] = dict(self.details.items()) | {None: self.details["equivalent"]}
        return {(k, name): self.part_whole**k * one for k in range(LABELS + 1) for name, one in every.items()}

    @cached_property
    def unit(self) -> int:
        """One sentence's worth of credit: every weight is a whole number of these."""
        return lcm(*(one.denominator for one in self.shares.values()))

    @cached_property
    def weights(self) -> dict[tuple[int, str | None], int]:
        """The shares in parts of `unit`.

        >>> made = Constants(Fraction(1, 2), {"equivalent": Fraction(1)}, {}, 0.25)
        >>> made.unit, made.weights[1, None]
        (8, 4)
        """
        return {key: int(self.unit * one) for key, one in self.shares.items()}

    def changed(
        self,
        alpha: float | None = None,
        part_whole: str | None = None,
        details: str | None = None,
        adjustment: float | None = None,
    ) -> "Constants":
        """Other constants: α of the abnormal class, the part–whole base, details as three numbers.

        >>> other = published().constants.changed(alpha=0.5, part_whole="1/2", details="1,0.8,0.4")
        >>> other.weights[1, "partial"] / other.unit
        0.4
        """
        classes = self.classes if alpha is None else {"abnormal": share(alpha), "normal": 1 - share(alpha)}
        names = list(self.details)
        given = self.details if details is None else dict(zip(names, three(details), strict=True))
        base = self.part_whole if part_whole is None else fraction(part_whole)
        scale = self.adjustment if adjustment is None else share(adjustment)
        return Constants(base, given, classes, scale)


def share(number: float) -> float:
    if not 0 <= number <= 1:
        raise BadInput(f"Constants of RadSEM lie between 0 and 1, not at {number:g}.")
    return number


def fraction(text: str) -> Fraction:
    """A number between 0 and 1, as 1/3 or 0.75."""
    try:
        found = Fraction(text.strip()).limit_denominator(1000)
    except (ValueError, ZeroDivisionError):
        raise BadInput(f"{text!r} is no number; write it as 1/3 or 0.75.") from None
    share(float(found))
    return found


def three(text: str) -> list[Fraction]:
    parts = [fraction(part) for part in text.split(",")]
    if len(parts) != 3:
        raise BadInput(
            f"Details have three weights, equivalent, partial and none, such as 1,0.75,0.5; not {text!r}."
        )
    return parts


class Published(Struct, frozen=True):
    """Constants of the score, and figures to stand beside ours."""

    constants: Constants
    ssree: dict[str, Four]
    """Metric → tau-b, all pairs, adjacent, perfect chain."""

    steps: dict[str, Four]
    """Metric → share of reports in order at each step of the ladder."""

    rewrites: dict[str, float]
    """Metric → share of triplets in which the synonym wins."""


@cache
def published() -> Published:
    table = constants("radsem")
    return Published(
        constants=Constants(
            Fraction(*table["part_whole"]["base"]),
            {k: Fraction(*v) for k, v in table["details"].items() if k != "where"},
            {k: v for k, v in table["classes"].items() if k != "where"},
            table["adjustment"]["scale"],
        ),
        ssree=convert(table["ssree"], dict[str, Four]),
        steps=convert(table["steps"], dict[str, Four]),
        rewrites=table["rewrites"],
    )
