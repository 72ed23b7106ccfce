"""Lexicon forms found in a sentence: one unit per form, word or mark, none overlapping."""

from collections.abc import Sequence
from operator import itemgetter

from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.meanings import Cue
from overread.lexicon.words import Word, forms_of, split
from overread.reader.neighbours import (
    COURSE_WORDS,
    DENSITIES,
    JOINED,
    OBJECT_BEGINS,
    TIPS,
    correct_roles,
    find_verbs,
    join_densities,
    join_device_parts,
    join_likenesses,
    join_positions,
    part_comparisons,
)
from overread.reader.roles import Role
from overread.reader.sizes import LASTING, durations, sizes
from overread.reader.units import Form, Unit, word_role

NAMING = frozenset({Role.FINDING, Role.STRUCTURE})
"""What several words name together comes first: chest tube wins over left sided chest."""

Flag = tuple[Cue, int, int]
"""A sentence-wide cue and where it stands."""

END = itemgetter(2)

REMEMBERED_SENTENCES = 8192  # some 2 MB


def mentions(text: str, offset: int, lexicon: Lexicon) -> tuple[list[Unit], list[Flag]]:
    """Units of a sentence in order, and the sentence-wide cues with their places."""
    units, flags = matched(text, lexicon)
    if len(lexicon.flagged) >= REMEMBERED_SENTENCES:
        lexicon.flagged.clear()
    lexicon.flagged[text] = flags
    if offset:
        for unit in units:
            unit.start, unit.end = unit.start + offset, unit.end + offset
        flags = [(cue, start + offset, end + offset) for cue, start, end in flags]
    return units, flags


def flags(text: str, lexicon: Lexicon) -> list[Flag]:
    """Only the sentence-wide cues of a sentence, places counted from its beginning."""
    known: list[Flag] | None = lexicon.flagged.get(text)
    if known is not None:
        return known
    if not lexicon.may_flag(forms_of(text)):
        return condition(split(text), []) if text[:2] in ("If", "if") else []
    found = split(text)
    cues = lexicon.flags.find([lexicon.normal(w.form) for w in found])
    told = [(cue, found[m.first].start, found[m.last - 1].end) for m in cues for cue in m.rows]
    return condition(found, told) + told


CONDITION = Cue("condition", "recommend", "if", "-", "-", "what is to be done in a case that may come")


def condition(found: Sequence[Word], told: list[Flag]) -> list[Flag]:
    """`If pneumonia is suspected, CT is of use`: who begins so gives advice, whether or not other words say so."""
    if not found or found[0].form != "if" or any(cue.kind == CONDITION.kind for cue, _, _ in told):
        return []
    return [(CONDITION, found[0].start, found[0].end)]


def matched(text: str, lexicon: Lexicon) -> tuple[list[Unit], list[Flag]]:
    """Every form of the lexicon in a sentence, the longest that do not overlap kept as units."""
    found = split(text)
    written = [w.form for w in found]
    forms = list(map(lexicon.normal, written))
    words = set(forms)
    ranked: list[Ranked] = []
    nouns: list[tuple[int, int]] = []
    flags: list[Flag] = []
    positions = not TIPS.isdisjoint(words)
    remembered = lexicon.remembered
    for first, last, rows in lexicon.matcher.spans(forms):
        form: Form = remembered.get(id(rows)) or form_of(rows, lexicon)
        if form.guards and not words.isdisjoint(form.guards):
            form = unguarded(form, first, last, forms, words)
        if form.cased and not text[found[first].start : found[last - 1].end].isupper():
            form = form.without(form.cased)
        if form.flags:
            flags += [(cue, found[first].start, found[last - 1].end) for cue in form.flags]
        if form.rows:
            naming = last - first > 1 and form.role in NAMING
            ranked.append((not naming, first - last, first, form))
            if form.noun:
                nouns.append((first, last))
            positions |= form.position
    flags += condition(found, flags)
    flags.sort(key=END)
    ranked.sort()
    taken: list[Unit | None] = [None] * len(found)
    measures(text, found, written, taken)
    take_longest(ranked, nouns, found, forms, taken)
    units = in_order(taken, found, forms)
    return among_neighbours(units, words, positions, lexicon), flags


