"""Do the words of a rewritten sentence come from the report?"""

from overread.reader.statements.terms import NAMED, Term, terms
from overread.reader.statements.vocabulary import Vocabulary, stem, vocabulary

FREE = frozenset(
    """left right no not is are has have there the a an of in on at and or with within shows show present normal
    side space region area cavity sign finding findings may possible""".split()
)
"""Words a sentence may need that the report did not."""

STEM = 5
"""Letters that two words of one root share: `hilar` and `hila`, `calcified` and `calcification`."""


def strangers(text: str, source: str) -> list[str]:
    """Content words of `text` that nothing in `source` answers to.

    A word is answered by itself, by a word of the same root, or by one of the same meaning or place.

    >>> strangers("Left lung has no nodule.", "No pulmonary nodules."), strangers("Heart has a mass.", "Heart is big.")
    ([], ['mass'])
    """
    words = vocabulary()
    given = terms(source, words)
    roots = {root(w) for t in given for w in t.form.split()}
    senses = {s for t in given for s in t.sense}
    places = {p for t in given for p in t.site} | implied(given, words)
    asked = (t for t in terms(text, words) if t.role in NAMED)
    return [t.form for t in asked if not answered(t, roots, senses, places)]


def answered(term: Term, roots: set[str], senses: set[str], places: set[str]) -> bool:
    if all(w in FREE or root(w) in roots for w in term.form.split()):
        return True
    if term.site and (term.site[-1] in places or term.kind == "dir"):
        return True
    return bool(term.sense) and senses.issuperset(term.sense)


def implied(given: list[Term], words: Vocabulary) -> set[str]:
    """The places of findings that name none: a pneumothorax is in the pleura."""
    concepts = (words.lexicon.concepts.get(s) for t in given for s in t.sense)
    return {c.site for c in concepts if c is not None and c.site is not None}


def root(word: str) -> str:
    return stem(word)[:STEM]
