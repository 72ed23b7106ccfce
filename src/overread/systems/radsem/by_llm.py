"""Report + client → Atoms: the findings section rewritten by a language model, every word traced to its source.

    for outcome in views(client, reports):
        ...  # an Atoms, or the Failure that says why there is none

A sentence with words that the report does not hold is dropped and counted, never the whole report. What matching needs
to know of a sentence is read from its words by rules.
"""

import logging
from collections.abc import Sequence

from msgspec import Struct, structs

from overread.llm import Client, Failure, Item, ask_many, load_prompt
from overread.reader.statements.sentences import Reader
from overread.reader.statements.terms import NAMED, Term, terms
from overread.reader.statements.vocabulary import Vocabulary, stem, vocabulary
from overread.report import Report, Sentence
from overread.systems.radsem.answers import Rewritten, RewrittenSentence
from overread.systems.radsem.match_by_llm import score
from overread.systems.radsem.meaning.atoms import atoms
from overread.systems.radsem.schema import Atom, Atoms

__all__ = ["score", "views"]
LOG = logging.getLogger(__name__)
PACKAGE = "overread.systems.radsem"


class Asked(Struct, frozen=True):
    """One report and the sentences of its findings section."""

    report: Report
    sentences: tuple[Sentence, ...]

    def text(self, number: int) -> str:
        return " ".join(self.sentences[number - 1].span.of(self.report.text).split())


def views(client: Client, reports: Sequence[Report]) -> list[Atoms | Failure]:
    """One view, or one failure, per report, in order; a report without findings has no atoms and is not asked."""
    asked = [
        Asked(r, tuple(s for section in r.section("findings") for s in section.sentences)) for r in reports
    ]
    items = [item(one) for one in asked if one.sentences]
    outcomes = iter(ask_many(client, load_prompt(PACKAGE, "atoms"), items, Rewritten, check=problems))
    found: list[Atoms | Failure] = []
    for one in asked:
        outcome = next(outcomes) if one.sentences else None
        if outcome is None:
            found.append(Atoms(one.report.id, ()))
        else:
            found.append(outcome if isinstance(outcome, Failure) else assembled(one, outcome.value))
    return found


def item(asked: Asked) -> Item:
    lines = (f"{n}. {asked.text(n)}" for n in range(1, len(asked.sentences) + 1))
    return Item(asked.report.id, {"sentences": "\n".join(lines)}, patient=asked.report.patient, source=asked)


def problems(item: Item, answer: Rewritten) -> list[str]:
    """What makes an answer unusable, in words for the model."""
    last = len(item.source.sentences)
    return [
        f"Sentence {place} must come from one of the sentences 1 to {last}."
        for place, sentence in enumerate(answer.sentences, 1)
        if not 1 <= sentence.number <= last
    ]


def assembled(asked: Asked, answer: Rewritten) -> Atoms:
    """The atoms whose words the report holds, in whatever sentence: a place may stand in the one before."""
    made: dict[str, Atom] = {}
    dropped = 0
    for sentence in answer.sentences:
        if strangers(sentence.text, asked.report.text):
            dropped += 1
            continue
        span = asked.sentences[sentence.number - 1].span
        made.setdefault(sentence.text, understood(sentence, (span.start, span.end)))
    if dropped:
        LOG.warning(
            "Report %s: %d atoms are not in the report and were dropped.", asked.report.id[:40], dropped
        )
    return Atoms(asked.report.id, tuple(made.values()), tuple(answer.area), answer.type, dropped=dropped)


def understood(sentence: RewrittenSentence, span: tuple[int, int]) -> Atom:
    """The sentence as an atom: its own text and normality, the rest read from its words."""
    words = vocabulary()
    for statement in Reader(words).read(sentence.text):
        for atom in atoms(statement, span, sentence.text):
            if atom.normality == sentence.normality:
                return structs.replace(atom, text=sentence.text)
    open_words = sorted({f"~{stem(w)}" for w in sentence.text.lower().rstrip(".").split() if len(w) > 2})
    return Atom(sentence.text, sentence.normality, *span, finding=tuple(open_words))


# ---- do the words of a rewritten sentence come from the report?
FREE = frozenset(
    """left right no not is are has have there the a an of in on at and or with within shows show present normal
    side space region area cavity sign finding findings may possible""".split()
)
"""Words a sentence may need that the report did not."""

STEM = 5
"""Letters that two words of one root share: `hilar` and `hila`, `calcified` and `calcification`."""


def strangers(text: str, source: str) -> list[str]:
    """Content words of `text` that nothing in `source` answers to.

    A word is answered by itself, by a word of the same root, or by one of the same meaning or place.

    >>> strangers("Left lung has no nodule.", "No pulmonary nodules."), strangers("Heart has a mass.", "Heart is big.")
    ([], ['mass'])
    """
    words = vocabulary()
    given = terms(source, words)
    roots = {root(w) for t in given for w in t.form.split()}
    senses = {s for t in given for s in t.sense}
    places = {p for t in given for p in t.site} | implied(given, words)
    asked = (t for t in terms(text, words) if t.role in NAMED)
    return [t.form for t in asked if not answered(t, roots, senses, places)]


def answered(term: Term, roots: set[str], senses: set[str], places: set[str]) -> bool:
    if all(w in FREE or root(w) in roots for w in term.form.split()):
        return True
    if term.site and (term.site[-1] in places or term.kind == "dir"):
        return True
    return bool(term.sense) and senses.issuperset(term.sense)


def implied(given: list[Term], words: Vocabulary) -> set[str]:
    """The places of findings that name none: a pneumothorax is in the pleura."""
    concepts = (words.lexicon.concepts.get(s) for t in given for s in t.sense)
    return {c.site for c in concepts if c is not None and c.site is not None}


def root(word: str) -> str:
    return stem(word)[:STEM]
