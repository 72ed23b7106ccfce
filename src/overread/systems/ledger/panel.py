"""What became of each finding and what kinds of errors there are, for the charts; the page itself lists the errors."""

from typing import Any

from overread.systems.panel import Told

MATCHED_CREDIT = 0.85
"""From this credit on a finding counts as matched, below as partly so."""


def outcomes(detail: Any) -> Told:
    """Findings by what became of them, and errors by their kind."""
    group = "Findings (overread)"
    for one in detail["agreed"]:
        yield group, one["concept"].lstrip("?"), "matched" if one["credit"] >= MATCHED_CREDIT else "partial"
    for error in detail["errors"]:
        outcome = {"missed finding": "missed", "false finding": "invented"}.get(error["kind"], "partial")
        if outcome != "partial" and error["concept"]:
            yield group, error["concept"].lstrip("?"), outcome
        yield "Errors (overread)", error["kind"], outcome
