"""Reports + client → their five levels, worded by a language model.

The model rewrites a report as atomic sentences and then says each one in other words, and its opposite. Which
sentences are turned at which level, and in which order they stand, is drawn here: the same for the same seed.
At last the model recombines each level into prose, and says which sentences each part of it holds.
"""

from collections.abc import Iterator, Sequence
from random import Random

from msgspec import Struct

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report
from overread.systems.radsem.by_llm import views
from overread.systems.radsem.schema import Atoms
from overread.validation.ladder import Said, eligible, levels
from overread.validation.recombine_by_llm import recombined
from overread.validation.ssree import Chain

PACKAGE = "overread.validation"
CHANCE = 0.5
"""How often a level below the first takes a sentence's other words."""


class Rewording(Struct, frozen=True, forbid_unknown_fields=True):
    """One sentence in other words, and its opposite."""

    number: int
    same: str
    opposite: str


class Rewordings(Struct, frozen=True, forbid_unknown_fields=True):
    """Every sentence of a report."""

    sentences: list[Rewording]


def chains(client: Client, reports: Sequence[Report], seed: int = 0) -> tuple[list[Chain], list[Failure]]:
    """The chains of all reports that are eligible, in order, and what the model could not do."""
    read = list(zip(reports, views(client, reports), strict=True))
    failed = [view for _, view in read if isinstance(view, Failure)]
    fit = [(r, view) for r, view in read if isinstance(view, Atoms) and eligible(view.atoms)]
    items = [item(view) for _, view in fit]
    answers = ask_many(client, load_prompt(PACKAGE, "levels"), items, Rewordings, check=problems)
    climbs: list[tuple[Report, list[list[str]]]] = []
    for (report, view), answer in zip(fit, answers, strict=True):
        if isinstance(answer, Failure):
            failed.append(answer)
        else:
            climbs.append((report, levels(report, view.atoms, worded(view, answer.value), seed)))
    made, lost = recombined(client, climbs)
    return made, failed + lost


def item(view: Atoms) -> Item:
    lines = (f"{n}. ({atom.normality}) {atom.text}" for n, atom in enumerate(view.atoms, 1))
    return Item(view.id, {"sentences": "\n".join(lines)}, source=view)


def problems(item: Item, answer: Rewordings) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    view: Atoms = item.source
    numbers = [one.number for one in answer.sentences]
    if sorted(numbers) != list(range(1, len(view.atoms) + 1)):
        return [f"Give each of the sentences 1 to {len(view.atoms)} exactly once."]
    return list(unturned(view, answer))


def unturned(view: Atoms, answer: Rewordings) -> Iterator[str]:
    for one in answer.sentences:
        text = view.atoms[one.number - 1].text
        if not one.same.strip() or not one.opposite.strip():
            yield f"Sentence {one.number} must have words for both same and opposite."
        elif plain(one.opposite) in (plain(text), plain(one.same)):
            yield f"The opposite of sentence {one.number} must not say the same as the sentence."


def plain(text: str) -> str:
    return " ".join(text.lower().rstrip(" .").split())


def worded(view: Atoms, answer: Rewordings) -> Said:
    """The model's words by place: the opposite where a sentence is turned, else its own or other words."""
    given = {one.number - 1: one for one in answer.sentences}

    def said(place: int, turned: bool, random: Random) -> str:
        other = random.random() < CHANCE
        if turned:
            return given[place].opposite
        return given[place].same if other else view.atoms[place].text

    return said
