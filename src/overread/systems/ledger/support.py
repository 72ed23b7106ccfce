"""How wrong each sentence of a report is beside the other report: the network's answer, in the ledger's terms."""

from collections.abc import Iterator, Sequence

from msgspec import Struct, structs

from overread.judge import network
from overread.judge.beside import SAID, beside, folded
from overread.judge.premise import content
from overread.report.span import Span
from overread.systems.ledger.schema import Account, Sentence
from overread.systems.ledger.weights import LEVELS, Significance, Weights


class Fault(Struct, frozen=True):
    """Words of a sentence that are at fault, and where the other report has those that they go against."""

    kind: str
    sure: float
    words: Span
    against: tuple[Span, ...] = ()


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


def supports(account: Account, other: Account, weights: Weights) -> tuple[Support, ...]:
    """Every sentence that states something, once, beside what the other report says."""
    known = {folded(s.text): s for s in other.sentences}
    stated = {folded(s.text): s for s in reversed(account.sentences) if s.states}
    alone = [words for words in stated if words not in known] if known else []
    texts = [stated[words].text for words in alone]
    heard = beside(texts, stated, [s.text for s in known.values()], rest=True)
    answers = dict(zip(alone, heard, strict=True))
    made = []
    for words, sentence in stated.items():
        if words in known:
            made.append(Support(sentence, 1.0, 0.0, near=known[words]))
        elif not known:
            made.append(Support(sentence, 0.0, weights.levels["significant"], "significant"))
        else:
            answer = answers[words].weighed
            expected = sum(p * weights.levels[level] for p, level in zip(answer.levels, LEVELS, strict=True))
            cost = expected * min(1.0, (1 - answer.said) / (1 - SAID))
            level = LEVELS[max(range(len(LEVELS)), key=answer.levels.__getitem__)]
            found = tuple(faults_in(sentence, answers[words].shown, other))
            made.append(Support(sentence, answer.said, cost, level, nearest(sentence, other), faults=found))
    asserted = [span for c in account.present() for span in c.spans]
    return tuple(
        structs.replace(one, denies=one.sentence.denies and not one.touches(asserted))
        for one in sorted(made, key=lambda one: one.sentence.span.start)
    )


def faults_in(sentence: Sentence, shown: str, other: Account) -> Iterator[Fault]:
    """What the network finds wrong in a sentence, by its place in either report."""
    at = sentence.span.start
    for one in network().faults([(shown, sentence.text)])[0]:
        against = (span for place in one.against if (span := span_in_report(place, shown, other)) is not None)
        yield Fault(one.kind, one.sure, Span(at + one.start, at + one.end), tuple(against))


def span_in_report(place: tuple[int, int], shown: str, other: Account) -> Span | None:
    """Where words of what was shown of a report stand in it."""
    for sentence in other.sentences:
        at = shown.find(sentence.text)
        if 0 <= at <= place[0] and place[1] <= at + len(sentence.text):
            return Span(sentence.span.start + place[0] - at, sentence.span.start + place[1] - at)
    return None


def nearest(sentence: Sentence, other: Account) -> Sentence:
    own = content(sentence.text)
    return max(other.sentences, key=lambda one: (len(own & content(one.text)), one.states))
