"""Words whose part in the sentence depends on their neighbours: parts of devices, positions, blanks, studies."""

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import takewhile

from msgspec import Struct

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.meanings import Cue
from overread.lexicon.statement_words import aspects
from overread.reader.drafts import CHANGES
from overread.reader.grammar import PARTICIPLES
from overread.reader.roles import ANATOMY, NOUNS, Role, RoleName
from overread.reader.units import Unit

BEFORE_NOUN = frozenset({Role.DETERMINER, Role.PLACE, Role.ATTRIBUTE, Role.MEASURE, Role.BLANK, Role.WORD})
"""May stand between `of` and its noun."""
SUBJECT_BEGINS = frozenset({Role.STRUCTURE, Role.DETERMINER})
"""A new subject begins with one of these."""
GRADED = frozenset({Role.PLACE, Role.FINDING, Role.ATTRIBUTE})
"""After `lower`: it says which, not how much."""
FIXED = frozenset({Role.ATTRIBUTE, Role.DETERMINER, Role.JOIN, Role.PREPOSITION, Role.DENIAL, Role.HEDGE})
"""Words whose role never depends on their neighbours."""
BEFORE_PARTICIPLE = frozenset({Role.DETERMINER, Role.PREPOSITION, Role.JOIN, Role.DENIAL})
"""`The visualized spine`: what a participle that only describes stands after."""
AFTER_PARTICIPLE = frozenset({Role.PLACE, Role.STRUCTURE, Role.FINDING, Role.ATTRIBUTE, Role.WORD})
"""… and before."""
COUNTED = frozenset({Role.FINDING, Role.ATTRIBUTE})
"""A bare number before one of these counts it: 3 granulomas."""
SAID_OF_BOTH = frozenset({Role.ATTRIBUTE, Role.VERB})
"""`Both decreased`: after these `both` is no place."""
AFTER_BLANK = frozenset({Role.LINK, Role.VERB, Role.WORD})
"""`Most ____ represents`: the blank before these hides a hedge."""
BEFORE_OTHERWISE = frozenset({Role.STRUCTURE, Role.PLACE, Role.FINDING, Role.VERB})
"""`The lungs are otherwise clear`: after these it ends nothing."""

LEADS_TO_HEAD = frozenset({Role.ATTRIBUTE, Role.MEASURE, Role.DENIAL, Role.WORD})
"""Before a word that may be the noun of its phrase."""
HEADS_END = frozenset({Role.WORD, Role.ATTRIBUTE, Role.BLANK})
"""After these it is not: a focus lens."""

TIPS = frozenset({"tip", "tips"})
PARTS = frozenset(
    "lead leads generator generators wire wires tip tips catheter catheters tube tubes line lines".split()
)


TREATING = frozenset({"clip", "clips", "coil", "coils", "mesh"})
"""Devices named after what they were put in for."""

JOINED = PARTS | TREATING


def is_part(before: Unit, device: Unit) -> bool:
    if device.form in PARTS:
        return is_device(before)
    return device.form in TREATING and before.role is Role.FINDING and not is_device(before)


def join_device_parts(units: list[Unit]) -> list[Unit]:
    """`Cardiac pacemaker leads`, `an aneurysm clip` are one device: the noun before says whose, or what for."""
    found: list[Unit] = []
    for unit in units:
        last = found[-1] if found else None
        if last is not None and is_device(unit) and is_part(last, unit):
            form = f"{last.form} {unit.form}"
            found[-1] = Unit(
                Role.FINDING, form, last.first, unit.last, last.start, unit.end, unit.rows, unit.tables
            )
        else:
            found.append(unit)
    return found


def join_likenesses(units: list[Unit], lexicon: Lexicon) -> list[Unit]:
    """`A mass-like lesion`, `plate-like atelectasis`: what it looks like, and no mass, no plate."""
    found: list[Unit] = []
    for unit in units:
        noun = found[-1] if found else None
        if unit.form == "like" and noun and noun.role is Role.FINDING and noun.end + 1 == unit.start:
            form = f"{noun.form} like"
            row = lexicon.described("morphology", form) or looks_like(form)
            noun.role, noun.rows, noun.tables = Role.ATTRIBUTE, (row,), {"morphology": row}
            noun.form, noun.end, noun.last = form, unit.end, unit.last
        else:
            found.append(unit)
    return found


