"""Diseases beyond the lexicon: by their names, and by the parts a medical word is made of."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.systems.ledger.tables import endings, grouped, place_words, rows

WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?", re.IGNORECASE)
PLURALS = (("metastases", "metastasis"), ("emboli", "embolus"), ("thrombi", "thrombus"))
PASSED = frozenset({"the", "a", "left", "right", "both"})
"""Words that may stand inside a name: `air under the right hemidiaphragm`."""

KEY = re.compile(r"[a-z0-9]+(?:[-'][a-z0-9]+)*")
SEVERAL = 2
OUR = re.compile(r"our(?=s?$)")
ROOM = 3
"""Letters before an ending, at least: `stoma` and `coma` are no masses."""


class Disease(Struct, frozen=True):
    """A disease, and the place that its name tells."""

    name: str
    site: str | None


class Named(Struct, frozen=True):
    """Where a text names a disease."""

    disease: Disease
    start: int
    end: int
    words: int


@cache
def forms() -> dict[str, tuple[tuple[tuple[str, ...], Disease], ...]]:
    """Last word of a form → whole forms that end so, longest first."""
    found = []
    for row in rows("diseases"):
        disease = Disease(row["name"], None if row["site"] == "-" else row["site"])
        for form in (one for cell in row["forms"].split(",") for one in written_out(cell)):
            found.append((tuple(spelt(word) for word in form.split() if word not in PASSED), disease))
    found.sort(key=lambda one: -len(one[0]))
    return grouped((words[-1], (words, disease)) for words, disease in found)


def written_out(form: str) -> list[str]:
    """Every form that a cell stands for: one word of each bracket; an empty one leaves it out.

    >>> written_out("(air|gas) under diaphragm"), written_out("no (blood|) flow")
    (['air under diaphragm', 'gas under diaphragm'], ['no blood flow', 'no  flow'])
    """
    choices = [piece.split("|") for piece in re.split(r"[()]", form)]
    return ["".join(one) for one in product(*choices)]


@lru_cache(maxsize=8192)
def diseases_in(text: str) -> tuple[Named, ...]:
    """Every disease a text names, the longest name at each place.

    >>> [(one.disease.name, one.words) for one in diseases_in("Necrotizing fasciitis. Small splenules.")]
    [('necrotizing-fasciitis', 2), ('splenule', 1)]
    """
    return (*appearances_in(text), *listed_in(text))


def listed_in(text: str) -> Iterator[Named]:
    tokens = [t for t in WORD.finditer(text) if spelt(t[0].lower()) not in PASSED]
    words = [spelt(t[0].lower()) for t in tokens]
    for at in range(len(words)):
        for form, disease in forms().get(singular(words[at]), ()):
            first = at - len(form) + 1
            if first >= 0 and tuple(words[first:at]) == form[:-1]:
                yield Named(disease, tokens[first].start(), tokens[at].end(), len(form))
                break


@cache
def appearances() -> dict[str, tuple[tuple[re.Pattern[str], Disease], ...]]:
    """A word → the descriptions that hold it and what they show."""
    made = (
        (row["key"], (re.compile(row["words"], re.IGNORECASE), Disease(row["name"], None)))
        for row in rows("appearances")
    )
    return grouped((key, one) for keys, one in made for key in keys.split(","))


def appearances_in(text: str) -> Iterator[Named]:
    """What a description over several words shows, once for each.

    >>> [one.disease.name for one in appearances_in("Deep sulcus sign on the left.")]
    ['pneumothorax']
    """
    seen: set[re.Pattern[str]] = set()
    for word in KEY.findall(text.lower()):
        for form, disease in appearances().get(word, ()):
            found = None if form in seen else form.search(text)
            seen.add(form)
            if found is not None:
                yield Named(disease, *found.span(), SEVERAL)


@cache
def roots() -> tuple[tuple[str, str], ...]:
    """Roots of medical words with the organ they mean, longest first."""
    found = [(row["part"], row["means"]) for row in rows("roots")]
    return tuple(sorted(found, key=lambda one: -len(one[0])))


@lru_cache(maxsize=4096)
def composed(word: str) -> Disease | None:
    """A word read by its parts: root and ending; the ending alone where nobody knows the root.

    >>> composed("epididymitis"), composed("stoma")
    (Disease(name='inflammation', site='epididymis'), None)
    """
    for ending, name in endings():
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < ROOM or word in place_words():
            continue
        site = next((place for root, place in roots() if stem.startswith(root)), None)
        return Disease(name, site)
    return None


@lru_cache(maxsize=8192)
def spelt(word: str) -> str:
    """One spelling for both sides of the ocean.

    >>> spelt("haematoma"), spelt("tumour"), spelt("oedema")
    ('hematoma', 'tumor', 'edema')
    """
    return OUR.sub("or", lexicon().spellings.get(word, word).replace("ae", "e").replace("oe", "e"))


@lru_cache(maxsize=8192)
def respelt(text: str) -> str:
    """In lower case and without slips of the pen.

    >>> respelt("Large pnuemothorax")
    'large pneumothorax'
    """
    return " ".join(lexicon().normal(word) for word in text.lower().split())


@lru_cache(maxsize=8192)
def singular(word: str) -> str:
    for many, one in PLURALS:
        word = word.replace(many, one)
    if word.endswith("ies") and len(word) > 5:
        return word[:-3] + "y"
    return (
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word
    )
