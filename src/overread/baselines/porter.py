"""Porter's suffix stripping (1980) with the departures NLTK ships, so that stems agree with NLTK's METEOR.

Each step removes or replaces the longest suffix of its table, if the stem before it is long enough. Length is
Porter's measure: how often a vowel is followed by a consonant.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache

IRREGULAR = {
    "sky": "sky",
    "skies": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

PLURALS = {"sses": "ss", "ies": "i", "ss": "ss", "s": ""}
DOUBLE_SUFFIXES = {
    "ational": "ate",
    "tional": "tion",
    "enci": "ence",
    "anci": "ance",
    "izer": "ize",
    "bli": "ble",
    "alli": "al",
    "entli": "ent",
    "eli": "e",
    "ousli": "ous",
    "ization": "ize",
    "ation": "ate",
    "ator": "ate",
    "alism": "al",
    "iveness": "ive",
    "fulness": "ful",
    "ousness": "ous",
    "aliti": "al",
    "iviti": "ive",
    "biliti": "ble",
    "fulli": "ful",
}
ADJECTIVES = {"icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": ""}
LAST_SUFFIXES = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment"),
    *("ent", "ion", "ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a lower-case word.

    >>> [stem(word) for word in ("opacities", "opacity", "enlarged", "enlarging", "effusions")]
    ['opac', 'opac', 'enlarg', 'enlarg', 'effus']
    """
    if word in IRREGULAR or len(word) <= 2:
        return IRREGULAR.get(word, word)
    for step in (_plural, _past, _final_y, _double_suffix, _adjective, _last_suffix, _final_e, _double_l):
        word = step(word)
    return word


def shape(word: str) -> str:
    """Vowels and consonants; y is a vowel after a consonant.

    >>> shape("syzygy"), shape("toy")
    ('cvcvcv', 'cvc')
    """
    letters = ""
    for letter in word:
        vowel = letter in "aeiou" or (letter == "y" and letters.endswith("c"))
        letters += "v" if vowel else "c"
    return letters


def measure(word: str) -> int:
    """How often a vowel is followed by a consonant.

    >>> measure("tree"), measure("trouble"), measure("private")
    (0, 1, 2)
    """
    return shape(word).count("vc")


def _plural(word: str) -> str:
    if word.endswith("ies") and len(word) == 4:  # dies → die, not di
        return word[:-1]
    return _replaced(word, PLURALS, lambda _: True)


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    for suffix in ("ed", "ing"):
        rest = word.removesuffix(suffix)
        if rest != word and "v" in shape(rest):
            return _restored(rest)
    return word


def _restored(word: str) -> str:
    """What `-ed` and `-ing` cost the word: siz(ed) → size, stopp(ed) → stop, fil(ing) → file."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if _double_consonant(word):
        return word if word[-1] in "lsz" else word[:-1]
    return word + "e" if measure(word) == 1 and _short_end(word) else word


def _final_y(word: str) -> str:
    rest = word.removesuffix("y")
    return rest + "i" if rest != word and len(rest) > 1 and shape(rest).endswith("c") else word


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and measure(word[:-4]) > 0:
        return _double_suffix(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if measure(word[:-3]) > 0 else word
    return _replaced(word, DOUBLE_SUFFIXES, lambda rest: measure(rest) > 0)


def _adjective(word: str) -> str:
    return _replaced(word, ADJECTIVES, lambda rest: measure(rest) > 0)


def _last_suffix(word: str) -> str:
    def long_enough(rest: str) -> bool:
        return measure(rest) > 1 and (not word.endswith("ion") or rest[-1] in "st")

    return _replaced(word, dict.fromkeys(LAST_SUFFIXES, ""), long_enough)


def _final_e(word: str) -> str:
    rest = word.removesuffix("e")
    if rest == word:
        return word
    size = measure(rest)
    return rest if size > 1 or (size == 1 and not _short_end(rest)) else word


def _double_l(word: str) -> str:
    return word[:-1] if word.endswith("ll") and measure(word[:-1]) > 1 else word


def _replaced(word: str, table: Mapping[str, str], fits: Callable[[str], bool]) -> str:
    suffix = max((suffix for suffix in table if word.endswith(suffix)), key=len, default=None)
    if suffix is None:
        return word
    rest = word[: -len(suffix)]
    return rest + table[suffix] if fits(rest) else word


def _double_consonant(word: str) -> bool:
    return len(word) > 1 and word[-1] == word[-2] and shape(word).endswith("c")


def _short_end(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y (fil, hop); or no more than a vowel and a consonant."""
    letters = shape(word)
    return (letters.endswith("cvc") and word[-1] not in "wxy") or letters == "vc"
