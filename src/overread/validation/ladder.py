"""Any report → its five levels, by rules or by a language model: the same seed always gives the same text.

L1 says the same in other words and another order, L2 denies one abnormal finding, L3 two, L4 all,
L5 inverts every sentence. Words change at random on every level, so that wording alone decides nothing,
and the sentences are recombined into prose.
A report needs three abnormal sentences and a normal one, else levels would coincide.

A language model rewrites a report as atomic sentences and says each in other words, and its opposite; which are turned
at which level is drawn here. Then it recombines each level into prose; no sentence may be lost, doubled or turned.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from random import Random

from msgspec import Struct, field

from overread.lexicon.lexicon import lexicon
from overread.llm import Answer, Client, Failure, Item, ask_many, failures, load_prompt
from overread.reader import read
from overread.reader.wording import spoken
from overread.report import Report
from overread.runner.limits import unfailed, warned
from overread.systems.radsem.by_llm import views
from overread.systems.radsem.by_rules import view
from overread.systems.radsem.schema import Atom, Atoms
from overread.validation.prose import prose
from overread.validation.shown import shipped_rows
from overread.validation.ssree import Chain

PROMPT_PACKAGE = "overread.validation"
ABNORMAL, LEAST_NORMAL = 3, 1
"""Sentences of each class that a report needs."""

DENIES = re.compile(r"\b(?:no|not|without|neither)\b ?", re.IGNORECASE)
IS = re.compile(r"\b(?:is|are|has|have)\b")
POSSIBLE = re.compile(r"^Possible ")
SIZE = re.compile(r"\b\d[\d.,x× ]*(?:mm|cm)\b ?(?:in \w+)?")
CHANCE = 0.5
"""How often a word that has synonyms is changed."""


Wording = Callable[[int, bool, Random], str]
"""The words for a sentence by its place: itself, or its opposite."""


def chains(reports: Iterable[Report], seed: int = 0) -> list[Chain]:
    """The chains of all reports that are eligible, in order."""
    made = unfailed(reports, lambda report: chain(report, seed), lambda report: report.id, warned)
    return [one for one in made if one is not None]


def chain(report: Report, seed: int = 0) -> Chain | None:
    """The five levels of one report by rules; None when it is not eligible."""
    atoms = view(read(report)).atoms

    def said(place: int, turned: bool, random: Random) -> str:
        text, abnormal = atoms[place].text, atoms[place].normality == "abnormal"
        return reworded(inverted(text, abnormal) if turned else text, random)

    if not eligible(atoms):
        return None
    return Chain(report.id, report.text, *map(prose, level_sentences(report, atoms, said, seed)))


def eligible(atoms: Sequence[Atom]) -> bool:
    """Three abnormal sentences and a normal one: with fewer some levels would be the same."""
    abnormal = sum(a.normality == "abnormal" for a in atoms)
    return abnormal >= ABNORMAL and len(atoms) - abnormal >= LEAST_NORMAL


def level_sentences(report: Report, atoms: Sequence[Atom], said: Wording, seed: int) -> list[list[str]]:
    """The sentences of each level in somebody's words; what is turned, and the new order, depend on the seed."""
    random = Random(f"{seed}/{report.id}")
    everything = range(len(atoms))
    abnormal = [n for n in everything if atoms[n].normality == "abnormal"]
    one, two = [random.choice(abnormal)], random.sample(abnormal, 2)
    found = []
    for turned in ([], one, two, abnormal, everything):
        sentences = [said(place, place in turned, random) for place in everything]
        random.shuffle(sentences)
        found.append(sentences)
    return found


def inverted(sentence: str, abnormal: bool = True) -> str:
    """The opposite: a denial taken away, or put in and degrees and sizes left out.

    >>> inverted("No left effusion."), inverted("Small left effusion."), inverted("Heart is enlarged.")
    ('Left effusion.', 'No left effusion.', 'Heart is not enlarged.')
    >>> inverted("Aorta is not tortuous."), inverted("Normal heart size.", abnormal=False)
    ('Aorta is tortuous.', 'Abnormal heart size.')
    """
    if DENIES.search(sentence):
        return capitalised(DENIES.sub("", sentence, count=1))
    if sentence.startswith("Normal "):
        return f"Abnormal {sentence.removeprefix('Normal ')}"
    sentence = POSSIBLE.sub("", sentence)
    if found := IS.search(sentence):
        no = "no" if found[0].startswith("ha") or sentence.startswith("There ") else "not"
        return f"{sentence[: found.end()]} {no} {undetailed(sentence[found.end() :])}"
    return f"{'No' if abnormal else 'Not'} {spoken(undetailed(sentence))}"


def capitalised(words: str) -> str:
    return words[:1].upper() + words[1:]


def undetailed(words: str) -> str:
    """The words without degree and size, unless nothing else is said."""
    kept = [
        w
        for w in SIZE.sub("", words).split()
        if lexicon().described("severity", w.lower().strip(".,")) is None
    ]
    left = " ".join(kept)
    return left if any(c.isalpha() for c in left) else words.strip()


def reworded(sentence: str, random: Random) -> str:
    """The sentence with some of its words changed for synonyms; only words of one meaning and one grammar."""
    pattern, groups = synonyms()

    def other(match: re.Match[str]) -> str:
        choices = [form for form in groups[match[0].lower()] if form != match[0].lower()]
        return random.choice(choices) if random.random() < CHANCE else match[0]

    return capitalised(pattern.sub(other, sentence))


