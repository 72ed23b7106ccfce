"""The worked example of the system's README, from text to score."""

import pytest

from overread.reader import read
from overread.report import parse
from overread.systems.srrg.by_rules import view
from overread.systems.srrg.score import METRICS

REFERENCE = """\
Findings:
Lungs and Airways:
- Mild edema
- No pneumonia

Pleura:
- Small left effusion
"""
CANDIDATE = """\
Findings:
Lungs and Airways:
- Edema

Cardiovascular:
- Cardiomegaly
"""


def value(name, candidate=CANDIDATE):
    (metric,) = [one for one in METRICS if one.name == name]
    return metric.score(*(view(read(parse(text, "x"))) for text in (REFERENCE, candidate))).value


def test_the_readme_counts_right():
    assert value("f1-srr") == pytest.approx(0.4)
    assert value("srr-headers") == pytest.approx(0.5)
    assert value("f1-srr-statuses") == pytest.approx(0.4)


def test_a_denied_edema_is_another_label_with_statuses_only():
    flipped = CANDIDATE.replace("- Edema", "- No edema")
    assert value("f1-srr", flipped) == pytest.approx(0.4)
    assert value("f1-srr-statuses", flipped) == 0
