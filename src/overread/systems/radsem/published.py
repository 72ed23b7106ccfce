"""The paper's constants and figures, read once from `weights.toml`."""

import tomllib
from fractions import Fraction
from functools import cache
from importlib.resources import files

from msgspec import Struct, convert

from overread.systems.radsem.flow import UNIT

Four = tuple[float, float, float, float]


class Published(Struct, frozen=True):
    """Constants of the score, and figures to stand beside ours."""

    part_whole: Fraction
    details: dict[str, Fraction]
    classes: dict[str, float]
    adjustment: float
    ssree: dict[str, Four]
    """Metric → tau-b, all pairs, adjacent, perfect chain."""

    steps: dict[str, Four]
    """Metric → share of reports in order at each step of the ladder."""

    rewrites: dict[str, float]
    """Metric → share of triplets in which the synonym wins."""

    def weight(self, part_whole: int, details: str | None) -> int:
        """Credit of a pair, in parts of `UNIT`.

        >>> published().weight(1, "partial")
        27
        """
        return int(UNIT * self.part_whole**part_whole * self.details[details or "equivalent"])


@cache
def published() -> Published:
    table = tomllib.loads(files("overread.systems.radsem").joinpath("weights.toml").read_text("utf-8"))
    return Published(
        part_whole=Fraction(*table["part_whole"]["base"]),
        details={k: Fraction(*v) for k, v in table["details"].items() if k != "where"},
        classes={k: v for k, v in table["classes"].items() if k != "where"},
        adjustment=table["adjustment"]["scale"],
        ssree=convert(table["ssree"], dict[str, Four]),
        steps=convert(table["steps"], dict[str, Four]),
        rewrites=table["rewrites"],
    )
