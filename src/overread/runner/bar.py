"""The progress bar of a scoring run: stage, done, rate, time left."""

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from overread.runner.meter import Meter


class Bar(Meter):
    """A line on standard error that vanishes when the run is over."""

    def __init__(self) -> None:
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=28),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task("", total=None, rate="")

    def __enter__(self) -> "Bar":
        self.bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.bar.stop()

    def stage(self, name: str) -> None:
        self.bar.reset(self.task, description=name, total=None, rate="")

    def expect(self, what: str, total: int, done: int) -> None:
        self.bar.reset(self.task, description=what, total=total, completed=done, rate="")

    def tell(self, text: str) -> None:
        self.bar.console.print(text, highlight=False, markup=False)

    def advance(self) -> None:
        speed = self.bar.tasks[0].speed
        self.bar.update(self.task, advance=1, rate=f"{speed:.0f}/s" if speed else "")