def join_densities(units: list[Unit]) -> list[Unit]:
    """`High-density shadows`, `ground-glass density nodule`: how the second noun looks, and no density of its own."""
    found: list[Unit] = []
    for unit, after in zip(units, [*units[1:], None], strict=True):
        dense = unit.role is Role.FINDING and unit.form.endswith(DENSITIES)
        if dense and after is not None and after.role is Role.FINDING:
            first = found.pop() if found and found[-1].form in LEVELS else unit
            row = looks_like(unit.form if first is unit else f"{first.form} {unit.form}")
            told = Role.ATTRIBUTE if " " in row.form else Role.WORD
            unit = Unit(
                told, row.form, first.first, unit.last, first.start, unit.end, (row,), {"morphology": row}
            )
        found.append(unit)
    return found


DENSITIES = ("density", "attenuation")
LEVELS = frozenset("high higher low lower mixed equal normal".split())


COURSE_WORDS = {
    "worse": "worsened", "larger": "worsened", "bigger": "worsened", "smaller": "improved", "better": "improved",
}  # fmt: skip
"""Words for a course that may compare two sides as well, and their tables."""

COURSE_ON = re.compile(rf"({'|'.join(COURSE_WORDS)}) on the (left|right)")


def part_comparisons(units: list[Unit], lexicon: Lexicon) -> list[Unit]:
    """`Smaller on the right, larger on the left`: what has become of either side, and no comparison of the two."""
    told = [m for u in units if (m := COURSE_ON.fullmatch(u.form))]
    sides = {m[2] for m in told}
    if any(u.row(name) for u in units for name in CHANGES if not COURSE_ON.fullmatch(u.form)):
        sides |= {r.side for u in units if (r := u.row("locations")) and r.side in ("left", "right")}
    if not told or sides != {"left", "right"}:
        return units
    return [part for u in units for part in course_and_side(u, lexicon)]


def course_and_side(unit: Unit, lexicon: Lexicon) -> list[Unit]:
    told = COURSE_ON.fullmatch(unit.form)
    course = lexicon.described(COURSE_WORDS[told[1]], told[1]) if told else None
    side = lexicon.described("locations", told[2]) if told else None
    if told is None or course is None or side is None:
        return [unit]
    middle, first = unit.start + len(told[1]), unit.first
    return [
        Unit(
            Role.ATTRIBUTE, told[1], first, first + 1, unit.start, middle, (course,), {course.table: course}
        ),
        Unit(Role.PREPOSITION, "on", first + 1, first + 2, middle + 1, middle + 3),
        Unit(
            Role.PLACE,
            told[2],
            unit.last - 1,
            unit.last,
            unit.end - len(told[2]),
            unit.end,
            (side,),
            {side.table: side},
        ),
    ]


@lru_cache(maxsize=512)
def looks_like(form: str) -> Row:
    return Row(
        "like", "morphology", form.replace(" ", "-"), form, ("shape",), (), "what a finding looks like"
    )


BETWEEN_TIP_AND_PLACE = frozenset(
    {Role.VERB, Role.PREPOSITION, Role.WORD, Role.MEASURE, Role.DETERMINER, Role.BLANK, Role.HEDGE}
)


def join_positions(units: list[Unit], lexicon: Lexicon) -> list[Unit]:
    """`with its tip approximately 4 cm above the carina`: tip, distance and direction are one position."""
    tip = lexicon.described("placement", "tip in")
    if tip is None:
        return units
    found: list[Unit] = []
    at = 0
    while at < len(units):
        end = end_of_position(units, at)
        if end - at < 2:
            found.append(units[at])
            at += 1
            continue
        first, last = units[at], units[end - 1]
        row = last.row("placement") or tip
        form = " ".join(u.form for u in units[at:end])
        found.append(
            Unit(
                Role.ATTRIBUTE,
                form,
                first.first,
                last.last,
                first.start,
                last.end,
                (row,),
                {"placement": row},
            )
        )
        at = end
    return found


