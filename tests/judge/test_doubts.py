"""What was read and the text, asked again, does not say is doubtful, with the reasons; the rest is not."""

from types import SimpleNamespace

import overread
from overread.judge import Verdict
from overread.reader import check as checking
from overread.reader.check import check, claims
from overread.report import parse

TEXT = "FINDINGS: Small left effusion, larger than before. No pneumothorax. The heart is enlarged."


def reading(text=TEXT):
    return overread.read(parse(text, "one"))


def answering(monkeypatch, answer):
    """A network that gives one answer to everything, and what it was asked."""
    asked = []

    def sure(text, claim):
        asked.append((text, claim))
        return SimpleNamespace(verdict=answer)

    monkeypatch.setattr(checking, "pair_answers", sure)
    return asked


def test_everything_read_is_put_in_plain_words():
    effusion, pneumothorax, _ = reading().findings
    assert dict(claims(effusion)) == {
        "presence": "There is effusion.",
        "side": "The effusion is on the left.",
        "change": "The effusion has become worse.",
    }
    assert dict(claims(pneumothorax)) == {"presence": "There is no pneumothorax."}


def test_what_is_denied_is_doubtful_with_its_reasons(monkeypatch):
    asked = answering(monkeypatch, Verdict(0.05, 0.9, 0.05))
    found = check(reading())
    assert [d.about for d in found] == ["presence", "side", "change", "presence"]
    assert len(asked) == len(found)
    for doubt in found:
        assert doubt.span.of(TEXT) == doubt.words
        assert doubt.reasons[0].words == doubt.words
        assert doubt.heard.verdict.startswith("denied")


def test_what_may_be_said_is_not(monkeypatch):
    answering(monkeypatch, Verdict(0.2, 0.4, 0.4))
    assert check(reading()) == ()


def test_a_structure_and_the_indication_are_not_asked_about(monkeypatch):
    asked = answering(monkeypatch, Verdict(1.0, 0.0, 0.0))
    check(reading("INDICATION: Cough.\nFINDINGS: The heart is enlarged."))
    assert asked == []


def test_a_plain_report_has_no_doubts():
    assert reading().doubts == ()


def test_findings_carry_their_doubts_when_asked(monkeypatch):
    answering(monkeypatch, Verdict(0.05, 0.9, 0.05))
    view = overread.read(parse(TEXT, "one"), check=True).view("lunguage")
    assert [len(f.doubts) for f in view.findings] == [3, 1, 0]
