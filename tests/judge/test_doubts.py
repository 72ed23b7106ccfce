"""What was read and the judge hears otherwise is doubtful, with the reasons of both; the rest is not."""

import pytest

import overread
from overread.judge import Verdict
from overread.reader import check as checking
from overread.reader import read
from overread.reader.check import check
from overread.report import parse

ODD = (
    "FINDINGS: Anyone who reads an effusion into this film errs. "
    "The radiologist on call thought of pneumothorax, wrongly. "
    "No CT is needed for what is plainly a calcified granuloma. No fracture here small effusion there."
)
PLAIN = (
    "FINDINGS: Small left pleural effusion, unchanged. No pneumothorax. The heart is mildly enlarged. There is new "
    "consolidation in the right lower lobe. Possible atelectasis at the left base. IMPRESSION: Pneumonia."
)


class Stub:
    """A judge that hears one thing of every word and gives one answer to every claim."""

    def __init__(self, heard, answer, least=0.9):
        self.heard, self.answer, self.least, self.claims = heard, Verdict(*answer), least, []

    def slots(self, text, places):
        return [{name: self.ranked(name) for name in NAMES} for _ in places]

    def ranked(self, name):
        values = NAMES[name]
        meant = self.heard.get(name, values[0])
        rest = round((1 - self.least) / (len(values) - 1), 3)
        return ((meant, self.least), *((v, rest) for v in values if v != meant))

    def verdicts(self, pairs):
        self.claims += [claim for _, claim in pairs]
        return [self.answer for _ in pairs]


CHANGE = ("-", "new", "worse", "better", "same")
NAMES = {
    "status": ("present", "absent", "none"),
    "sure": ("yes", "no"),
    "side": ("-", "left", "right", "both"),
    "change": CHANGE,
    "left": ("-", "present", "absent"),
    "right": ("-", "present", "absent"),
    "left change": CHANGE,
    "right change": CHANGE,
}
SAID, DENIED, OPEN = (0.9, 0.05, 0.05), (0.05, 0.9, 0.05), (0.05, 0.05, 0.9)


@pytest.fixture
def doubts(monkeypatch):
    """Doubts about a text as rules alone read it, where the judge hears `heard` and answers `answer`."""

    def found(text, answer, least=0.9, **heard):
        stub = Stub({name.replace("_", " "): value for name, value in heard.items()}, answer, least)
        monkeypatch.setattr(checking, "active", lambda: stub)
        return check(read(parse(text), heard=False))

    return found


def told(found):
    return [(d.about, d.read, d.claim) for d in found]


def test_odd_language_is_doubted_and_plain_language_is_not():
    assert sum(d.doubtful for d in overread.read(ODD).doubts) >= 3
    assert not [d for d in overread.read(PLAIN).doubts if d.about != "unread"]


def test_a_doubt_gives_both_reasons(doubts):
    (doubt,) = doubts("No pleural effusion.", DENIED, status="present")
    assert told([doubt]) == [("presence", "There is no pleural effusion.", "There is no pleural effusion.")]
    assert ("No", "CU0001", "denied") in [(r.words, r.rule, r.note) for r in doubt.rules]
    assert (doubt.words, doubt.quote, doubt.finding, doubt.kept) == (
        "pleural effusion",
        "No pleural effusion.",
        "f1",
        "rules",
    )
    assert "“No” denied CU0001" in doubt.by_rules
    assert doubt.by_judge.endswith("is denied (said .05, denied .90, open .05)")


@pytest.mark.parametrize(
    ("text", "answer", "heard"),
    [
        ("No pleural effusion.", SAID, {"status": "present"}),  # the second head agrees with rules
        ("No pleural effusion.", DENIED, {"status": "absent"}),  # the first does, so the second is not asked
        (
            "Small effusion, 12 mm, previously 8 mm.",
            DENIED,
            {"change": "better"},
        ),  # figures are compared by rules
        ("No new effusion.", DENIED, {"status": "absent", "change": "-"}),  # what is denied has not changed
        ("The effusion has resolved.", DENIED, {"status": "absent", "change": "better"}),
        ("The chest tube has been removed.", DENIED, {"status": "absent"}),
        ("INDICATION: Effusion.", DENIED, {"status": "absent"}),
    ],
)
def test_what_is_not_doubted(doubts, text, answer, heard):
    assert doubts(text, answer, **heard) == ()


