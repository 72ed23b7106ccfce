"""What joined chunks share: a noun, a side, a degree; and every way to take one of each."""

from itertools import islice, pairwise, product, zip_longest

from msgspec import structs

from overread.reader.statements.chunks import Chunk, new_chunk
from overread.reader.statements.classes import DESCRIBED, HEADS, THINGS, adjectival
from overread.reader.statements.groups import Group, after_degree, thing_at_place
from overread.reader.statements.terms import Term, Terms, as_term
from overread.reader.statements.vocabulary import CODE, Path, Vocabulary

MOST = 200
"""Ways to combine lists that are followed up; a sentence with more is a table, not a statement."""


def resolve(group: Group, vocabulary: Vocabulary) -> None:
    """Give every chunk of a group of several the noun, the side and the degree it shares with the others."""
    merge(group)
    chunks = group.chunks
    if len(chunks) < 2:
        return
    sizes = sizes_of_places(chunks)
    for chunk in chunks if sizes else ():
        chunk.hold(chunk.terms[: -len(sizes)])
    share(chunks, vocabulary)
    for chunk in chunks if sizes else ():
        chunk.hold(chunk.terms + sizes)


def sizes_of_places(chunks: list[Chunk]) -> Terms:
    """The sizes told of all, behind an adjective that lacks its noun: `hilar and cervical nodes, up to 9 mm`."""
    first = chunks[0].terms
    if first[-1].role not in SIZES:
        return ()
    size = next((n for n, t in enumerate(reversed(first)) if t.role not in SIZES), 0)
    sizes = first[len(first) - size :]
    alike = all(c.terms[-size:] == sizes and len(c.terms) > size for c in chunks)
    return sizes if size and first[-size - 1].kind == "adj" and alike else ()


SIZES = frozenset({"measure", "detail"})


def share(chunks: list[Chunk], vocabulary: Vocabulary) -> None:
    headless = HEADS.isdisjoint(chunks[0].roles) and not adds_thing(chunks)
    finding = chunks[0].kind == "F"
    share_prefix(chunks)
    share_description(chunks)
    for n in range(len(chunks) - 2, -1, -1):
        chunks[n].hold(completed(chunks[n], chunks[n + 1], vocabulary))
    share_place(chunks)
    share_slashed(chunks)
    share_side([c for c in chunks if not of_both(c)] if finding else chunks, vocabulary)
    share_value(chunks)
    if headless:
        share_degree(chunks)


def adds_thing(chunks: list[Chunk]) -> bool:
    """`A moderate effusion and atelectasis`: the effusion is what is moderate."""
    if THINGS.isdisjoint([t.form for t in chunks[0].terms]):
        return False
    return any(t.form == "and" for c in chunks[1:] for t in c.before)


def merge(group: Group) -> None:
    """`cystic, non-enhancing, low-density nodules` are one thing; with an `and` or `or` they are several."""
    *firsts, last = group.chunks
    if not firsts or not only_comma(last) or NOUNS.isdisjoint(last.roles):
        return
    if all(bare_adjective(c) for c in firsts) and all(only_comma(c) for c in firsts[1:]):
        terms = [t for c in group.chunks for t in c.terms]
        group.chunks = [new_chunk(tuple(terms), firsts[0].before)]


NOUNS = HEADS | {"aspect"}


def bare_adjective(chunk: Chunk) -> bool:
    named = not NOUNS.isdisjoint(chunk.roles) or "normal" in chunk.roles or any(t.site for t in chunk.terms)
    return not named and adjectival(ending(chunk))


def ending(chunk: Chunk) -> Term:
    """The last word of the phrase, without a size after it."""
    last = chunk.terms[-1]
    if last.role != "measure":
        return last
    return next((t for t in reversed(chunk.terms) if t.role != "measure"), last)


def only_comma(chunk: Chunk) -> bool:
    return len(chunk.before) == 1 and chunk.before[0].form == ","


def share_prefix(chunks: list[Chunk]) -> None:
    """What stands before the first of joined sequences or sides is said of all.

    `nodular T1 and T2 hyperintense foci` are nodular on both; so with `subcortical left and right frontal regions`.
    """
    first = chunks[0].terms
    if len(first) == 1 or LED.isdisjoint(chunks[0].roles):
        return
    at = next((n for n, t in enumerate(first) if t.role == "seq" or bare_side(t)), 0)
    prefix = first[:at]
    if not prefix or any(t.role not in ("shape", "detail") and (not t.site or t.side != "-") for t in prefix):
        return
    sides = bare_side(first[at])
    for chunk in chunks[1:]:
        begins = chunk.terms[0]
        if begins.side in ("left", "right") if sides else begins.role == "seq":
            chunk.hold(prefix + chunk.terms)


LED = frozenset({"seq", "site"})


