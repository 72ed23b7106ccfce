"""Diseases beyond the lexicon: by their names, and by the parts a medical word is made of."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.systems.ledger.tables import by_key, endings, pairs, place_words, rows

DISEASE_WORD = re.compile(r"[a-z0-9]+(?:'[a-z]+)?", re.IGNORECASE)
PLURALS = (("metastases", "metastasis"), ("emboli", "embolus"), ("thrombi", "thrombus"))
PASSED = frozenset({"the", "a", "left", "right", "both"})
"""Words that may stand inside a name: `air under the right hemidiaphragm`."""

KEY = re.compile(r"[a-z0-9]+(?:[-'][a-z0-9]+)*")
SEVERAL = 2
OUR = re.compile(r"our(?=s?$)")
LEAST_STEM = 3
"""Letters before an ending, at least: `stoma` and `coma` are no masses."""


class Name(Struct, frozen=True):
    """What something is called, and the place that its name tells."""

    name: str
    site: str | None = None
    words: int = 1
    """Of the form that names it; of a description, several."""


@cache
def forms() -> dict[str, list[tuple[tuple[str, ...], Name]]]:
    """Last word of a form → whole forms that end so, longest first."""
    found: dict[str, list[tuple[tuple[str, ...], Name]]] = {}
    for row in rows("diseases"):
        for form in (one for cell in row["forms"].split(",") for one in written_out(cell)):
            words = tuple(spelt(word) for word in form.split() if word not in PASSED)
            named = Name(row["name"], None if row["site"] == "-" else row["site"], len(words))
            found.setdefault(words[-1], []).append((words, named))
    for some in found.values():
        some.sort(key=lambda one: -one[1].words)
    return found


def written_out(form: str) -> list[str]:
    """Every form that a cell stands for: one word of each bracket; an empty one leaves it out.

    >>> written_out("(air|gas) under diaphragm"), written_out("no (blood|) flow")
    (['air under diaphragm', 'gas under diaphragm'], ['no blood flow', 'no  flow'])
    """
    choices = [piece.split("|") for piece in re.split(r"[()]", form)]
    return ["".join(one) for one in product(*choices)]


@lru_cache(maxsize=8192)
def diseases_in(text: str) -> tuple[Name, ...]:
    """Every disease a text names, the longest name at each place; what descriptions show first.

    >>> [(one.name, one.words) for one in diseases_in("Necrotizing fasciitis. Small splenules.")]
    [('necrotizing-fasciitis', 2), ('splenule', 1)]
    """
    return (*appearances_in(text), *listed_in(text))


def listed_in(text: str) -> Iterator[Name]:
    words = [word for found in DISEASE_WORD.findall(text) if (word := spelt(found.lower())) not in PASSED]
    for at, word in enumerate(words):
        for form, named in forms().get(singular(word), ()):
            first = at - len(form) + 1
            if first >= 0 and tuple(words[first:at]) == form[:-1]:
                yield named
                break


def appearances_in(text: str) -> Iterator[Name]:
    """What a description over several words shows, once for each.

    >>> [one.name for one in appearances_in("Deep sulcus sign on the left.")]
    ['pneumothorax']
    """
    known = (row for word in KEY.findall(text.lower()) for row in by_key("appearances", "key").get(word, ()))
    for row in {row["id"]: row for row in known}.values():
        if row.fits(text):
            yield Name(row["name"], words=SEVERAL)


@cache
def roots() -> tuple[tuple[str, str], ...]:
    """Roots of medical words with the organ they mean, longest first."""
    return tuple(sorted(pairs("roots", "part", "means").items(), key=lambda one: -len(one[0])))


@lru_cache(maxsize=4096)
def composed(word: str) -> Name | None:
    """A word read by its parts: root and ending; the ending alone where nobody knows the root.

    >>> composed("epididymitis"), composed("stoma")
    (Name(name='inflammation', site='epididymis', words=1), None)
    """
    for ending, name in endings():
        stem = word.removesuffix(ending)
        if stem == word or len(stem) < LEAST_STEM or word in place_words():
            continue
        site = next((place for root, place in roots() if stem.startswith(root)), None)
        return Name(name, site)
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
