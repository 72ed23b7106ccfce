"""The tables of this system: what follows for a finding from its concept and what is read beside it."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from msgspec import Struct

from overread.lexicon.lexicon import knows_words, lexicon
from overread.reader import Finding
from overread.systems import tables

WORDS = tables.word_sets("srrg")

# ---- parts of the body
TISSUE = "body"
"""What every part of the body has: bone, skin, fat; it tells no region."""


def away(finding: Finding) -> bool:
    """Is a finding that is usually in the lung seen in other regions only: a mass of the kidney?"""
    if finding.site != "lung":
        return False
    places = [
        p for a in finding.values("location") for p in (a.places or (a,)) if p.concept not in WORDS["shared"]
    ]
    named = {step for p in places for step in (p.path[:1] or (p.concept,)) if step in anatomy() or p.path}
    return bool(named - {TISSUE}) and named - {TISSUE} <= WORDS["regions"]


@knows_words
@cache
def anatomy() -> dict[str, tuple[str, ...]]:
    """Part of the body → what it is part of, from the lexicon's table of places."""
    return {row.concept: row.path for row in lexicon().rows if row.table == "locations" and row.path}


# ---- tips in the wrong place: tips.tsv
OWN_WAY = ("at ", "below ", "level ")
PATHS = r"(?:\b(?:in|into|within|to|over|inside|enter\w*)\s+(?:[\w-]+\s+){0,4}?)"
"""Words that lead to the place where a tip is; what names its own way in (`at the carina`) needs none."""

STANDARD = re.compile(
    r"\b(?:above|proximal to|cavoatrial|superior vena cava|svc|stomach|gastric)\b", re.IGNORECASE
)


@cache
def wrong_places() -> dict[str, tuple[re.Pattern[str], re.Pattern[str]]]:
    """Device → where its tip should not be: with the words that lead there, for what is said of the tip, and alone, for
    what is read as a place (`catheter in the right ventricle`)."""
    found: dict[str, list[str]] = {}
    for concept, words, _reason in tables.row_tuples("srrg", "tips"):
        found.setdefault(concept, []).extend(words.split("|"))
    return {
        concept: (
            either(part if part.startswith(OWN_WAY) else PATHS + part for part in words),
            either(rf"\b{w}" for w in words if w not in WORDS["passed"]),
        )
        for concept, words in found.items()
    }


def either(parts: Iterable[str]) -> re.Pattern[str]:
    return re.compile("|".join(parts), re.IGNORECASE)


def misplaced(finding: Finding) -> bool:
    """Is its tip said to be in a place where it should not be? `Tube tip in the right main bronchus`."""
    if finding.kind != "device" or finding.concept is None:
        return False
    wrong = next(
        (wrong_places()[c] for c in lexicon().ancestors(finding.concept) if c in wrong_places()), None
    )
    after = sorted(
        (a for a in finding.attributes if a.span.start >= finding.span.start), key=lambda a: a.span
    )
    told = " ".join(a.text for a in after if a.relation in ("placement", "location"))
    if wrong is None or (finding.concept != "pulmonary-artery-catheter" and STANDARD.search(told)):
        return False
    if any(a.relation == "placement" for a in after):
        return bool(wrong[0].search(told))
    return any(wrong[1].search(a.text) for a in after if a.relation == "location")


# ---- rows
class ConceptRow(Struct, frozen=True):
    """One line of a table."""

    cells: dict[str, str]
    """Its columns by name."""

    when: tuple[tuple[str, ...], ...]
    """A condition on what is read beside the concept: of every part one word must hold.

    `rib chronic|healed` wants a rib and one of two words; `!lung` wants no lung; `-` wants nothing.
    """

    def holds(self, features: frozenset[str]) -> bool:
        """
        >>> ConceptRow({}, (("rib",), ("chronic", "healed"))).holds(frozenset({"rib", "healed"}))
        True
        """
        for part in self.when:  # asked of every finding for each of its rows
            for wanted in part:
                if wanted[1:] not in features if wanted[0] == "!" else wanted in features:
                    break
            else:
                return False
        return True


