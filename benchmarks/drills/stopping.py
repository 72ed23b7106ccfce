"""Killed at random moments, and two runs at once in one folder."""

import os
import random
import signal
import time
from pathlib import Path

from drills.outcome import Command, Outcome, children_of, finish, running, trouble_with, words, written

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def kills(work: Path, jobs: int, times: int, chance: random.Random) -> Outcome:
    """Start, kill at a random moment, look for what is left, go on to the end."""
    outcome = Outcome(f"killed at random moments, `-j {jobs}`")
    start = time.monotonic()
    finish(work, work / f"whole-{jobs}", jobs)
    length, expected = time.monotonic() - start, written(work / f"whole-{jobs}")
    for n in range(times):
        out = work / f"kill-{jobs}-{n}"
        outcome.count(
            killed(work, out, jobs, chance.uniform(0, length), SIGNALS[n % 4])
            or mended(work, out, jobs, expected)
        )
    return outcome


def killed(work: Path, out: Path, jobs: int, after: float, number: signal.Signals) -> str | None:
    """What a run leaves that is killed after so many seconds."""
    child = Command(words(work, out, jobs))
    time.sleep(after)
    workers = children_of(child.pid)
    os.kill(child.pid, number)
    child.wait()
    deadline = time.monotonic() + 10
    while any(map(running, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    if any(map(running, workers)):
        return f"{number.name}: workers outlive their parent"
    parts = [p.name for p in out.glob("*.part*")] if out.exists() else []
    return f"{number.name}: {parts} left behind" if parts else None


def mended(work: Path, out: Path, jobs: int, expected: list[bytes]) -> str | None:
    code, told = finish(work, out)
    return f"not finished: {told.strip()[-200:]}" if code else trouble_with(out, expected)


def together(work: Path, times: int, chance: random.Random) -> Outcome:
    """A second run begins in the same folder at a random moment of the first."""
    outcome = Outcome("two runs in one folder")
    start = time.monotonic()
    finish(work, work / "whole-together")
    length, expected = time.monotonic() - start, written(work / "whole-together")
    for n in range(times):
        outcome.count(both(work, work / f"both-{n}", chance.uniform(0, length), expected))
    return outcome


def both(work: Path, out: Path, after: float, expected: list[bytes]) -> str | None:
    first = Command(words(work, out))
    time.sleep(after)
    second = Command(words(work, out))
    ends = [first.wait(), second.wait()]
    for code, said in ends:
        if code and "in use by another run" not in said:
            return f"left with {code}: {said.strip()[-200:]}"
    if all(code for code, _ in ends):
        return "both gave way"
    return trouble_with(out, expected)
