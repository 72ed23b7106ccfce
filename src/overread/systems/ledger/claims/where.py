"""The places of a finding as paths, sides and directions."""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from overread.lexicon.lexicon import lexicon
from overread.lexicon.words import bare
from overread.reader import Attribute, Finding
from overread.systems.ledger.schema import Where
from overread.systems.ledger.tables import grouped, parts, place_paths, place_words, same_places, sets

DIRECTIONS = {
    "upper": "upper", "superior": "upper", "superiorly": "upper", "lower": "lower", "inferior": "lower",
    "inferiorly": "lower", "middle": "mid", "mid": "mid", "interpolar": "mid", "anterior": "front", "ventral": "front",
    "posterior": "back", "dorsal": "back", "medial": "medial", "inner": "medial", "lateral": "lateral",
    "outer": "lateral", "proximal": "near", "distal": "far", "central": "central", "peripheral": "peripheral",
}  # fmt: skip
ENTRIES = {
    "jugular": re.compile(r"jugular|\bi\.?j\b"),
    "subclavian": re.compile(r"subclavian"),
    "femoral": re.compile(r"femoral"),
}
CHAMBER = re.compile(r"(?:(left|right) )?\b(ventric|atri)(?:ular|le|al|um)\b")
WIDE = frozenset({"vessel", "bone", "joint", "lymph-node", "brain"})
"""Homes of a concept that do not say where it is."""

HEADINGS = frozenset({"bones", "lungs", "pleura", "heart", "chest", "abdomen", "spine", "brain"})


LOBES = {
    "lower": re.compile(r"\b(?:[rl]ll|lower)\b"),
    "upper": re.compile(r"\b(?:[rl]ul|upper)\b"),
    "middle": re.compile(r"\b(?:rml|middle)\b"),
}
LEVEL = re.compile(r"\b([CTLScls]\d{1,2})(?:\s*[-/–]\s*([CTLScls])?(\d{1,2}))?(?![\w-])")
SPINE = {"c": "cervical-spine", "t": "thoracic-spine", "l": "lumbar-spine", "s": "sacrum"}
PART_OF = re.compile(r"\b([a-z]+) of (?:the )?(?:(?:left|right) )?([a-z]+)\b", re.IGNORECASE)
AND = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)
NAMED = re.compile(r"segment ([ivx]+|[1-8])\b")
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
ROMAN = "i ii iii iv v vi vii viii ix x xi xii".split()
NUMBERED = re.compile(rf"\b({'|'.join(ORDINALS)}|\d+(?:st|nd|rd|th))\b")
SERIES = re.compile(r"\b(?:rib|metatarsal|metacarpal|phalan|digit|toe|finger|ray)", re.IGNORECASE)
"""Bones that are counted; of several, each is broken by itself."""

COUNTED = re.compile(
    r"\b(\d{1,2})(?:st|nd|rd|th)?(?:\s*(?:-|–|through|thru|to)\s*(\d{1,2})(?:st|nd|rd|th)?)?\b"
)
MOST = 12


def places_of(finding: Finding, site: str | None) -> tuple[Where, ...]:
    """Where it is: the places said, else those its name tells; sides of `both` are kept for splitting."""
    said = [w for a in finding.values("location") for w in places(a)]
    if finding.kind == "device":
        return of_device(finding, said)
    found = [w for w in said if w.path]
    if not found or finding.kind == "structure":
        found += in_name(finding, site)
    sides = [w for w in said if not w.path and (w.side != "-" or w.towards)]
    if any(w.side in ("left", "right") for w in sides):
        sides = [w for w in sides if w.side != "both"]
    return tuple(settle(found, sides)) if found else tuple(dict.fromkeys(sides))