def end_of_position(units: list[Unit], at: int) -> int:
    """Where a position that begins here ends: before the place it names, or with a position that names its own."""
    begin = at
    if units[at].role is Role.WITH:
        begin += 1
    if begin < len(units) and begin > at and units[begin].role is Role.DETERMINER:
        begin += 1
    if begin >= len(units):
        return at
    head = units[begin]
    said = head.row("placement") is not None
    tip = head.form in TIPS or (said and head.form.split()[-1] in TIPS)
    measured = begin == at and (
        head.role is Role.MEASURE
        or (said and begin + 1 < len(units) and units[begin + 1].role is Role.MEASURE)
    )
    if not tip and not measured:
        return at
    for place in range(begin + 1, len(units)):
        unit = units[place]
        if unit.role is Role.ATTRIBUTE and unit.row("placement") is not None:
            return place + 1
        if unit.role in ANATOMY and tip and any(u.role is Role.PREPOSITION for u in units[begin + 1 : place]):
            return place
        if (
            unit.role not in BETWEEN_TIP_AND_PLACE
            or not (tip or unit.role is Role.MEASURE)
            or unit.form in ("of", "and")
        ):
            return at
    return at


def is_device(unit: Unit) -> bool:
    row = unit.row("findings")
    return unit.role is Role.FINDING and row is not None and row.path[0] == "device"


BLANKED_VERBS = frozenset({"represent", "reflect", "represents", "reflects"})


def hides_hedge(verb: Unit, rest: list[Unit]) -> bool:
    """`____ represent` was `may represent`; `____ represents A or B` is a choice."""
    return verb.form in ("represent", "reflect") or any(u.form == "or" for u in rest)


BLANK_LIKELY = Cue("blank", "hedge", "blank", "after", "probable", "a blank after `most` hides `likely`")
BLANK_HEDGE = Cue("blank", "hedge", "blank", "after", "possible", "a blank before `represent` hides a hedge")


STUDIES = frozenset({"ct", "cta", "mri", "radiograph", "radiographs", "film", "films", "ultrasound", "scan"})


def unplace_organs_of_study(units: list[Unit]) -> None:
    """`abdomen and pelvis CT`: organs right before the name of a study say what it showed, not where something is."""
    for unit in reversed(units):
        if unit.role in ANATOMY:
            unit.role = Role.WORD
        elif unit.form != "and" and unit.form not in STUDIES and unit.role is not Role.WORD:
            return


def device_follows(units: list[Unit]) -> bool:
    """`of the superior sternotomy wire`: is the next noun a device?"""
    if not units or units[0].form != "of":
        return False
    noun = next((u for u in units[1:] if u.role not in BEFORE_NOUN), None)
    return noun is not None and is_device(noun)


def begins_subject(after: Unit | None) -> bool:
    """`crowding otherwise lungs are clear`: a new subject."""
    return after is not None and after.role in SUBJECT_BEGINS


def is_low(before: Unit | None, after: Unit | None) -> bool:
    """`Lower lung volumes`, `volumes are lower than`: a size, where no place follows."""
    if after is not None and after.role is Role.STRUCTURE:
        return after.form.endswith("volumes")
    return before is not None and before.role is Role.VERB and (after is None or after.role not in GRADED)


VERB_SHAPED = re.compile(r"[a-z]{3,}(?:s|ed)")
OBJECT_BEGINS = frozenset({"a", "an", "the", "its", "both", "another"})


def find_verbs(units: list[Unit]) -> None:
    """`The aorta overlaps a nodule`: a word nobody knows, shaped like a verb, between a noun and the next article."""
    for before, unit, after in zip(units, units[1:], units[2:], strict=False):
        if (
            after.form in OBJECT_BEGINS
            and unit.role is Role.WORD
            and before.role in NOUNS
            and VERB_SHAPED.fullmatch(unit.form)
        ):
            unit.role = Role.VERB


def correct_roles(units: list[Unit], lexicon: Lexicon) -> None:
    """Words whose part in the sentence depends on their neighbours: by their form, else by what they are taken for."""
    for at, unit in enumerate(units):
        rule = rule_of(unit.form, unit.role)
        if rule is None and unit.role is Role.FINDING:
            row = unit.tables.get("findings")
            rule = BY_CONCEPT.get(row.concept) if row is not None else None
        if rule is not None:
            before, after = units[at - 1] if at else None, units[at + 1] if at + 1 < len(units) else None
            rule(Spot(unit, before, after, units, at, lexicon))


