"""What the network says of each statement of a report beside another report."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from overread.judge.network import Verdict, Weighed, network
from overread.judge.premise import content, premise

BUDGET = 50
"""Words of the other report that the network sees beside a statement."""

REST = 70
"""The same of what else the report has: what bears a statement out may share no word with it."""

NOTHING_ELSE = "No other finding."
"""What is shown of a report that has no sentence of its own: what both reports say is no ground to dispute anything."""

SAID = 0.5
"""From this probability on a statement is taken to be said by the other report."""


class Beside(NamedTuple):
    """How far a report bears a statement out, by both heads of the network that can tell."""

    weighed: Weighed
    verdict: Verdict
    shown: str = ""
    """What the network saw of the other report."""

    @property
    def disputed(self) -> bool:
        return self.weighed.said < SAID

    @property
    def borne_out(self) -> float:
        """How likely the report says it and does not deny it."""
        return self.weighed.said * (1 - self.verdict.denied)


def beside(
    statements: Sequence[str], own: Collection[str], other: Collection[str], *, rest: bool = False
) -> list[Beside]:
    """Each statement beside the sentences that only the other report has; where it is disputed there, beside those of
    both reports that share words with it too, and beside the `rest` if asked. What is added to both alike makes nothing
    worse."""
    known = {folded(text) for text in own}
    shared = [text for text in other if folded(text) in known]
    only = [text for text in other if folded(text) not in known] or [NOTHING_ELSE]
    found = asked([(premise(one, only, BUDGET), one) for one in statements])
    for n, text in enumerate(statements):
        unseen = [one for one in only if rest and one not in found[n].shown]
        if found[n].disputed and (more := related(text, shared)):
            found[n] = max(found[n], *asked([(premise(text, [*only, *more], BUDGET), text)]))
        if found[n].disputed and unseen:
            again = asked([(premise(text, unseen, REST), text)])[0]
            found[n] = found[n] if again.disputed else again
    return found


def asked(pairs: Sequence[tuple[str, str]]) -> list[Beside]:
    judge = network()
    shown = (text for text, _ in pairs)
    return list(map(Beside, judge.weighed(pairs), judge.verdicts(pairs), shown))


def related(statement: str, texts: Sequence[str]) -> list[str]:
    """Those that share words with it."""
    own = content(statement)
    return [text for text in texts if own & content(text)]


def folded(text: str) -> str:
    """
    >>> folded("No  effusion.") == folded("no effusion")
    True
    """
    return " ".join(text.casefold().split()).rstrip(" .;,")
