"""Synonyms from a folder with WordNet's own files, for METEOR: no package, nothing fetched.

The files are those of the Princeton distribution (`dict/`): `index.noun`, `data.noun`, `noun.exc` and the same for
verbs, adjectives and adverbs. A form is looked up as NLTK's `morphy` does: as it is, and by its exception or endings.
"""

import re
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path

from overread.errors import BadInput

FOLDER = "OVERREAD_WORDNET"
"""Environment variable: the folder."""

ENDINGS = {
    "noun": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "adj": "er: est: er:e est:e",
    "adv": "",
}
"""Ending:what stands in its place, in the order they are tried."""

MARKER = re.compile(r"\(\w+\)$")  # an adjective's place, as in `afraid(p)`


class PartOfSpeech:
    """One part of speech."""

    def __init__(self, folder: Path, name: str) -> None:
        self.endings = [(old, new) for old, _, new in (one.partition(":") for one in ENDINGS[name].split())]
        self.offsets = {w[0]: w[-int(w[2]) :] for w in file_rows(folder / f"index.{name}")}
        self.synsets = {w[0]: words_of_synset(w) for w in file_rows(folder / f"data.{name}")}
        exceptions = folder / f"{name}.exc"
        self.exceptions = {w[0]: w[1:] for w in file_rows(exceptions)} if exceptions.exists() else {}

    def forms(self, word: str) -> list[str]:
        """The lemmas a form may belong to."""
        shorter = [word[: -len(old)] + new for old, new in self.endings if word.endswith(old)]
        found = dict.fromkeys([word, *self.exceptions.get(word, shorter)])
        return [form for form in found if form in self.offsets]

    def synonyms(self, word: str) -> set[str]:
        offsets = (offset for form in self.forms(word) for offset in self.offsets[form])
        return {one for offset in offsets for one in self.synsets.get(offset, ())}


class WordNet:
    """The synonyms of single words."""

    def __init__(self, folder: Path) -> None:
        try:
            self.parts = [PartOfSpeech(folder, name) for name in ENDINGS]
            content = b"".join(sha256((folder / f"data.{n}").read_bytes()).digest() for n in ENDINGS)
        except OSError as error:
            raise BadInput(
                f"{folder} holds no WordNet ({Path(str(error.filename)).name} cannot be read). {FOLDER} names the "
                "folder with index.noun, data.noun and the others."
            ) from None
        except (ValueError, IndexError):
            raise BadInput(f"The files in {folder} are not as WordNet writes them.") from None
        self.mark = sha256(content).hexdigest()[:8]
        self.alike = lru_cache(maxsize=20_000)(
            lambda word: frozenset({word}.union(*(part.synonyms(word) for part in self.parts)))
        )
        """The word and every single word that shares a meaning with it."""


opened = cache(WordNet)
"""A folder is read once."""


def file_rows(path: Path) -> list[list[str]]:
    """The lines of a file in words, without the licence at its head and the glosses."""
    lines = path.read_text("utf-8").splitlines()
    return [line.partition(" | ")[0].split() for line in lines if line and not line.startswith(" ")]


def words_of_synset(row: list[str]) -> tuple[str, ...]:
    """The single words of a synset.

    >>> words_of_synset("00001740 29 n 02 film 0 motion_picture 0 000".split())
    ('film',)
    """
    count = int(row[3], 16)
    words = (MARKER.sub("", word) for word in row[4 : 4 + 2 * count : 2])
    return tuple(word for word in words if "_" not in word)