def of_device(finding: Finding, said: list[Where]) -> tuple[Where, ...]:
    """The vessel a line enters by and its side; a tube in the midline has neither."""
    if finding.concept in sets()["midline"]:
        return ()
    words = " ".join([finding.entity, *(a.text for a in finding.values("location"))]).lower()
    vein = next((place for place, form in ENTRIES.items() if form.search(words)), None)
    entry = chamber(words) if finding.concept == "lead" else ("vein", "entry", vein) if vein else ()
    told = [
        w for w in said if "heart" not in w.path
    ]  # `left pacemaker in the right ventricle` lies on the left
    sides = {w.side for w in told if w.side != "-"} or {side_in(finding.entity)} - {"-"}
    side = sides.pop() if len(sides) == 1 else "-"
    return (Where(entry, side),) if entry or side != "-" else ()


def chamber(words: str) -> tuple[str, ...]:
    """The chamber of the heart that a lead paces.

    >>> chamber("right ventricular lead"), chamber("atrial lead"), chamber("lead")
    (('lead', 'chamber', 'ventric', 'right'), ('lead', 'chamber', 'atri'), ())
    """
    found = set(CHAMBER.findall(words))
    if len(found) != 1:
        return ()
    side, part = found.pop()
    return ("lead", "chamber", part, *([side] if side else []))


def places(attribute: Attribute) -> list[Where]:
    """Each place of an attribute; `at the bases` are both of them."""
    numbers = counted(attribute.text)
    if numbers:
        return each_number(attribute, numbers)
    apart = named_apart(attribute.text)
    if len(apart) > max(1, len(attribute.places)):
        return list(apart)
    if not attribute.places:
        return [place(attribute.concept, attribute.path, attribute.side, attribute.text)]
    return [place(p.concept, p.path, p.side, p.text) for p in attribute.places]


def each_number(attribute: Attribute, numbers: tuple[int, ...]) -> list[Where]:
    """One place for each counted bone: `left 7th and 8th ribs` are two."""
    whole = place(attribute.concept, attribute.path, attribute.side, attribute.text)
    path = whole.path[:-1] if whole.path and whole.path[-1][-1].isdigit() else whole.path
    other = frozenset(word for word in whole.towards if not word.startswith("number"))
    return [Where(path, whole.side, other | {f"number {n}"}) for n in numbers]


@lru_cache(maxsize=4096)
def named_apart(text: str) -> tuple[Where, ...]:
    """Places joined by `and`, each with its own side, where every part names another one.

    >>> [(w.path[-1], w.side) for w in named_apart("Bilateral hilar and right paratracheal")]
    [('hilum', 'both'), ('peritracheal', 'right')]
    """
    pieces = [piece for piece in AND.split(text) if piece]
    found = [next(iter(places_named(piece)), None) for piece in pieces]
    known = [w for w in found if w is not None and len(w.path) > 1]
    apart = len(pieces) > 1 and len(known) == len(pieces) == len({w.path for w in known})
    return tuple(known) if apart else ()


def place(concept: str, path: tuple[str, ...], side: str, text: str) -> Where:
    words = bare(text)
    if side == "-" and words and words[-1] in sets()["pairs"]:
        side = "both"
    if side_in(text) in ("left", "right"):
        side = side_in(text)  # `left middle lobe`: as written, though no body has one
    known = (
        level_in(text) or (lobe_in(text) if concept in sets()["branches"] else ()) or path_of(concept, path)
    )
    return Where(finest(text, known), side, beyond(text, concept))


