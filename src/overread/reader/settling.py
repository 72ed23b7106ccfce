"""Words whose part in the sentence depends on their neighbours: parts of devices, positions, blanks, studies."""

import re

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.meanings import Cue
from overread.reader.grammar import PARTICIPLES
from overread.reader.units import Unit

TIPS = frozenset({"tip", "tips"})
PARTS = frozenset(
    "lead leads generator generators wire wires tip tips catheter catheters tube tubes line lines".split()
)


def with_parts(units: list[Unit]) -> list[Unit]:
    """`Cardiac pacemaker leads` is one device: the noun before only says whose leads they are."""
    found: list[Unit] = []
    for unit in units:
        last = found[-1] if found else None
        if last is not None and unit.form in PARTS and is_device(unit) and is_device(last):
            form = f"{last.form} {unit.form}"
            found[-1] = Unit("E", form, last.first, unit.last, last.start, unit.end, unit.rows, unit.tables)
        else:
            found.append(unit)
    return found


BETWEEN_TIP_AND_PLACE = frozenset("VPWMDBH")


def positioned(units: list[Unit], lexicon: Lexicon) -> list[Unit]:
    """`with its tip approximately 4 cm above the carina`: tip, distance and direction are one position."""
    if not any("placement" in u.tables or u.form in TIPS for u in units):
        return units
    tip = lexicon.described("placement", "tip in")
    if tip is None:
        return units
    found: list[Unit] = []
    at = 0
    while at < len(units):
        end = position_ends(units, at)
        if end - at < 2:
            found.append(units[at])
            at += 1
            continue
        first, last = units[at], units[end - 1]
        row = last.row("placement") or tip
        form = " ".join(u.form for u in units[at:end])
        found.append(
            Unit("A", form, first.first, last.last, first.start, last.end, (row,), {"placement": row})
        )
        at = end
    return found


def position_ends(units: list[Unit], at: int) -> int:
    """Where a position that begins here ends: before the place it names, or with a position that names its own."""
    begin = at
    if units[at].tag == "T":
        begin += 1
    if begin < len(units) and begin > at and units[begin].tag == "D":
        begin += 1
    if begin >= len(units):
        return at
    head = units[begin]
    said = head.row("placement") is not None
    tip = head.form in TIPS or (said and head.form.split()[-1] in TIPS)
    measured = begin == at and "M" in (
        head.tag,
        units[begin + 1].tag if said and begin + 1 < len(units) else "",
    )
    if not tip and not measured:
        return at
    for place in range(begin + 1, len(units)):
        unit = units[place]
        if unit.tag == "A" and unit.row("placement") is not None:
            return place + 1
        if unit.tag in "LS" and tip and any(u.tag == "P" for u in units[begin + 1 : place]):
            return place
        if (
            unit.tag not in BETWEEN_TIP_AND_PLACE
            or not (tip or unit.tag == "M")
            or unit.form in ("of", "and")
        ):
            return at
    return at


def is_device(unit: Unit) -> bool:
    row = unit.row("findings")
    return unit.tag == "E" and row is not None and row.path[0] == "device"


def names(unit: Unit, concept: str) -> bool:
    row = unit.row("findings")
    return row is not None and row.concept == concept


BLANKED_VERBS = frozenset({"represent", "reflect", "represents", "reflects"})


def unsure(verb: Unit, rest: list[Unit]) -> bool:
    """`____ represent` was `may represent`; `____ represents A or B` is a choice."""
    return verb.form in ("represent", "reflect") or any(u.form == "or" for u in rest)


BLANK_LIKELY = Cue("blank", "hedge", "blank", "after", "probable", "a blank after `most` hides `likely`")
BLANK_HEDGE = Cue("blank", "hedge", "blank", "after", "possible", "a blank before `represent` hides a hedge")


STUDIES = frozenset({"ct", "cta", "mri", "radiograph", "radiographs", "film", "films", "ultrasound", "scan"})


