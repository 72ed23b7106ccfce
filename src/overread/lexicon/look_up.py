"""Everything the lexicon says about one term."""

from msgspec import Struct

from overread.errors import UnknownName
from overread.lexicon.lexicon import Lexicon
from overread.lexicon.load import Row
from overread.lexicon.meanings import Concept, Cue
from overread.lexicon.words import phrase, plurals


class TermEntry(Struct, frozen=True):
    """Rows, cues and concepts of one term."""

    rows: tuple[Row, ...]
    cues: tuple[Cue, ...]
    concepts: tuple[Concept, ...]
    parents: dict[str, tuple[str, ...]]
    """Concept → those above it, general to special."""


def look_up(term: str, words: Lexicon) -> TermEntry:
    """Rows whose form or concept is the term, in any of its spellings.

    >>> from overread.lexicon.lexicon import lexicon
    >>> [c.name for c in look_up("PTX", lexicon()).concepts]
    ['pneumothorax']
    """
    form = " ".join(words.normal(w) for w in phrase(term).split())
    name = "-".join(form.split())
    rows = tuple(
        r for r in words.rows if form in (phrase(r.form), *plurals(phrase(r.form))) or r.concept == name
    )
    cues = tuple(c for c in words.cues if phrase(c.form) == form)
    named = [words.concepts[r.concept] for r in rows if r.table == "findings"]
    if name in words.concepts:
        named.append(words.concepts[name])
    concepts = tuple({c.name: c for c in named}.values())
    if not rows and not cues:
        raise UnknownName("lexicon term", term, similar_forms(form, words))
    parents = {c.name: tuple(words.ancestors(c.name))[:0:-1] for c in concepts}
    return TermEntry(rows, cues, concepts, parents)


def similar_forms(form: str, words: Lexicon) -> list[str]:
    """A few forms that look like the one asked for."""
    from rapidfuzz.process import extract

    return [found[0] for found in extract(form, list(words.matcher.forms), limit=5)]
