"""Very many findings are matched block by block, so that time grows with their number and nothing else."""

from collections.abc import Iterator, Sequence

Block = tuple[list[int], list[int]]
"""Positions of both sides that are held against each other."""


def blocks(ours: Sequence[str], theirs: Sequence[str], most: int) -> list[Block]:
    """Where each side has at most so many, one block: everything is held against everything.

    Of more, blocks of at most so many of either side, in the order of their keys: equal keys meet, far ones do not.

    >>> blocks(["effusion", "mass"], ["mass"], most=2)
    [([0, 1], [0])]
    >>> blocks(["effusion", "mass", "mass"], ["mass", "cyst", "effusion"], most=2)
    [([0], [1, 2]), ([1, 2], [0])]
    """
    if len(ours) <= most and len(theirs) <= most:
        return [(list(range(len(ours))), list(range(len(theirs))))]
    found: list[Block] = []
    for group in alike(ours, theirs, most):
        if found and all(len(have) + len(more) <= most for have, more in zip(found[-1], group, strict=True)):
            found[-1] = (found[-1][0] + group[0], found[-1][1] + group[1])
        else:
            found.append(group)
    return found


def alike(ours: Sequence[str], theirs: Sequence[str], most: int) -> Iterator[Block]:
    """Positions of each key, those of a key that is too frequent in slices from first to last."""
    places: dict[str, Block] = {}
    for side, keys in enumerate((ours, theirs)):
        for n, key in enumerate(keys):
            places.setdefault(key, ([], []))[side].append(n)
    for key in sorted(places):
        parts = -(-max(map(len, places[key])) // most)
        for n in range(parts):
            one, two = (side[len(side) * n // parts : len(side) * (n + 1) // parts] for side in places[key])
            yield one, two
