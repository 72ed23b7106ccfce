"""The scores of a tag file: every record under every metric."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct, to_builtins

from overread.errors import UnknownName
from overread.systems.base import Score
from overread.systems.radsem.published import Constants
from overread.systems.radsem.score import BY_NAME
from overread.systems.radsem.tag_file import read_tags


class Scored(Struct, frozen=True):
    """One record under one metric: a line of the scores."""

    id: str
    metric: str
    score: Score

    def line(self) -> dict[str, Any]:
        return {"id": self.id, "metric": self.metric, **to_builtins(self.score)}


def metrics_of(wanted: Sequence[str] | None, alt: bool) -> list[str]:
    names = [part.strip() for one in wanted or () for part in one.split(",") if part.strip()]
    names += ["radsem-alt"] if alt else []
    for name in names:
        if name not in BY_NAME:
            raise UnknownName("metric over tags", name, BY_NAME)
    return list(dict.fromkeys(names)) or ["radsem"]


def scored(
    path: Path, names: Sequence[str], listed: bool, constants: Constants | None = None
) -> list[Scored]:
    """Every record under every metric; the whole file is sound or nothing is scored."""
    return [
        Scored(tags.name, name, BY_NAME[name](tags, constants=constants))
        for tags in read_tags(path, listed)
        for name in names
    ]
