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

Step = Callable[[list[str]], list[str]]

_MARKS = str.maketrans("", "", ".,?;*!%^&_+():<=>@[]{}\"/\\'")
_LATER_NUMBERS = "2345"


def line_breaks(pieces: list[str]) -> list[str]:
    """
    >>> line_breaks(["Bones intact.\\nNo effusion."])
    ['Bones intact. No effusion.']
    """
    return [piece.replace("\n", " ") for piece in pieces]


def underscores(pieces: list[str]) -> list[str]:
    """
    >>> underscores(["seen by ____ today"])
    ['seen by _ today']
    """
    return [re.sub("_+", "_", piece) for piece in pieces]


def spaces(pieces: list[str]) -> list[str]:
    """
    >>> spaces(["no   free    air"])
    ['no free air']
    """
    return [re.sub(" +", " ", piece) for piece in pieces]


def full_stops(pieces: list[str]) -> list[str]:
    """
    >>> full_stops(["small scar... otherwise clear.."])
    ['small scar. otherwise clear.']
    """
    return [re.sub(r"\.+", ".", piece) for piece in pieces]


def numbering(pieces: list[str]) -> list[str]:
    """List numbers go; a later number without a full stop before it leaves one.

    >>> numbering(["1. Old rib fracture 2. No effusion. 3. Clear apices."])
    ['Old rib fracture. No effusion. Clear apices.']
    """
    return [_without_numbers(piece) for piece in pieces]


def lower_case(pieces: list[str]) -> list[str]:
    """
    >>> lower_case(["PICC Line"])
    ['picc line']
    """
    return [piece.lower() for piece in pieces]


def sentences(pieces: list[str]) -> list[str]:
    """
    >>> sentences(["apices clear. nodule of 2.3 cm."])
    ['apices clear', 'nodule of 2.3 cm.']
    """
    return [sentence for piece in pieces for sentence in piece.strip().split(". ")]


def punctuation(pieces: list[str]) -> list[str]:
    """
    >>> punctuation(["nodule (2.3 cm), ground-glass!"])
    ['nodule 23 cm ground-glass']
    """
    return [piece.translate(_MARKS) for piece in pieces]


def trim(pieces: list[str]) -> list[str]:
    """Blanks at both ends go, and sentences of which nothing is left.

    >>> trim([" apices clear ", " "])
    ['apices clear']
    """
    return [piece.strip() for piece in pieces if piece.strip()]


def rejoin(pieces: list[str]) -> list[str]:
    """
    >>> rejoin(["apices clear", "no effusion"])
    ['apices clear . no effusion .']
    """
    return [" . ".join(pieces) + " ."] if pieces else []


STEPS: dict[str, Step] = {
    "line-breaks": line_breaks,
    "underscores": underscores,
    "spaces": spaces,
    "full-stops": full_stops,
    "numbering": numbering,
    "lower-case": lower_case,
    "sentences": sentences,
    "punctuation": punctuation,
    "trim": trim,
    "rejoin": rejoin,
}


def clean_up(text: str) -> str:
    """All ten steps, in order.

    >>> clean_up("FINDINGS:\\n1. PICC ends in the SVC.  2. No effusion..")
    'findings picc ends in the svc . no effusion .'
    """
    pieces = [text]
    for step in STEPS.values():
        pieces = step(pieces)
    return "".join(pieces)


def _without_numbers(text: str) -> str:
    text = text.replace("1. ", "")
    for before in (". ", " "):
        for number in _LATER_NUMBERS:
            text = text.replace(f"{before}{number}. ", ". ")
    return text