def test_both_heads_must_be_sure(doubts):
    assert doubts("No effusion.", (0.1, 0.85, 0.05), least=0.85, status="present") != ()
    assert doubts("No effusion.", (0.1, 0.85, 0.05), least=0.55, status="present") == ()
    assert doubts("No effusion.", DENIED, least=0.85, status="absent") == ()
    assert doubts("No effusion.", (0.55, 0.4, 0.05), status="present") == ()


@pytest.mark.parametrize(
    ("text", "answer", "heard", "expected"),
    [
        ("There is pneumonia.", OPEN, {"sure": "no"}, ("certainty", "There is pneumonia.", "There is pneumonia.")),
        (
            "Left effusion.",
            DENIED,
            {"side": "right"},
            ("side", "The effusion is on the left.", "The effusion is on the left."),
        ),
        ("Effusion.", SAID, {"side": "both"}, ("side", "no side", "The effusion is on both sides.")),
        (
            "The effusion is unchanged.",
            DENIED,
            {"change": "worse"},
            ("change", "The effusion is unchanged.", "The effusion is unchanged."),
        ),
        ("Nodules.", SAID, {"change": "better"}, ("change", "no change", "The nodules have improved.")),
        (
            "Possible pneumonia.",
            DENIED,
            {"status": "absent"},
            ("presence", "Probably: there is pneumonia.", "There is pneumonia."),
        ),
    ],
)  # fmt: skip
def test_what_can_be_doubted(doubts, text, answer, heard, expected):
    assert expected in told(doubts(text, answer, **heard))


def test_a_hedge_is_not_doubted_for_being_open(doubts):
    assert doubts("Possible pneumonia.", OPEN, status="none") == ()


def test_of_two_sides_each_is_asked_about_alone(doubts):
    found = doubts("Small right effusion, moderate left effusion.", DENIED, left="absent", right="present")
    assert told(found) == [("presence", "There is left effusion.", "There is left effusion.")]


def test_a_noun_nobody_knows_is_put_to_the_judge(doubts):
    text = "Small left effusion with a transition point."
    found = [d for d in doubts(text, (0.97, 0.02, 0.01), least=0.97, side="left") if d.about == "unread"]
    assert [(d.words, d.read, d.claim, d.finding, d.rules) for d in found] == [
        ("transition point", "nothing", "There is transition point.", None, ())
    ]


def test_what_the_judge_decided_against_rules_is_told_apart():
    reading = overread.read("A pneumothorax would need another film to be seen.")
    assert not reading.findings
    (doubt,) = [d for d in reading.doubts if d.kept == "judge"]
    assert (doubt.finding, doubt.about, doubt.read, doubt.doubtful) == (
        None,
        "presence",
        "There is pneumothorax.",
        False,
    )
    assert doubt.heard.said < 0.5


def test_a_status_turned_by_the_judge_names_its_finding():
    reading = overread.read("Nobody would call this right lung free of nodules.")
    (doubt,) = [d for d in reading.doubts if d.kept == "judge"]
    assert reading.finding(doubt.finding).status == "positive"
    assert doubt.read == "There are no nodules."


def test_findings_of_the_view_carry_their_doubts():
    view = overread.read(ODD, check=True).view("lunguage")
    assert any(f.doubts for f in view.findings)
    assert all(d.finding == f.id for f in view.findings for d in f.doubts)
    assert overread.read(ODD, check=True).view("clear").conditions


def test_without_the_judge_nothing_is_checked(monkeypatch):
    monkeypatch.setenv("OVERREAD_NO_JUDGE", "1")
    with pytest.raises(overread.OverreadError, match="needs the judge"):
        overread.read(ODD, check=True)
    with pytest.raises(overread.OverreadError, match="needs the judge"):
        overread.read(ODD).doubts  # noqa: B018


def test_no_report_takes_for_ever(doubts):
    sentence = "No pleural effusion. "
    assert len(doubts(sentence * 5, DENIED, status="present")) == 5
    assert len(doubts(sentence * 300, DENIED, status="present")) == checking.MOST_HEARD


def test_marks_of_de_identification_move_no_word():
    text = "Seen by [**Name 7**] on ___. Anyone who reads an effusion into this film errs."
    for doubt in overread.read(text).doubts:
        assert text[doubt.span.start : doubt.span.end] == doubt.words
