"""Any report → its five levels, by rules: the same seed always gives the same text.

L1 says the same in other words and another order, L2 denies one abnormal finding, L3 two, L4 all,
L5 inverts every sentence. Words change at random on every level, so that wording alone decides nothing,
and the sentences are recombined into prose.
A report needs three abnormal sentences and a normal one, else levels would coincide.
"""

import csv
import re
from collections.abc import Callable, Container, Iterable, Sequence
from functools import cache
from importlib.resources import files
from random import Random

from overread.reader import read
from overread.reader.statements.terms import terms
from overread.reader.statements.vocabulary import vocabulary
from overread.report import Report
from overread.runner.failure import each, warned
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.schema import Atom
from overread.validation.prose import prose
from overread.validation.ssree import Chain

ABNORMAL, NORMAL = 3, 1
"""Sentences of each class that a report needs."""

VERB = re.compile(r"^(?P<subject>.*?\b(?:has|have|is|are))\b(?P<denied> no\b| not\b)?(?P<rest>.*)$")
LIES = re.compile(r"^(?P<device>.+?) (?:ends?|terminates?|projects?)\b")
"""The verbs of sentences that say where a device lies."""

MAY = re.compile(r" may (be|have)\b")
ARTICLE = re.compile(r"^(?:an?|to) ")
DETAILS = ("detail", "measure", "stop", "ignore")
DESCRIBING = (*DETAILS, "up", "down")
CHANCE = 0.5
"""How often a word that has synonyms is changed."""


Said = Callable[[int, bool, Random], str]
"""The words for a sentence by its place: itself, or its opposite."""


def chains(reports: Iterable[Report], seed: int = 0) -> list[Chain]:
    """The chains of all reports that are eligible, in order."""
    made = each(reports, lambda report: chain(report, seed), lambda report: report.id, warned)
    return [one for one in made if one is not None]


def chain(report: Report, seed: int = 0) -> Chain | None:
    """The five levels of one report by rules; None when it is not eligible."""
    atoms = view(read(report)).atoms

    def said(place: int, turned: bool, random: Random) -> str:
        text = atoms[place].text
        return reworded(inverted(text) if turned else text, random)

    return climbed(report, atoms, said, seed) if eligible(atoms) else None


def eligible(atoms: Sequence[Atom]) -> bool:
    """Three abnormal sentences and a normal one: with fewer some levels would be the same."""
    abnormal = sum(a.normality == "abnormal" for a in atoms)
    return abnormal >= ABNORMAL and len(atoms) - abnormal >= NORMAL


def climbed(report: Report, atoms: Sequence[Atom], said: Said, seed: int) -> Chain:
    """The five levels as prose."""
    return Chain(report.id, report.text, *map(prose, levels(report, atoms, said, seed)))


def levels(report: Report, atoms: Sequence[Atom], said: Said, seed: int) -> list[list[str]]:
    """The sentences of each level in somebody's words; what is turned, and the new order, depend on the seed."""
    random = Random(f"{seed}/{report.id}")
    abnormal = [n for n, a in enumerate(atoms) if a.normality == "abnormal"]
    one, two = {random.choice(abnormal)}, set(random.sample(abnormal, 2))
    everything = range(len(atoms))
    return [level(said, len(atoms), turned, random) for turned in (set(), one, two, abnormal, everything)]


def level(said: Said, count: int, turned: Container[int], random: Random) -> list[str]:
    """All sentences, those that are turned inverted, in new words and a new order."""
    sentences = [said(place, place in turned, random) for place in range(count)]
    random.shuffle(sentences)
    return sentences


def inverted(sentence: str) -> str:
    """The opposite: a denial taken away, or put in and degrees and sizes left out.

    >>> inverted("Left lung has no nodule."), inverted("Liver has multiple cysts."), inverted("Aorta is not tortuous.")
    ('Left lung has nodule.', 'Liver has no cysts.', 'Aorta is tortuous.')
    >>> inverted("NG tube ends in the stomach."), inverted("Endotracheal tube ends 3 cm above the carina.")
    ('There is no NG tube.', 'There is no endotracheal tube.')
    >>> inverted("Atelectasis in the left lower lobe is increased."), inverted("Heart is enlarged.")
    ('Atelectasis in the left lower lobe is not present.', 'Heart is not enlarged.')
    """
    sentence = MAY.sub(certain, sentence)
    found = VERB.match(sentence)
    if found is None and (placed := LIES.match(sentence)):
        return f"There is no {uncapitalised(placed['device'])}."
    if found is None:
        return sentence[4:].capitalize() if sentence.startswith("Not ") else f"Not {uncapitalised(sentence)}"
    if found["denied"]:
        return f"{found['subject']}{found['rest']}"
    predicate = found["subject"].endswith((" is", " are")) and not sentence.startswith("There ")
    if predicate and only_described(found["subject"], found["rest"]):
        return f"{found['subject']} not present."
    no = "not" if predicate else "no"
    return f"{found['subject']} {no} {undetailed(found['rest'])}"


def uncapitalised(words: str) -> str:
    """The words as they stand inside a sentence: `NG tube` keeps its capitals."""
    return words if words[:2].isupper() else f"{words[0].lower()}{words[1:]}"


def only_described(subject: str, rest: str) -> bool:
    """Is a finding only said to have changed, or to be of some degree? Denying that would leave the finding there."""
    named = any(t.role in ("head", "quality") for t in terms(subject, vocabulary()))
    return named and all(t.role in DESCRIBING for t in terms(rest, vocabulary()))


def undetailed(words: str) -> str:
    """The words without degree, number and size, unless nothing else is said."""
    found = terms(words, vocabulary())
    if all(t.role in DETAILS for t in found):
        return words.strip()
    for term in reversed([t for t in found if t.role in ("detail", "measure")]):
        words = words[: term.start] + words[term.end :]
    words = ARTICLE.sub("", words.strip())
    return " ".join(words.split()).replace(" .", ".")


def certain(doubted: re.Match[str]) -> str:
    """What may be so, as if it were."""
    return " is" if doubted[1] == "be" else " has"


def reworded(sentence: str, random: Random) -> str:
    """The sentence with some of its words changed for synonyms; only words of one meaning and one grammar."""
    pattern, groups = synonyms()

    def other(match: re.Match[str]) -> str:
        choices = [form for form in groups[match[0].lower()] if form != match[0].lower()]
        return random.choice(choices) if random.random() < CHANCE else match[0]

    changed = pattern.sub(other, sentence)
    return f"{changed[0].upper()}{changed[1:]}"


@cache
def synonyms() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """A pattern for every form that has synonyms, longest first, and the forms it may become."""
    text = files("overread.validation").joinpath("synonyms.tsv").read_text("utf-8")
    rows = csv.reader(text.splitlines()[1:], delimiter="\t", quoting=csv.QUOTE_NONE)
    groups = {form: tuple(row[0].split("|")) for row in rows for form in row[0].split("|")}
    forms = sorted(groups, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE), groups
