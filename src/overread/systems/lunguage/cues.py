"""Vocabulary cues: every run of words in a sentence that is a lexicon form, with all its roles, overlaps kept.

They are shown to a language model as hints; they never decide.
"""

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import words


class Hint(Struct, frozen=True):
    """One run of words and the roles it may play."""

    start: int
    end: int
    text: str
    roles: tuple[str, ...]
    """Categories for what can be an entity (PF, CF, …), relations for what can describe one."""


def hints(sentence: str, as_written: bool = False) -> list[Hint]:
    """All hints of a sentence: by start, longer ones first.

    Case, hyphens and plurals do not matter; `as_written` takes only what stands there letter for letter, which is the
    paper's Algorithm 1.

    >>> [hint.text for hint in hints("Small pleural effusion.")]
    ['Small', 'pleural effusion', 'pleural', 'effusion']
    >>> [hint.text for hint in hints("Small pleural effusion.", as_written=True)]
    ['pleural effusion', 'pleural', 'effusion']
    """
    lex = lexicon()
    spoken = words(sentence)
    found = []
    for match in lex.matcher.find([lex.normal(word.form) for word in spoken]):
        start, end = spoken[match.first].start, spoken[match.last - 1].end
        rows = [row for row in match.rows if isinstance(row, Row)]
        roles = {role(row) for row in rows if not as_written or row.form == sentence[start:end]}
        if roles:
            found.append(Hint(start, end, sentence[start:end], tuple(sorted(roles))))
    return sorted(found, key=lambda hint: (hint.start, -hint.end))


def role(row: Row) -> str:
    if row.table == "findings":
        return lexicon().concepts[row.concept].category
    return "location" if row.table == "locations" else row.table
