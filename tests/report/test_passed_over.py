"""What is no report is not read, and nobody has to guess why."""

import pytest

from overread import read, score
from overread.report.passed_over import language, passed_over, readable
from overread.validation.laws.law import CASES, CHEATS


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in CASES.foreign.items() for t in texts])
def test_languages(name, text):
    assert language(text) == name
    assert read(text).findings == ()


@pytest.mark.parametrize(
    "text",
    [
        "Small pleural effusions.",
        "ETT 4 cm above carina.",
        "Unfused os acromiale.",
        "Heart size normal lungs clear no effusion bony thorax intact",
        "I see no pneumothorax.",
        "The tear is complete with 2 cm of retraction. The plates provide the only support.",
        "Cul-de-sac free of fluid. En bloc resection. De novo lesion.",
        "α-fetoprotein raised; 5 µm slices; Ménière disease.",
        "No effusion. No effusion. No effusion. No effusion. No effusion.",
        "Minimally displaced right rib fracture, probable nondisplaced left rib fracture",
    ],
)
def test_reports_are_left_alone(text):
    assert passed_over(text) == ()


@pytest.mark.parametrize("name", CHEATS)
def test_what_says_nothing_is_passed_over(name):
    text = CHEATS[name]
    left = readable(text).replace("assistant", "").strip(" .,")
    assert left == ""
    assert len(readable(text)) == len(text)


def test_one_foreign_sentence_does_not_take_the_others_along():
    found = read("Small left effusion. Kein Pneumothorax. The heart is large.")
    assert [f.entity for f in found.findings] == ["effusion", "heart"]
    assert [one.reason for one in found.not_read] == ["German"]


def test_a_sentence_that_gives_nothing_is_listed():
    (silent,) = read("Small left effusion. As above.").not_read
    assert silent.reason == "nothing in it was recognised"


def test_offsets_are_those_of_the_text():
    text = "<|im_start|>Small left effusion.<|im_end|>"
    (finding,) = read(text).findings
    assert text[finding.span.start : finding.span.end] == "effusion"


@pytest.mark.parametrize("metric", ["overread", "radsem", "lunguage", "clear", "f1-srr-statuses"])
def test_a_refusal_scores_as_an_empty_report(metric):
    reference = "The heart is normal in size. No effusion."
    refused, empty = (score([reference], [text], metric)[metric] or 0.0 for text in (CHEATS["refusal"], ""))
    assert refused == pytest.approx(empty, abs=1e-9)
