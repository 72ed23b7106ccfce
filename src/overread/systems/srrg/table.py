"""The rows of this system's tables: a concept, what must be read beside it, and what follows."""

from functools import cache
from importlib.resources import files

from msgspec import Struct

from overread.errors import BadLexicon
from overread.lexicon.lexicon import lexicon
from overread.reader import Finding
from overread.systems.srrg.region import away
from overread.systems.srrg.tips import misplaced

WORDS = frozenset((
    "tip", "drain", "drains", "chest", "pleural", "kerley", "pulmonary", "surgical", "pacing", "pacemaker", "pacer",
    "icd", "defibrillator", "shock", "abdominal", "ventricular", "biliary", "umbilical", "inguinal", "ventral",
    "incisional", "mainstem", "bronchus", "carina", "esophagus", "oesophagus",
))  # fmt: skip
"""Words, not concepts, that a row may ask for: `chest XXXX with its tip in the SVC`, `pleural-parenchymal`."""


class When(Struct, frozen=True):
    """A condition on what is read beside a concept: every part must hold.

    `rib chronic|healed` wants a rib and one of two words; `!lung` wants no lung; `-` wants nothing.

    >>> When.read("rib chronic|healed").holds(frozenset({"rib", "healed"}))
    True
    >>> When.read("!lung").holds(frozenset({"lung"}))
    False
    """

    parts: tuple[tuple[str, ...], ...]

    @classmethod
    def read(cls, text: str) -> "When":
        return cls(() if text == "-" else tuple(tuple(part.split("|")) for part in text.split()))

    def holds(self, features: frozenset[str]) -> bool:
        for part in self.parts:  # asked of every finding for each of its rows
            for wanted in part:
                if wanted[1:] not in features if wanted[0] == "!" else wanted in features:
                    break
            else:
                return False
        return True


class Row(Struct, frozen=True):
    """One line of a table."""

    id: str
    concept: str
    when: When
    cells: dict[str, str]
    """The remaining columns, by name."""


@cache
def rows(file: str) -> dict[str, tuple[Row, ...]]:
    """The rows of a table in this folder, by concept."""
    lines = files("overread.systems.srrg").joinpath(file).read_text("utf-8").splitlines()
    columns = lines[0].split("\t")
    found: dict[str, list[Row]] = {}
    for number, line in enumerate(lines[1:], 2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise BadLexicon(file, number, f"{len(cells)} cells where the header has {len(columns)}")
        cell = dict(zip(columns, cells, strict=True))
        row = Row(cell.pop("id"), cell.pop("concept"), When.read(cell.pop("when")), cell)
        found.setdefault(row.concept, []).append(row)
    return {concept: tuple(group) for concept, group in found.items()}


def features(finding: Finding) -> frozenset[str]:
    """What is read beside a finding: its attributes' normal forms and everything those are part of.

    The status is no feature: rows say what a finding is about, the reading says whether it is there.
    """
    said = [part for a in finding.attributes for part in (a.concept, *a.path)]
    said += [part for a in finding.attributes for p in a.places for part in (p.concept, *p.path)]
    said += WORDS & named(finding)
    said += ["nonstandard"] if misplaced(finding) else []
    return frozenset([*said, finding.site] if finding.site and not away(finding) else said)


def named(finding: Finding) -> frozenset[str]:
    """The words of the finding and of what is read of where it is: `chest XXXX with its tip in the SVC`"""
    texts = (finding.entity, *(a.text for a in finding.values("location", "placement")))
    return frozenset(" ".join(texts).lower().replace("-", " ").split())


def matching(file: str, concept: str | None, beside: frozenset[str]) -> tuple[Row, ...]:
    """The rows that hold for a concept: those of the concept itself, else of its nearest parent with rows.

    The most demanding rows win; rows that demand equally much all hold (an aorta is tortuous and calcified).
    """
    if concept is None:
        return ()
    table = rows(file)
    own = next((table[name] for name in lexicon().ancestors(concept) if name in table), ())
    held = [row for row in own if row.when.holds(beside)]
    most = max((len(row.when.parts) for row in held), default=0)
    return tuple(row for row in held if len(row.when.parts) == most)
