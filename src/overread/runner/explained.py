"""A reading with all that decided it: findings, the parts of each sentence, RadSEM's atoms with their terms."""

from typing import Any

from msgspec import to_builtins

from overread.lexicon.lexicon import Lexicon
from overread.reader import Reading
from overread.reader.explain import parts
from overread.systems.radsem.by_rules import view


def explained(reading: Reading, words: Lexicon) -> dict[str, Any]:
    """The record of a reading, with `parts` of its sentences and its `atoms`; plain values.

    >>> from overread.lexicon.lexicon import lexicon
    >>> from overread.reader import read
    >>> from overread.report import parse
    >>> found = explained(read(parse("No effusion.")), lexicon())
    >>> found["parts"][0]["tokens"][0]["taken_for"]
    'denied'
    """
    own: dict[str, Any] = to_builtins(reading.record)
    apart = [parts(reading, sentence, words) for sentence in reading.sentences]
    more: dict[str, Any] = to_builtins({"parts": apart, "atoms": view(reading).atoms})
    return own | more