class Spot(Struct, gc=False):
    """A word and what stands around it."""

    unit: Unit
    before: Unit | None
    after: Unit | None
    units: list[Unit]
    at: int
    lexicon: Lexicon


def correct_participle(here: Spot) -> None:
    """`The visualized spine`: no verb."""
    unit, before, after = here.unit, here.before, here.after
    if before is not None and before.role not in BEFORE_PARTICIPLE:
        return
    if after is not None and after.role in AFTER_PARTICIPLE:
        unit.role = Role.WORD


def correct_word(here: Spot) -> None:
    """`3 granulomas` counts; `abdomen and pelvis CT` names a study."""
    unit, after = here.unit, here.after
    if unit.form in STUDIES:
        unplace_organs_of_study(here.units[: here.at])
    elif after is not None and after.role in COUNTED:
        unit.role = Role.MEASURE


def correct_preoperative(here: Spot) -> None:
    """`No acute preoperative findings`: no finding of its own."""
    unit, after = here.unit, here.after
    if unit.form.startswith("pre") and after is not None and after.role is Role.FINDING:
        unit.role = Role.WORD


def correct_fracture(here: Spot) -> None:
    """A catheter fracture is no broken bone."""
    unit, before = here.unit, here.before
    broken = here.lexicon.described("placement", "fractured")
    of_device = (before is not None and is_device(before)) or device_follows(here.units[here.at + 1 :])
    if of_device and broken is not None:
        unit.role, unit.rows, unit.tables = Role.ATTRIBUTE, (broken,), {"placement": broken}


def correct_blank(here: Spot) -> None:
    """`Most ____ represents`: the blank was a `likely`."""
    unit, before, after = here.unit, here.before, here.after
    if before is not None and before.form in ("most", "more") and after and after.role in AFTER_BLANK:
        unit.role, unit.rows = Role.HEDGE, (BLANK_LIKELY,)


def correct_lower(here: Spot) -> None:
    """`Lower lung volumes`: how much, not where."""
    low = here.lexicon.described("measurement", "low")
    if low is not None and is_low(here.before, here.after):
        unit = here.unit
        unit.role, unit.rows, unit.tables = Role.ATTRIBUTE, (low,), {"measurement": low}


def correct_both(here: Spot) -> None:
    """`The left is small and the right is trace, both decreased`, `effusion, consolidation or both`: no place."""
    before, after = here.before, here.after
    either = before is not None and before.form == "or" and (after is None or after.role is Role.STOP)
    of_all = (
        before is not None and before.form == "," and after is not None and after.role is Role.PREPOSITION
    )
    if either or of_all or (after is not None and after.role in SAID_OF_BOTH):
        here.unit.role = Role.DETERMINER


def correct_either(here: Spot) -> None:
    """`No consolidation in either lung`: in both, and no doubt."""
    if here.after is not None and here.after.role in ANATOMY:
        here.unit.role = Role.DETERMINER


def correct_blanked_verb(here: Spot) -> None:
    """`____ represent`: the blank was a `may`."""
    unit, before = here.unit, here.before
    if before is not None and before.role is Role.BLANK and hides_hedge(unit, here.units[here.at :]):
        unit.role, unit.rows = Role.HEDGE, (*unit.rows, BLANK_HEDGE)


def correct_otherwise(here: Spot) -> None:
    """`The lungs are otherwise clear`: it ends nothing."""
    if here.before is not None and here.before.role in BEFORE_OTHERWISE and not begins_subject(here.after):
        here.unit.role = Role.WORD


def correct_head(here: Spot) -> None:
    """`An enhancing focus in the liver`, `no recurrence`: the noun itself, where no other comes after `of`."""
    unit, before, after = here.unit, here.before, here.after
    led = before is not None and before.role in LEADS_TO_HEAD
    goes_on = after is not None and (after.form == "of" or after.role in NOUNS | HEADS_END)
    if led and not goes_on:
        unit.role, unit.rows, unit.tables = Role.FINDING, (), {}