def unplaced(units: list[Unit]) -> None:
    """`abdomen and pelvis CT`: organs right before the name of a study say what it showed, not where something is."""
    for unit in reversed(units):
        if unit.tag in "SL":
            unit.tag = "W"
        elif unit.form != "and" and unit.form not in STUDIES and unit.tag != "W":
            return


def device_follows(units: list[Unit]) -> bool:
    """`of the superior sternotomy wire`: is the next noun a device?"""
    if not units or units[0].form != "of":
        return False
    noun = next((u for u in units[1:] if u.tag not in "DLAMBW"), None)
    return noun is not None and is_device(noun)


def begins(after: Unit | None) -> bool:
    """`crowding otherwise lungs are clear`: a new subject."""
    return after is not None and after.tag in "SD"


def is_low(before: Unit | None, after: Unit | None) -> bool:
    """`Lower lung volumes`, `volumes are lower than`: a size, where no place follows."""
    if after is not None and after.tag == "S":
        return after.form.endswith("volumes")
    return before is not None and before.tag == "V" and (after is None or after.tag not in "LEA")


VERB_SHAPED = re.compile(r"[a-z]{3,}(?:s|ed)")
OBJECT_BEGINS = frozenset({"a", "an", "the", "its", "both", "another"})


def find_verbs(units: list[Unit]) -> None:
    """`The aorta overlaps a nodule`: a word nobody knows, shaped like a verb, between a noun and the next article."""
    for before, unit, after in zip(units, units[1:], units[2:], strict=False):
        if (
            unit.tag == "W"
            and before.tag in "SEL"
            and after.form in OBJECT_BEGINS
            and VERB_SHAPED.fullmatch(unit.form)
        ):
            unit.tag = "V"


def settle(units: list[Unit], lexicon: Lexicon) -> None:
    """Words whose part in the sentence depends on their neighbours."""
    for i, unit in enumerate(units):
        if unit.tag in "ADCPNH":  # never depends on its neighbours
            continue
        before, after = units[i - 1] if i else None, units[i + 1] if i + 1 < len(units) else None
        if unit.tag == "V" and unit.form in PARTICIPLES and (before is None or before.tag in "DPCN"):
            if after is not None and after.tag in "LSEAW":  # the visualized spine
                unit.tag = "W"
        elif unit.tag == "W" and unit.form.isdigit() and len(unit.form) < 3 and after and after.tag in "EA":
            unit.tag = "M"  # 3 granulomas
        elif (
            unit.tag == "E"
            and unit.form.startswith("pre")
            and after
            and after.tag == "E"
            and names(unit, "preop")
        ):
            unit.tag = "W"  # no acute preoperative findings
        elif unit.tag == "E" and names(unit, "fracture"):
            broken = lexicon.described("placement", "fractured")
            of_device = (before is not None and is_device(before)) or device_follows(units[i + 1 :])
            if of_device and broken is not None:  # a catheter fracture is no broken bone
                unit.tag, unit.rows, unit.tables = "A", (broken,), {"placement": broken}
        elif unit.form == "lower" and is_low(before, after):
            low = lexicon.described("measurement", "low")
            if low is not None:  # lower lung volumes
                unit.tag, unit.rows, unit.tables = "A", (low,), {"measurement": low}
        elif unit.tag == "W" and unit.form in STUDIES:
            unplaced(units[:i])
        elif unit.form == "both" and after is not None and after.tag in "AV":
            unit.tag = "D"  # the left is small and the right is trace, both decreased
        elif (
            unit.tag == "B"
            and before is not None
            and before.form in ("most", "more")
            and after
            and after.tag in "KVW"
        ):
            unit.tag, unit.rows = "H", (BLANK_LIKELY,)  # most ____ represents
        elif (
            unit.form in BLANKED_VERBS
            and before is not None
            and before.tag == "B"
            and unsure(unit, units[i:])
        ):
            unit.tag, unit.rows = "H", (*unit.rows, BLANK_HEDGE)  # ____ represent: the blank was a `may`
        elif unit.form == "otherwise" and before is not None and before.tag in "SLEV" and not begins(after):
            unit.tag = "W"  # the lungs are otherwise clear
