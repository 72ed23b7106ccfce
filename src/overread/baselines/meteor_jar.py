"""METEOR 1.5 in Java, from the jar inside the package pycocoevalcap, kept running between pairs.

The jar tells what it counted for a pair as one line of numbers, and turns such a line into a score. Lines
add up column by column, so the corpus score is the score of the summed line, which is the figure the COCO
caption code prints.
"""

import atexit
import os
import subprocess
from collections.abc import Mapping
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from shutil import which
from threading import Lock

from overread.baselines.base import NotInstalled, Tokens, Value
from overread.errors import OverreadError

NAME = "meteor-coco"

LENGTH, CHUNKS, MATCHED = 0, 20, 21
"""Places in the jar's line; length and matched words stand first for the candidate, then the reference."""


_TURN = Lock()  # one question at a time: answers carry no sign of what was asked


def pair(reference: Tokens, candidate: Tokens) -> Value:
    """METEOR 1.5 of one pair; 0 when one side is empty."""
    (line,) = _ask(f"SCORE ||| {_one_line(reference)} ||| {_one_line(candidate)}", answers=1)
    numbers = [float(number) for number in line.split()]
    complete = numbers[MATCHED : MATCHED + 2] == numbers[LENGTH : LENGTH + 2]
    if complete and numbers[CHUNKS] == 1:  # the jar forgives such a pair its chunk when it adds lines up
        numbers[CHUNKS] = 0.0
    counts = {f"{place:02d}": number for place, number in enumerate(numbers)}
    return Value(corpus_java(counts) if reference and candidate else 0.0, counts=counts)


def corpus_java(counts: Mapping[str, float]) -> float | None:
    """METEOR 1.5 from lines summed over any number of pairs; None without any."""
    if not counts:
        return None
    line = " ".join(repr(float(counts[place])) for place in sorted(counts))
    # The jar answers for each line asked and for all lines together, which here are the same.
    _, together = _ask(f"EVAL ||| {line}", answers=2)
    return float(together)


def _one_line(tokens: Tokens) -> str:
    return " ".join(tokens).replace("|", " ").replace("\n", " ")


def _ask(question: str, answers: int) -> list[str]:
    program = _program(os.getpid())
    assert program.stdin is not None
    assert program.stdout is not None
    with _TURN:
        try:
            program.stdin.write(question + "\n")
            program.stdin.flush()
            lines = [program.stdout.readline().strip() for _ in range(answers)]
        except BrokenPipeError:
            lines = [""]
    if not all(lines):
        raise OverreadError("METEOR's Java program has stopped. It needs about 2 GB of free memory.")
    return lines


@lru_cache(maxsize=1)
def _program(process: int) -> subprocess.Popen[str]:
    """The jar of this process: a forked worker starts its own, for two askers would mix up their answers."""
    package = find_spec("pycocoevalcap")
    if package is None or not package.submodule_search_locations:
        raise NotInstalled(NAME, "the package 'pycocoevalcap'", "pip install pycocoevalcap")
    java = which("java")
    if java is None:
        raise NotInstalled(NAME, "Java", "install a Java runtime, version 8 or later, and put it on the PATH")
    program = subprocess.Popen(
        [java, "-jar", "-Xmx2G", "meteor-1.5.jar", "-", "-", "-stdio", "-l", "en", "-norm"],
        cwd=Path(next(iter(package.submodule_search_locations))) / "meteor",
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
    )
    atexit.register(program.kill)
    return program
