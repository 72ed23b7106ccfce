"""statements.tsv: what a finding says about the conditions, one row per consequence."""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from typing import Literal

from msgspec import Struct, convert

from overread.lexicon.lexicon import lexicon
from overread.reader import Finding
from overread.systems.clear.schema import WORDS, Condition
from overread.systems.tables import Wanted, names_of, records

Effect = Literal["present", "likely present", "neutral", "likely absent", "absent", "none"]
"""What follows for the condition; `present` and `absent` are softened when the words are."""


class Requirement(Wanted, frozen=True, forbid_unknown_fields=True):
    """What else a row may ask of a finding.

    `evidence=*` asks whether observations support it, `head=…` for the last word of its name, `name=…` for any,
    `side=…` for the side it is on, `word=…` for a word of its place (`pleural-parenchymal`).
    """

    def holds(self, finding: Finding) -> bool:
        if self.relation == "site":
            return (finding.site or "-") in self.values
        if self.relation == "side":
            return any(a.side in self.values for a in finding.values("location"))
        if self.relation == "word":
            return any(
                self.values & {*a.text.lower().split("-")[0].split()} for a in finding.values("location")
            )
        if self.relation == "head":
            return finding.entity.lower().split()[-1] in self.values
        if self.relation == "name":
            return bool(self.values & {*finding.entity.lower().split()})
        if self.relation == "certainty":
            return finding.certainty in self.values
        if self.relation == "evidence":
            return bool(finding.evidence)
        if self.relation == "place":
            return in_lung(finding, pointing="over-lung" in self.values)
        return super().holds(finding)


class Statement(Struct, frozen=True, forbid_unknown_fields=True):
    """One row: when a finding says this, that follows for the condition."""

    needs: tuple[Requirement, ...]
    """At least one must hold; empty: nothing is needed."""

    unless: tuple[Requirement, ...]
    """None may hold."""

    condition: Condition
    effect: Effect
    mentioned: bool

    def fits(self, finding: Finding) -> bool:
        needed = not self.needs or any(t.holds(finding) for t in self.needs)
        return needed and not any(t.holds(finding) for t in self.unless)


def in_lung(finding: Finding, pointing: bool = False) -> bool:
    """Is it in the lung? A finding that names no organ is where such findings usually are.

    `Left nodule` and `nodule` are in the lung, `nodule in the left breast` is not. With `pointing` a landmark
    only points at it (`over the seventh rib`); a lesion of the rib is in the rib.
    """
    places = [names for a in finding.values("location") if (names := names_of(a)) != {a.concept}]
    inside = WORDS["lung"] | WORDS["landmarks"] if pointing else WORDS["lung"]
    return not places or any(names & inside for names in places)


@cache
def statements() -> dict[tuple[str, str], tuple[Statement, ...]]:
    """The rows by what is said of what: a lexicon concept, whose children follow it, or `kind:` and a kind."""
    found: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for cell in records("clear", "statements"):
        needs, unless = (Requirement.read(cell[column], " | ") for column in ("with", "unless"))
        told = {
            "condition": cell["condition"],
            "effect": cell["level"],
            "mentioned": cell["mentioned"] == "yes",
        }
        row = convert({"needs": needs, "unless": unless, **told}, Statement)
        found[cell["concept"], cell["said"]].append(row)
    return {key: tuple(rows) for key, rows in found.items()}


def rows_for(finding: Finding) -> tuple[Statement, ...]:
    """The rows of its concept, of the nearest ancestor that has any, or of its kind; else of what it implies."""
    own = [*lexicon().ancestors(finding.concept), f"kind:{finding.kind}"] if finding.concept else []
    rows = fitting_rows(finding, own)
    if any(row.effect not in ("neutral", "none") for row in rows):
        return rows
    return fitting_rows(finding, lexicon().ancestors(finding.implies or "")) or rows


def fitting_rows(finding: Finding, names: Iterable[str]) -> tuple[Statement, ...]:
    table = statements()
    rows = next((table[n, finding.status] for n in names if (n, finding.status) in table), ())
    return tuple(row for row in rows if row.fits(finding))
