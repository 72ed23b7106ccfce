"""What a drill comes to, and the small run that most of them spoil."""

import json
import os
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from overread.cli.main import main

OUTPUTS = ("results.jsonl", "summary.json", "details.jsonl")
METRICS = "clear,rouge-l,lunguage-sequential"


@dataclass
class Outcome:
    """Tried, and of these: survived, or lost with a word about it."""

    name: str
    tried: int = 0
    survived: int = 0
    lost: list[str] = field(default_factory=list)

    def count(self, trouble: str | None) -> None:
        self.tried += 1
        if trouble is None:
            self.survived += 1
        else:
            self.lost.append(trouble)

    def row(self) -> str:
        return f"| {self.name} | {self.tried} | {self.survived} | {len(self.lost)} |"


def write_inputs(folder: Path, pairs: int) -> None:
    """References and candidates of invented patients."""
    sides = (("refs", "There is a small left pleural effusion of {n} mm. The heart is enlarged."),
             ("ours", "Left effusion, {n} mm. Normal heart. No pneumothorax."))  # fmt: skip
    for name, text in sides:
        rows = [
            {"id": str(n), "patient": str(n // 3), "day": n % 3, "report": f"FINDINGS: {text.format(n=n)}"}
            for n in range(pairs)
        ]
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def words(folder: Path, out: Path, jobs: int = 1) -> list[str]:
    files = [str(folder / "refs.jsonl"), str(folder / "ours.jsonl")]
    return [
        "score",
        *files,
        "-m",
        METRICS,
        "-q",
        "--no-page",
        "--resamples",
        "20",
        "-j",
        str(jobs),
        "-o",
        str(out),
    ]


class Command:
    """`overread …` in a process of its own, forked from this one: it starts with everything imported."""

    def __init__(self, given: list[str]) -> None:
        self.told = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the process runs)
        self.pid = os.fork()
        if self.pid == 0:
            self.be(given)

    def be(self, given: list[str]) -> NoReturn:
        os.dup2(self.told.fileno(), 2)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.argv, code = ["overread", *given], 0
        try:
            main()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else int(bool(left.code))
        finally:
            sys.stderr.flush()
            os._exit(code)

    def wait(self) -> tuple[int, str]:
        """Exit status (negative for a signal) and what was said on standard error."""
        _, status = os.waitpid(self.pid, 0)
        self.told.seek(0)
        return os.waitstatus_to_exitcode(status), self.told.read().decode()


def finish(folder: Path, out: Path, jobs: int = 1) -> tuple[int, str]:
    return Command(words(folder, out, jobs)).wait()


def written(out: Path) -> list[bytes]:
    return [(out / name).read_bytes() if (out / name).exists() else b"" for name in OUTPUTS]


def trouble_with(out: Path, expected: list[bytes]) -> str | None:
    """What is wrong with a folder that should be whole."""
    if written(out) != expected:
        return "other results than an undisturbed run"
    extra = {p.name for p in out.iterdir()} - {*OUTPUTS, "manifest.json"}
    return f"left behind: {', '.join(sorted(extra))}" if extra else None


def children_of(pid: int) -> list[int]:
    """Direct children, from /proc."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except (OSError, IndexError):
            continue
        if parent == pid:
            found.append(int(entry.name))
    return found


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False
