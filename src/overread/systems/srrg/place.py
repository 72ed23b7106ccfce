"""Findings → header of the template: by the table `headers.tsv`, else by where the finding is."""

from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from overread.reader import Finding
from overread.systems.srrg.region import anatomy, away
from overread.systems.srrg.table import features, matching

DEVICES = "Tubes, Catheters, and Support Devices"
LUNGS = "Lungs and Airways"
ELSEWHERE = "Other"


def header_of(finding: Finding) -> str:
    """The header a finding belongs under.

    A row for its concept first; then the header of devices; then where it is at home, unless the report puts it
    in another region of the body (a mass of the kidney); then where the report puts it.
    """
    for row in matching("headers.tsv", finding.concept, features(finding)):
        return row.cells["header"]
    if finding.kind == "device":
        return DEVICES
    home = () if away(finding) else own_site(finding)
    return by_site(home) or by_site(given_sites(finding)) or unplaced(finding)


def unplaced(finding: Finding) -> str:
    """Where a finding without any place goes; `chronic changes` of a chest film are those of the lung."""
    return LUNGS if finding.concept == "change" and "chronic" in features(finding) else ELSEWHERE


def own_site(finding: Finding) -> list[str]:
    """Where the finding is at home, from near to far; a part of the body is at home in itself."""
    near = [step for step in (finding.concept, finding.site) if step]
    return [step for place in near for step in (place, *reversed(anatomy().get(place, ())))]


def given_sites(finding: Finding) -> list[str]:
    """The places the report names for it, each from near to far."""
    return [
        step
        for a in finding.values("location")
        for p in (a.places or (a,))
        for step in (p.concept, *reversed(p.path))
    ]


def by_site(steps: Iterable[str]) -> str | None:
    return next((sites()[step] for step in steps if step in sites()), None)


@cache
def sites() -> dict[str, str]:
    """Part of the body → header."""
    lines = files("overread.systems.srrg").joinpath("sites.tsv").read_text("utf-8").splitlines()
    return {site: header for site, header, _ in (line.split("\t") for line in lines[1:])}