def share_description(chunks: list[Chunk]) -> None:
    """`enlarged hilar and cervical nodes`: both are enlarged."""
    first = chunks[0].terms
    if first[-1].kind != "adj":
        return
    at = next((n for n, t in enumerate(first) if t.site), 0)
    if not at or any(t.role not in DESCRIBED for t in first[:at]):
        return
    for chunk in chunks[1:]:
        if chunk.kind == "S":
            chunk.hold(first[:at] + chunk.terms)


def bare_side(term: Term) -> bool:
    return term.kind == "dir" and term.side in ("left", "right")


def share_place(chunks: list[Chunk]) -> None:
    """`hepatic segments S5 and S8`: both are of the liver."""
    for chunk in chunks[1:]:
        if chunk.terms[0].kind == "part" and all(
            t.kind == "part" and CODE.fullmatch(t.form) for t in chunk.terms
        ):
            chunk.hold((*(t for t in chunks[0].terms if t.place), *chunk.terms))


def share_slashed(chunks: list[Chunk]) -> None:
    """`Left apical scarring/thickening`: both are there."""
    for before, chunk in pairwise(chunks):
        slashed = len(chunk.before) == 1 and chunk.before[0].form == "/"
        if slashed and not any(t.site or t.role == "detail" for t in chunk.terms):
            chunk.hold((*(t for t in before.terms[:-1] if t.role in ("detail", "site")), *chunk.terms))


def share_side(chunks: list[Chunk], vocabulary: Vocabulary) -> None:
    """`the left femur and tibia`: both are left."""
    side = next((t for t in chunks[0].terms if t.side != "-"), None) if chunks else None
    if side is None:
        return
    for chunk in chunks[1:]:
        sided = any(t.side != "-" for t in chunk.terms)
        if not sided and any(t.site and t.site[-1] in vocabulary.paired for t in chunk.terms):
            chunk.hold((side_term(side.side, side.start), *chunk.terms))


def of_both(chunk: Chunk) -> bool:
    """`Right effusion and low lung volumes`: a new noun in the plural is of both sides."""
    for t in chunk.terms:  # noqa: SIM110 — asked of every chunk of a list
        if t.form[-1] == "s" and (t.role == "aspect" or t.place):
            return True
    return False


def share_value(chunks: list[Chunk]) -> None:
    """`normal size, shape and signal`: all three are normal."""
    roles = chunks[0].roles
    if VALUES.isdisjoint(roles) or VALUED.isdisjoint(roles):
        return
    value = [t for t in chunks[0].terms if t.role in VALUES]
    places = [t for t in chunks[0].terms if t.site]
    for chunk in chunks[1:]:
        if chunk.kind in "XS":
            lent = [] if any(t.site for t in chunk.terms) else places
            chunk.hold((*value, *lent, *chunk.terms))


VALUES = frozenset({"normal", "abnormal", "up", "down"})
VALUED = frozenset({"aspect", "seq"})


def share_degree(chunks: list[Chunk]) -> None:
    """`scattered linear and patchy opacities`: both are scattered; `focal nodule or mass` says it of one noun only."""
    if chunks[0].terms[0].role != "detail":
        return
    details = [t for t in chunks[0].terms if t.role == "detail"]
    for chunk in chunks[1:]:
        if chunk.kind == "F" and "detail" not in chunk.roles:
            chunk.hold((*details, *chunk.terms))


def side_term(side: str, at: int) -> Term:
    """The bare side as a term."""
    return Term("site", (), (side,), side, "dir", side, at, at)


def completed(chunk: Chunk, later: Chunk, vocabulary: Vocabulary) -> Terms:
    """`linear and patchy opacities`, `anterior and middle cerebral arteries`: the first lacks its noun."""
    last = ending(chunk)
    if last.site:
        return completed_where(chunk, last, later, vocabulary)
    if last.role in POLES and any(graded(t) for t in later.terms):
        return (*(t for t in chunk.terms if t is not last), *like(last, later.terms))
    if later.kind not in "FX" or not NOUNS.isdisjoint(chunk.roles) or not adjectival(last):
        return chunk.terms
    apart = not HEADS.isdisjoint(later.roles) or any(t.place for t in later.terms)
    if apart and any(t.place and t.kind == "noun" for t in chunk.terms):
        return chunk.terms  # `liver normal, spleen normal`: each has its own
    return chunk.terms + shared(last, later.terms)


