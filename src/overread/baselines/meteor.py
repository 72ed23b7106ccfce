"""METEOR: words matched one to one, recall before precision, less for words that stand apart.

    F = P R / (0.9 P + 0.1 R)      METEOR = F · (1 − 0.5 · (chunks / matches)³)

Chunks are runs of matches side by side in both texts. Three names, never mixed:

- `meteor-stem`: exact words, then equal stems; built in, and what NLTK gives with an empty WordNet
- `meteor`: NLTK's, which also matches synonyms of WordNet: from the folder that OVERREAD_WORDNET names, without NLTK,
  or as NLTK has it (the user's download)
- `meteor-coco`: METEOR 1.5, as most papers on report generation use it: the jar inside the package pycocoevalcap, kept
  running between pairs

The corpus score of the first two is the mean over pairs.

WordNet's files are those of Princeton (`dict/`): `index.noun`, `data.noun`, `noun.exc`; and the same for verbs,
adjectives and adverbs. A form is looked up as NLTK's `morphy` does: as it is, and by its exception or endings.
"""

import atexit
import os
import re
import subprocess
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from operator import itemgetter
from pathlib import Path
from shutil import which
from threading import Lock

from overread.baselines.base import NotInstalled, Tokens, Value, one_of_mean
from overread.baselines.tokenise import stem
from overread.errors import BadInput, OverreadError

RECALL_WEIGHT, PENALTY_POWER, PENALTY_WEIGHT = 0.9, 3, 0.5

WordPair = tuple[int, int]
"""Place in the candidate, place in the reference."""


def pair_stem(reference: Tokens, candidate: Tokens) -> Value:
    """METEOR of one pair with exact and stem matches; 0 when one side is empty.

    >>> round(pair_stem("opacities have increased".split(), "increasing opacity".split()).value, 4)
    0.3448
    """
    return one_of_mean(meteor(align(reference, candidate), len(reference), len(candidate)))


def pair_wordnet(reference: Tokens, candidate: Tokens) -> Value:
    """METEOR of one pair as NLTK computes it; 0 when one side is empty."""
    own = wordnet()
    alike = own.alike if own is not None else _nltk_alike()
    return one_of_mean(meteor(align(reference, candidate, alike), len(reference), len(candidate)))


def align(
    reference: Tokens, candidate: Tokens, alike: Callable[[str], frozenset[str]] | None = None
) -> list[WordPair]:
    """Words paired one to one, exact before stems before those `alike`, from the end of the candidate to its start.

    Each word takes the last free one of the reference. As in NLTK the stems are looked up for likeness, not the words:
    they are what its second step leaves to the third.

    >>> align("no effusions seen".split(), "no effusion".split())
    [(0, 0), (1, 1)]
    """
    ours, theirs = dict(enumerate(candidate)), dict(enumerate(reference))
    matches: list[WordPair] = []
    steps: list[tuple[Callable[[str], str], Callable[[str], Iterable[str]]]]
    steps = [(str.lower, lambda form: [form]), (_lower_stem, lambda form: [form])]
    for form, same in [*steps, (_lower_stem, alike)] if alike else steps:
        waiting: defaultdict[str, list[int]] = defaultdict(list)
        for there, word in theirs.items():
            waiting[form(word)].append(there)
        for here in reversed([*ours]):
            free = [places for one in same(form(ours[here])) if (places := waiting.get(one))]
            if free:
                there = max(free, key=itemgetter(-1)).pop()
                del ours[here], theirs[there]
                matches.append((here, there))
    return sorted(matches)


def meteor(matches: list[WordPair], reference: int, candidate: int) -> float:
    """The score from sorted matches and the two lengths.

    >>> meteor([(0, 0), (1, 1), (2, 2), (3, 3)], reference=4, candidate=4)  # one chunk of four: 1 − 0.5 / 64
    0.9921875
    """
    if not matches:
        return 0.0
    precision, recall = len(matches) / candidate, len(matches) / reference
    f = precision * recall / (RECALL_WEIGHT * precision + (1 - RECALL_WEIGHT) * recall)
    return f * (1 - PENALTY_WEIGHT * (chunks(matches) / len(matches)) ** PENALTY_POWER)


def chunks(matches: list[WordPair]) -> int:
    """Runs of matches that stand side by side in both texts.

    >>> chunks([(0, 0), (1, 1), (2, 5)])
    2
    """
    return 1 + sum((a + 1, b + 1) != later for (a, b), later in pairwise(matches))


def wordnet() -> "WordNet | None":
    """The WordNet of the folder that OVERREAD_WORDNET names."""
    named = os.environ.get(FOLDER)
    return opened(Path(named).expanduser()) if named else None


def wordnet_mark() -> str:
    """Which WordNet `meteor` matches with, for signatures."""
    own = wordnet()
    return own.mark if own is not None else "nltk"


def _lower_stem(word: str) -> str:
    return stem(word.lower())


@cache
def _nltk_alike() -> Callable[[str], frozenset[str]]:
    """A word and its synonyms in the WordNet of NLTK."""
    try:
        known = import_module("nltk.corpus").wordnet
        known.ensure_loaded()
    except ModuleNotFoundError as error:
        todo = "OVERREAD_WORDNET=FOLDER with its files, or pip install nltk and its data"
        raise NotInstalled("meteor", "WordNet", todo) from error
    except LookupError as error:
        raise NotInstalled(
            "meteor",
            "the WordNet data of NLTK",
            "OVERREAD_WORDNET=FOLDER with WordNet's files (index.noun, data.noun and so on) needs neither NLTK nor "
            "a download; with NLTK, python -m nltk.downloader wordnet. Without it, 'meteor-stem' matches words and "
            "stems only.",
        ) from error

    def alike(word: str) -> frozenset[str]:
        names = (lemma.name() for synset in known.synsets(word) for lemma in synset.lemmas())
        return frozenset({word, *(name for name in names if "_" not in name)})

    return alike


