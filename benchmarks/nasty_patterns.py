"""Texts that make careless readers slow: each a pattern that can be made as long as one likes."""

from collections.abc import Callable

UNITS: dict[str, str] = {
    "digits": "7",
    "digits and spaces": "7 ",
    "decimals": "1.5",
    "sizes": "3 x 4 x ",
    "millimetres": "5 mm ",
    "ranges": "3-",
    "times": "x ",
    "opening brackets": "(",
    "closing brackets": ")",
    "square brackets": "[",
    "brackets in pairs": "()",
    "bracketed words": "(left) ",
    "quotation marks": '"',
    "apostrophes": "'",
    "hyphens": "-",
    "underscores": "_",
    "slashes": "/",
    "commas": ",",
    "commas and spaces": ", ",
    "semicolons": "; ",
    "colons": ": ",
    "full stops": ".",
    "full stops and spaces": ". ",
    "question marks": "? ",
    "asterisks": "* ",
    "spaces": " ",
    "tabs": "\t",
    "newlines": "\n",
    "carriage returns": "\r\n",
    "blank lines": " \n",
    "no": "no ",
    "no or": "no, or ",
    "or": "or ",
    "comma or": ", or ",
    "and": "and ",
    "and/or": "and/or ",
    "not": "not ",
    "without": "without ",
    "with": "with ",
    "of the": "of the ",
    "left": "left ",
    "left and right": "left and right ",
    "upper lower": "upper and lower ",
    "small": "small ",
    "small or large": "small or large ",
    "possible": "possible ",
    "versus": "versus ",
    "unchanged": "unchanged ",
    "since prior": "since prior ",
    "effusion": "effusion ",
    "effusions listed": "effusion, ",
    "effusion and": "effusion and ",
    "no effusion or": "no effusion or ",
    "effusions in sentences": "Small left effusion. ",
    "denials in sentences": "No pleural effusion or pneumothorax. ",
    "unknown words": "zorgle ",
    "unknown words, denied": "no zorgle, ",
    "capital words": "Aa ",
    "one long word": "a",
    "one long hyphenated word": "well-",
    "headings": "FINDINGS: ",
    "headings in lines": "FINDINGS:\nIMPRESSION:\n",
    "numbered lines": "1. Clear.\n",
    "bullets": "- Clear lungs.\n",
    "levels": "L4-L5: ",
    "levels of the spine": "L4-L5: mild stenosis. ",
    "dates": "2024-01-31 ",
    "blanks": "___ ",
    "placeholders": "XXXX ",
    "accents": "é",
    "ideographs": "肺",
    "emoji": "🫁",
    "combining marks": "e\u0301",
    "zero width": "\u200b",
    "abbreviations": "Dr. ",
    "pronouns": "This is seen. ",
    "which": "which is ",
    "links": "effusion, likely due to ",
    "advice": "Recommend CT. ",
    "tubes": "tube tip in the ",
}


def text(name: str, length: int) -> str:
    """The pattern, at least so many characters of it, cut to the length."""
    unit = UNITS[name]
    return (unit * (length // len(unit) + 1))[:length]


def plain(length: int) -> str:
    """A usual report, made long by other numbers and words."""
    sentences = (
        f"There is a small left pleural effusion of {n} mm. The heart is enlarged in view {n}. "
        f"No pneumothorax on image {n}. "
        for n in range(length // 60 + 1)
    )
    return "".join(sentences)[:length]


def word(number: int) -> str:
    """A word that nobody knows, another for each number.

    >>> word(0), word(27)
    ('zorba', 'zorbb')
    """
    letters = ""
    while number or not letters:
        number, letter = divmod(number, 26)
        letters = chr(ord("a") + letter) + letters
    return "zorb" + letters


def counted(made: Callable[[int], str]) -> Callable[[int], str]:
    """One piece for each number, as many as it takes."""

    def longer(length: int) -> str:
        pieces: list[str] = []
        have = 0
        while have < length:
            pieces.append(made(len(pieces)))
            have += len(pieces[-1])
        return "".join(pieces)[:length]

    return longer


SIDES = ("left", "right", "bilateral")
SIZES = ("small", "moderate", "large", "tiny")
NAMES = ("effusion", "nodule", "opacity", "fracture", "pneumothorax", "mass", "cyst", "consolidation")
PLACES = ("upper lobe", "lower lobe", "apex", "base", "kidney", "liver", "femur")


def finding(number: int) -> str:
    """Another finding for each number, in words that are known."""
    size, side = SIZES[number % 4], SIDES[number // 4 % 3]
    return f"{size} {side} {PLACES[number // 12 % 7]} {NAMES[number // 84 % 8]} of {number % 97 + 1} mm"


DIFFERENT: dict[str, Callable[[int], str]] = {
    "different unknown words": counted(lambda n: f"{word(n)} "),
    "different unknown words, denied": counted(lambda n: f"No {word(n)}. "),
    "different unknown words, seen": counted(lambda n: f"There is {word(n)} in the {word(n + 7)}. "),
    "different findings in sentences": counted(lambda n: f"There is a {finding(n)}. "),
    "different findings listed": counted(lambda n: f"{finding(n)}, "),
    "different findings joined": counted(lambda n: f"{finding(n)} and "),
    "different headings": counted(lambda n: f"{word(n).upper()}: Clear.\n"),
    "different numbers": counted(lambda n: f"{n} "),
    "changes of different findings": counted(lambda n: f"The {finding(n)} is larger than before. "),
    "causes of different findings": counted(lambda n: f"The {finding(n)} is due to {word(n)}. "),
}

PATTERNS: dict[str, Callable[[int], str]] = {
    **{name: (lambda length, name=name: text(name, length)) for name in UNITS},  # type: ignore[misc]
    **DIFFERENT,
    "a plain long report": plain,
}
