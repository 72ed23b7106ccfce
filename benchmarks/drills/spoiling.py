"""Journals damaged in thirty ways, disks that fill up at ten sizes, folders that nobody may write into."""

import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from drills.outcome import Outcome, finish, trouble_with, words, written
from overread.formats import load
from overread.runner.results.summary import Draws
from overread.runner.run.job import Job
from overread.runner.run.run import run
from overread.runner.run.workers import in_order
from overread.runner.settings import Settings

Damage = Callable[[list[bytes], random.Random], list[bytes]]
SMALL_DISK = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)),) * 2)
from overread.cli.main import main
main()
"""


def at(place: int, change: Callable[[bytes], list[bytes]]) -> Damage:
    """Change one line, counted from the beginning or from the end."""

    def damage(lines: list[bytes], chance: random.Random) -> list[bytes]:
        where = place % len(lines)
        return [*lines[:where], *change(lines[where]), *lines[where + 1 :]]

    return damage


def flipped(line: bytes) -> list[bytes]:
    return [bytes([*line[:30], line[30] ^ 4, *line[31:]])]


def shuffled(lines: list[bytes], chance: random.Random) -> list[bytes]:
    body = lines[1:]
    chance.shuffle(body)
    return [lines[0], *body]


def noise(lines: list[bytes], chance: random.Random) -> list[bytes]:
    whole = bytearray(b"".join(lines))
    for _ in range(20):
        whole[chance.randrange(len(lines[0]), len(whole))] = chance.randrange(256)
    return [bytes(whole)]


ONE_LINE: dict[str, Callable[[bytes], list[bytes]]] = {
    "dropped": lambda line: [],
    "doubled": lambda line: [line, line],
    "edited": lambda line: [line.replace(b"rouge", b"rogue").replace(b"1.0", b"0.9")],
    "flipped": flipped,
    "cut": lambda line: [line[: len(line) // 2]],
    "cut with its end kept": lambda line: [line[: len(line) // 2] + b"\n"],
    "emptied": lambda line: [b"\n"],
    "renumbered": lambda line: [b"9" + line],
}
WAYS: dict[str, Damage] = {
    f"line {place} {name}": at(place, change) for name, change in ONE_LINE.items() for place in (2, 7, -1)
} | {
    "header flipped": at(0, flipped),
    "header dropped": at(0, lambda line: []),
    "shuffled": shuffled,
    "reversed": lambda lines, _: [lines[0], *reversed(lines[1:])],
    "noise": noise,
    "bytes at the end": lambda lines, _: [*lines, bytes(range(256))],
}


def journals(work: Path, chance: random.Random) -> Outcome:
    outcome = Outcome("damaged journals")
    (work / "stopped").mkdir()
    run(job(work), work / "undisturbed")
    expected = written(work / "undisturbed")
    kept = stopped(work, work / "stopped" / "first")
    for n, damage in enumerate(WAYS.values()):
        out = work / "stopped" / str(n)
        out.mkdir()
        (out / "unfinished.jsonl").write_bytes(b"".join(damage(kept.splitlines(keepends=True), chance)))
        outcome.count(gone_on(work, out, expected))
    return outcome


def job(work: Path) -> Job:
    sides = load(work / "refs.jsonl"), {"ours": load(work / "ours.jsonl")}
    return Job(*sides, Settings(("clear", "rouge-l", "lunguage-sequential")), draws=Draws(20, 20))


def stopped(work: Path, out: Path) -> bytes:
    """The journal of a run that was stopped before its end."""

    def engine(*arguments: object) -> object:
        for n, one in enumerate(in_order(*arguments)):  # type: ignore[arg-type]
            if n == 9:
                raise KeyboardInterrupt
            yield one

    try:
        run(job(work), out, engine=engine)  # type: ignore[arg-type]
    except KeyboardInterrupt:
        return (out / "unfinished.jsonl").read_bytes()
    raise AssertionError("it was not stopped")


def gone_on(work: Path, out: Path, expected: list[bytes]) -> str | None:
    try:
        run(job(work), out)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return trouble_with(out, expected)


def full_disks(work: Path, count: int) -> Outcome:
    """The largest file that may be written is this large: one line, exit 2, and the same command goes on."""
    outcome = Outcome("disk full")
    finish(work, work / "whole-disk")
    expected = written(work / "whole-disk")
    largest = max(map(len, expected))
    for size in (largest * n // count for n in range(count)):
        out = work / f"full-{size}"
        command = [sys.executable, "-c", SMALL_DISK, str(size), *words(work, out)]
        found = subprocess.run(command, capture_output=True, text=True, check=False)
        if found.returncode != 2 or len(found.stderr.splitlines()) != 1 or "disk is full" not in found.stderr:
            outcome.count(f"{size} bytes: left with {found.returncode}: {found.stderr.strip()[-200:]}")
            continue
        code, told = finish(work, out)
        outcome.count(told.strip()[-200:] if code else trouble_with(out, expected))
    return outcome


def closed_folders(work: Path) -> Outcome:
    """Every verb that writes, told to write where it may not: one line, exit 2."""
    outcome = Outcome("read-only folder, by verb")
    closed, home = work / "closed", work / "home"
    for folder in (closed, home):
        folder.mkdir()
    refs, ours = str(work / "refs.jsonl"), str(work / "ours.jsonl")
    finish(work, closed / "whole")
    verbs = (
        words(work, closed / "new"),
        words(work, closed / "whole"),
        ["read", refs, "-o", str(closed / "views.jsonl")],
        ["follow", refs, "-o", str(closed / "patients.jsonl")],
        ["convert", refs, str(closed / "reports.csv")],
        ["convert", refs, str(closed / "marked.brat")],
        ["compare", str(closed / "whole"), "-o", str(closed / "page.html")],
        ["build", "sample", refs, "-o", str(closed / "sample.jsonl")],
        ["serve", "--keys", str(closed / "keys"), "--new-key", "me"],
        ["review", "study", str(closed / "review"), "clear", refs],
        ["demo", "--no-open", "-o", str(closed / "demo")],
        ["score", refs, ours, "-m", "rouge-l", "--shards", str(closed / "parts"), "-o", str(home / "out")],
    )
    closed.chmod(0o555)
    for one in (closed / "whole").iterdir():
        one.chmod(0o444)
    (closed / "whole").chmod(0o555)
    for verb in verbs:
        outcome.count(refused(verb, home))
    return outcome


def refused(verb: list[str], home: Path) -> str | None:
    place = {**os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home)}
    # the administrator may write anywhere, unless that is taken from them
    as_others = ["setpriv", "--bounding-set", "-dac_override"] if os.geteuid() == 0 else []
    command = [*as_others, sys.executable, "-m", "overread", *verb]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=place)
    told = done.stderr.strip()
    fine = done.returncode == 2 and "ermission denied" in told.splitlines()[-1]
    return None if fine else f"{verb[0]}: left with {done.returncode}: {told[-200:]}"