def among_neighbours(units: list[Unit], words: set[str], positions: bool, lexicon: Lexicon) -> list[Unit]:
    """The units joined and taken for what they are beside each other; `positions`: may one be told of a device?"""
    if not JOINED.isdisjoint(words):
        units = join_device_parts(units)
    if "like" in words:
        units = join_likenesses(units, lexicon)
    if not words.isdisjoint(DENSITIES):
        units = join_densities(units)
    if positions:
        units = join_positions(units, lexicon)
    if "on" in words and not words.isdisjoint(COURSE_WORDS):
        units = part_comparisons(units, lexicon)
    if not OBJECT_BEGINS.isdisjoint(words):
        find_verbs(units)
    correct_roles(units, lexicon)
    return units


Ranked = tuple[bool, int, int, Form]
"""A form found: not naming a thing, minus its size, first word, form."""


def take_longest(
    ranked: list[Ranked],
    nouns: list[tuple[int, int]],
    found: Sequence[Word],
    forms: list[str],
    taken: list[Unit | None],
) -> None:
    """Give words to the forms in order of rank, as far as they are free."""
    for _, size, first, form in ranked:
        last = first - size
        free = taken[first] is None if size == -1 else not any(taken[first:last])
        if free and (size == -1 or form.free or not swallows(first, last, nouns)):
            written = forms[first] if size == -1 else " ".join(forms[first:last])
            unit = Unit(
                form.role,
                written,
                first,
                last,
                found[first].start,
                found[last - 1].end,
                form.rows,
                form.tables,
            )
            for place in range(first, last):
                taken[place] = unit


def in_order(taken: list[Unit | None], found: Sequence[Word], forms: list[str]) -> list[Unit]:
    """Each unit once; a word that no form took is a unit of its own."""
    units: list[Unit] = []
    for index, (one, word) in enumerate(zip(taken, found, strict=True)):
        if one is None:
            units.append(Unit(word_role(forms[index]), forms[index], index, index + 1, word.start, word.end))
        elif not units or units[-1] is not one:
            units.append(one)
    return units


def form_of(rows: tuple[Row | Cue, ...], lexicon: Lexicon) -> Form:
    """What the rows of a form have in common, kept by their identity: they are one tuple while the lexicon lives."""
    found = lexicon.remembered[id(rows)] = Form(rows)
    return found


def swallows(first: int, last: int, nouns: list[tuple[int, int]]) -> bool:
    """A modifier never takes the finding it stands on: in `mild prominence` the noun is free."""
    return any(first <= start and end <= last for start, end in nouns)


def unguarded(form: Form, first: int, last: int, forms: list[str], words: set[str]) -> Form:
    """The form without the rows that are guarded here."""
    gone = [
        id
        for word in words.intersection(form.guards)
        for id, guard in form.guards[word]
        if inside(guard, first, last, forms)
    ]
    return form.without(frozenset(gone)) if gone else form


def inside(guard: list[str], first: int, last: int, forms: list[str]) -> bool:
    """Does the guard phrase stand here around the match?"""
    size = len(guard)
    return guard in [forms[start : start + size] for start in range(max(0, last - size), first + 1)]


def measures(text: str, found: Sequence[Word], written: list[str], taken: list[Unit | None]) -> None:
    """Free measures such as 2.5 x 3 cm, and durations such as for two weeks, as units of their own."""
    lasting = not LASTING.isdisjoint(written)
    if not lasting and not sizes(text):
        return
    spans = [(Role.MEASURE, *place) for place in sizes(text)]
    spans += [(Role.DURATION, *place) for place in durations(text)] if lasting else []
    for role, start, end in spans:
        inner = [i for i, w in enumerate(found) if w.start < end and start < w.end]
        if inner:
            unit = Unit(role, text[start:end].lower(), inner[0], inner[-1] + 1,
                        found[inner[0]].start, found[inner[-1]].end)  # fmt: skip
            for i in inner:
                taken[i] = unit
