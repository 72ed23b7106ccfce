"""Who is told how far a run is; this one keeps quiet."""


class Meter:
    """Override what you want to hear of."""

    def stage(self, name: str) -> None:
        """A new part of the run begins."""

    def tell(self, text: str) -> None:
        """Something a person should know, and need not act on."""

    def expect(self, what: str, total: int, done: int) -> None:
        """`total` units are to be scored, `done` of them were finished in an earlier run."""

    def advance(self) -> None:
        """One more is finished."""
