"""Plain words that deny or hedge: the checker finds them itself, so that writers need not quote each *no*."""

import re

from overread.report.span import Span

DENYING = (
    "no evidence of|no evidence for|no sign of|no signs of|no suggestion of|negative for|free of|free from|absence of|"
    "absent|without|neither|nor|none|not|cannot|never|no longer|no|nil|devoid of|lack of|lacks|lacking|excluded|"
    "ruled out|denies|denied|unlikely|non|n't|rather than|fails to|failed to|aside from no|nothing"
)
HEDGING = (
    "cannot be excluded|cannot be ruled out|cannot exclude|can not be excluded|not excluded|not be excluded|"
    "difficult to exclude|may|might|could|possible|possibly|possibility|probable|probably|likely|unlikely|suspected|"
    "suspect|suspicious|suspicion|suggest|suggests|suggesting|suggestive|suggestion|concerning|concern|worrisome|"
    "questionable|question|questioned|equivocal|apparent|apparently|presumed|presumably|versus|vs|vs\\.|and/or|or|"
    "favor|favored|favors|favour|favoured|favours|favoring|favouring|perhaps|seems|seem|appears to|would|definite|"
    "definitely|convincing|obvious|clear-cut|consider|considered|indeterminate|raises|raise|raising|differential|"
    "thought to|felt to|believed|not certain|uncertain|doubtful|compatible with either|if|\\?|evaluate for|rule out|"
    "r/o|exclude|query|assess for|assess|to look for|look for|looking for|check for|eval|evaluate|\\?\\?|convincingly|"
    "potentially|potential|conceivably|conceivable|tentatively|suspiciously|large|significant|gross|sizable|sizeable|"
    "borderline|at most|grossly|certain|confirm|confident|confidently|visible"
)


def found(pattern: str, sentence: str) -> list[Span]:
    """Where such words stand in a sentence, longest first at each place."""
    return [Span(*one.span()) for one in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", sentence, re.IGNORECASE)]


def nearest(spans: list[Span], mention: Span) -> Span | None:
    """The one that a reader would take: the last before the noun, else the first behind it."""
    before = [span for span in spans if span.end <= mention.start]
    behind = [span for span in spans if span.start >= mention.end]
    return before[-1] if before else behind[0] if behind else None
