"""Drills that live in the tests: each is run as it stands there, and counted."""

import os
from pathlib import Path

import pytest

from drills.outcome import Outcome

ROOT = Path(__file__).parents[2]
DRILLS: dict[str, tuple[str, ...]] = {
    "review app: every route × role, tokens, sessions, guessing, uploads, people of other studies": (
        "packages/overread-review/tests/test_who_may_do_what.py",
    ),
    "review app: many readers at once, killed while saving, backup and restore": (
        "packages/overread-review/tests/test_nothing_is_lost.py",
    ),
    "review app: archives and backups of others, bombs": (
        "packages/overread-review/tests/test_archives_of_others.py",
    ),
    "server: overload, killed workers, endless texts, shutdown in flight, keys, strangers": (
        "tests/serve/test_hard_times.py",
    ),
    "one row of a table that cannot be read, by verb": ("tests/cli/test_one_row_never_ends_a_run.py",),
    "language models: keys and texts that must not leak, orders in reports, limits of cost, floods": (
        "tests/llm/test_keys_stay_secret.py",
        "tests/llm/test_nothing_leaks.py",
        "tests/llm/test_reports_cannot_instruct.py",
        "tests/llm/test_budgets_and_stopping.py",
        "tests/llm/test_privacy_notice.py",
    ),
}


class Counted:
    """A plugin of pytest that books each test as one try."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.outcome.count(f"{report.nodeid} ({report.when})")
        elif report.when == "call" and report.passed:
            self.outcome.count(None)


def tested(name: str) -> Outcome:
    outcome = Outcome(name)
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        settings = ["-q", "--no-header", "-p", "no:xdist", "-o", "addopts=", "--import-mode=importlib"]
        pytest.main([*settings, *DRILLS[name]], plugins=[Counted(outcome)])
    finally:
        os.chdir(before)
    if not outcome.tried:
        outcome.count("no test was run")
    return outcome
