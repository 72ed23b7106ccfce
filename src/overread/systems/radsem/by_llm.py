"""Report + client → Atoms: the findings section rewritten by a language model, every word traced to its source.

    for outcome in views(client, reports):
        ...  # an Atoms, or the Failure that says why there is none

A sentence with words that the report does not hold is dropped and counted, never the whole report.
"""

import logging
from collections.abc import Iterator, Sequence

from msgspec import Struct

from overread.lexicon.lexicon import lexicon
from overread.lexicon.load import Row
from overread.lexicon.words import bare
from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.report import Report, Sentence
from overread.systems.radsem.by_rules import side_of
from overread.systems.radsem.match_by_llm import score
from overread.systems.radsem.schema import Atom, Atoms, Normality

__all__ = ["score", "views"]
LOG = logging.getLogger(__name__)
RADSEM_PROMPTS = "overread.systems.radsem"


class RewrittenSentence(Struct, frozen=True, forbid_unknown_fields=True):
    """One atomic sentence and the sentence of the report it comes from."""

    number: int
    text: str
    normality: Normality


class Rewritten(Struct, frozen=True, forbid_unknown_fields=True):
    """The findings section as atomic sentences."""

    area: list[str]
    type: str
    sentences: list[RewrittenSentence]


class AskedReport(Struct, frozen=True):
    """One report and the sentences of its findings section."""

    report: Report
    sentences: tuple[Sentence, ...]

    def text(self, number: int) -> str:
        return " ".join(self.sentences[number - 1].span.of(self.report.text).split())


def views(client: Client, reports: Sequence[Report]) -> list[Atoms | Failure]:
    """One view, or one failure, per report, in order; a report without findings has no atoms and is not asked."""
    asked = [
        AskedReport(r, tuple(s for section in r.section("findings") for s in section.sentences))
        for r in reports
    ]
    items = [item(one) for one in asked if one.sentences]
    outcomes = iter(
        ask_many(client, load_prompt(RADSEM_PROMPTS, "atoms"), items, Rewritten, check=rewriting_problems)
    )

    def made(one: AskedReport) -> Atoms | Failure:
        if not one.sentences:
            return Atoms(one.report.id, ())
        outcome = next(outcomes)
        return outcome if isinstance(outcome, Failure) else assembled(one, outcome.value)

    return [made(one) for one in asked]


def item(asked: AskedReport) -> Item:
    lines = (f"{n}. {asked.text(n)}" for n in range(1, len(asked.sentences) + 1))
    return Item(asked.report.id, {"sentences": "\n".join(lines)}, patient=asked.report.patient, source=asked)


def rewriting_problems(item: Item, answer: Rewritten) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    last = len(item.source.sentences)
    return [
        f"Sentence {place} must come from one of the sentences 1 to {last}."
        for place, sentence in enumerate(answer.sentences, 1)
        if not 1 <= sentence.number <= last
    ]


def assembled(asked: AskedReport, answer: Rewritten) -> Atoms:
    """The atoms whose words the report holds, in whatever sentence: a place may stand in the one before."""
    made: dict[str, Atom] = {}
    dropped = 0
    for sentence in answer.sentences:
        if strangers(sentence.text, asked.report.text):
            dropped += 1
            continue
        span = asked.sentences[sentence.number - 1].span
        atom = Atom(
            sentence.text,
            sentence.normality,
            span.start,
            span.end,
            side=side_of(sentence.text),
            sentence=asked.text(sentence.number),
        )
        made.setdefault(sentence.text, atom)
    if dropped:
        LOG.warning(
            "Report %s: %d atoms are not in the report and were dropped.", asked.report.id[:40], dropped
        )
    return Atoms(asked.report.id, tuple(made.values()), tuple(answer.area), answer.type, dropped=dropped)


# ---- do the words of a rewritten sentence come from the report?
FREE = frozenset(
    """left right no not is are has have there the a an of in on at and or with within shows show present normal
    side space region area cavity sign finding findings lesion lesions focus may possible""".split()
)
"""Words a sentence may need that the report did not."""

STEM = 5
"""Letters that two words of one root share: `hilar` and `hila`, `calcified` and `calcification`."""


def strangers(text: str, source: str) -> list[str]:
    """Content words of `text` that nothing in `source` answers to.

    A word is answered by itself, by a word of the same root, or by one of the same meaning; a place also by a finding
    that is at home there.

    >>> strangers("Left lung has no nodule.", "No pulmonary nodules."), strangers("Heart has a mass.", "Heart is big.")
    ([], ['mass'])
    """
    asked, given = bare(text), bare(source)
    roots = {word[:STEM] for word in given}
    told = {meaning for _, _, said in known_stretches(given) for meaning in said}
    homes = {site for one in told if (c := lexicon().concepts.get(one)) and (site := c.site)}
    answered = {
        n for first, last, said in known_stretches(asked) if said & (told | homes) for n in range(first, last)
    }
    return [
        word
        for n, word in enumerate(asked)
        if len(word) > 2 and word not in FREE and word[:STEM] not in roots and n not in answered
    ]


def known_stretches(words: list[str]) -> Iterator[tuple[int, int, set[str]]]:
    """Stretches of words that the lexicon knows, with what they mean."""
    for first, last, rows in lexicon().matcher.find(words):
        yield first, last, {row.concept for row in rows if isinstance(row, Row)}