def correct_sign(here: Spot) -> None:
    """`No obvious signs of loosening`: nothing of its own; a Murphy sign is."""
    if here.unit.role is Role.WORD and here.after is not None and here.after.form == "of":
        here.unit.role = Role.DETERMINER


ORDINAL = re.compile(r"first|second|third|\d*\w+th|[ctls]\d+|\d+(?:st|nd|rd)")


ONE_OF_A_ROW = frozenset("upper mid middle lower proximal distal".split())


def correct_range(here: Spot) -> None:
    """`The fourth to sixth ribs`, `the mid to upper lung`: both, and what lies between."""
    unit, before, after = here.unit, here.before, here.after
    if before is None or after is None or before.role is not Role.PLACE or after.role not in ANATOMY:
        return
    ends = before.form.split()[-1], after.form.split()[0]
    if all(map(ORDINAL.fullmatch, ends)) or ONE_OF_A_ROW.issuperset(ends):
        unit.role = Role.WORD


def correct_region(here: Spot) -> None:
    """`In the aortic valve area`: where something is, and no valve that was put in."""
    place = here.before.row("locations") if here.before is not None else None
    if here.before is not None and here.before.role is Role.FINDING and place is not None:
        here.before.role = Role.PLACE


def correct_density(here: Spot) -> None:
    """`Normal in shape, size, and density`: one more aspect, and no density."""
    for unit in reversed(here.units[: here.at]):
        if unit.role is Role.ATTRIBUTE and unit.form.startswith("normal in "):
            here.unit.role = Role.WORD
        if unit.role is not Role.JOIN and unit.form not in aspects():
            return


def correct_shadow(here: Spot) -> None:
    """`Stone shadows`, `a tube shadow`: what casts it is what is seen."""
    if here.before is not None and here.before.role is Role.FINDING:
        here.unit.role = Role.WORD


SIGNALS = (" signal", " signals", " signal intensity")
LEADS_TO_SIGNAL = frozenset({Role.DENIAL, Role.WORD, Role.ATTRIBUTE, Role.DETERMINER})


def correct_signal(here: Spot) -> None:
    """`No high signal on diffusion imaging`, `a patchy high signal`: what is seen; else it tells how something is."""
    before, after = here.before, here.after
    led = before is None or before.role in LEADS_TO_SIGNAL
    goes_on = after is not None and (after.role in NOUNS | HEADS_END or after.form == "of")
    ahead = takewhile(lambda u: u.role not in ENDS_LIST, here.units[here.at + 1 :])
    goes_on |= any(u.role is Role.FINDING for u in ahead)  # low signal, high signal lesions
    if led and not goes_on and not any(u.role in SUBJECTS for u in here.units[: here.at]):
        here.unit.role, here.unit.rows, here.unit.tables = Role.FINDING, (), {}


SUBJECTS = NOUNS | {Role.VERB, Role.WITH}
ENDS_LIST = frozenset({Role.VERB, Role.STOP, Role.PREPOSITION, Role.WITH})


Rule = Callable[[Spot], None]


@lru_cache(maxsize=8192)
def rule_of(form: str, role: RoleName) -> Rule | None:
    """What is to be looked at in a word's neighbours, if anything: for most words nothing."""
    if form in ALWAYS:
        return ALWAYS[form]
    if role is Role.ATTRIBUTE and form.endswith(SIGNALS):
        return correct_signal
    if role in FIXED:
        return None
    if form in BY_FORM:
        return BY_FORM[form]
    if (role is Role.VERB and form not in PARTICIPLES) or (role is Role.WORD and not counts_or_studies(form)):
        return None
    return BY_ROLE.get(role)


def counts_or_studies(form: str) -> bool:
    return form in STUDIES or (form.isdigit() and len(form) < 3)


MAGNETIC = (
    "flair",
    "signal",
    "hyperintens",
    "hypointens",
    "isointens",
    "dwi",
    "stir",
    "weighted",
    "t1wi",
    "t2wi",
)
"""How words begin beside which T1 and T2 are sequences and not vertebrae."""


