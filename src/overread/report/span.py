"""Half-open character offsets."""

from msgspec import Struct


class Span(Struct, frozen=True, order=True, array_like=True, gc=False):
    """`text[start:end]`, nothing more.

    >>> Span(3, 7).overlaps(Span(6, 9)), Span(3, 7).overlaps(Span(7, 9))
    (True, False)
    >>> Span(3, 7).contains(Span(4, 7))
    True
    """

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end

    def contains(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def shift(self, by: int) -> "Span":
        return Span(self.start + by, self.end + by)
