"""What is begun before options are parsed: importing what parses them takes as long as a third of it."""

import re
from collections.abc import Sequence
from itertools import pairwise

SEVERAL = re.compile(r"-j=?(?!1$)\d+|--jobs=(?!1$)\d+")
ELSEWHERE = re.compile(r"--by=llm|--engine=(?!local$).+")


def begin_ahead(arguments: Sequence[str]) -> None:
    """Have workers prepared where the command will surely want them.

    Where that fails the command itself tries again, and says what is wrong.
    """
    if wants_workers(arguments):
        from contextlib import suppress

        from overread.runner.run.process import begin

        with suppress(OSError):
            begin()


def wants_workers(arguments: Sequence[str]) -> bool:
    """Does this command score in several processes of this machine?

    >>> wants_workers(["score", "pairs.csv", "-j", "2"]), wants_workers(["score", "pairs.csv", "--jobs=1"])
    (True, False)
    """
    if not arguments or arguments[0] != "score" or "--help" in arguments:
        return False
    options = [*arguments, *map("=".join, pairwise(arguments))]
    return any(map(SEVERAL.fullmatch, options)) and not any(map(ELSEWHERE.fullmatch, options))