@cache
def concept_rows(file: str) -> dict[str, tuple[ConceptRow, ...]]:
    """The rows of a table in this folder, by concept."""
    found: dict[str, list[ConceptRow]] = {}
    for cells in tables.records("srrg", file):
        parts = [] if cells["when"] == "-" else cells["when"].split()
        row = ConceptRow(cells, tuple(tuple(part.split("|")) for part in parts))
        found.setdefault(cells["concept"], []).append(row)
    return {concept: tuple(group) for concept, group in found.items()}


def features(finding: Finding) -> frozenset[str]:
    """What is read beside a finding: its attributes' normal forms and everything those are part of.

    The status is no feature: rows say what a finding is about, the reading says whether it is there.
    """
    said = [part for a in finding.attributes for part in (a.concept, *a.path)]
    said += [part for a in finding.attributes for p in a.places for part in (p.concept, *p.path)]
    # words of the finding and of what is read of where it is: `chest XXXX with its tip in the SVC`
    texts = (finding.entity, *(a.text for a in finding.values("location", "placement")))
    said += WORDS["asked_for"].intersection(" ".join(texts).lower().replace("-", " ").split())
    said += ["nonstandard"] if misplaced(finding) else []
    return frozenset([*said, finding.site] if finding.site and not away(finding) else said)


def matching(file: str, concept: str | None, beside: frozenset[str]) -> tuple[ConceptRow, ...]:
    """The rows that hold for a concept: those of the concept itself, else of its nearest parent with rows.

    The most demanding rows win; rows that demand equally much all hold (an aorta is tortuous and calcified).
    """
    if concept is None:
        return ()
    table = concept_rows(file)
    own = next((table[name] for name in lexicon().ancestors(concept) if name in table), ())
    held = [row for row in own if row.holds(beside)]
    most = max((len(row.when) for row in held), default=0)
    return tuple(row for row in held if len(row.when) == most)


# ---- the header of a finding: headers.tsv, else where it is
DEVICES = "Tubes, Catheters, and Support Devices"
LUNGS = "Lungs and Airways"
ELSEWHERE = "Other"


def header_of(finding: Finding) -> str:
    """The header a finding belongs under.

    A row for its concept first; then the header of devices; then where it is at home, unless the report puts it
    in another region of the body (a mass of the kidney); then where the report puts it.
    """
    for row in matching("headers", finding.concept, features(finding)):
        return row.cells["header"]
    if finding.kind == "device":
        return DEVICES
    home = () if away(finding) else filter(None, (finding.concept, finding.site))
    places = [(place, anatomy().get(place, ())) for place in home]  # a part of the body is at home in itself
    places += [(p.concept, p.path) for a in finding.values("location") for p in (a.places or (a,))]
    steps = (step for place, path in places for step in (place, *reversed(path)))  # from near to far
    sites = tables.lookup("srrg", "sites")
    chronic = finding.concept == "change" and "chronic" in features(finding)  # those of the lung
    return next((sites[step] for step in steps if step in sites), LUNGS if chronic else ELSEWHERE)


# ---- the order of the impression: significance.tsv
PLAIN = {"finding": 5, "diagnosis": 5, "structure": 6, "open": 6, "device": 7, "procedure": 7}
"""Rank by kind, where the table has no row."""

QUIET = 8
"""Rank of what is normal, absent or gone."""


def rank(findings: Sequence[Finding]) -> int:
    """The most urgent of the findings decides; 1 is the most urgent.

    A statement that only denies or calls normal comes last, in its own order.
    """
    ranks = [QUIET]
    for finding in findings:
        if finding.status != "negative" and not finding.gone:
            rows = matching("significance", finding.concept, features(finding))
            own = [int(row.cells["rank"]) for row in rows]
            ranks += own or [PLAIN.get(finding.kind, QUIET - 1)]
    return min(ranks)
