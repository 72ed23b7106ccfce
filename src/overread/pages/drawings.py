"""All cases of a page, drawn by several processes, and ahead of the page where somebody has time for it."""

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from itertools import islice
from pathlib import Path

from overread.pages.drawing import DrawnCase, drawer
from overread.runner.run.folder import detail_lines
from overread.runner.run.workers import WORTH_A_POOL, in_order


class Drawings:
    """The cases of one folder of results; whatever was begun is broken off on leaving."""

    def __init__(self, place: Path, jobs: int = 1) -> None:
        self.place = place
        self.asked = jobs
        self.ahead = ThreadPoolExecutor(1)
        self.begun: Future[list[DrawnCase]] | None = None
        self.left = False

    @cached_property
    def jobs(self) -> int:
        """As many processes as were asked for, where there is enough to draw."""
        few = sum(1 for _ in islice(detail_lines(self.place), WORTH_A_POOL)) < WORTH_A_POOL
        return 1 if few else self.asked

    def begin(self) -> None:
        """Let other processes draw while this one is busy; where there are none it is done when asked for."""
        if self.jobs > 1:
            self.begun = self.ahead.submit(self.draw)

    def cases(self) -> list[DrawnCase]:
        """Every explained case, in the order of the reports."""
        return self.draw() if self.begun is None else self.begun.result()

    def draw(self) -> list[DrawnCase]:
        return [case for _, case in in_order(drawer, (), self.lines(), self.jobs) if case is not None]

    def lines(self) -> Iterator[bytes]:
        for line in detail_lines(self.place):
            if self.left:
                return
            yield line

    def __enter__(self) -> "Drawings":
        return self

    def __exit__(self, *_: object) -> None:
        self.left = True
        self.ahead.shutdown()
