"""Small answers from token vectors: what belongs together, what a mention is, what a sentence is for, which labels."""

from collections.abc import Sequence

import numpy as np

Weights = dict[str, np.ndarray]
Place = tuple[int, int, int]
"""Window, first token, last token plus one."""

NEAR = (0, 1, 2, 3, 5, 8, 13, 21, 40)
"""Bounds of the distances, in tokens, that are told apart."""

STEPS = 2 * len(NEAR) + 2
ELSEWHERE = STEPS - 1
SLOTS = (3, 2, 6, 2)


def softmax(x: np.ndarray) -> np.ndarray:
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(shifted / shifted.sum(axis=-1, keepdims=True))


def sigmoid(x: np.ndarray) -> np.ndarray:
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -60, 60))))


def gelu(x: np.ndarray) -> np.ndarray:
    """With the error function by formula 7.1.26 of Abramowitz and Stegun, right to seven digits."""
    z = np.abs(x) / np.sqrt(2.0)
    t = 1 / (1 + 0.3275911 * z)
    series = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    erf = np.sign(x) * (1 - series * np.exp(-z * z))
    return np.asarray(0.5 * x * (1 + erf))


def linear(x: np.ndarray, weights: Weights, name: str) -> np.ndarray:
    bias = weights.get(f"{name}.bias")
    made = x @ weights[f"{name}.weight"].T
    return np.asarray(made if bias is None else made + bias)


def ends(windows: Sequence[np.ndarray], places: Sequence[Place]) -> np.ndarray:
    """First and last token of each place, side by side."""
    return np.stack([np.concatenate([windows[w][first], windows[w][last - 1]]) for w, first, last in places])


def step(one: Place, other: Place) -> int:
    """How far the second lies from the first, as the number of a step.

    >>> step((0, 1, 2), (0, 2, 3)), step((0, 2, 3), (0, 1, 2)), step((0, 1, 2), (1, 1, 2)) == ELSEWHERE
    (2, 12, True)
    """
    if one[0] != other[0]:
        return ELSEWHERE
    far = other[1] - one[2] + 1 if other[1] >= one[2] else 0
    far = far or (-(one[1] - other[2] + 1) if one[1] >= other[2] else 0)
    size = sum(abs(far) >= bound for bound in NEAR)
    return size + len(NEAR) + 1 if far < 0 else size


def steps(rows: Sequence[Place], columns: Sequence[Place]) -> np.ndarray:
    return np.array([[step(one, other) for other in columns] for one in rows], np.int64)


def fits(
    weights: Weights, kinds: Sequence[int], values: np.ndarray, mentions: np.ndarray, far: np.ndarray
) -> np.ndarray:
    """How likely each value belongs to each mention: (values, mentions)."""
    given = np.array(kinds)
    a = gelu(linear(values, weights, "attribute")) + weights["kind.weight"][given]
    m = gelu(linear(mentions, weights, "mention"))
    near = weights["far.weight"][given[:, None] * STEPS + far, 0]
    return sigmoid(a @ weights["fits.weight"][0] @ m.T + weights["fits.bias"][0] + near)


def related(weights: Weights, mentions: np.ndarray, far: np.ndarray) -> np.ndarray:
    """How likely each mention is linked to each other one: (links, mentions, mentions)."""
    one, other = (gelu(linear(mentions, weights, name)) for name in ("one", "other"))
    scores = np.einsum("ai,kij,bj->kab", one, weights["related.weight"], other, optimize=True)
    near = np.moveaxis(weights["apart.weight"][far], -1, 0)
    return sigmoid(scores + weights["related.bias"][:, None, None] + near)


def slots(weights: Weights, mentions: np.ndarray) -> list[np.ndarray]:
    """Of each mention the chances of status (absent, present, neither), certainty, category, and of several."""
    scores = linear(gelu(linear(mentions, weights, "hidden")), weights, "slots")
    return [softmax(part) for part in np.split(scores, np.cumsum(SLOTS)[:-1], axis=1)]


def purposes(weights: Weights, sentences: np.ndarray) -> np.ndarray:
    """Of each sentence the chances of what it is for."""
    return softmax(linear(sentences, weights, "purpose"))


def faults(weights: Weights, tokens: np.ndarray) -> np.ndarray:
    """Of each word of two texts the chances of what is wrong with it beside the other text; nothing first."""
    return softmax(linear(tokens.astype(np.float64), weights, "faults"))


def label_chances(weights: Weights, tokens: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Of each SRR label the chance that it is spoken of, and those of its statuses."""
    found = softmax((tokens @ weights["asked.weight"].T).T) @ tokens
    spoken = (found * weights["spoken.weight"]).sum(-1) + weights["spoken.bias"]
    return sigmoid(spoken), softmax(
        linear(gelu(linear(found, weights, "heard")), weights, "status") + weights["lean"]
    )
