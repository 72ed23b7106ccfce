"""A sentence → its atomic sentences, each made of words that stand in it. Not part of the package, as `aligner.py`.

The network says which words lead an atom, and which words belong to the atom of each of those. Words that lead the same
atom find each other; what several atoms share, a denial, a place, stands in each of them.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from aligner import DIGITS, MARK, START, encoder, mean
from cutting import LONGEST, SMALL, WORD

from overread.network.heads import NEAR, gelu, linear, sigmoid

WITHIN = frozenset("-–/'’%°+±<>≤≥~")
"""Marks that may stand between two words of one atom."""

EVEN = 0.5


class Word(NamedTuple):
    start: int
    end: int
    before: bool
    """Does it stand in the sentence before?"""

    text: str

    @property
    def small(self) -> bool:
        return not self.text[0].isalnum() or self.text.lower() in SMALL


Piece = tuple[Word, ...]
"""The words of one atom, in the order of the text."""


@lru_cache(maxsize=4000)
def cut(sentence: str, before: str = "") -> tuple[Piece, ...]:
    """The atoms of a sentence; words of the one `before` it, where that says nothing by itself, may be among theirs.

    `No pneumothorax or pleural effusion` → *No pneumothorax* and *No pleural effusion*.
    """
    given = words(sentence, before=False)
    shared = words(before, before=True) if before else []
    return tuple(piece for part in parts(given, shared) for piece in pieces(part))


def words(text: str, before: bool) -> list[Word]:
    return [Word(*found.span(), before, found.group()) for found in WORD.finditer(text)]


def parts(given: Sequence[Word], shared: list[Word]) -> Iterator[list[Word]]:
    """All of it, or as many words at a time as the network can take in."""
    part, room = list(shared), LONGEST - sum(len(tokens(word.text)) for word in shared)
    left = room
    for word in given:
        size = len(tokens(word.text))
        if size > left:
            yield part
            part, left = list(shared), room
        part.append(word)
        left -= size
    yield part


def pieces(given: list[Word]) -> Iterator[Piece]:
    leads, member = answers(given)
    led = [n for n in leads if not given[n].small]
    rows = dict(zip(leads, member, strict=True))
    for group in together(led, rows):
        share = np.mean([rows[n] for n in group], axis=0)
        held = {n for n, word in enumerate(given) if not word.small and share[n] > EVEN} | set(group)
        yield tuple(given[n] for n in filled(sorted(held), given))


def together(led: Sequence[int], rows: dict[int, np.ndarray]) -> Iterator[list[int]]:
    """Leading words of one atom: each of two says that the other belongs to it."""
    groups: list[list[int]] = []
    for n in led:
        linked = [g for g in groups if np.mean([min(rows[n][m], rows[m][n]) for m in g]) > EVEN]
        if linked:
            linked[0].append(n)
        else:
            groups.append([n])
    return iter(groups)


def filled(held: Sequence[int], given: Sequence[Word]) -> Iterator[int]:
    """Those words, with small ones where nothing else stands between two of them."""
    for n, after in zip(held, [*held[1:], held[-1]], strict=True):
        yield n
        gap = range(n + 1, after)
        if all(given[m].small and (given[m].text in WITHIN or given[m].text[0].isalnum()) for m in gap):
            yield from gap


def answers(given: Sequence[Word]) -> tuple[list[int], np.ndarray]:
    """The words that lead an atom, and of each of these how likely every word belongs to that atom."""
    ids, segments, places = [START], [0], list[tuple[int, int]]()
    for n, word in enumerate(given):
        if n and given[n - 1].before and not word.before:
            ids.append(MARK)
            segments.append(0)
        own = tokens(word.text)
        places.append((len(ids), len(ids) + len(own)))
        ids += own
        segments += [int(not word.before and given[0].before)] * len(own)
    ids.append(MARK)
    segments.append(segments[-1])
    vectors = encoder().vectors(ids, segments)
    weights = encoder().weights
    held = gelu(linear(np.stack([mean(vectors[a:b]) for a, b in places]), weights, "word"))
    leading = np.round(sigmoid(linear(held, weights, "leads")[:, 0]), DIGITS) > EVEN
    found = np.flatnonzero(leading)
    u, v = held[found][:, None], held[None]
    seen = linear(u, weights, "leading") + linear(v, weights, "following") + linear(u * v, weights, "product")
    seen = seen + weights["way.weight"][ways(len(given))[found]]
    member = sigmoid(linear(gelu(seen), weights, "beside")[..., 0])
    return found.tolist(), np.round(member, DIGITS)


UNKNOWN = 100
"""The token of a word that the network cannot spell."""


@lru_cache(maxsize=10_000)
def tokens(word: str) -> tuple[int, ...]:
    return tuple(encoder().tokenizer.encode(word, add_special_tokens=False).ids) or (UNKNOWN,)


def ways(count: int) -> np.ndarray:
    """How far each word lies from each other one, as the number of a step."""
    distance = np.arange(count)[None] - np.arange(count)[:, None]
    step = np.searchsorted(NEAR, np.abs(distance), side="right")
    return np.asarray(np.where(distance < 0, step + len(NEAR) + 1, step))


def spelled(piece: Sequence[Word]) -> str:
    """Its words, with spaces between them as in the text."""
    said = ""
    for word, last in zip(piece, [None, *piece], strict=False):
        near = last is not None and last.before == word.before and last.end == word.start
        said += word.text if near or not said else f" {word.text}"
    return said
