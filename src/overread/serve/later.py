"""The judge, offered where this version of overread has one."""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from overread.serve.tasks import JudgeTask

JUDGE = find_spec("overread.judge") is not None


def judgement(task: JudgeTask) -> Any:
    """How far two sentences say the same, the opposite, or neither."""
    return import_module("overread").judge(task.first, task.second)


def warm_up() -> None:
    """The judge's model is loaded before the first request."""
    if JUDGE:
        judgement(JudgeTask("The lungs are clear.", "No focal opacity."))
