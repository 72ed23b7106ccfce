"""Terms of a statement → normality and features: what matching compares instead of words.

A feature is a plain name (`nodule`, `fluid`) or an aspect with a pole: `size+` larger, `size-` smaller,
`signal~` alike, `density!` abnormal without a direction, `margin0` as it should be, `size?` only named.
`signal+@t2` belongs to one sequence. An open word keeps its stem: `~septation`.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from overread.reader.statements.terms import Term
from overread.reader.statements.vocabulary import Path
from overread.systems.radsem.schema import Normality

POLES = "+-~!?0"
LESIONS = frozenset(
    "linear patchy punctate nodular ring reticular round mass cystic wedge miliary feathery honeycomb".split()
)
"""Shapes that something seen has, so that the something need not be named."""

BY_BEING = {
    "density": "focus",
    "opacification": "focus",
    "enhancement": "enhancement+",
    "uptake": "uptake+",
    "lucency": "lucency+",
    "filling": "filling+",
}
"""`Enhancement is seen`, `a density`: the noun alone is a finding."""

LESS = frozenset({"filling", "lucency", "visible", "opacification"})
POOR = frozenset(
    "poor poorly suboptimal suboptimally inadequate inadequately insufficient incomplete incompletely".split()
)
"""Words that say there is less of something."""

SHARP = frozenset({"clear0", "margin0"})
"""Of an organ as it should be; of a lesion that it stands out."""

HOLLOW = frozenset({"bowel", "small-bowel", "colon", "stomach", "rectum"})
GASES = frozenset({"gas", "air", "gas shadow", "gas shadows", "bowel gas", "intestinal gas", "colonic gas"})
TELLING_PLACES = HOLLOW | {"lymph-node", "gas", "wall"}
"""Places in which a finding means something else than anywhere."""

ON_A_SEQUENCE = frozenset({"signal", "enhancement", "diffusion"})


class Said(NamedTuple):
    """What a statement says."""

    normality: Normality
    finding: frozenset[str]
    details: frozenset[str]


def axis(feature: str) -> tuple[str, str]:
    """The aspect of a feature and its pole; a plain feature has none.

    >>> axis("size+"), axis("nodule")
    (('size', '+'), ('nodule', ''))
    """
    return (feature[:-1], feature[-1]) if feature[-1] in POLES else (feature, "")


def features(terms: Iterable[Term], places: frozenset[str], denied: bool) -> Said:
    """What the terms of a statement say together, in places of which this is told (`told_of_place`)."""
    return Composer(terms, places).said(denied)


@lru_cache(maxsize=4096)
def told_of_place(site: Path, form: str) -> frozenset[str]:
    """All of a term's place that what is found there may hang on: most tell nothing."""
    told = TELLING_PLACES.intersection(site)
    if form in GASES:
        return told | {"gas"}
    return told | {"wall"} if form.endswith("wall") else told