@lru_cache(maxsize=4096)
def finest(text: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The most special place inside `path` that the words name: `lateral malleolus of the ankle`.

    >>> finest("lateral malleolus of the right ankle", ("limb", "lower-limb", "ankle"))[-1]
    'lateral-malleolus'
    """
    named = [w for form in (text, *turned_round(text)) for w in places_named(form)]
    inside = [w.path for w in named if len(w.path) > len(path) and w.path[: len(path)] == path]
    return max(inside, key=len, default=path) if path else path


def turned_round(text: str) -> list[str]:
    """A part named before its whole, in the words of the whole: `neck of the left femur` is a femoral neck.

    >>> "femoral neck" in turned_round("neck of the left femur")
    True
    """
    found = PART_OF.search(text)
    if found is None or found[2].lower() not in place_words():
        return []
    part, concept = found[1].lower(), place_words()[found[2].lower()][0]
    return [f"{word} {part}" for word in words_for().get(concept, ())]


@cache
def words_for() -> dict[str, tuple[str, ...]]:
    """Place → the single words that name it: femur, femoral."""
    single = (form for form in place_words() if " " not in form)
    return grouped((place_words()[form][0], form) for form in single)


def lobe_in(text: str) -> tuple[str, ...]:
    """The lobe whose vessels or airways a place names; the lung where it names none.

    >>> lobe_in("RLL segmental arteries"), lobe_in("segmental branches")
    (('thorax', 'lung', 'lower-lobe'), ('thorax', 'lung'))
    """
    low = text.lower()
    named = next((f"{part}-lobe" for part, form in LOBES.items() if form.search(low)), "lung")
    return place_paths()[named]


def level_in(text: str) -> tuple[str, ...]:
    """The level of the spine that a place names, however else it is called.

    >>> level_in("L2 vertebral body"), level_in("C5/6 foramen"), level_in("left lung")
    (('spine', 'lumbar-spine', 'l2'), ('spine', 'cervical-spine', 'c5-c6'), ())
    """
    found = LEVEL.search(text)
    if found is None:
        return ()
    first, letter, second = found[1].lower(), (found[2] or found[1][0]).lower(), found[3]
    name = f"{first}-{letter}{second}" if second else first
    return ("spine", SPINE[first[0]], name)


def where_said(finding: Finding) -> str:
    """The place as written; a heading (`Bones:`) only where nothing nearer is said."""
    said = [a.text for a in finding.values("location")]
    near = [text for text in said if text.lower() not in HEADINGS]
    return "; ".join(near or said)


def path_of(concept: str, path: tuple[str, ...]) -> tuple[str, ...]:
    """The whole path; empty for a mere direction or side."""
    if concept in same_places():
        concept = same_places()[concept]
        return place_paths().get(concept, (concept,))
    return (*path, concept) if path else place_paths().get(concept, ())


def towards(text: str) -> frozenset[str]:
    """The direction words of a place, and its number.

    >>> sorted(towards("upper pole of the left kidney")), sorted(towards("segment VII"))
    (['upper'], ['number 7'])
    """
    low = text.lower()
    numbers = [*NAMED.findall(low), *NUMBERED.findall(low)]
    words = bare(low)
    told = {DIRECTIONS[w] for w in words if w in DIRECTIONS} | {f"number {in_digits(n)}" for n in numbers}
    return frozenset(told | {f"part {w}" for w in words if w in parts()})


def in_digits(number: str) -> str:
    """
    >>> in_digits("seventh"), in_digits("7th"), in_digits("vii")
    ('7', '7', '7')
    """
    for names in (ORDINALS, ROMAN):
        if number in names:
            return str(names.index(number) + 1)
    return number.rstrip("stndrh")


@lru_cache(maxsize=4096)
def counted(text: str) -> tuple[int, ...]:
    """The numbers of ribs, toes and the like that a place names.

    >>> counted("left 7th and 8th ribs"), counted("ribs 4-6"), counted("third through fifth ribs"), counted("T7")
    ((7, 8), (4, 5, 6), (3, 4, 5), ())
    """
    if not SERIES.search(text):
        return ()
    low = NUMBERED.sub(lambda found: in_digits(found[1]), text.lower())
    found: list[int] = []
    for one in COUNTED.finditer(low):
        first, last = int(one[1]), int(one[2] or one[1])
        found += range(first, min(last, MOST) + 1)
    return tuple(dict.fromkeys(found))


def beyond(text: str, concept: str) -> frozenset[str]:
    """The direction words that the name of the place does not hold already: `upper` is said by the upper lobe."""
    if concept in DIRECTIONS:  # `in the lower pole`, of an organ that is named elsewhere
        return towards(text)
    return towards(text) - {DIRECTIONS.get(word, "") for word in concept.split("-")}


def in_name(finding: Finding, site: str | None) -> list[Where]:
    """Places that the name itself tells: `hepatic steatosis`, `gallstones`; of a structure, the structure."""
    if site is not None:
        return [Where(place_paths().get(site, (site,)))]
    if finding.kind == "structure":
        return [Where(structure_path(finding), side_in(finding.entity), towards(finding.entity))]
    if finding.site is not None and finding.site not in WIDE:
        return []
    for _, form in forms_in(finding.entity.lower().split(), 3):
        return [named_by(form, place_words()[form][1])]
    return []


def forms_in(words: list[str], most: int) -> Iterator[tuple[int, str]]:
    """Forms of places among the words, longest first, and where each begins."""
    for size in range(min(most, len(words)), 0, -1):
        for start in range(len(words) - size + 1):
            form = " ".join(words[start : start + size])
            if form in place_words():
                yield start, form


def named_by(form: str, side: str, before: Sequence[str] = ()) -> Where:
    """The place of a form, with the sides and directions before it."""
    concept, _ = place_words()[form]
    path = path_of(concept, place_paths()[concept][:-1])
    return Where(path, side, beyond(" ".join((*before, form)), concept))


def places_named(text: str) -> list[Where]:
    """Places that a text names, longest first; a side alone where it names none.

    >>> [(one.path[-1], one.side) for one in places_named("Twisted left testis.")][:1]
    [('testis', 'left')]
    """
    words = bare(text)
    found = []
    for start, form in forms_in(words, 4):
        _, side = place_words()[form]
        found.append(named_by(form, side if side != "-" else side_in(text), ahead(words, start)))
    if not found and side_in(text) != "-":
        found.append(Where((), side_in(text)))
    return found


def ahead(words: list[str], start: int) -> list[str]:
    """The sides and directions right before a place: `proximal right` humerus."""
    first = start
    while first > 0 and (words[first - 1] in DIRECTIONS or words[first - 1] in ("left", "right")):
        first -= 1
    return words[first:start]


def structure_path(finding: Finding) -> tuple[str, ...]:
    for name in (finding.concept or "", (finding.concept or "").removesuffix("s"), finding.site or ""):
        if name in place_paths():
            return place_paths()[name]
    return (finding.concept or finding.entity.lower(),)


@lru_cache(maxsize=8192)
def side_in(text: str) -> str:
    spelt = (lexicon().normal(w) for w in bare(text))
    sides = [w for w in spelt if w in ("left", "right", "bilateral", "both")]
    return {"bilateral": "both"}.get(sides[0], sides[0]) if len(sides) == 1 else "-"


def settle(found: list[Where], sides: list[Where]) -> list[Where]:
    """Each place once, the special ones alone, a side said apart given to places that have none."""
    apart = [w.side for w in sides if w.side != "-"]
    towards = frozenset().union(*(w.towards for w in sides)) if sides else frozenset()
    told = [
        Where(w.path, apart[0] if w.side == "-" and len(set(apart)) == 1 else w.side, w.towards | towards)
        for w in found
    ]
    told = [w for w in told if w.path[0] != "body"] or told
    told = [with_side_of_whole(w, told) for w in told]
    special = [w for w in told if not any(contains(w, o) for o in told if o is not w)]
    return list(dict.fromkeys(special or told))


def with_side_of_whole(part: Where, told: list[Where]) -> Where:
    """`Left breast, upper inner quadrant`: the part lies on the side of the whole."""
    wholes = [w for w in told if part.path[: len(w.path)] == w.path]
    sides = {w.side for w in wholes if w.side in ("left", "right")}
    return Where(part.path, sides.pop(), part.towards) if part.side == "-" and len(sides) == 1 else part


def contains(whole: Where, part: Where) -> bool:
    """Is the second a part of the first, and nothing said of the first alone?"""
    longer = len(part.path) > len(whole.path) and part.path[: len(whole.path)] == whole.path
    same = part.path == whole.path and (part.side != "-" or bool(part.towards)) and not whole.towards
    return (longer or same) and whole.side in ("-", part.side)
