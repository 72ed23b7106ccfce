"""A small model of ours that hears meaning: what two statements are to each other, what a text says of a claim.

    >>> import overread
    >>> overread.judge("The heart is enlarged.", "There is cardiomegaly.").same > 0.5
    True

The package is called like a function, and holds the rest: `overread.judge.verdict(text, claim)`.
"""

import sys
from types import ModuleType

from overread.judge.network import Relation, Verdict, Weighed, judge, pair_answers, relation_of, verdict

__all__ = ["Relation", "Verdict", "Weighed", "judge", "pair_answers", "relation_of", "verdict"]


class _Asked(ModuleType):
    def __call__(self, a: str, b: str) -> Relation:
        return judge(a, b)


sys.modules[__name__].__class__ = _Asked
