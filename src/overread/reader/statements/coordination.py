"""What joined chunks share: a noun, a side, a degree; and every way to take one of each."""

from itertools import islice, product

from overread.reader.statements.chunks import Chunk
from overread.reader.statements.groups import Group
from overread.reader.statements.terms import CODE, Term
from overread.reader.statements.vocabulary import Vocabulary

HEADS = frozenset({"head", "compound", "open"})
ADJECTIVE_ENDS = (
    "al",
    "ic",
    "ed",
    "ar",
    "ous",
    "ing",
    "ive",
    "id",
    "ense",
    "glass",
    "y",
    "like",
    "high",
    "low",
)
ADJECTIVES = frozenset({"seq", "shape", "up", "down"})
MOST = 200
"""Ways to combine lists that are followed up; a sentence with more is a table, not a statement."""


def resolve(group: Group, vocabulary: Vocabulary) -> None:
    """Give every chunk of a group the noun, the side and the degree it shares with the others."""
    chunks = group.chunks
    if len(chunks) < 2:
        return
    headless = not any(t.role in HEADS for t in chunks[0].terms)
    for n in range(len(chunks) - 2, -1, -1):
        chunks[n].terms = completed(chunks[n], chunks[n + 1], vocabulary)
    share_place(chunks)
    share_side(chunks, vocabulary)
    share_value(chunks)
    if headless:
        share_degree(chunks)


def share_place(chunks: list[Chunk]) -> None:
    """`hepatic segments S5 and S8`: both are of the liver."""
    homes = [t for t in chunks[0].terms if t.place]
    for chunk in chunks[1:]:
        if homes and all(t.kind == "part" and CODE.fullmatch(t.form) for t in chunk.terms):
            chunk.terms = [*homes, *chunk.terms]


def share_side(chunks: list[Chunk], vocabulary: Vocabulary) -> None:
    """`the left femur and tibia`: both are left."""
    side = next((t for t in chunks[0].terms if t.side != "-"), None)
    if side is None:
        return
    for chunk in chunks[1:]:
        sided = any(t.side != "-" for t in chunk.terms)
        if not sided and any(t.site and t.site[-1] in vocabulary.paired for t in chunk.terms):
            chunk.terms = [side_term(side.side, side.start), *chunk.terms]


def share_value(chunks: list[Chunk]) -> None:
    """`normal size, shape and signal`: all three are normal."""
    first = chunks[0].terms
    value = [t for t in first if t.role in ("normal", "abnormal", "up", "down")]
    if value and any(t.role in ("aspect", "seq") for t in first):
        for chunk in chunks[1:]:
            if chunk.kind == "X":
                chunk.terms = [*value, *chunk.terms]


def share_degree(chunks: list[Chunk]) -> None:
    """`scattered linear and patchy opacities`: both are scattered; `focal nodule or mass` says it of one noun only."""
    details = [t for t in chunks[0].terms if t.role == "detail"]
    if chunks[0].terms[0].role != "detail":
        return
    for chunk in chunks[1:]:
        if chunk.kind == "F" and not any(t.role == "detail" for t in chunk.terms):
            chunk.terms = [*details, *chunk.terms]


def side_term(side: str, at: int) -> Term:
    """The bare side as a term."""
    return Term("site", (), (side,), side, "dir", side, at, at)


def completed(chunk: Chunk, later: Chunk, vocabulary: Vocabulary) -> list[Term]:
    """`linear and patchy opacities`, `anterior and middle cerebral arteries`: the first lacks its noun."""
    last = chunk.terms[-1]
    if last.site:
        return completed_place(chunk, later, vocabulary)
    if (
        later.kind in "FX"
        and adjectival(last)
        and not any(t.role in HEADS or t.role == "aspect" for t in chunk.terms)
    ):
        return [*chunk.terms, *(t for t in later.terms if t.role in HEADS or t.role == "aspect" or t.site)]
    return chunk.terms


def adjectival(term: Term) -> bool:
    if term.role in ADJECTIVES:
        return True
    return term.role in ("quality", "detail", "normal", "abnormal") and term.form.endswith(ADJECTIVE_ENDS)


def completed_place(chunk: Chunk, later: Chunk, vocabulary: Vocabulary) -> list[Term]:
    last, tail = chunk.terms[-1], later.terms[-1]
    parent = last.site[:-1]
    if len(chunk.terms) == 1 < len(later.terms) and parent and later.terms[0].site[:-1] == parent:
        return [last, *(t for t in later.terms[1:] if t.site)]  # `L3/4 and L4/5 intervertebral discs`
    if not tail.site or last.kind not in ("adj", "dir"):
        return chunk.terms
    words = tail.form.split()
    for cut in range(1, len(words)):
        form = " ".join((last.form, *words[cut:]))
        entry = vocabulary.forms.get(form)
        if entry is not None and entry.site:
            return [*chunk.terms[:-1], Term(*entry, form, last.start, tail.end)]
    if last.kind != "dir" and not any(t.site for t in later.terms[:-1]):
        return chunk.terms
    sides = [] if any(t.side != "-" for t in chunk.terms) else [t for t in later.terms[:-1] if t.side != "-"]
    return [*sides, *chunk.terms, tail]


def alternatives(found: list[Group]) -> list[list[Term]]:
    """Every way to take one chunk of each group.

    `the apex of the left lung and the base of the right`: the last chunk of a group that hangs on an `of`
    begins a new place when another `of` follows it.
    """
    done: list[list[Term]] = []
    choices: list[list[Chunk]] = []
    for n, group in enumerate(found):
        chunks = group.chunks
        if choices and len(chunks) > 1 and of(group) and n + 1 < len(found) and of(found[n + 1]):
            done += taken([*choices, chunks[:-1]])
            choices, chunks = [], chunks[-1:]
        choices.append(chunks)
    return done + taken(choices)


def taken(choices: list[list[Chunk]]) -> list[list[Term]]:
    return [[t for c in choice for t in c.terms] for choice in islice(product(*choices), MOST)]


def of(group: Group) -> bool:
    return any(t.form == "of" for t in group.chunks[0].before)
