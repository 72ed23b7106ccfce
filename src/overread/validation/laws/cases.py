"""Plain cases for the laws, from `cases.toml`, with findings said four ways; and the bundled reports."""

from msgspec import Struct
from msgspec.structs import replace

from overread.examples import REFERENCES, SYSTEMS, folder
from overread.formats import load
from overread.report import Report
from overread.validation.tables import shipped


class Found(Struct, frozen=True):
    """One finding, said four ways."""

    there: str
    denied: str
    hedged: str
    turned: str = ""
    """On the other side; empty where it has none."""


def on(finding: str, side: str = "", degree: str = "") -> Found:
    """
    >>> on("pneumothorax", "right", "large").there
    'Large right pneumothorax.'
    """
    other = {"left": "right", "right": "left"}.get(side, "")

    def said(*words: str) -> str:
        text = " ".join(filter(None, words))
        return f"{text[0].upper()}{text[1:]}."

    turned = said(degree, other, finding) if other else ""
    possible = said("possible", degree, side, finding)
    return Found(said(degree, side, finding), said("no", side, finding), possible, turned)


APART = [(size, start) for size in (2, 3, 4, 5) for start in (0, 1, 2, 3, 4)]
"""Sizes of the short reports, and the finding each begins with."""

NORMAL_REPORT = "The heart is normal in size. The lungs are clear. No pleural effusion or pneumothorax."


class Cases(Struct, frozen=True, forbid_unknown_fields=True):
    """What `cases.toml` holds."""

    findings: tuple[tuple[str, str, str], ...]
    plain: tuple[str, ...]
    unrelated: tuple[str, ...]
    paraphrases: tuple[tuple[str, str], ...]
    sizes: tuple[tuple[str, str, str], ...]
    positions: tuple[tuple[str, str, str], ...]
    named: tuple[str, ...]
    steps: tuple[tuple[str, str], ...]
    cheats: dict[str, str | tuple[str, int]]
    """Texts that are no report: as they are, or words and how often they stand there."""

    foreign: dict[str, tuple[str, ...]]


CASES = shipped("laws/cases.toml", Cases)
FINDINGS = tuple(on(*one) for one in CASES.findings)
CHEATS = {name: text if isinstance(text, str) else text[0] * text[1] for name, text in CASES.cheats.items()}

BUNDLED = (REFERENCES, *(f"{name}.jsonl" for name in SYSTEMS))


def bundled() -> list[Report]:
    """Four versions of 44 invented reports, each under an id of its own."""
    with folder() as place:
        named = [(name.split(".")[0], report) for name in BUNDLED for report in load(place / name)]
    return [replace(report, id=f"{name} {report.id}") for name, report in named]
