"""Every route of the review app by every role, with and without the right token, and by people of another study."""

import os
from pathlib import Path

import pytest

from drills.outcome import Outcome

ROOT = Path(__file__).parents[2]
TESTS = "tests/review/test_who_may_do_what.py"


class Counted:
    """A plugin of pytest that books each test as one try."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.outcome.count(f"{report.nodeid} ({report.when})")
        elif report.when == "call" and report.passed:
            self.outcome.count(None)


def routes() -> Outcome:
    """The table of who may do what lives in the tests; here it is asked and counted."""
    outcome = Outcome("review app: every route × role, tokens, sessions, people of other studies")
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        pytest.main(["-q", "--no-header", "-p", "no:xdist", "-o", "addopts=", "--import-mode=importlib", TESTS],
                    plugins=[Counted(outcome)])  # fmt: skip
    finally:
        os.chdir(before)
    if not outcome.tried:
        outcome.count("no test was run")
    return outcome
