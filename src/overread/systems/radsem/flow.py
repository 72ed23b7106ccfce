"""Exact maximum flow between two small sets of sentences, in whole numbers."""

from collections.abc import Mapping

UNIT = 108
"""One sentence's worth of credit: every pair weight (1/3)^k · {1, 3/4, 1/2} with k ≤ 3 is a whole number of these."""

Edge = tuple[int, int]


def allocate(capacity: Mapping[Edge, int], unit: int = UNIT) -> dict[Edge, int]:
    """The credit each (reference, candidate) pair gets when the total is as large as it can be.

        0 ≤ x ≤ capacity of the pair, and every sentence's total ≤ unit

    Pairs are filled heaviest first, then credit is moved along augmenting paths until none is left, so the
    total is the exact optimum whatever the order.

    >>> allocate({(0, 0): 36, (0, 1): 36, (1, 1): 108}) == {(0, 0): 36, (0, 1): 0, (1, 1): 108}
    True
    """
    flow = dict.fromkeys(capacity, 0)
    left: dict[int, list[int]] = {}
    right: dict[int, list[int]] = {}
    for i, j in capacity:
        left.setdefault(i, []).append(j)
        right.setdefault(j, []).append(i)
    spare_left, spare_right = dict.fromkeys(left, unit), dict.fromkeys(right, unit)
    for (i, j), most in sorted(capacity.items(), key=lambda item: (-item[1], item[0])):
        given = min(most, spare_left[i], spare_right[j])
        flow[i, j] = given
        spare_left[i] -= given
        spare_right[j] -= given
    while path := augmenting(capacity, flow, left, right, spare_left, spare_right):
        push(path, capacity, flow, spare_left, spare_right)
    return flow


def separate(capacity: Mapping[Edge, int]) -> list[dict[Edge, int]]:
    """The pairs in groups that share no sentence: each can be filled alone, and many small ones are filled sooner.

    >>> separate({(0, 0): 36, (1, 1): 108, (0, 2): 12})
    [{(0, 0): 36, (0, 2): 12}, {(1, 1): 108}]
    """
    first: dict[tuple[int, int], tuple[int, int]] = {}
    """(side, sentence) → another one of its group, up to the one that stands for all."""

    def stands(one: tuple[int, int]) -> tuple[int, int]:
        while first.setdefault(one, one) != one:
            first[one] = one = first[first[one]]
        return one

    for i, j in capacity:
        first[stands((1, j))] = stands((0, i))
    groups: dict[tuple[int, int], dict[Edge, int]] = {}
    for (i, j), most in capacity.items():
        groups.setdefault(stands((0, i)), {})[i, j] = most
    return list(groups.values())


def augmenting(
    capacity: Mapping[Edge, int],
    flow: Mapping[Edge, int],
    left: Mapping[int, list[int]],
    right: Mapping[int, list[int]],
    spare_left: Mapping[int, int],
    spare_right: Mapping[int, int],
) -> list[int] | None:
    """A shortest way reference, candidate, reference, … along which one more unit can be sent."""
    before: dict[int, int] = {}
    reached = {i for i, spare in spare_left.items() if spare}
    queue = sorted(reached)
    came: dict[int, int] = {}
    for i in queue:
        for j in left[i]:
            if j in before or flow[i, j] >= capacity[i, j]:
                continue
            before[j] = i
            if spare_right[j]:
                return unwound(j, before, came)
            for other in right[j]:
                if other not in reached and flow[other, j]:
                    reached.add(other)
                    came[other] = j
                    queue.append(other)
    return None


def unwound(j: int, before: Mapping[int, int], came: Mapping[int, int]) -> list[int]:
    path = [j]
    while True:
        i = before[path[-1]]
        path.append(i)
        if i not in came:
            return path[::-1]
        path.append(came[i])


def push(
    path: list[int],
    capacity: Mapping[Edge, int],
    flow: dict[Edge, int],
    spare_left: dict[int, int],
    spare_right: dict[int, int],
) -> None:
    """Send as much as the path can carry: forward on its odd steps, taken back on its even ones."""
    forward = [(path[n], path[n + 1]) for n in range(0, len(path) - 1, 2)]
    backward = [(path[n + 1], path[n]) for n in range(1, len(path) - 1, 2)]
    amount = min(spare_left[path[0]], spare_right[path[-1]])
    amount = min([amount, *(capacity[e] - flow[e] for e in forward), *(flow[e] for e in backward)])
    for edge in forward:
        flow[edge] += amount
    for edge in backward:
        flow[edge] -= amount
    spare_left[path[0]] -= amount
    spare_right[path[-1]] -= amount
