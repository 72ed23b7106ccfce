"""How wrong each sentence of a report is beside the other report: the network's answer, in the ledger's terms."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, structs

from overread.judge import Weighed, network
from overread.judge.premise import content, premise
from overread.report.span import Span
from overread.systems.ledger.schema import Account, Sentence
from overread.systems.ledger.weights import LEVELS, Significance, Weights

BUDGET = 50
"""Words of the other report that the network sees beside a sentence."""

NOTHING_ELSE = "No other finding."
"""What is shown of a report that has no sentence of its own: what both reports say is no ground to dispute anything."""

SAID = 0.5
"""From this probability on a sentence is taken to be said by the other report."""


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
    heard = answers([s for words, s in stated.items() if words not in known], known, stated)
    made = []
    for words, sentence in stated.items():
        if words in known:
            made.append(Support(sentence, 1.0, 0.0, near=known[words]))
        elif not known:
            made.append(Support(sentence, 0.0, weights.levels["significant"], "significant"))
        else:
            answer = heard[sentence]
            expected = sum(p * weights.levels[level] for p, level in zip(answer.levels, LEVELS, strict=True))
            cost = expected * min(1.0, (1 - answer.said) / (1 - SAID))
            level = LEVELS[max(range(len(LEVELS)), key=answer.levels.__getitem__)]
            made.append(Support(sentence, answer.said, cost, level, nearest(sentence, other)))
    asserted = [span for c in account.present() for span in c.spans]
    return tuple(
        structs.replace(one, denies=one.sentence.denies and not one.touches(asserted))
        for one in sorted(made, key=lambda one: one.sentence.span.start)
    )


def answers(
    asked: Sequence[Sentence], known: Mapping[str, Sentence], stated: Collection[str]
) -> dict[Sentence, Weighed]:
    """What the network says of each beside the sentences that only the other report has; where it is disputed there,
    beside those of both reports that share words with it too. What is added to both alike makes nothing worse."""
    if not known:
        return {}
    shared = [s.text for words, s in known.items() if words in stated]
    own = [s.text for words, s in known.items() if words not in stated] or [NOTHING_ELSE]
    found = dict(
        zip(asked, network().weighed((premise(s.text, own, BUDGET), s.text) for s in asked), strict=True)
    )
    again = [s for s in asked if found[s].said < SAID and related(s, shared)]
    heard = network().weighed((premise(s.text, [*own, *related(s, shared)], BUDGET), s.text) for s in again)
    return found | {s: max(found[s], one) for s, one in zip(again, heard, strict=True)}


EXCLUDED = 0.8
"""From this probability on a sentence excludes a claim."""


def are_said(statements: Sequence[str], account: Account, other: Account) -> list[bool]:
    """Does the other report say each of them in a sentence of its own, by both heads of the network that can tell?"""
    own = {folded(s.text) for s in account.sentences}
    sentences = [s.text for s in other.sentences if folded(s.text) not in own]
    if not sentences:
        return [False] * len(statements)
    asked = [(premise(one, sentences, BUDGET), one) for one in statements]
    both = zip(network().weighed(asked), network().verdicts(asked), strict=True)
    return [min(one.said, two.said) >= SAID for one, two in both]


def contradicting(statement: str, supports: Sequence[Support]) -> Sentence | None:
    """The disputed sentence that surely excludes a statement by asserting something else."""
    asserting = [s.sentence for s in supports if s.disputed and not s.denies]
    verdicts = network().verdicts((s.text, statement) for s in asserting)
    denied = max(
        zip((v.denied for v in verdicts), asserting, strict=True), key=lambda one: one[0], default=None
    )
    return denied[1] if denied is not None and denied[0] >= EXCLUDED else None


def related(sentence: Sentence, texts: Sequence[str]) -> list[str]:
    """Those that share words with it."""
    own = content(sentence.text)
    return [text for text in texts if own & content(text)]


def nearest(sentence: Sentence, other: Account) -> Sentence:
    own = content(sentence.text)
    return max(other.sentences, key=lambda one: (len(own & content(one.text)), one.states))


def folded(text: str) -> str:
    """
    >>> folded("No  effusion.") == folded("no effusion")
    True
    """
    return " ".join(text.casefold().split()).rstrip(" .;,")