def correct_sequence(here: Spot) -> None:
    """`T2/FLAIR hyperintensities`: no vertebra; nor what joins the two."""
    if any(u.form.startswith(MAGNETIC) or " signal" in u.form for u in here.units):
        here.unit.role = Role.WORD
        if here.after is not None and here.after.form == "/":
            here.after.role = Role.WORD


def correct_answer(here: Spot) -> None:
    """`Edema: no`, `Effusion: no, …`: said of what heads it."""
    unit, before, after = here.unit, here.before, here.after
    if before is not None and before.form == ":" and (after is None or after.role in ENDS_ANSWER):
        unit.form, unit.rows = "none", (ANSWERED_NO,)


def correct_excluded(here: Spot) -> None:
    """`Excluded: infarct, mass`."""
    if here.before is None and here.after is not None and here.after.form == ":":
        here.unit.role, here.unit.rows = Role.DENIAL, (EXCLUDED,)


def correct_nipple(here: Spot) -> None:
    """`4 cm from the nipple`: where something is, and no shadow of it."""
    before = [u.role for u in here.units[max(0, here.at - 2) : here.at]]
    row = here.lexicon.described("locations", "breast")
    if before == [Role.PREPOSITION, Role.DETERMINER] and row is not None:
        here.unit.role, here.unit.rows, here.unit.tables = Role.PLACE, (row,), {row.table: row}


def correct_central(here: Spot) -> None:
    """`The trachea is central`, `mediastinum: central`: in the midline; `central opacities` are where they are."""
    before, after = here.before, here.after
    ends = after is None or after.role in ENDS_ANSWER
    row = here.lexicon.described("locations", "midline") if ends and before is not None else None
    if row is not None and before is not None and before.role in SAYS_WHERE:
        here.unit.rows, here.unit.tables = (row,), {row.table: row}


SAYS_WHERE = frozenset({Role.VERB, Role.STOP, Role.STRUCTURE})
"""Behind these a place is what is said of the organ."""

OTHER_STUDIES = frozenset("prior previous previously outside last earlier old yesterday".split())


def correct_versus(here: Spot) -> None:
    """`New versus the outside film`, `larger vs 2021`: held against another study, and no choice of two."""
    ahead = [u.form for u in here.units[here.at + 1 : here.at + 3] if u.role is not Role.DETERMINER]
    word = ahead[0].split()[0] if ahead else ""
    if word in OTHER_STUDIES or (len(word) == 4 and word.isdigit()):
        here.unit.role, here.unit.rows, here.unit.tables = Role.PREPOSITION, (), {}
        here.unit.form = "than"


ENDS_ANSWER = frozenset({Role.STOP, Role.JOIN})
EXCLUDED = Cue("excluded", "negation", "excluded", "after", "absent", "`excluded` before a colon")
ANSWERED_NO = Cue("answer", "negation", "none", "before", "absent", "`no` as an answer after a colon")


BY_FORM: dict[str, Rule] = {
    "lower": correct_lower,
    "both": correct_both,
    "otherwise": correct_otherwise,
    **dict.fromkeys(BLANKED_VERBS, correct_blanked_verb),
}
ALWAYS: dict[str, Rule] = {
    "either": correct_either,
    "central": correct_central,
    "nipple": correct_nipple,
    **dict.fromkeys(("vs", "versus"), correct_versus),
    "no": correct_answer,
    **dict.fromkeys(("t1", "t2"), correct_sequence),
    "excluded": correct_excluded,
    **dict.fromkeys(("to", "through"), correct_range),
    **dict.fromkeys(("sign", "signs"), correct_sign),
    **dict.fromkeys(("shadow", "shadows"), correct_shadow),
    "density": correct_density,
    **dict.fromkeys(("area", "areas", "region", "regions"), correct_region),
    **dict.fromkeys(("focus", "foci", "recurrence"), correct_head),
}
"""Words that are looked at whatever they are taken for."""

BY_CONCEPT: dict[str, Rule] = {"preop": correct_preoperative, "fracture": correct_fracture}
"""Findings, by what they are."""

BY_ROLE: dict[RoleName, Rule] = {
    Role.VERB: correct_participle,
    Role.WORD: correct_word,
    Role.BLANK: correct_blank,
}
