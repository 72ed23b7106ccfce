"""How wrong each sentence of a report is beside the other report: the network's answer, in the ledger's terms."""

from collections.abc import Sequence

from msgspec import Struct, structs

from overread.judge import network
from overread.judge.beside import BUDGET, SAID, asked, beside, folded
from overread.judge.premise import content, premise
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

    answered: bool = False
    """Has every finding in it its answer? Then no more than a detail of it is not said."""

    @property
    def disputed(self) -> bool:
        return self.said < SAID

    def touches(self, spans: Sequence[Span]) -> bool:
        own = self.sentence.span
        return any(span.start < own.end and own.start < span.end for span in spans)


def supports(account: Account, other: Account, weights: Weights) -> tuple[Support, ...]:
    """Every sentence that states something, once, beside what the other report says."""
    known = {folded(s.text): s for s in other.sentences}
    stated = {folded(s.text): s for s in reversed(account.sentences) if s.states}
    alone = [words for words in stated if words not in known] if known else []
    heard = beside([stated[words].text for words in alone], stated, [s.text for s in known.values()])
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
            made.append(Support(sentence, answer.said, cost, level, nearest(sentence, other)))
    asserted = [span for c in account.present() for span in c.spans]
    return tuple(
        structs.replace(one, denies=one.sentence.denies and not one.touches(asserted))
        for one in sorted(made, key=lambda one: one.sentence.span.start)
    )


EXCLUDED = 0.8
"""From this probability on a sentence excludes a claim."""


def are_said(statements: Sequence[str], account: Account, other: Account) -> list[bool]:
    """Does the other report say each of them in a sentence of its own, by both heads of the network that can tell?"""
    own = {folded(s.text) for s in account.sentences}
    sentences = [s.text for s in other.sentences if folded(s.text) not in own]
    if not sentences:
        return [False] * len(statements)
    heard = asked([(premise(one, sentences, BUDGET), one) for one in statements])
    return [min(one.weighed.said, one.verdict.said) >= SAID for one in heard]


def contradicting(statement: str, supports: Sequence[Support]) -> Sentence | None:
    """The disputed sentence that surely excludes a statement, by denying it or by asserting something else."""
    disputed = [s.sentence for s in supports if s.disputed]
    verdicts = network().verdicts((one.text, statement) for one in disputed)
    rated = [(verdict.denied, one) for verdict, one in zip(verdicts, disputed, strict=True)]
    denied, sentence = max(rated, key=lambda found: found[0], default=(0.0, None))
    return sentence if denied >= EXCLUDED else None


def nearest(sentence: Sentence, other: Account) -> Sentence:
    own = content(sentence.text)
    return max(other.sentences, key=lambda one: (len(own & content(one.text)), one.states))