class Composer:
    """Puts words that need each other together: `increased` and `density`, `normal` and `size`."""

    def __init__(self, terms: Iterable[Term], places: frozenset[str]) -> None:
        self.senses: dict[str, set[str]] = {}
        self.sites = set(places)
        self.limits = False
        """It is said to keep within normal limits."""

        self.poor = False
        """Something is less than it should be."""

        for term in terms:
            self.poor |= term.role == "abnormal" and term.form in POOR
            self.limits |= term.role == "normal" and "limits" in term.form
            self.senses.setdefault(term.role, set()).update(term.sense)
            self.sites |= told_of_place(term.site, term.form)
        self.heads = self.of("head", "compound")
        self.shapes = self.of("shape")
        self.open = self.of("open")
        self.details = self.of("detail", "measure", "change")
        if "loosening" in self.heads:  # what has come loose only says where
            self.heads = {"loosening"}
        self.found = self.heads | self.of("quality") | self.shapes
        """What is there."""

        self.good: set[str] = set()
        """What is as it should be."""

        named = self.of("aspect")
        self.free = named - {axis(f.partition("@")[0])[0] for f in self.found if f[-1] in POLES or "@" in f}
        """Aspects still without a value."""

    def of(self, *roles: str) -> set[str]:
        found = [self.senses[role] for role in roles if role in self.senses]
        return set().union(*found)

    def said(self, denied: bool) -> Said:
        for role, pole in (("up", "+"), ("down", "-")):
            if role in self.senses:
                self.point(role, pole)
        if "abnormal" in self.senses:
            self.spoil()
        self.praise()
        self.imply()
        self.show()
        if not denied and self.small_nodes():
            self.found, self.good = set(), {"size0"}
        return self.judged(denied)

    def take(self, pole: str) -> set[str]:
        """The free aspects with this pole."""
        taken = {a + pole for a in self.free}
        self.free = set()
        return taken

    def point(self, role: str, pole: str) -> None:
        """`increased density`; `increased opacity` is a density too; `increased` alone is of size."""
        named = self.found - self.shapes
        if self.free:
            self.found |= self.take(pole)
        elif not named:
            self.found.add("size" + pole)
        elif named == {"focus"}:
            self.found.add("density" + pole)
        else:
            self.details.add(role)

    def spoil(self) -> None:
        """`abnormal signal`; `abnormal` beside a named finding adds nothing; `poor filling` is less of it."""
        if self.poor and self.free & LESS:
            self.found |= {f"{a}-" for a in self.free & LESS}
            self.free -= LESS
        elif self.free:
            self.found |= self.take("!")
        elif not self.found - self.shapes:
            self.found.add("*!")

    def praise(self) -> None:
        values = self.of("normal")
        self.good = {v for v in values if v != "*0"}
        if "*0" in values:
            self.good |= self.take("0")
        if "*0" in values and not self.good:
            self.good = {"*0"}
        contrary = {axis(f)[0] for f in self.found if axis(f)[1] in ("+", "-", "!")}
        self.good = {g for g in self.good if axis(g)[0] not in contrary}

    def imply(self) -> None:
        """Things said by being named: the spot behind a shape, the finding behind a bare aspect."""
        sized = {"size+", "size-"} & self.found
        if self.shapes & LESIONS and not self.heads and not sized:
            self.found.add("focus")
        if not self.good and not any(axis(f)[1] in ("+", "-", "~", "!") for f in self.found):
            self.found |= self.unvalued()
        if self.heads and not SHARP.isdisjoint(self.good):  # a clear fracture line is seen well, not absent
            self.good -= SHARP
            self.found.add("margin+")
        if self.found == {"enhancement+"} and self.good == {"*0"} and not self.open:  # `enhances normally`
            self.found, self.good = set(), {"enhancement0"}
        inside = "gas" in self.sites and "wall" not in self.sites and not self.sites.isdisjoint(HOLLOW)
        if self.found == {"gas"} and inside:
            self.found, self.good = set(), {"gas0"}  # gas in the bowel is where it should be
        if (
            self.limits and self.found and not self.heads and self.good <= {"*0"}
        ):  # `prominence within limits`
            self.found, self.good = self.shapes, {f"{axis(f)[0]}0" for f in self.found - self.shapes}
        if self.found == {"margin+"} and not self.open:  # of an organ a sharp margin is as it should be
            self.found, self.good = set(), {"margin0"}

    def small_nodes(self) -> bool:
        """Small lymph nodes are as they should be; those that are measured are given as a finding."""
        small = "lymph-node" in self.sites and "small" in self.details and "measure" not in self.senses
        return small and self.found <= {"visible+"} and not (self.open or self.good)

    def unvalued(self) -> set[str]:
        found = {BY_BEING[a] for a in self.free if a in BY_BEING}
        bare = not (self.free or self.found or self.open)  # `the kidney is small`
        if ("size" in self.free or bare) and self.details & {"small", "severe"}:
            node = "lymph-node" in self.sites  # small nodes are seen, and nothing is wrong with their size
            found.add("size+" if "small" not in self.details else "visible+" if node else "size-")
        return found or (set() if self.found else self.take("?"))

    def show(self) -> None:
        """`poorly visualized`, `well visualized`, `visualized`."""
        if "visible" not in self.found:
            return
        self.found.discard("visible")
        if "abnormal" in self.senses:
            self.found = self.found - {"*!"} | {"visible-"}
        elif self.good:
            self.good = {"visible0"}
        else:
            self.found.add("visible+")

    def judged(self, denied: bool) -> Said:
        details = frozenset(self.details)
        if (
            "measure" in self.senses
            and self.found
            and all(axis(f)[1] == "?" for f in self.found)
            and not self.good
        ):
            self.open = set()  # `the wall thickness at end-diastole is 5 mm`: measured, not judged
        abnormal = self.heads or self.shapes or any(axis(f)[1] != "?" for f in self.found)
        if self.good and not abnormal:
            pole = "!" if denied else ""
            normality: Normality = "abnormal" if denied else "normal"
            return Said(normality, self.sequenced(axis(g)[0] + pole for g in self.good), details)
        found = self.sequenced(self.found | (self.good - {"*0"}))
        return Said("normal" if denied else "abnormal", found, details)

    def sequenced(self, found: Iterable[str]) -> frozenset[str]:
        """Signal and enhancement belong to the sequence or phase they are seen on."""
        said = set(found) | self.open
        sequences = self.of("seq")
        bound = {f for f in said if axis(f)[0] in ON_A_SEQUENCE} if sequences else set()
        if sequences and not bound:
            return frozenset(said | {f"on-{s}" for s in sequences})
        return frozenset((said - bound) | {f"{f}@{s}" for f in bound for s in sequences})
