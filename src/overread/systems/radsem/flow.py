"""Exact maximum flow between two small sets of sentences, in whole numbers."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

Edge = tuple[int, int]
Node = tuple[int, int]
"""Side and sentence; all credit comes from one node and goes to another."""

Room = dict[Node, dict[Node, int]]
"""How much may still go from each node to others."""

SOURCE, SINK = (-1, 0), (2, 0)


def allocate(capacity: Mapping[Edge, int], unit: int) -> dict[Edge, int]:
    """The credit each (reference, candidate) pair gets when the total is as large as it can be.

        0 ≤ x ≤ capacity of the pair, and every sentence's total ≤ unit

    Pairs are filled heaviest first, then credit is moved along augmenting paths until none is left, so the
    total is the exact optimum whatever the order.

    >>> allocate({(0, 0): 36, (0, 1): 36, (1, 1): 108}, unit=108) == {(0, 0): 36, (0, 1): 0, (1, 1): 108}
    True
    """
    room: Room = {SOURCE: {(0, i): unit for i in sorted({i for i, _ in capacity})}, SINK: {}}
    for (i, j), most in capacity.items():
        room.setdefault((0, i), {})[1, j] = most
        room.setdefault((1, j), {SINK: unit})[0, i] = 0
    for (i, j), _ in sorted(capacity.items(), key=lambda item: (-item[1], item[0])):
        push([SOURCE, (0, i), (1, j), SINK], room)
    while path := augmenting(room):
        push(path, room)
    return {(i, j): room[1, j][0, i] for i, j in capacity}


def augmenting(room: Room) -> list[Node] | None:
    """A shortest way on which every step has room."""
    before: dict[Node, Node] = {}
    queue = [SOURCE]
    for node in queue:
        for after, left in room[node].items():
            if left and after != SOURCE and after not in before:
                before[after] = node
                queue.append(after)
        if SINK in before:
            path = [SINK]
            while path[-1] != SOURCE:
                path.append(before[path[-1]])
            return path[::-1]
    return None


def push(path: Sequence[Node], room: Room) -> None:
    """Send as much as the path can carry, and make room for as much to be taken back."""
    steps = list(pairwise(path))
    amount = min(room[one][other] for one, other in steps)
    for one, other in steps:
        room[one][other] -= amount
        room[other][one] = room[other].get(one, 0) + amount


def separate(capacity: Mapping[Edge, int]) -> list[dict[Edge, int]]:
    """The pairs in groups that share no sentence: each can be filled alone, and many small ones are filled sooner.

    >>> separate({(0, 0): 36, (1, 1): 108, (0, 2): 12})
    [{(0, 0): 36, (0, 2): 12}, {(1, 1): 108}]
    """
    first: dict[Node, Node] = {}
    """Sentence → another one of its group, up to the one that stands for all."""

    def stands(one: Node) -> Node:
        while first.setdefault(one, one) != one:
            first[one] = one = first[first[one]]
        return one

    for i, j in capacity:
        first[stands((1, j))] = stands((0, i))
    groups: dict[Node, dict[Edge, int]] = {}
    for (i, j), most in capacity.items():
        groups.setdefault(stands((0, i)), {})[i, j] = most
    return list(groups.values())
