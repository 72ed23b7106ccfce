"""How wrong each sentence of a report is beside the other report: the network's answer, in the ledger's terms."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from overread.judge.beside import SAID, beside, content, folded
from overread.judge.network import Fault, pair_answers
from overread.report.span import Span
from overread.systems.ledger.schema import Account, Sentence
from overread.systems.ledger.weights import LEVELS, Significance, Weights


class Support(Struct, frozen=True):
    """A sentence, how far the other report bears it out, and what it costs that it does not."""

    sentence: Sentence
    said: float
    cost: float
    """Weight that is lost, as far as the network expects an error; of what is said the less, the surer it is."""

    level: Significance = "none"
    """The likeliest consequence, if it is not said."""

    near: Sentence | None = None
    """The sentence of the other report that shares most with it."""

    denies: bool = False
    """Does it say only that something is normal or absent?"""

    faults: tuple[Fault, ...] = ()

    @property
    def disputed(self) -> bool:
        return self.said < SAID

    def touches(self, spans: Sequence[Span]) -> bool:
        return any(map(self.sentence.span.overlaps, spans))


Sentences = tuple[Support, ...]
Supports = tuple[Sentences, Sentences]
"""The sentences of the reference and of the candidate."""


def supports(account: Account, other: Account, weights: Weights) -> Sentences:
    """Every sentence that states something, once, beside what the other report says."""
    known = {folded(s.text): s for s in other.sentences}
    stated = {folded(s.text): s for s in reversed(account.sentences) if s.states}
    alone = [words for words in stated if words not in known] if known else []
    texts = [stated[words].text for words in alone]
    found_beside = beside(texts, stated, [s.text for s in known.values()], rest=True)
    heard = dict(zip(alone, found_beside, strict=True))
    made = []
    for words, sentence in stated.items():
        if words in known:
            made.append(Support(sentence, 1.0, 0.0, near=known[words]))
        elif not known:
            made.append(Support(sentence, 0.0, weights.levels["significant"], "significant"))
        else:
            answer = heard[words].weighed
            expected = sum(p * weights.levels[level] for p, level in zip(answer.levels, LEVELS, strict=True))
            cost = expected * min(1.0, (1 - answer.said) / (1 - SAID))
            level = LEVELS[max(range(len(LEVELS)), key=answer.levels.__getitem__)]
            found = tuple(faults_in(sentence, heard[words].shown, other))
            made.append(Support(sentence, answer.said, cost, level, nearest(sentence, other), faults=found))
    asserted = [span for c in account.present() for span in c.spans]
    return tuple(
        structs.replace(one, denies=one.sentence.denies and not one.touches(asserted))
        for one in sorted(made, key=lambda one: one.sentence.span.start)
    )


def faults_in(sentence: Sentence, shown: str, other: Account) -> Iterator[Fault]:
    """What the network finds wrong in a sentence, by its place in either report."""
    for one in pair_answers(shown, sentence.text).faults:
        against = (span_in_report(span, shown, other) for span in one.against)
        yield one._replace(
            words=one.words.shift(sentence.span.start), against=tuple(s for s in against if s is not None)
        )


def span_in_report(words: Span, shown: str, other: Account) -> Span | None:
    """Where words of what was shown of a report stand in it."""
    for sentence in other.sentences:
        at = shown.find(sentence.text)
        if at >= 0 and Span(at, at + len(sentence.text)).contains(words):
            return words.shift(sentence.span.start - at)
    return None


def nearest(sentence: Sentence, other: Account) -> Sentence:
    own = content(sentence.text)
    return max(other.sentences, key=lambda one: (len(own & content(one.text)), one.states))
