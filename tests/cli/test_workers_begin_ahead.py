"""Workers are prepared before options are parsed, where the command will want them."""

import subprocess
import sys

import pytest

from overread.cli.terminal.ahead import begin_ahead, wants_workers
from overread.runner.run import process


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("score pairs.csv -j 2", True),
        ("score pairs.csv -j16 -q", True),
        ("score --jobs 2 refs.csv ours.csv", True),
        ("score --jobs=10 refs.csv ours.csv --engine local --by network", True),
        ("score pairs.csv", False),
        ("score pairs.csv -j 1", False),
        ("score pairs.csv --jobs=1", False),
        ("score pairs.csv -j two", False),
        ("score pairs.csv -j 2 --by llm", False),
        ("score pairs.csv -j 2 --by=llm", False),
        ("score pairs.csv -j 2 --engine ray", False),
        ("score -j 2 --help", False),
        ("serve -j 2", False),
        ("", False),
    ],
)
def test_only_where_processes_of_this_machine_will_score(words, wanted):
    assert wants_workers(words.split()) is wanted


def test_what_fails_ahead_is_left_to_the_command(monkeypatch):
    tried = []

    def begin():
        tried.append(True)
        raise OSError("no more processes")

    monkeypatch.setattr(process, "begin", begin)
    begin_ahead(["score", "pairs.csv", "-j", "2"])
    assert tried


def test_nothing_that_parses_options_is_imported_before():
    begun = "from overread.cli.terminal.ahead import begin_ahead; begin_ahead(sys.argv[1:])"
    words = [
        sys.executable,
        "-c",
        f"import sys; {begun}; print(*sys.modules)",
        "score",
        "pairs.csv",
        "-j",
        "2",
    ]
    seen = subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()
    assert "multiprocessing.forkserver" in seen or sys.platform == "win32"
    assert not {"typer", "numpy", "overread.reader"} & set(seen)
