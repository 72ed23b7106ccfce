"""What a worker process is asked, and what it answers."""

from msgspec import Raw, Struct

from overread.report import SectionName


class ReadTask(Struct, frozen=True, tag="read"):
    """One report, in the eyes of one or more systems."""

    id: str
    text: str
    sections: dict[SectionName, str]
    """Where the report comes in sections; `text` is empty then."""

    systems: tuple[str, ...]
    definitions: str = "wide"
    labels: str | None = None
    """Who labels the lines of SRRG; None: as the server is set up."""


class ErrorsTask(Struct, frozen=True, tag="errors"):
    """A pair."""

    reference: str
    candidate: str


class ScoreTask(ErrorsTask, frozen=True, tag="score"):
    """One pair under one or more metrics."""

    metrics: tuple[str, ...]
    details: bool = True
    tokenisation: str | None = None
    sections: tuple[SectionName, ...] = ("findings", "impression")
    definitions: str = "wide"
    labels: str | None = None


class RewardTask(ErrorsTask, frozen=True, tag="reward"):
    weights: dict[str, float]
    labels: str | None = None


class ExplainTask(Struct, frozen=True, tag="explain"):
    text: str
    section: SectionName = "findings"


class JudgeTask(Struct, frozen=True, tag="judge"):
    first: str
    second: str


Task = ReadTask | ScoreTask | RewardTask | ExplainTask | ErrorsTask | JudgeTask


class TaskAnswer(Struct, frozen=True):
    """What came of one task."""

    encoded: bytes = b"null"
    """JSON, as it will be sent."""

    failed: str | None = None
    """What went wrong, in words that quote no report."""

    seconds: float = 0.0

    @property
    def json(self) -> Raw:
        """The answer for putting into a larger one as it is."""
        return Raw(self.encoded)


def characters(task: Task) -> int:
    """How much text it brings."""
    match task:
        case ReadTask():
            return len(task.text) + sum(map(len, task.sections.values()))
        case ExplainTask():
            return len(task.text)
        case JudgeTask():
            return len(task.first) + len(task.second)
        case _:
            return max(len(task.reference), len(task.candidate))
