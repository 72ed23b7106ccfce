"""The clean-up of the R2Gen code, which most papers on report generation score after: ten steps by name.

A step takes and returns a list of pieces: the whole text until `sentences` cuts it, its sentences until
`rejoin` puts them together. Where the released code and common sense part, the code is followed, since being
comparable is the only reason to use it:

- only the list numbers 1 to 5 are dropped, and `1. ` goes wherever it stands, so `grade 1. Heart` loses its 1
- a sentence ends at a full stop with a blank behind it; a decimal keeps its sentence but then loses its point
- hyphens stay

One thing differs: a sentence in which no character is left is dropped, so that an empty report stays empty;
the released code leaves a lonely full stop there.
"""

import re
from collections.abc import Callable

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
