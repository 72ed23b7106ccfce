"""Killed at random moments, and two runs at once in one folder."""

import random
import signal
import subprocess
import time
from pathlib import Path

from drills.outcome import COMMAND, Outcome, children_of, finish, running, trouble_with, words, written

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
    child = subprocess.Popen(
        [*COMMAND, *words(work, out, jobs)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(after)
    workers = children_of(child.pid)
    child.send_signal(number)
    child.communicate()
    deadline = time.monotonic() + 10
    while any(map(running, workers)) and time.monotonic() < deadline:
        time.sleep(0.05)
    if any(map(running, workers)):
        return f"{number.name}: workers outlive their parent"
    parts = [p.name for p in out.glob("*.part*")] if out.exists() else []
    return f"{number.name}: {parts} left behind" if parts else None


def mended(work: Path, out: Path, jobs: int, expected: list[bytes]) -> str | None:
    done = finish(work, out, jobs)
    return f"not finished: {done.stderr.strip()[-200:]}" if done.returncode else trouble_with(out, expected)


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
    command = [*COMMAND, *words(work, out)]
    first = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(after)
    second = subprocess.run(command, capture_output=True, text=True, check=False)
    _, told = first.communicate()
    for code, said in ((first.returncode, told), (second.returncode, second.stderr)):
        if code and "in use by another run" not in said:
            return f"left with {code}: {said.strip()[-200:]}"
    if first.returncode and second.returncode:
        return "both gave way"
    return trouble_with(out, expected)