# ---- synonyms from WordNet's own files: no package, nothing fetched
FOLDER = "OVERREAD_WORDNET"
"""Environment variable: the folder."""

ENDINGS = {
    "noun": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "verb": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "adj": "er: est: er:e est:e",
    "adv": "",
}
"""Part of speech → ending:what stands in its place, in the order they are tried."""

MARKER = re.compile(r"\(\w+\)$")  # an adjective's place, as in `afraid(p)`


class WordNet:
    """The synonyms of single words, from the files of a folder."""

    def __init__(self, folder: Path) -> None:
        self.offsets: dict[tuple[str, str], list[str]] = {}
        """Part of speech, lemma → its synsets."""

        self.exceptions: dict[tuple[str, str], list[str]] = {}
        self.synsets: dict[tuple[str, str], tuple[str, ...]] = {}
        try:
            for part in ENDINGS:
                self.offsets |= {(part, w[0]): w[-int(w[2]) :] for w in file_rows(folder / f"index.{part}")}
                self.synsets |= {(part, w[0]): words_of_synset(w) for w in file_rows(folder / f"data.{part}")}
                if (exceptions := folder / f"{part}.exc").exists():
                    self.exceptions |= {(part, w[0]): w[1:] for w in file_rows(exceptions)}
            content = b"".join(sha256((folder / f"data.{part}").read_bytes()).digest() for part in ENDINGS)
        except OSError as error:
            raise BadInput(
                f"{folder} holds no WordNet ({Path(str(error.filename)).name} cannot be read). {FOLDER} names the "
                "folder with index.noun, data.noun and the others."
            ) from None
        except (ValueError, IndexError):
            raise BadInput(f"The files in {folder} are not as WordNet writes them.") from None
        self.mark = sha256(content).hexdigest()[:8]
        self.alike = lru_cache(maxsize=20_000)(self.synonyms)

    def synonyms(self, word: str) -> frozenset[str]:
        """The word and every single word that shares a meaning with it, or with a lemma it may belong to."""
        found = {word}
        for part, endings in ENDINGS.items():
            changes = (one.partition(":") for one in endings.split())
            shorter = [word[: -len(old)] + new for old, _, new in changes if word.endswith(old)]
            for form in (word, *self.exceptions.get((part, word), shorter)):
                for offset in self.offsets.get((part, form), ()):
                    found.update(self.synsets.get((part, offset), ()))
        return frozenset(found)


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


# ---- METEOR 1.5 in Java
# The jar tells what it counted for a pair as one line of numbers, and turns such a line into a score. Lines add up
# column by column, so the corpus score is that of the summed line, which is the figure the COCO caption code prints.
LENGTH, CHUNKS, MATCHED = 0, 20, 21
"""Places in the jar's line; length and matched words stand first for the candidate, then the reference."""

_TURN = Lock()  # one question at a time: answers carry no sign of what was asked


def pair_java(reference: Tokens, candidate: Tokens) -> Value:
    """METEOR 1.5 of one pair; 0 when one side is empty."""
    (line,) = _ask(f"SCORE ||| {_one_line(reference)} ||| {_one_line(candidate)}", answers=1)
    numbers = [float(number) for number in line.split()]
    complete = numbers[MATCHED : MATCHED + 2] == numbers[LENGTH : LENGTH + 2]
    if complete and numbers[CHUNKS] == 1:  # the jar forgives such a pair its chunk when it adds lines up
        numbers[CHUNKS] = 0.0
    counts = {f"{place:02d}": number for place, number in enumerate(numbers)}
    return Value(corpus_java(counts) if reference and candidate else 0.0, counts=counts)


def corpus_java(counts: Mapping[str, float]) -> float | None:
    """METEOR 1.5 from lines summed over any number of pairs; None without any."""
    if not counts:
        return None
    line = " ".join(repr(float(counts[place])) for place in sorted(counts))
    # The jar answers for each line asked and for all lines together, which here are the same.
    _, together = _ask(f"EVAL ||| {line}", answers=2)
    return float(together)


def _one_line(tokens: Tokens) -> str:
    return " ".join(tokens).replace("|", " ").replace("\n", " ")


def _ask(question: str, answers: int) -> list[str]:
    program = _program(os.getpid())
    assert program.stdin is not None
    assert program.stdout is not None
    with _TURN:
        try:
            program.stdin.write(question + "\n")
            program.stdin.flush()
            lines = [program.stdout.readline().strip() for _ in range(answers)]
        except BrokenPipeError:
            lines = [""]
    if not all(lines):
        raise OverreadError("METEOR's Java program has stopped. It needs about 2 GB of free memory.")
    return lines


@lru_cache(maxsize=1)
def _program(process: int) -> subprocess.Popen[str]:
    """The jar of this process: a forked worker starts its own, for two askers would mix up their answers."""
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        raise NotInstalled("meteor-coco", "the package 'pycocoevalcap'", "pip install pycocoevalcap")
    java = which("java")
    if java is None:
        raise NotInstalled(
            "meteor-coco", "Java", "install a Java runtime, version 8 or later, and put it on the PATH"
        )
    program = subprocess.Popen(
        [java, "-jar", "-Xmx2G", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm"],
        cwd=Path(next(iter(package.submodule_search_locations))) / "meteor",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    atexit.register(program.kill)
    return program
