"""Parts that a server offers where this version of overread has them: the error ledger and the judge."""

from importlib.util import find_spec
from typing import Any

from overread.serve.tasks import ErrorsTask, JudgeTask

LEDGER = find_spec("overread.systems.ledger") is not None
JUDGE = find_spec("overread.judge") is not None


def errors(task: ErrorsTask) -> Any:
    raise NotImplementedError


def judgement(task: JudgeTask) -> Any:
    raise NotImplementedError


def warm_up() -> None:
    """The judge's model is loaded before the first request."""
