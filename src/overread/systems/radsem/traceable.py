"""Do the words of a rewritten sentence come from the report?"""

from collections.abc import Iterator

from overread.lexicon.lexicon import lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import bare

FREE = frozenset(
    """left right no not is are has have there the a an of in on at and or with within shows show present normal
    side space region area cavity sign finding findings lesion lesions focus may possible""".split()
)
"""Words a sentence may need that the report did not."""

STEM = 5
"""Letters that two words of one root share: `hilar` and `hila`, `calcified` and `calcification`."""


def strangers(text: str, source: str) -> list[str]:
    """Content words of `text` that nothing in `source` answers to.

    A word is answered by itself, by a word of the same root, or by one of the same meaning; a place also by a finding
    that is at home there.

    >>> strangers("Left lung has no nodule.", "No pulmonary nodules."), strangers("Heart has a mass.", "Heart is big.")
    ([], ['mass'])
    """
    asked, given = bare(text), bare(source)
    roots = {word[:STEM] for word in given}
    told = {meaning for _, _, said in known(given) for meaning in said}
    homes = {site for one in told if (c := lexicon().concepts.get(one)) and (site := c.site)}
    answered = {n for first, last, said in known(asked) if said & (told | homes) for n in range(first, last)}
    return [
        word
        for n, word in enumerate(asked)
        if len(word) > 2 and word not in FREE and word[:STEM] not in roots and n not in answered
    ]


def known(words: list[str]) -> Iterator[tuple[int, int, set[str]]]:
    """Stretches of words that the lexicon knows, with what they mean."""
    for first, last, rows in lexicon().matcher.find(words):
        yield first, last, {row.concept for row in rows if isinstance(row, Row)}
