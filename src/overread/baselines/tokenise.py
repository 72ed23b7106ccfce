"""Text into words, by name, so that a score can say which words it counted; and Porter's stems of them.

Suffix stripping is that of Porter (1980) with the departures NLTK ships, so that stems agree with NLTK's METEOR. Each
step removes or replaces the longest suffix of its table, if the stem before it is long enough. Length is Porter's
measure: how often a vowel is followed by a consonant.

The clean-up of the R2Gen code, which most papers on report generation score after, has ten steps by name. A step takes
and returns a list of pieces: the whole text until `sentences` cuts it, its sentences until `rejoin` puts them together.
Where the released code and common sense part, the code is followed: being comparable is the only reason to use it.

- only the list numbers 1 to 5 are dropped, and `1. ` goes wherever it stands, so `grade 1. Heart` loses its 1
- a sentence ends at a full stop with a blank behind it; a decimal keeps its sentence but then loses its point
- hyphens stay

One thing differs: a sentence in which no character is left is dropped, so that an empty report stays empty;
the released code leaves a lonely full stop there.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.resources import files

from overread.errors import UnknownName

PORTER: dict[str, dict[str, str]] = tomllib.loads(
    files(__package__).joinpath("porter.toml").read_text("utf-8")
)
"""Step → what is written and what stands in its place."""


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """The stem of a lower-case word.

    >>> [stem(word) for word in ("opacities", "opacity", "enlarged", "enlarging", "effusions")]
    ['opac', 'opac', 'enlarg', 'enlarg', 'effus']
    """
    if word in PORTER["irregular"] or len(word) <= 2:
        return PORTER["irregular"].get(word, word)
    dies = len(word) == 4 and word.endswith("ies")  # not di
    word = _past(word[:-1] if dies else _replaced(word, PORTER["plurals"], least=-1))
    if word.endswith("y") and len(word) > 2 and shape(word[:-1]).endswith("c"):
        word = word[:-1] + "i"
    word = _replaced(_double_suffix(word), PORTER["adjectives"])
    if not word.endswith("ion") or word.endswith(("sion", "tion")):
        word = _replaced(word, PORTER["last_suffixes"], least=1)
    if word.endswith("e") and porter_measure(rest := word[:-1]) > _short_end(rest):
        word = rest
    return word[:-1] if word.endswith("ll") and porter_measure(word[:-1]) > 1 else word


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


def porter_measure(word: str) -> int:
    """How often a vowel is followed by a consonant.

    >>> porter_measure("tree"), porter_measure("trouble"), porter_measure("private")
    (0, 1, 2)
    """
    return shape(word).count("vc")


def _replaced(word: str, table: Mapping[str, str], least: int = 0) -> str:
    """Without its longest suffix of the table, if the measure of the rest is more than `least`."""
    suffix = max((suffix for suffix in table if word.endswith(suffix)), key=len, default=None)
    if suffix is None or porter_measure(rest := word[: -len(suffix)]) <= least:
        return word
    return rest + table[suffix]


def _past(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if porter_measure(word[:-3]) > 0 else word
    rest = word[:-2] if word.endswith("ed") else word[:-3] if word.endswith("ing") else ""
    return _restored(rest) if "v" in shape(rest) else word


def _restored(word: str) -> str:
    """What `-ed` and `-ing` cost the word: siz(ed) → size, stopp(ed) → stop, fil(ing) → file."""
    if word.endswith(("at", "bl", "iz")):
        return word + "e"
    if len(word) > 1 and word[-1] == word[-2] and shape(word).endswith("c"):
        return word if word[-1] in "lsz" else word[:-1]
    return word + "e" if porter_measure(word) == 1 and _short_end(word) else word


def _double_suffix(word: str) -> str:
    if word.endswith("alli") and porter_measure(word[:-4]) > 0:
        return _double_suffix(word[:-2])
    if word.endswith("logi"):
        return word[:-1] if porter_measure(word[:-3]) > 0 else word
    return _replaced(word, PORTER["double_suffixes"])


def _short_end(word: str) -> bool:
    """Consonant, vowel, consonant other than w, x, y (fil, hop); or no more than a vowel and a consonant."""
    letters = shape(word)
    return (letters.endswith("cvc") and word[-1] not in "wxy") or letters == "vc"


_WORD = re.compile(r"\d+(?:\.\d+)+|[^\W_]+")
_ALPHANUMERIC = re.compile(r"[a-z0-9]+")
MTEVAL = tuple(
    (re.compile(pattern), parted)
    for pattern, parted in (
        *(
            ("<skipped>", ""),
            ("-\n", ""),
            ("\n", " "),
            ("&quot;", '"'),
            ("&amp;", "&"),
            ("&lt;", "<"),
            ("&gt;", ">"),
        ),
        (r"([{-~\[-` -&(-+:-@/])", r" \1 "),
        (r"([^0-9])([.,])", r"\1 \2 "),
        (r"([.,])([^0-9])", r" \1 \2"),
        (r"([0-9])(-)", r"\1 \2 "),
    )
)
"""Marks apart from words; full stop and comma unless between digits; a hyphen after a digit (mteval-v13a)."""


def words_and_numbers(text: str) -> list[str]:
    """Lower-case words and numbers; decimals stay whole, hyphens part words, punctuation is dropped.

    >>> words_and_numbers("Ground-glass nodule, 2.3 cm (right).")
    ['ground', 'glass', 'nodule', '2.3', 'cm', 'right']
    """
    return _WORD.findall(text.lower())


def rouge(text: str) -> list[str]:
    """Lower-case runs of a–z and 0–9, as the package rouge-score cuts them (without stemming).

    >>> rouge("Ground-glass nodule, 2.3 cm.")
    ['ground', 'glass', 'nodule', '2', '3', 'cm']
    """
    return _ALPHANUMERIC.findall(text.lower())


def r2gen(text: str) -> list[str]:
    """The words and full stops the R2Gen clean-up leaves; most published scores were counted on these.

    >>> r2gen("1. Heart size is normal. 2. No ground-glass nodule.")
    ['heart', 'size', 'is', 'normal', '.', 'no', 'ground-glass', 'nodule', '.']
    """
    return clean_up(text).split()


def stemmed(text: str) -> list[str]:
    """As `rouge`, words of more than three letters by their stem: rouge-score with `use_stemmer=True`.

    >>> stemmed("Bilateral effusions, 2.3 cm.")
    ['bilater', 'effus', '2', '3', 'cm']
    """
    return [stem(word) if len(word) > 3 else word for word in rouge(text)]


def mteval(text: str) -> list[str]:
    """The words of mteval-v13a, which sacrebleu counts unless told otherwise: case and punctuation stay.

    >>> mteval("No 2.3-cm nodule (left).")
    ['No', '2.3', '-', 'cm', 'nodule', '(', 'left', ')', '.']
    """
    line = f" {text} "
    for pattern, parted in MTEVAL:
        line = pattern.sub(parted, line)
    return line.split()


TOKENISERS: dict[str, Callable[[str], list[str]]] = {
    "plain": words_and_numbers,
    "rouge": rouge,
    "r2gen": r2gen,
    "whitespace": str.split,
    "stemmed": stemmed,
    "13a": mteval,
}
"""`whitespace` cuts at blanks and changes nothing: for text that somebody has tokenised already."""


def tokeniser(name: str) -> Callable[[str], list[str]]:
    """The tokeniser called `name`.

    >>> tokeniser("plain") is words_and_numbers
    True
    """
    if name not in TOKENISERS:
        raise UnknownName("tokenisation", name, TOKENISERS)
    return TOKENISERS[name]


# ---- the clean-up of the R2Gen code
CleanUpStep = Callable[[list[str]], list[str]]

LATER_NUMBERS = [f"{before}{number}. " for before in (". ", " ") for number in "2345"]


def instead(pattern: str, words: str) -> CleanUpStep:
    """A step that puts words in place of others, in every piece by itself."""
    return lambda pieces: [re.sub(pattern, words, piece) for piece in pieces]


def without_numbers(text: str) -> str:
    """List numbers go; a later number without a full stop before it leaves one.

    >>> without_numbers("1. Old rib fracture 2. No effusion. 3. Clear apices.")
    'Old rib fracture. No effusion. Clear apices.'
    """
    text = text.replace("1. ", "")
    for number in LATER_NUMBERS:
        text = text.replace(number, ". ")
    return text


STEPS: dict[str, CleanUpStep] = {
    "line-breaks": instead("\n", " "),
    "underscores": instead("_+", "_"),
    "spaces": instead(" +", " "),
    "full-stops": instead(r"\.+", "."),
    "numbering": lambda pieces: [without_numbers(piece) for piece in pieces],
    "lower-case": lambda pieces: [piece.lower() for piece in pieces],
    "sentences": lambda pieces: [sentence for piece in pieces for sentence in piece.strip().split(". ")],
    "punctuation": instead(r"""[.,?;*!%^&_+():<=>@\[\]{}"/\\']""", ""),
    "trim": lambda pieces: [piece.strip() for piece in pieces if piece.strip()],
    "rejoin": lambda pieces: [" . ".join(pieces) + " ."] if pieces else [],
}
"""`trim` also drops sentences of which nothing is left."""


def clean_up(text: str) -> str:
    """All ten steps, in order.

    >>> clean_up("FINDINGS:\\n1. PICC ends in the SVC.  2. No effusion..")
    'findings picc ends in the svc . no effusion .'
    """
    pieces = [text]
    for step in STEPS.values():
        pieces = step(pieces)
    return "".join(pieces)
