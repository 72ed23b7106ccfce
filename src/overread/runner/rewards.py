"""What rewards need to be told apart from mistakes: equal lengths, a metric of single pairs."""

from collections.abc import Sequence

from overread.errors import BadInput
from overread.runner.measures import measure

DEFAULT = "overread"
"""The metric of a reward that names none: of ours it keeps the laws of scores best (`overread validate laws`)."""


def check_equal(references: Sequence[object], candidates: Sequence[object]) -> None:
    if len(references) != len(candidates):
        raise BadInput(f"{len(references)} references but {len(candidates)} candidates; give one for each.")


def check_metric(name: str) -> None:
    """Can a single pair be scored with it?"""
    if measure(name).unit == "patient" or name == "cider":
        raise BadInput(
            f"{name!r} needs more than one pair to mean anything; choose another metric for rewards."
        )
