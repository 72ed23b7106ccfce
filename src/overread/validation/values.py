"""When are two attribute values the same? Alike in letters, and not of another side, number or direction."""

import re
from functools import cache, lru_cache
from importlib.resources import files

from overread.validation.fuzzy import closeness, plain_words

NUMBER = re.compile(r"(\d+(?:\.\d+)?)\s*(cm|mm|m\b|ml|%)?")
TO_MILLIMETRES = {"cm": 10.0, "mm": 1.0, "m": 1000.0}


@cache
def poles() -> dict[str, tuple[str, str]]:
    """Word → (what it is a pole of, which pole); a word stands on one side of one pair."""
    lines = files("overread.validation").joinpath("poles.tsv").read_text("utf-8").splitlines()[1:]
    return {
        word: (id, pole) for id, pole, words in (line.split("\t") for line in lines) for word in words.split()
    }


@lru_cache(maxsize=50_000)
def stands(text: str) -> dict[str, frozenset[str]]:
    """The poles a phrase names, by pair.

    >>> sorted(stands("left lower lobe")["side"])
    ['left']
    """
    found: dict[str, set[str]] = {}
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in poles():
            pair, pole = poles()[word]
            found.setdefault(pair, set()).update(("left", "right") if pole == "both" else (pole,))
    return {pair: frozenset(named) for pair, named in found.items()}


def lengths(text: str) -> list[float]:
    """Numbers of a phrase, lengths in millimetres; a number without a unit has that of the last length.

    >>> lengths("2.1 x 3 cm"), lengths("21 mm")
    ([21.0, 30.0], [21.0])
    """
    last = next((unit for _, unit in reversed(NUMBER.findall(text.lower())) if unit in TO_MILLIMETRES), None)
    scale = TO_MILLIMETRES[last] if last else 1.0
    return [
        float(n) * TO_MILLIMETRES.get(unit, 1.0 if unit else scale)
        for n, unit in NUMBER.findall(text.lower())
    ]


def opposed(one: str, other: str) -> bool:
    """Do two phrases exclude each other by side, direction, degree of denial, or number?

    >>> opposed("left base", "right base"), opposed("2.1 cm", "1.2 cm"), opposed("2.1 cm", "21 mm")
    (True, True, False)
    """
    mine, theirs = stands(one), stands(other)
    shared = mine.keys() & theirs.keys()
    if mine.get("side") != theirs.get("side") and "side" in shared:
        return True
    if any(not mine[pair] & theirs[pair] for pair in shared):
        return True
    if ("denial" in mine) != ("denial" in theirs):
        return True
    ours, given = sorted(lengths(one)), sorted(lengths(other))
    return bool(ours and given) and (
        len(ours) != len(given) or any(abs(a - b) > 1e-6 for a, b in zip(ours, given, strict=True))
    )


def likeness(one: str, other: str) -> float:
    """Letter by letter, in whatever order the words stand, and 0 where the two exclude each other.

    >>> likeness("increased", "decreased"), likeness("upper lobes", "upper lobe")
    (0.0, 1.0)
    """
    if opposed(one, other):
        return 0.0
    ordered = (" ".join(sorted(plain_words(text))) for text in (one, other))
    return 1.0 if measured_alike(one, other) else max(closeness(one, other), closeness(*ordered))


def measured_alike(one: str, other: str) -> bool:
    """2.1 cm and 21 mm: nothing but lengths, and the same ones."""
    bare = [NUMBER.sub("", text.lower()).replace("x", "").strip() for text in (one, other)]
    return bare == ["", ""] and bool(lengths(one)) and sorted(lengths(one)) == sorted(lengths(other))


def same(one: str, other: str) -> bool:
    """The same words, but for number and small words.

    >>> same("Left bases", "left base"), same("small", "tiny")
    (True, False)
    """
    return plain_words(one) == plain_words(other)