@cache
def synonyms() -> tuple[re.Pattern[str], dict[str, tuple[str, ...]]]:
    """A pattern for every form that has synonyms, longest first, and the forms it may become."""
    rows = [tuple(row["forms"].split("|")) for row in shipped_rows("synonyms.tsv", "forms", "reason")]
    groups = {form: row for row in rows for form in row}
    forms = sorted(groups, key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, forms))})(?![\w-])", re.IGNORECASE), groups


# ---- by a language model
OTHERWISE = 0.5
"""How often a level below the first takes a sentence's other words."""


class Rewording(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence in other words, and its opposite."""

    number: int
    same: str
    opposite: str


class Rewordings(Struct, frozen=True, forbid_unknown_fields=True):
    """Every sentence of a report."""

    sentences: list[Rewording]


def chains_by_llm(
    client: Client, reports: Sequence[Report], seed: int = 0
) -> tuple[list[Chain], list[Failure]]:
    """The chains of all reports that are eligible, in order, and what the model could not do."""
    outcomes = views(client, reports)
    failed = [view for view in outcomes if isinstance(view, Failure)]
    pairs = zip(reports, outcomes, strict=True)
    fit = [(r, view) for r, view in pairs if isinstance(view, Atoms) and eligible(view.atoms)]
    items = [
        numbered_item(view.id, [f"({atom.normality}) {atom.text}" for atom in view.atoms], view)
        for _, view in fit
    ]
    answers = ask_many(
        client, load_prompt(PROMPT_PACKAGE, "levels"), items, Rewordings, check=rewording_problems
    )
    failed += failures(answers)
    climbs = [
        (report, level_sentences(report, known.atoms, worded(known, answer.value), seed))
        for (report, known), answer in zip(fit, answers, strict=True)
        if isinstance(answer, Answer)
    ]
    made, lost = recombined(client, climbs)
    return made, failed + lost


def numbered_item(id: str, lines: Sequence[str], source: object) -> Item:
    return Item(
        id, {"sentences": "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))}, source=source
    )


def not_once(verb: str, numbers: Iterable[int], count: int) -> list[str]:
    """Each of so many sentences is to be there exactly once."""
    once = sorted(numbers) == list(range(1, count + 1))
    return [] if once else [f"{verb} each of the sentences 1 to {count} exactly once."]


def rewording_problems(asked: Item, answer: Rewordings) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    atoms = asked.source.atoms
    if wrong := not_once("Give", (one.number for one in answer.sentences), len(atoms)):
        return wrong
    for one in answer.sentences:
        text = atoms[one.number - 1].text
        if not one.same.strip() or not one.opposite.strip():
            wrong.append(f"Sentence {one.number} must have words for both same and opposite.")
        elif bare_statement(one.opposite) in (bare_statement(text), bare_statement(one.same)):
            wrong.append(f"The opposite of sentence {one.number} must not say the same as the sentence.")
    return wrong


def bare_statement(text: str) -> str:
    return " ".join(text.lower().rstrip(" .").split())


def worded(view: Atoms, answer: Rewordings) -> Wording:
    """The model's words by place: the opposite where a sentence is turned, else its own or other words."""
    given = {one.number - 1: one for one in answer.sentences}

    def said(place: int, turned: bool, random: Random) -> str:
        same = given[place].same if random.random() < OTHERWISE else view.atoms[place].text
        return given[place].opposite if turned else same

    return said


DENIAL = re.compile(
    r"\b(?:no|not|none|nor|neither|without|absent|absence|free|negative|clear|normal|never|un\w+)\b",
    re.IGNORECASE,
)
NUMERAL = re.compile(r"\d+(?:\.\d+)?")


class Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A sentence of the prose."""

    text: str
    holds: list[int] = field(default_factory=list)
    """Numbers of the sentences whose content it has."""


class Prose(Struct, frozen=True, forbid_unknown_fields=True):
    """One level as a paragraph."""

    parts: list[Part]


def recombined(
    client: Client, climbs: Sequence[tuple[Report, list[list[str]]]]
) -> tuple[list[Chain], list[Failure]]:
    """Five paragraphs a report; a report with a level that could not be written fails as a whole."""
    items = [
        numbered_item(f"{report.id} L{n}", sentences, sentences)
        for report, levels in climbs
        for n, sentences in enumerate(levels, 1)
    ]
    found = iter(ask_many(client, load_prompt(PROMPT_PACKAGE, "prose"), items, Prose, check=prose_problems))
    made, failed = [], []
    for report, levels in climbs:
        five = list(islice(found, len(levels)))
        failed += failures(five)[:1]
        texts = [" ".join(p.text.strip() for p in a.value.parts) for a in five if isinstance(a, Answer)]
        if len(texts) == len(five):
            made.append(Chain(report.id, report.text, *texts))
    return made, failed


def prose_problems(asked: Item, answer: Prose) -> list[str]:
    """What makes the prose unusable, in words for the model."""
    sentences: list[str] = asked.source
    wrong = not_once("Hold", (n for part in answer.parts for n in part.holds), len(sentences))
    parts = ((part, [sentences[n - 1] for n in part.holds]) for part in answer.parts)
    return wrong or [told for part, held in parts for told in prose_losses(part, held)]


def prose_losses(part: Part, sentences: Sequence[str]) -> Iterator[str]:
    """Denials and numbers that went missing."""
    denied = any(DENIAL.search(s) for s in sentences)
    if denied and not DENIAL.search(part.text):
        yield f"What sentences {part.holds} deny must stay denied."
    if not denied and DENIES.search(part.text):
        yield f"Sentences {part.holds} deny nothing; neither may the prose."
    lost = {n for s in sentences for n in NUMERAL.findall(s)} - set(NUMERAL.findall(part.text))
    if lost:
        yield f"Keep the numbers of sentences {part.holds}: {', '.join(sorted(lost))}."
