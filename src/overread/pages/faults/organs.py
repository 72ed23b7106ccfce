"""Which organ a stretch of text speaks of: the header of the standard template it was put under."""

from collections.abc import Iterable, Sequence
from typing import Any

Line = tuple[int, int, str]


class Organs:
    """Stretches of both reports with the organ they belong to; empty where F1-SRR was not scored."""

    def __init__(self, detail: Any) -> None:
        headers = (detail or {}).get("headers", ())
        self.reference, self.candidate = (
            [(line["start"], line["end"], header["header"]) for header in headers for line in header[side]]
            for side in ("reference", "candidate")
        )

    def of(self, reference: Iterable[Sequence[int]], candidate: Iterable[Sequence[int]]) -> str:
        """
        >>> line = {"start": 0, "end": 20}
        >>> header = {"header": "Pleura", "reference": [line], "candidate": []}
        >>> Organs({"headers": [header]}).of([(5, 9)], [])
        'Pleura'
        """
        return under(self.reference, reference) or under(self.candidate, candidate)


def under(lines: Sequence[Line], spans: Iterable[Sequence[int]]) -> str:
    for span in spans:
        for start, end, header in lines:
            if start < span[1] and span[0] < end:
                return header
    return ""
