"""The reports that laws are tried on when nobody names any: the bundled example."""

from msgspec.structs import replace

from overread.examples import REFERENCES, SYSTEMS, folder
from overread.formats import load
from overread.report import Report

BUNDLED = (REFERENCES, *(f"{name}.jsonl" for name in SYSTEMS))


def bundled() -> list[Report]:
    """Four versions of 44 invented reports, each under an id of its own."""
    with folder() as place:
        named = [(name.split(".")[0], report) for name in BUNDLED for report in load(place / name)]
    return [replace(report, id=f"{name} {report.id}") for name, report in named]