def completed_where(chunk: Chunk, last: Term, later: Chunk, vocabulary: Vocabulary) -> Terms:
    """The same for a chunk that ends with a place or a side, and perhaps a size behind it."""
    if last is not chunk.terms[-1]:
        return chunk.terms
    if on_two_sides(last, later):
        rest = new_chunk(later.terms[later.terms.index(after_degree(later)) :])
        return chunk.terms[:-1] + other_side(last, rest, vocabulary)
    if shares_thing(last, later) and not described_node(chunk):
        return chunk.terms + without_place(last, later.terms)
    if last.form.endswith("ly"):  # `the basal ganglia bilaterally and …`
        return chunk.terms
    return completed_place(chunk, later, vocabulary)


GRADED = (" signal", " density", " attenuation", " intensity")
POLES = {"up": "+", "down": "-"}
STACKED = frozenset({"shape", "seq"})


def shared(last: Term, later: Terms) -> Terms:
    """What the first of two joined adjectives takes over: the noun, and after a form or a sequence all that follows.

    `punctate and patchy low-density areas`: both are of low density; `T1 and T2 hyperintensity`: bright on both.
    """
    if last.role in STACKED:
        at = next((n for n, t in enumerate(later) if t.role == last.role), None)
        if at is not None:
            return later[at + 1 :]
    return tuple([t for t in later if t.role in HEADS or t.role == "aspect" or t.site])


def graded(term: Term) -> bool:
    """A value in two words, `low signal`: an adjective joined to it shares the second."""
    return term.role == "quality" and term.sense[0][-1] in "+-" and term.form.endswith(GRADED)


def like(last: Term, later: Terms) -> Terms:
    """`high or low signal shadows`: the first is a high signal."""
    of_it = [
        structs.replace(
            last,
            role="quality",
            sense=(t.sense[0][:-1] + POLES[last.role],),
            form=f"{last.form} {t.form.split()[-1]}",
        )
        for t in later
        if graded(t)
    ]
    return (*of_it[:1], *(t for t in later if t.role in HEADS or t.site))


def completed_place(chunk: Chunk, later: Chunk, vocabulary: Vocabulary) -> Terms:
    """`left upper and lower lobe`, `right and left hilar contours`: the place that is only begun."""
    last, tail = chunk.terms[-1], later.terms[-1]
    named = tail.role in HEADS and not tail.place  # an operation may name its place itself
    at = max((n for n, t in enumerate(later.terms) if t.place), default=-1) if named else -1
    if at >= 0 and last.kind == "dir" and later.kind == "F":
        place = completed_place(chunk, new_chunk(later.terms[: at + 1]), vocabulary)
        return place + later.terms[at + 1 :] if place[-1].place else chunk.terms
    parent = last.site[:-1]
    if len(chunk.terms) == 1 < len(later.terms) and parent and later.terms[0].site[:-1] == parent:
        return (last, *(t for t in later.terms[1:] if t.site))  # `L3/4 and L4/5 intervertebral discs`
    if tail.role == "aspect" and last.kind == "dir":
        return chunk.terms[:-1] + other_side(last, later, vocabulary) or chunk.terms
    if tail.role == "aspect" and last.kind == "adj" and any(t.place for t in later.terms):
        return (*chunk.terms, tail)  # `cardiac and mediastinal contours`
    if not tail.site or last.kind not in ("adj", "dir", "part"):
        return chunk.terms
    if bare_side(last) and len(later.terms) > 1:  # `left and right frontal subcortical regions`
        return chunk.terms[:-1] + other_side(last, later, vocabulary)
    words = tail.form.split()
    for cut in range(1, len(words)):
        form = " ".join((last.form, *words[cut:]))
        entry = vocabulary.forms.get(form)
        if entry is not None and entry.site:
            sided = entry.side != "-" or any(t.side != "-" for t in chunk.terms)
            entry = entry if sided else structs.replace(entry, side=tail.side)
            return (*chunk.terms[:-1], as_term(entry, form, last.start, tail.end))
    if last.kind == "part" or (last.kind != "dir" and not any(t.site for t in later.terms[:-1])):
        return chunk.terms
    sides = [] if any(t.side != "-" for t in chunk.terms) else [t for t in later.terms[:-1] if t.side != "-"]
    return (*sides, *chunk.terms, tail)


def on_two_sides(side: Term, later: Chunk) -> bool:
    """`Small right and moderate left effusions`: one thing on two sides."""
    return bare_side(side) and later.kind == "F" and after_degree(later).side in ("left", "right")


def described_node(chunk: Chunk) -> bool:
    """`Calcified hilar nodes and splenic granulomas`: nodes are a finding of their own."""
    return chunk.kind == "F" and NODE in chunk.terms[-1].site


NODE = "lymph-node"


def shares_thing(place: Term, later: Chunk) -> bool:
    """`Hepatic and splenic cysts`, `middle lobe and lingular atelectasis`: one thing at two places."""
    return place.role == "site" and place.place and thing_at_place(later)


