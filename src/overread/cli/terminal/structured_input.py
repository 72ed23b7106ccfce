"""Structured reports behind a file: read here, or made elsewhere."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from overread.report import Report
    from overread.systems.lunguage.schema import StructuredReport


def structured(path: Path) -> "tuple[dict[str, StructuredReport], Sequence[Report]]":
    """LUNGUAGE views by id, and the reports; views, timelines and the annotation table are taken as they are."""
    from overread.errors import BadInput
    from overread.formats import load
    from overread.reader import read
    from overread.runner.view_files import load_view_file, views_kind
    from overread.systems.lunguage.by_rules import view

    kind = views_kind(path)
    if kind in ("lunguage", "timeline", "table"):
        found = load_view_file(str(path))
        return found.views, found.reports
    if kind is not None:
        raise BadInput(
            f"{path} holds views of {kind}; give reports or views of `overread read --as lunguage`."
        )
    reports = list(load(path))
    return {one.id: view(read(one)) for one in reports}, reports
