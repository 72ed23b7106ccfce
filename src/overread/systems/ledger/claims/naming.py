"""What a finding is called in the ledger, whatever words say it, and where it is: every step of its places."""

import re

from msgspec.structs import replace

from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import bare
from overread.reader import Attribute, Finding
from overread.reader.reading import one_side
from overread.systems.ledger.claims.details import parsed
from overread.systems.ledger.claims.diseases import Name, composed, respelt, singular
from overread.systems.ledger.tables import by_key, place_words, rows, sets, traits

CLEAR, NOT_CLEAR = "clear", "not-clear"
"""`The lungs are not clear`: all that is said is that something is wrong."""

NAME_WORD = re.compile(r"[a-z][a-z'-]+")


def name_of(finding: Finding, words: str, places: frozenset[str], named: Name | None = None) -> Name:
    """The name by the tables; `?…` where the lexicon knows no concept.

    `words`: the phrase the finding stands in; `named`: the disease that its words name. A structure is called by what
    it is said to be.
    """
    if named is not None and is_told(finding, named, places):
        return named
    if finding.kind == "generic" and finding.status == "positive":
        vague = finding.concept in ("abnormality", "disease")
        return Name("abnormality" if vague else str(finding.concept), finding.site)
    start = trait_name(finding) if finding.kind == "structure" else finding.concept
    if finding.implies and (start is None or start.startswith("?") or finding.kind != "structure"):
        start = finding.implies
    if start is None or finding.kind == "history":
        return unlisted(finding.entity)
    called = by_rows(start, words, places)
    generic = sets().get(f"kinds of {called.name}")
    which = variety(finding.entity, generic) if generic is not None else ""
    return replace(called, name=f"{called.name}/{which}") if which else called


def by_rows(name: str, words: str, places: frozenset[str]) -> Name:
    """What the tables call it, with these words and at these places.

    >>> by_rows("enlargement", "", frozenset({"spleen"})).name
    'splenomegaly'
    """
    site = None
    for row in rows("names"):
        if name in row["concept"].split(",") and row.fits(words, places):
            name, site = row["name"], row["site"] if row["site"] != "-" else site
    return Name(name, site)


def is_told(finding: Finding, named: Name, places: frozenset[str]) -> bool:
    """Does a disease name tell more than the lexicon does?

    `Retention cyst` is more than a cyst; `torsion` is no concept of the lexicon; a `distortion` is another thing in
    the breast than in the lung.
    """
    known = finding.kind not in ("open", "history", "symptom", "structure")
    return not known or (named.words > 1 and (named.site is None or named.site in places))


def unlisted(entity: str) -> Name:
    """A name nobody has listed: by the parts of its last word, else by its words.

    >>> unlisted("ileitis").site, unlisted("finger of fluid").name
    ('ileum', '?finger fluid')
    """
    words = NAME_WORD.findall(entity.lower())
    if words == [CLEAR]:
        return Name("abnormality")
    made = composed(singular(words[-1])) if words else None
    if made is not None and made.site is not None:
        return made
    return Name(f"?{variety(entity, frozenset())}")


def words_of(finding: Finding, name: str) -> str:
    """The finding as people would say it; a structure with what is said of it: `distended vessels`."""
    if finding.entity.lower() == CLEAR:
        return "not clear"
    if any(a.concept == NOT_CLEAR for a in finding.values("morphology")):
        return f"{finding.entity} not clear"
    if finding.kind != "structure":
        vague = finding.concept != name and finding.concept in set(traits().values())
        return name.replace("-", " ") if vague else finding.entity
    said = [a.text for a in finding.values("morphology", "measurement") if a.concept in traits()]
    return " ".join([*said[:1], finding.entity]).lower()


def trait_name(finding: Finding) -> str | None:
    """What a structure has: the finding that its description stands for.

    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> trait_name(read(parse("The spleen is enlarged.")).findings[0])
    'enlargement'
    """
    told = finding.values("morphology", "measurement")
    known = [a.concept for a in told if a.concept in traits() and not is_limit(a)]
    known.sort(key=lambda trait: trait == "hyperlucent")  # hyperlucent lungs may be too large or too small
    if known:
        return traits()[known[0]]
    if large := beyond_limit(finding):
        return large
    odd = [
        a.concept
        for a in finding.values("morphology")
        if "normal" not in a.path and a.concept not in sets()["even"]
    ]
    return f"?{odd[0]}" if odd and finding.status == "positive" else None


def is_limit(attribute: Attribute) -> bool:
    """`Heart size is borderline` is no enlargement; `borderline enlarged` is a slight one."""
    return attribute.concept == "borderline" and attribute.text.lower() == "borderline"


def beyond_limit(finding: Finding) -> str | None:
    """What a structure has that is larger than a healthy one: a node of a centimetre, an aorta of five."""
    sizes = [s.value for a in finding.values("measurement") if (s := parsed(a.text)) and s.unit == "mm"]
    rows = by_key("limits", "structure").get(finding.concept or "", ()) if sizes else ()
    row = next((one for one in rows if one.fits(finding.entity)), None)
    return row["trait"] if row is not None and max(sizes) >= float(row["millimetres"]) else None


def variety(entity: str, generic: frozenset[str]) -> str:
    """The words of a name that tell one kind from another, in the singular and in order of the alphabet.

    >>> variety("Hepatocellular carcinomas", frozenset({"carcinoma"}))
    'hepatocellular'
    """
    found = [singular(word) for word in NAME_WORD.findall(respelt(entity))]
    return " ".join(sorted({w for w in found if w not in generic and w not in sets()["empty"]}))


# ---- where it is
HEADINGS = frozenset({"bones", "lungs", "pleura", "heart", "chest", "abdomen", "spine", "brain"})
MOST_WORDS = 3
"""Words of the form of a place inside a name."""


def places_of(finding: Finding, site: str | None) -> frozenset[str]:
    """The places said of it with all they are part of; else those that its name tells; of a structure, itself.

    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> "lung" in places_of(read(parse("Mass in the left lower lobe.")).findings[0], None)
    True
    """
    said = [p for a in finding.values("location") for p in (a.places or (a,))]
    steps = {step for p in said for step in (*lexicon().anatomy.get(p.concept, p.path), p.concept)}
    named = [site] if site else []
    if finding.kind == "structure":
        named += [finding.concept or "", (finding.concept or "").removesuffix("s"), finding.site or ""]
    elif not steps and not site:
        named += [finding.site or in_name(finding.entity)]
    return frozenset(steps.union(*(lexicon().anatomy.get(name, (name,)) for name in named if name)))


def in_name(entity: str) -> str:
    """The place in a name: `hepatic steatosis`."""
    words = entity.lower().split()
    for size in range(min(MOST_WORDS, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            form = " ".join(words[start : start + size])
            if form in place_words():
                return place_words()[form]
    return ""


def side_of(finding: Finding) -> str:
    """
    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> side_of(read(parse("Small left effusion.")).findings[0])
    'left'
    """
    return one_side([side_in(finding.entity), *(a.side for a in finding.values("location"))])


def side_in(text: str) -> str:
    spelt = {lexicon().normal(word) for word in bare(text)}
    return "both" if spelt & {"bilateral", "both"} else one_side(spelt & {"left", "right"})


def where_said(finding: Finding) -> str:
    """The place as written; a heading (`Bones:`) only where nothing nearer is said."""
    said = [a.text for a in finding.values("location")]
    near = [text for text in said if text.lower() not in HEADINGS]
    return "; ".join(near or said)