def without_place(place: Term, later: Terms) -> Terms:
    """What follows the place; at another level all of it: `L4/5 and L5/S1 disc herniation`."""
    if any(c.isdigit() for c in place.site[-1]):
        return later[1:]
    return later[max(n for n, t in enumerate(later) if t.role == "site") + 1 :]


def other_side(side: Term, later: Chunk, vocabulary: Vocabulary) -> Terms:
    """`right and left hilar contours`: what follows, on the side named first."""
    out: list[Term] = []
    for term in (t for t in later.terms if not bare_side(t)):
        form = f"{side.form}{term.form[len(term.side) :]}"
        entry = vocabulary.forms.get(form) if term.form.startswith(f"{term.side} ") else None
        out.append(term if entry is None else as_term(entry, form, side.start, term.end))
    return (side, *out) if all(t in later.terms for t in out) else tuple(out)


def alternatives(found: list[Group]) -> list[Terms]:
    """Every way to take one chunk of each group.

    `the apex of the left lung and the base of the right`: the last chunk of a group that hangs on an `of`
    begins a new place when another `of` follows it.
    """
    if not found:
        return [()]
    if len(found) == 1:
        return [c.terms for c in found[0].chunks]
    done: list[Terms] = []
    choices: list[list[Chunk]] = []
    goes_on = of(found[0])
    for group, after in zip_longest(found, found[1:]):
        chunks, hangs, goes_on = group.chunks, goes_on, after is not None and of(after)
        if goes_on and own_side(after):
            chunks = [unborrowed(c) for c in chunks]
        if choices and len(chunks) > 1 and hangs and goes_on:
            done += taken([*choices, chunks[:-1]])
            choices, chunks = [], chunks[-1:]
        if not choices or not hangs:
            choices.append(chunks)
        elif any(part_of(a, b) for a in choices[-1] for b in chunks):
            choices[-1] = wholes(choices[-1], chunks)
        else:
            *firsts, last = choices[-1]
            alone = [c for c in firsts if named(c)] if any(t.role == "det" for t in last.before) else []
            if alone:  # `both kidneys and the wall of the bladder`
                done += taken([*choices[:-1], alone])
                choices[-1] = [c for c in choices[-1] if c not in alone]
            choices.append(chunks)
    return done + taken(choices)


def named(chunk: Chunk) -> bool:
    """Is it an organ by its own name, not a part or a direction that needs one?"""
    return any(t.place and t.kind == "noun" for t in chunk.terms) and chunk.terms[-1].kind != "part"


def wholes(parts: list[Chunk], chunks: list[Chunk]) -> list[Chunk]:
    """`the middle lobe, the lingula of the left lung, and the liver`: each part with its whole, the others alone."""
    made: list[Chunk] = []
    used: set[int] = set()
    for part in parts:
        homes = [n for n, whole in enumerate(chunks) if part_of(part, whole)]
        used.update(homes)
        made += [new_chunk(part.terms + chunks[n].terms, part.before) for n in homes] or [part]
    return made + [whole for n, whole in enumerate(chunks) if n not in used and n]


def part_of(part: Chunk, whole: Chunk) -> bool:
    """Does the second name the organ that the first is a part of, on the same side?"""
    one, two = last_place(part), last_place(whole)
    if not two or len(one) <= len(two) or one[: len(two)] != two:
        return False
    mine, others = sided(part.terms), sided(whole.terms)
    return not mine or not others or not mine.isdisjoint(others)


def last_place(chunk: Chunk) -> Path:
    for term in reversed(chunk.terms):
        if term.place:
            return term.site
    return ()


def taken(choices: list[list[Chunk]]) -> list[Terms]:
    if len(choices) == 1:
        return [c.terms for c in choices[0][:MOST]]
    return [agreeing(choice) for choice in islice(product(*choices), MOST)]


def agreeing(choice: tuple[Chunk, ...]) -> Terms:
    """`the right middle lobe and the lingula of the left lung`: the first is not of the left lung."""
    side = "-"
    kept: Terms = ()
    for chunk in choice:
        own = sided(chunk.terms)
        if own and side != "-" and side not in own:
            continue
        if len(own) == 1:
            (side,) = own
        kept += chunk.terms
    return kept


def sided(terms: Terms) -> set[str]:
    return {t.side for t in terms if t.side in ("left", "right")}


def own_side(group: Group) -> bool:
    """Does it name a side or both?"""
    return bool([t for c in group.chunks for t in c.terms if t.side != "-"])


def unborrowed(chunk: Chunk) -> Chunk:
    """The chunk without a side that it only shares with another."""
    kept = tuple([t for t in chunk.terms if t.kind != "dir" or t.start != t.end])
    return chunk if len(kept) == len(chunk.terms) else new_chunk(kept, chunk.before)


def of(group: Group) -> bool:
    return "of" in [t.form for t in group.chunks[0].before]
